// Which maps can fill the lanes of vector registers, and gain by it.
#pragma once

#include <optional>
#include <string>

#include "analysis/scopes.h"
#include "ir/sdfg.h"

namespace sluice::analysis {

/// Code without branches or loops, in Python.
bool is_straight_line(const ir::Tasklet& tasklet);
/// Code in Python that only assigns, perhaps in branches: it cannot fail, and leaves nothing behind but the values it gives.
bool only_assigns(const ir::Tasklet& tasklet);

/// Does it bring elements near? Compilers make no vectors of that.
bool prefetches(const ir::State& state, const ir::Adjacency& adjacency, ir::NodeId node);

/// How far the first element of a memlet moves when the parameter does by one; nullopt: not by a constant.
std::optional<std::int64_t> element_stride(const ir::Sdfg& sdfg, const ir::Memlet& memlet, const std::string& parameter);

/// What the lanes of a map's innermost dimension would touch.
struct Lanes {
    /// A node of the scope that is neither a straight-line tasklet without prefetches nor a scalar that each iteration has for
    /// itself between two of them; invalid: there is none.
    ir::NodeId obstacle;
    /// The map has a loop: it is not unrolled.
    bool in_loop = true;
    /// Each lane writes elements of its own, or updates a private copy.
    bool apart = true;
    /// All elements that are read stay or move by one.
    bool neighbours = true;
    /// Nothing leaves but updates of private copies, whose order alone keeps the compiler from using lanes.
    bool combines = true;
    /// Such an update waits some cycles for the one before, as those of integers do not: more than lanes cost that gather what they
    /// read.
    bool waits = true;

    bool possible() const { return in_loop && !obstacle.valid() && apart; }
    bool pays() const { return possible() && (neighbours || (combines && waits)); }
};
Lanes lanes_of(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes,
               ir::NodeId entry);

}  // namespace sluice::analysis
