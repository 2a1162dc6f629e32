// Where something lies in a program: which nested SDFG, which region in it, which state.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ir/sdfg.h"
#include "support/result.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {
class ScopeTree;
}

namespace sluice::rewrite {

/// Into a loop, a named region, or one branch of a conditional.
struct RegionStep {
    ir::BlockId block;
    std::uint32_t branch = 0;
    auto operator<=>(const RegionStep&) const = default;
};
/// Into the SDFG of a nested SDFG node.
struct NestedStep {
    std::vector<RegionStep> regions;
    ir::BlockId state;
    ir::NodeId node;
    auto operator<=>(const NestedStep&) const = default;
};
struct Place {
    std::vector<NestedStep> nested;   ///< From the root to the SDFG.
    std::vector<RegionStep> regions;  ///< From the SDFG's body to the region.
    ir::BlockId state;                ///< A state of the region, or invalid: the region itself.
    auto operator<=>(const Place&) const = default;
};

const ir::Sdfg& sdfg_at(const ir::Sdfg& root, const Place& place);
const ir::Region& region_at(const ir::Sdfg& root, const Place& place);
const ir::State& state_at(const ir::Sdfg& root, const Place& place);
/// Null where the program has no such place any more.
const ir::Sdfg* find_sdfg(const ir::Sdfg& root, const Place& place);
const ir::Region* find_region(const ir::Sdfg& root, const Place& place);
const ir::State* find_state(const ir::Sdfg& root, const Place& place);
/// The regions that a block holds: the body of a loop or a named region, the branches of a conditional.
std::vector<const ir::Region*> bodies(const ir::Block& block);
/// For writing: what other copies of the graph share is copied first.
ir::Sdfg& sdfg_at(ir::Sdfg& root, const Place& place);
ir::Region& region_at(ir::Sdfg& root, const Place& place);
ir::State& state_at(ir::Sdfg& root, const Place& place);

/// What is known of symbols everywhere in the SDFG at the place. Of one that is called, that follows from what is known at each
/// call on the way to it.
symbolic::Assumptions assumptions_at(const ir::Sdfg& root, const Place& place);

/// Does the predicate hold of a call that leads to the place? It sees the state of the call, its scopes and the call's node.
bool any_call_around(const ir::Sdfg& root, const Place& place,
                     const std::function<bool(const ir::State&, const analysis::ScopeTree&, ir::NodeId)>& holds);

/// Calls `visit` for every region of the program, nested SDFGs included, in order of appearance: parents first.
void for_each_region(const ir::Sdfg& root, const std::function<void(const Place&, const ir::Region&)>& visit);

/// Names of the path as people write it: `main`, `outer/inner/body`, `choice[1]/body`, `main/call/inner`. A name that several
/// siblings share has its number among them: `body#2`. The root's own region is the empty text.
std::string to_string(const ir::Sdfg& root, const Place& place);
/// Error E004 names what is there instead.
Result<Place> find_place(const ir::Sdfg& root, std::string_view path);

/// Name of a block among its siblings, of a node among those of its state that `among` admits: its label (the data of an access
/// node, the entry's label for an exit), with `#k` if it is the k-th of several.
std::string name_of(const ir::Region& region, ir::BlockId block);
std::string name_of(const ir::State& state, ir::NodeId node, const std::function<bool(const ir::Node&)>& among);
std::string bare_name(const ir::State& state, ir::NodeId node);

}  // namespace sluice::rewrite
