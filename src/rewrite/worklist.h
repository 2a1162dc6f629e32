// Where transformations are still to be tried. A pattern begins somewhere: at a node, a block, or an SDFG as a whole. The worklist
// holds such beginnings, for each transformation in a queue of its own, indexed by the kind at which its patterns begin.
//
// A queue and not a stack (as in InstCombine or MLIR's greedy driver, which go on where they have just edited): what an edit
// touched is looked at again after everything that was there before. A chain of n that fold into one thus folds in pairs, then in
// pairs of pairs, each of which is looked at log n times, and not n times by a first one that grows.
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "rewrite/match.h"

namespace sluice::rewrite {

class Worklist {
public:
    /// What comes first in the list is exhausted first. Transformations and program must outlive the worklist.
    explicit Worklist(std::vector<const Transformation*> transformations);

    /// Everything in the program. `generation`: how many edits led there, one after the other, that made the program larger.
    void fill(const ir::Sdfg& program, Views& views, std::size_t generation = 0);
    /// What has a place in a match together with something that an edit touched.
    void touch(const ir::Sdfg& program, const Changes& changes, Views& views, std::size_t generation);

    struct Beginning {
        std::size_t transformation;  ///< Position in the list.
        Place place;
        std::uint32_t id;  ///< Of a node or a block; none for an SDFG.
        std::size_t generation;
    };
    std::optional<Beginning> next();
    /// Once more, after everything that waits.
    void again(const Beginning& beginning) { push(beginning.transformation, beginning.place, beginning.id, beginning.generation); }

    /// Most regions, scopes and nested SDFGs around anything that fill() met.
    std::size_t depth() const { return depth_; }
    std::size_t searched = 0;  ///< Beginnings that next() gave (Effort).

private:
    struct Entry {
        std::size_t transformation;
        Kinds begins = 0;  ///< Kinds at which one of its patterns begins.
        bool whole = false;
        std::deque<Beginning> queue;
        std::set<std::pair<Place, std::uint32_t>> waiting;
    };
    void push(std::size_t transformation, const Place& place, std::uint32_t id, std::size_t generation);
    void touch(const ir::Sdfg& program, const Place& place, std::uint32_t id, Kinds kind, Views& views, std::size_t generation);

    std::vector<const Transformation*> transformations_;
    std::vector<Entry> entries_;
    std::size_t depth_ = 0;
};

}  // namespace sluice::rewrite
