// ChooseSynchronization: let threads of a team that runs a loop go on from one map to the next without waiting.
//     for t @CPU_Persistent { map i { A }; map j { B } }   ->   for t @CPU_Persistent { map i nosync { A }; map j { B } }
// N1 a team runs the loop. N2 what one thread does in a map does not conflict with what another does in those that follow, up to
// where the threads meet, and other maps of the loop have no `nosync`.
#include <algorithm>
#include <functional>

#include "analysis/dependences/builder.h"
#include "analysis/legality/synchronise.h"
#include "analysis/team_loop.h"
#include "ir/walk.h"
#include "transform/decision/decision.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;

/// A map of the loop that threads share, or something at which they meet.
struct Item {
    ir::BlockId block;
    analysis::MapInState map;  ///< Without an entry: something else.
};

/// What the region's own states hold, in order.
std::vector<Item> items_of(const ir::Region& region) {
    std::vector<Item> items;
    const auto blocks = analysis::straight_line(region);
    if (!blocks) return items;
    for (const ir::BlockId id : *blocks) {
        const ir::State* state = ir::as_state(region.blocks[id]);
        if (!state) {
            items.push_back({id, {}});
            continue;
        }
        const ir::Adjacency adjacency(*state);
        const analysis::ScopeTree scopes(*state, adjacency);
        for (const ir::NodeId node : scopes.children({})) {
            const auto* access = std::get_if<ir::Access>(&state->nodes[node].kind);
            const auto* map = std::get_if<ir::MapEntry>(&state->nodes[node].kind);
            const bool shared = map && analysis::shared_by_team(*map);
            const bool copies = access && (access->setzero || std::ranges::any_of(adjacency.in(node), [&](ir::EdgeId edge) {
                                               return std::holds_alternative<ir::Access>(state->nodes[state->edges[edge].src].kind);
                                           }));
            if (shared || copies || !access) items.push_back({id, {state, shared ? node : ir::NodeId()}});
        }
    }
    return items;
}

/// Finds the maps after which threads go on: from the first on, each that conflicts with none since the threads last met.
class Barriers {
public:
    using Ask = std::function<bool(const Item& first, const Item& second, bool later)>;
    Barriers(const std::vector<Item>& items, Ask apart) : items_(items), apart_(std::move(apart)), goes_on_(items.size(), false) {}

    std::vector<bool> run() {
        for (std::size_t at = 0; at < items_.size(); ++at) {
            if (!items_[at].map.entry.valid()) {
                open_.clear();
                continue;
            }
            if (at > 0 && !open_.empty()) {
                goes_on_[at - 1] = apart_from_open(items_[at], false);
                if (!goes_on_[at - 1]) open_.clear();
            }
            open_.push_back(at);
        }
        if (!items_.empty() && !open_.empty() && items_.front().map.entry.valid()) goes_on_.back() = next_iteration_may_begin();
        return goes_on_;
    }

private:
    bool apart_from_open(const Item& next, bool later) const {
        return std::ranges::all_of(open_, [&](std::size_t before) { return apart_(items_[before], next, later); });
    }
    bool next_iteration_may_begin() const {
        for (std::size_t at = 0; at < items_.size() && items_[at].map.entry.valid(); ++at) {
            if (!apart_from_open(items_[at], true)) return false;
            if (!goes_on_[at]) return true;
        }
        return true;
    }

    const std::vector<Item>& items_;
    Ask apart_;
    std::vector<bool> goes_on_;
    std::vector<std::size_t> open_;  ///< Maps of which shares may still be running.
};

}  // namespace

SynchronizationChoice synchronized(const ir::Sdfg& sdfg, const ir::Region& region, ir::BlockId id,
                                   const symbolic::Assumptions& known) {
    const std::vector<Item> items = items_of(std::get<ir::LoopRegion>(region.blocks[id].kind).body);
    const std::vector<bool> goes_on =
        Barriers(items, [&](const Item& first, const Item& second, bool later) {
            return analysis::shares_apart(sdfg, region, id, first.map, second.map, later, known).yes();
        }).run();
    SynchronizationChoice choice;
    for (std::size_t at = 0; at < items.size(); ++at)
        if (goes_on[at]) choice.maps.emplace_back(items[at].block, items[at].map.entry);
    choice.choice = "nosync after " + std::to_string(choice.maps.size()) + " maps";
    choice.why = "threads touch elements of their own up to where they meet";
    return choice;
}

namespace {

/// The maps of the region's states that belong to no loop inside of it, with the block of those that are the region's own.
template <class RegionType, class Visit> void for_each_map(RegionType& region, const Visit& visit, bool own = true) {
    for (auto [id, block] : region.blocks) {
        if (auto* state = ir::as_state(block))
            for (auto [entry, node] : state->nodes)
                if (auto* map = std::get_if<ir::MapEntry>(&node.kind)) visit(own ? id : ir::BlockId(), entry, *map);
        if (!std::holds_alternative<ir::LoopRegion>(block.kind))
            ir::for_each_inner_region(block, [&](auto& inner) { for_each_map(inner, visit, false); });
    }
}

bool is_chosen(const SynchronizationChoice& choice, ir::BlockId block, ir::NodeId entry) {
    return std::ranges::find(choice.maps, std::pair(block, entry)) != choice.maps.end();
}

}  // namespace

void take(ir::LoopRegion& loop, const SynchronizationChoice& choice) {
    for_each_map(loop.body,
                 [&](ir::BlockId block, ir::NodeId entry, ir::MapEntry& map) { map.nosync = is_chosen(choice, block, entry); });
}

bool changes(const ir::LoopRegion& loop, const SynchronizationChoice& choice) {
    bool other = false;
    for_each_map(loop.body, [&](ir::BlockId block, ir::NodeId entry, const ir::MapEntry& map) {
        other = other || map.nosync != is_chosen(choice, block, entry);
    });
    return other;
}

namespace {

rewrite::Planned<SynchronizationChoice> plan_choose_synchronization(const rewrite::Site& site) {
    const auto& loop = site.get_block<ir::LoopRegion>("loop");
    const bool by_team = loop.schedule == ir::Schedule::CPU_Persistent || !team_loops_at(site.root(), site.match().place).empty();
    if (!by_team) return Refusal{.code = "N1", .why = "no team runs the loop"};
    SynchronizationChoice choice = synchronized(site.sdfg(), site.region(), site.block("loop"), site.assumptions());
    if (!changes(loop, choice)) return Refusal{.code = "N2", .why = "its threads meet where one may depend on another"};
    return choice;
}

void apply_choose_synchronization(rewrite::Draft& draft, const SynchronizationChoice& choice) {
    take(draft.get_block<ir::LoopRegion>("loop"), choice);
}

}  // namespace

rewrite::Transformation choose_synchronization() {
    return rewrite::transformation(
        {.name = "ChooseSynchronization",
         .summary = "Lets threads of a team that runs a loop go on from one map to the next without waiting.",
         .drawing = "for t @CPU_Persistent { map i { A }; map j { B } }   ->   "
                    "for t @CPU_Persistent { map i nosync { A }; map j { B } }",
         .decided_by = {.predicates = {"shares_apart"}},
         .patterns = {{.nodes = {{"loop", rewrite::kind::loop}}, .edges = {}}},
         .conditions = {{"N1", "a team runs the loop"},
                        {"N2",
                         "what one thread does in a map does not conflict with what another does in those that follow, up to where "
                         "the threads meet, and other maps of the loop have no `nosync`"}}},
        plan_choose_synchronization, apply_choose_synchronization);
}

}  // namespace sluice::transform
