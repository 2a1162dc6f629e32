// Updates through write-conflict resolutions: which iterations of a map update one element, and whether two of them may meet.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analysis/scopes.h"
#include "code/reduction.h"
#include "ir/code_block.h"
#include "ir/sdfg.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// Can OpenMP combine private copies of a variable of the type?
bool openmp_combines(code::ReductionType operation, const code::DType& type);

/// The edges of code whose updates arrive at an edge into a scope's exit.
std::vector<ir::EdgeId> update_leaves(const ir::State& state, const ir::Adjacency& adjacency, ir::EdgeId into_exit);

/// One element of a container that many iterations of a map update in the same way.
struct RepeatedUpdate {
    std::string connector;           ///< Of the exit, after IN_.
    std::vector<ir::EdgeId> leaves;  ///< Out of tasklets; all have equal memlets.
    std::size_t level = 0;           ///< Number of leading parameters of the map that the element depends on.
};
/// All of a map: the element is one, stays the same in the dimensions from `level` on and in everything inside, and its operator
/// has an identity. They may be computed in a local variable where the scope does not read the element (`reads_element`).
std::vector<RepeatedUpdate> repeated_updates(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency,
                                             const ScopeTree& scopes, ir::NodeId entry);

/// May the scope read, for fixed leading `level` parameters, the element that is updated? `known` holds at the top of the state.
bool reads_element(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes,
                   ir::NodeId entry, const RepeatedUpdate& update, const symbolic::Assumptions& known);
/// Containers that the scope reads through its entry or touches at access nodes inside.
std::set<std::string> read_in_scope(const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes,
                                    ir::NodeId entry);

/// May the updates of a container in the map run in private copies (`private_updates`)? All that is written of it are updates with
/// one operator, whose identity exists; elements that are updated repeatedly are not read, and where others are updated as well,
/// nothing of it is.
bool may_be_private(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes,
                    ir::NodeId entry, const std::string& data, const symbolic::Assumptions& known);

/// May iterations of `team`, whose leading `collapse` dimensions run at the same time, move the same element by this memlet at
/// `scope`, the team's or one inside of it? Yes unless it is proven that they do not. `known` holds at the top of the state.
bool iterations_meet(const ir::Sdfg& sdfg, const ir::State& state, const ScopeTree& scopes, ir::NodeId team, std::size_t collapse,
                     ir::NodeId scope, const ir::Memlet& memlet, const symbolic::Assumptions& known);

}  // namespace sluice::analysis
