#include "rewrite/worklist.h"

#include <algorithm>

#include "ir/query.h"

namespace sluice::rewrite {

namespace {

constexpr std::uint32_t kWhole = ir::NodeId::kNone;

}  // namespace

Worklist::Worklist(std::vector<const Transformation*> transformations) : transformations_(std::move(transformations)) {
    for (const Transformation* each : transformations_) {
        Entry entry{.transformation = entries_.size(), .begins = 0, .whole = false, .queue = {}, .waiting = {}};
        for (const Pattern& pattern : each->descriptor.patterns) {
            if (pattern.over_graph())
                entry.whole = true;
            else
                entry.begins |= pattern.nodes[0].kinds;
        }
        entries_.push_back(std::move(entry));
    }
}

void Worklist::push(std::size_t transformation, const Place& place, std::uint32_t id, std::size_t generation) {
    Entry& entry = entries_[transformation];
    if (entry.waiting.emplace(place, id).second) entry.queue.push_back({transformation, place, id, generation});
}

void Worklist::fill(const ir::Sdfg& program, Views& views, std::size_t generation) {
    const auto begin_at = [&](const Place& place, std::uint32_t id, Kinds kind) {
        for (Entry& entry : entries_)
            if ((entry.begins & kind) != 0) push(entry.transformation, place, id, generation);
    };
    rewrite::for_each_region(program, [&](const Place& place, const ir::Region& region) {
        depth_ = std::max(depth_, place.nested.size() + place.regions.size());
        if (place.regions.empty())
            for (Entry& entry : entries_)
                if (entry.whole) push(entry.transformation, place, kWhole, generation);
        for (const auto& [id, block] : region.blocks) begin_at(place, id.value, kind_of(block));
        for (const auto& [id, block] : region.blocks)
            if (const ir::State* state = ir::as_state(block)) {
                Place inside = place;
                inside.state = id;
                for (const auto& [node, value] : state->nodes) {
                    begin_at(inside, node.value, kind_of(value));
                    if (!ir::is_entry(value)) continue;
                    std::size_t depth = 1 + place.nested.size() + place.regions.size();
                    const analysis::ScopeTree& scopes = views.of(*state).scopes;
                    for (ir::NodeId at = scopes.parent(node); at.valid(); at = scopes.parent(at)) ++depth;
                    depth_ = std::max(depth_, depth);
                }
            }
    });
}

/// Begins the patterns again in which the node or block has a place.
void Worklist::touch(const ir::Sdfg& program, const Place& place, std::uint32_t id, Kinds kind, Views& views,
                     std::size_t generation) {
    for (Entry& entry : entries_) {
        const Descriptor& descriptor = transformations_[entry.transformation]->descriptor;
        for (std::size_t pattern = 0; pattern < descriptor.patterns.size(); ++pattern) {
            const auto& nodes = descriptor.patterns[pattern].nodes;
            for (std::size_t position = 0; position < nodes.size(); ++position) {
                if ((nodes[position].kinds & kind) == 0) continue;
                if (position == 0) {
                    push(entry.transformation, place, id, generation);
                    continue;
                }
                for (const Match& match : find_matches_from(program, descriptor, pattern, place, id, views, position))
                    push(entry.transformation, place, match.nodes.empty() ? match.blocks[0].value : match.nodes[0].value,
                         generation);
            }
        }
    }
}

void Worklist::touch(const ir::Sdfg& program, const Changes& changes, Views& views, std::size_t generation) {
    std::set<std::vector<NestedStep>> graphs;
    for (const Place& place : changes.declarations) graphs.insert(place.nested);
    for (const RegionChange& change : changes.regions) {
        graphs.insert(change.place.nested);
        const ir::Region* region = find_region(program, change.place);
        if (!region) continue;
        for (const auto* blocks : {&change.blocks, &change.joined})
            for (const ir::BlockId id : *blocks)
                if (region->blocks.contains(id))
                    touch(program, change.place, id.value, kind_of(region->blocks[id]), views, generation);
    }
    for (const StateChange& change : changes.states) {
        graphs.insert(change.place.nested);
        const ir::State* state = find_state(program, change.place);
        if (!state) continue;
        for (const ir::NodeId id : change.nodes)
            if (state->nodes.contains(id)) touch(program, change.place, id.value, kind_of(state->nodes[id]), views, generation);
        // The state is another block of its region now, too.
        Place around = change.place;
        around.state = {};
        touch(program, around, change.place.state.value, kind::state, views, generation);
    }
    for (const std::vector<NestedStep>& nested : graphs)
        for (Entry& entry : entries_)
            if (entry.whole) push(entry.transformation, {.nested = nested, .regions = {}, .state = {}}, kWhole, generation);
}

std::optional<Worklist::Beginning> Worklist::next() {
    for (Entry& entry : entries_) {
        if (entry.queue.empty()) continue;
        Beginning first = std::move(entry.queue.front());
        entry.queue.pop_front();
        entry.waiting.erase({first.place, first.id});
        ++searched;
        return first;
    }
    return {};
}

}  // namespace sluice::rewrite
