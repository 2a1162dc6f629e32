#include "bindings/start.h"

#include <algorithm>

namespace sluice::bindings {

namespace {

/// Blocks that no transition enters.
std::set<ir::BlockId> sources_of(const ir::Region& region) {
    std::set<ir::BlockId> sources;
    for (const auto& [id, block] : region.blocks) sources.insert(id);
    for (const auto& [id, transition] : region.transitions) sources.erase(transition.dst);
    return sources;
}

bool leads_to(const ir::Region& region, ir::BlockId from, ir::BlockId to) {
    std::set<ir::BlockId> seen{from};
    std::vector<ir::BlockId> pending{from};
    while (!pending.empty() && !seen.contains(to)) {
        const ir::BlockId at = pending.back();
        pending.pop_back();
        for (const auto& [id, transition] : region.transitions)
            if (transition.src == at && seen.insert(transition.dst).second) pending.push_back(transition.dst);
    }
    return seen.contains(to);
}

}  // namespace

void settle_start(Graph& graph, const Path& path) {
    const ir::Region& region = graph.region(path);
    const ir::BlockId start = region.start;
    const auto enters_start = [&](const auto& one) { return one.second.dst == start; };
    if (start.valid() && std::ranges::none_of(region.transitions, enters_start) && !graph.given_starts.contains(path)) return;
    if (const auto sources = sources_of(region); sources.size() == 1) {
        const ir::BlockId source = *sources.begin();
        if (source == start || (start.valid() && !leads_to(region, source, start))) return;
        graph.given_starts.try_emplace(path, start);
        graph.edit_region(path).start = source;
        return;
    }
    const auto given = graph.given_starts.find(path);
    if (given == graph.given_starts.end()) return;
    if (region.blocks.contains(given->second)) graph.edit_region(path).start = given->second;
    graph.given_starts.erase(given);
}

void give_start(Graph& graph, const Path& path, ir::BlockId block) {
    graph.edit_region(path).start = block;
    graph.given_starts.erase(path);
    graph.implied_starts.erase(path);
}

void imply_start(Graph& graph, const Path& path, ir::BlockId block) {
    if (graph.region(path).start == block) graph.implied_starts.insert(path);
}

void Graph::expect_starts() const {
    for (const Path& path : implied_starts) {
        if (!has_region(path)) continue;
        const ir::Region& region = this->region(path);
        const auto sources = sources_of(region);
        if (sources.size() < 2) continue;
        const std::string &first = region.blocks[*sources.begin()].label,
                          &second = region.blocks[*std::next(sources.begin())].label;
        fail({.code = "V601",
              .message = "control may begin in " + first + " or in " + second + ": no edge enters either",
              .path = sdfg.name,
              .remedy = "lead edges to all blocks but one, or add the first one with is_start_block=True"});
    }
    for (const Called& one : called) nb::cast<const Graph&>(one.graph).expect_starts();
}

}  // namespace sluice::bindings
