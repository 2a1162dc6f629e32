// The answer to "is this transformation legal?": yes; no, with two instances that would come into each other's way; or unknown,
// with the construct that hides the answer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/sdfg.h"
#include "poly/handle.h"

namespace sluice::analysis {

using poly::Answer;

/// One execution of a statement.
struct Instance {
    std::string statement;  ///< Label: `update`, `copy A -> B`, `k = k + 1`.
    std::string place;      ///< Path of blocks and nested SDFGs from the region asked about: `if/update`.
    ir::NodeId node;        ///< In the state at `place`; invalid for what is no node (a condition, an assignment).
    Span where;             ///< In the user's source, if known.
    bool writes = false;
    bool reduces = false;  ///< Writes through a write-conflict resolution.
    std::string guard;     ///< Text of a condition on data that must hold; empty: it runs in every case.
    std::vector<std::pair<std::string, std::int64_t>> iterators;  ///< Outermost first.
};
/// `first` comes before `second` in the program as it is, or would no longer be kept apart from it.
struct Witness {
    Instance first, second;
    std::string container;
    std::vector<std::int64_t> element;
    std::map<std::string, std::int64_t> parameters;  ///< Values of symbols, and of iterators around the region asked about.
};
/// `a[3]: written by update at i=3, read by assign at i=4 (N=5)`
std::string to_string(const Witness& witness);

struct Verdict {
    Answer answer = Answer::Unknown;
    std::string why = {};  ///< One sentence; empty for yes.
    std::optional<Witness> witness = {};
    /// Where the reason lies: nodes of the state asked about, and a place in the user's source, if known.
    std::vector<ir::NodeId> nodes = {};
    Span where = {};
    /// Of a loop: transients (and symbols) of which each iteration needs its own copy, whatever the answer. Else with yes only.
    std::vector<std::string> privatised = {};
    /// With yes: containers that iterations update by a write-conflict resolution, in any order.
    std::vector<std::string> reductions = {};

    bool yes() const { return answer == Answer::Yes; }
    bool no() const { return answer == Answer::No; }
};

}  // namespace sluice::analysis
