// Nested SDFGs made of parts of a graph: a set of nodes of a state, or a set of blocks of a region, becomes one node that calls it.
//
// What the part touches keeps its name inside. Containers that others can see are passed whole and through connectors; transients
// that only the part uses move into it. Symbols are mapped to themselves.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>

#include "ir/sdfg.h"

namespace sluice::rewrite {

/// Why the nodes cannot become a nested SDFG. They must lie in one scope, whole scopes with all that is inside, and no path may
/// leave them and come back.
std::optional<std::string> why_not_nested(const ir::Sdfg& sdfg, const ir::State& state, std::span<const ir::NodeId> nodes);
/// Puts the nodes into a nested SDFG; returns its node. Only where `why_not_nested` found nothing against it.
ir::NodeId nest_nodes(ir::Sdfg& sdfg, ir::State& state, std::span<const ir::NodeId> nodes, const std::string& label);

/// Why the blocks cannot become a nested SDFG: control enters them at one block and leaves them to one block without a condition
/// or an assignment, no jump leads out of them, and no symbol that they assign is read elsewhere.
std::optional<std::string> why_not_nested(const ir::Sdfg& sdfg, const ir::Region& region, std::span<const ir::BlockId> blocks);
/// Puts the blocks into a nested SDFG in a state of its own, which takes their place; returns it. The transients in `inside` are
/// allocated in the nested SDFG anew each time that it runs, as well as views; others are passed.
ir::BlockId nest_blocks(ir::Sdfg& sdfg, ir::Region& region, std::span<const ir::BlockId> blocks, const std::string& label,
                        const std::set<std::string>& inside = {});
/// The same for a region that was taken out of its place: the result's state holds the nested SDFG and what it reads and writes.
ir::State nest_region(ir::Sdfg& sdfg, ir::Region body, const std::string& label, const std::set<std::string>& inside = {});

/// Of a symbol that a range reads from the container: integers stay what they are, others become int64 as in a range.
code::DType symbol_type(const ir::Container& container);

/// Code and symbols of the SDFG that a nested one could not use.
std::optional<std::string> why_nothing_nests(const ir::Sdfg& sdfg);

/// Removes those of the containers, and views, that no access node names, and those of the symbols that nothing assigns or reads.
void forget_unused(ir::Sdfg& sdfg, const std::set<std::string>& containers, const std::vector<std::string>& symbols);

/// Symbols and scalars that conditions, assignments, states and layouts read anywhere but in the blocks of `region`; layouts of
/// what only the blocks use are left out.
std::set<std::string> symbols_read_outside(const ir::Sdfg& sdfg, const ir::Region& region, const std::set<ir::BlockId>& blocks);

/// Transients with access nodes in the blocks, in loops and branches too, and nowhere else, that no condition, assignment or range
/// outside of the blocks reads and that live no longer than their scope says.
std::set<std::string> transients_only_in(const ir::Sdfg& sdfg, const ir::Region& region, std::span<const ir::BlockId> blocks);

}  // namespace sluice::rewrite
