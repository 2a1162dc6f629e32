// Edits of whole scopes that several transformations of maps are written in, and what they have to know of a scope first.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "transform/map/map.h"

namespace sluice::transform {

/// Puts a map directly inside a scope: every edge between the scope and its contents now passes through `inner`.
Scope nest_scope(ir::State& state, Scope scope, ir::MapEntry inner);

/// Removes the entry and the exit: every edge through them goes straight to its other end, under the inner memlet. What ran before
/// the scope still runs before its contents, and they before what followed, by empty memlets where no data says so. The scope
/// holds at least one node.
void dissolve_scope(ir::State& state, Scope scope);

/// Transients that are new for each execution of the scope or of one inside it: they live nowhere else.
std::vector<std::string> private_transients(const ir::Sdfg& sdfg, const ir::State& state, const rewrite::StateView& view,
                                            ir::NodeId entry);

/// Views that are used in the scope only. In one scope a view has one place: copies of the scope that are dissolved have views of
/// their own.
std::vector<std::string> views_inside(const ir::Sdfg& sdfg, const ir::State& state, const rewrite::StateView& view,
                                      ir::NodeId entry);

/// A container that the scope sets to zero when a point begins (`setzero`), and that others use too: its nodes stay in the scope.
std::optional<std::string> zeroed_in_scope(const ir::Sdfg& sdfg, const ir::State& state, const rewrite::StateView& view,
                                           ir::NodeId entry);

/// Entry, contents and exit of a scope.
std::vector<ir::NodeId> scope_nodes(const analysis::ScopeTree& scopes, ir::NodeId entry);

/// The scope once more, between the same neighbours, with transients of its own in place of the private ones. Returns old id ->
/// new.
std::map<ir::NodeId, ir::NodeId> copy_scope(ir::Sdfg& sdfg, ir::State& state, const std::vector<ir::NodeId>& nodes,
                                            const std::vector<std::string>& privates);

/// How many indices the range has, in terms that hold outside of the scopes around the entry too: a bound, if the number itself
/// changes with their parameters; nothing where it is surely 0. `known` holds around the entry.
std::optional<symbolic::Expr> extent_outside(const ir::State& state, const rewrite::StateView& view, ir::NodeId entry,
                                             const symbolic::Range& range, const symbolic::Assumptions& known);

/// Names that something inside the scope gives a meaning of its own: parameters of inner scopes, connectors, locals of tasklets.
/// A symbol of such a name cannot be put in there.
std::set<std::string> names_bound_inside(const ir::State& state, const analysis::ScopeTree& scopes, ir::NodeId entry);
/// The first of the replaced symbols, and of the symbols that replace them, whose name is bound inside the scope.
std::optional<std::string> hidden_name(const ir::State& state, const analysis::ScopeTree& scopes, ir::NodeId entry,
                                       const symbolic::Substitution& replacement);

/// Replaces symbols everywhere inside of the scope (memlets, ranges, code), the entry's own range aside.
void substitute_inside(ir::State& state, const std::vector<ir::NodeId>& inside, const symbolic::Substitution& replacement);

/// Containers in the named nodes and at their edges.
void rename_inside(ir::State& state, const std::vector<ir::NodeId>& nodes, const std::string& from, const std::string& to);

}  // namespace sluice::transform
