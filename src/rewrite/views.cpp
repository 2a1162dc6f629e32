#include "rewrite/views.h"

#include <algorithm>

namespace sluice::rewrite {

using ir::TransitionId;

RegionView::RegionView(const ir::Region& region) {
    for (const auto& [id, transition] : region.transitions) add(id, transition);
}

std::span<const TransitionId> RegionView::at(const Lists& lists, ir::BlockId block) {
    const auto found = lists.find(block);
    return found == lists.end() ? std::span<const TransitionId>() : std::span<const TransitionId>(found->second);
}

void RegionView::add(TransitionId id, const ir::Transition& transition) {
    const auto insert = [&](std::vector<TransitionId>& list) { list.insert(std::ranges::lower_bound(list, id), id); };
    insert(out_[transition.src]);
    insert(in_[transition.dst]);
}

void RegionView::remove(TransitionId id, const ir::Transition& transition) {
    std::erase(out_[transition.src], id);
    std::erase(in_[transition.dst], id);
}

void RegionView::follow(const ir::Region& before, const ir::Region& after, std::span<const TransitionId> changed) {
    for (const TransitionId id : changed) {
        for (const ir::Region* region : {&before, &after})
            if (region->transitions.contains(id)) remove(id, region->transitions[id]);
        if (after.transitions.contains(id)) add(id, after.transitions[id]);
    }
}

const StateView& Views::of(const ir::State& state) {
    std::unique_ptr<StateView>& view = states_[&state];
    if (!view) {
        indexed += state.nodes.size() + state.edges.size();
        view = std::make_unique<StateView>(state);
    }
    return *view;
}

const RegionView& Views::of(const ir::Sdfg& root, const Place& place) {
    std::unique_ptr<RegionView>& view = regions_[place];
    if (!view) {
        const ir::Region& region = region_at(root, place);
        indexed += region.blocks.size() + region.transitions.size();
        view = std::make_unique<RegionView>(region);
    }
    return *view;
}

const symbolic::Assumptions& Views::known(const ir::Sdfg& root, const Place& place) {
    const auto [at, added] = known_.try_emplace(place.nested);
    if (added) at->second = assumptions_at(root, place);
    return at->second;
}

namespace {

/// Can the edit have changed which symbols get values on the way, or what a call hands on?
bool may_change_symbols(const ir::Sdfg& before, const ir::Sdfg& after, const Changes& changes) {
    if (!changes.declarations.empty()) return true;
    for (const RegionChange& change : changes.regions) {
        const ir::Region* was = find_region(before, change.place);
        const ir::Region* is = find_region(after, change.place);
        for (const ir::Region* region : {was, is}) {
            if (!region) return true;
            for (const TransitionId id : change.transitions)
                if (region->transitions.contains(id) && !region->transitions[id].assignments.empty()) return true;
            for (const ir::BlockId id : change.blocks)
                if (region->blocks.contains(id) && !ir::as_state(region->blocks[id])) return true;
        }
    }
    return false;
}

bool holds_call(const ir::State* state, const StateChange& change) {
    return state && std::ranges::any_of(change.nodes, [&](ir::NodeId id) {
               return state->nodes.contains(id) && std::holds_alternative<ir::NestedSdfg>(state->nodes[id].kind);
           });
}

}  // namespace

void Views::follow(const ir::Sdfg& before, const ir::Sdfg& after, const Changes& changes) {
    bool calls = false;
    for (const StateChange& change : changes.states) {
        const ir::State *was = find_state(before, change.place), *is = find_state(after, change.place);
        if (auto view = states_.extract(was); view && is) {
            indexed += view.mapped()->follow(*was, *is, change);
            view.key() = is;
            states_.insert(std::move(view));
        }
        // What is known inside of a call depends on the maps around it.
        calls = calls || holds_call(was, change) || holds_call(is, change);
        if (!known_.empty() && known_.rbegin()->first.size() > 0) calls = true;
    }
    if (calls || may_change_symbols(before, after, changes)) known_.clear();
    for (const RegionChange& change : changes.regions) {
        const auto view = regions_.find(change.place);
        if (view == regions_.end()) continue;
        const ir::Region* was = find_region(before, change.place);
        const ir::Region* is = find_region(after, change.place);
        if (was && is)
            view->second->follow(*was, *is, change.transitions);
        else
            regions_.erase(view);
    }
}

void Views::check_followed(const ir::Sdfg& program, const Changes& changes) {
    for (const StateChange& change : changes.states) {
        const ir::State* state = find_state(program, change.place);
        if (!state) continue;
        const StateView &followed = of(*state), anew(*state);
        const auto same = [&](ir::NodeId entry) {
            return std::ranges::equal(followed.scopes.children(entry), anew.scopes.children(entry));
        };
        check(same({}), "the nodes at the top of ", to_string(program, change.place), " are others than an edit was seen to leave");
        for (const auto& [id, node] : state->nodes)
            check(same(id) && followed.scopes.parent(id) == anew.scopes.parent(id) &&
                      followed.scopes.exit_of(id) == anew.scopes.exit_of(id) &&
                      std::ranges::equal(followed.adjacency.in(id), anew.adjacency.in(id)) &&
                      std::ranges::equal(followed.adjacency.out(id), anew.adjacency.out(id)),
                  "node n", id.value, " of ", to_string(program, change.place),
                  " is joined otherwise than an edit was seen to leave");
    }
}

void Views::clear() {
    states_.clear();
    regions_.clear();
    known_.clear();
}

}  // namespace sluice::rewrite
