// Work, bytes moved and footprint of parts of a program, as expressions over its symbols. Whoever decides asks here.
#pragma once

#include "analysis/cost/machine.h"
#include "analysis/scopes.h"
#include "ir/sdfg.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// What one execution takes. Sums over ranges that depend on outer parameters are exact where the summand is a polynomial;
/// otherwise, and where a branch is taken or a loop left by what data says, they are upper bounds.
struct Cost {
    symbolic::Expr operations = 0;  ///< Arithmetic, comparisons, selections.
    symbolic::Expr calls = 0;       ///< Elementary functions.
    symbolic::Expr bytes = 0;       ///< Moved: each access of a tasklet or a copy, times the size of its element.
    symbolic::Expr unknown = 0;     ///< Executions of code whose work is not known, and not in the other numbers.
    bool exact = true;

    Cost& operator+=(const Cost& other);
    bool operator==(const Cost&) const = default;
};

/// One execution of a node of the state; of an entry: its whole scope. A library node is what its contract says; one whose contract
/// says no work, or does not fit it, is unknown. `known` holds at the node.
Cost cost_of(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes, ir::NodeId node,
             const symbolic::Assumptions& known);
/// One call.
Cost cost_of(const ir::Sdfg& sdfg, const symbolic::Assumptions& known);

/// Distinct bytes that a scope touches outside of itself: what its entry takes in and its exit gives out, containers that appear
/// more than once counted by the hull of their parts.
symbolic::Expr footprint(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes,
                         ir::NodeId entry);
/// How often each distinct byte is moved: bytes / footprint.
symbolic::Expr reuse(const Cost& cost, const symbolic::Expr& footprint);

/// Time of one thread of the machine.
symbolic::Expr picoseconds(const Cost& cost, const Machine& machine);

}  // namespace sluice::analysis
