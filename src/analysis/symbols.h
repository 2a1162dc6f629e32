// Which symbols an SDFG or a part of it needs from outside.
#pragma once

#include <set>
#include <string>

#include "ir/sdfg.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

/// Symbols read in shapes, memlets, ranges, conditions, tasklets and not defined inside (by a map, consume, loop, transition or
/// dynamic range), constants and containers excluded: what the caller must pass. Includes declared symbols only if they are used.
std::set<std::string> free_symbols(const ir::Sdfg& sdfg);
std::set<std::string> free_symbols(const ir::Sdfg& sdfg, const ir::State& state);
/// In the layout of the container: its extents, strides, offsets and sizes.
std::set<std::string> free_symbols(const ir::Container& container);

/// The order of a program's arguments: arg_names first, then the other non-transient containers by name, then the free
/// symbols that are not among them, by name.
std::vector<std::string> argument_order(const ir::Sdfg& sdfg);

/// What is known of an SDFG's symbols everywhere in it: sizes are positive, but what the SDFG itself assigns (loop variables,
/// targets of transitions) may be any integer.
symbolic::Assumptions assumptions_of(const ir::Sdfg& sdfg);
/// The same of a nested SDFG whose call is not at hand: each symbol may be any integer. assumptions_inside (nesting.h) knows more.
symbolic::Assumptions assumptions_wherever_called(const ir::Sdfg& sdfg);
/// What is known inside `scope` (an entry node, or an invalid id): `outside`, and parameters within their ranges. Pass
/// assumptions_of(sdfg) wherever the SDFG is at hand: without it a loop variable counts as positive.
symbolic::Assumptions assumptions_in(const ir::State& state, const class ScopeTree& scopes, ir::NodeId scope,
                                     symbolic::Assumptions outside = {});

}  // namespace sluice::analysis
