// Walks over all that a graph holds.
#include <algorithm>

#include "fuzz/reduce/edits.h"
#include "ir/port.h"
#include "ir/walk.h"

namespace sluice::fuzz {

namespace {

void collect(ir::Sdfg& sdfg, std::vector<ir::Sdfg*>& found) {
    found.push_back(&sdfg);
    ir::edit_each_state(sdfg.body, [&](ir::State& state) {
        for (auto [id, node] : state.nodes)
            if (auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) collect(nested->sdfg.edit(), found);
    });
}

}  // namespace

std::vector<ir::Sdfg*> graphs_of(ir::Sdfg& sdfg) {
    std::vector<ir::Sdfg*> found;
    collect(sdfg, found);
    return found;
}

std::vector<PlacedState> states_of(ir::Sdfg& sdfg) {
    std::vector<PlacedState> found;
    for (ir::Sdfg* graph : graphs_of(sdfg))
        ir::edit_each_state(graph->body, [&](ir::State& state) { found.push_back({graph, &state}); });
    return found;
}

std::vector<ir::Region*> regions_of(ir::Sdfg& sdfg) {
    std::vector<ir::Region*> found;
    for (ir::Sdfg* graph : graphs_of(sdfg)) ir::for_each_region(graph->body, [&](ir::Region& region) { found.push_back(&region); });
    return found;
}

namespace {

bool is_scope(const ir::Node& node) {
    return std::holds_alternative<ir::MapEntry>(node.kind) || std::holds_alternative<ir::MapExit>(node.kind) ||
           std::holds_alternative<ir::ConsumeEntry>(node.kind) || std::holds_alternative<ir::ConsumeExit>(node.kind);
}

bool has_edge(const ir::State& state, ir::NodeId node, const std::string& connector, bool out) {
    return std::ranges::any_of(state.edges, [&](const auto& entry) {
        const ir::Edge& edge = entry.second;
        return out ? edge.src == node && edge.src_connector == connector : edge.dst == node && edge.dst_connector == connector;
    });
}

/// Takes away one edge of a pair IN_x / OUT_x whose other side is gone.
bool drop_half_path(ir::State& state) {
    for (auto [id, edge] : state.edges) {
        const ir::Node &src = state.nodes[edge.src], &dst = state.nodes[edge.dst];
        const bool no_source = is_scope(src) && ir::is_port_out(edge.src_connector) &&
                               !has_edge(state, edge.src, ir::across(edge.src_connector), false);
        const bool no_target = is_scope(dst) && ir::is_port_in(edge.dst_connector) &&
                               !has_edge(state, edge.dst, ir::across(edge.dst_connector), true) &&
                               !(std::holds_alternative<ir::ConsumeEntry>(dst.kind));
        if (no_source || no_target) {
            state.edges.erase(id);
            return true;
        }
    }
    return false;
}

}  // namespace

void prune(ir::State& state) {
    while (drop_half_path(state)) {
    }
    std::vector<ir::NodeId> lonely;
    for (auto [id, node] : state.nodes) {
        const ir::NodeId at = id;
        if (is_scope(node) || std::holds_alternative<ir::Access>(node.kind)) {
            std::erase_if(node.in, [&](const auto& entry) { return !has_edge(state, at, entry.first, false); });
            std::erase_if(node.out, [&](const auto& entry) { return !has_edge(state, at, entry.first, true); });
        }
        const bool joined =
            std::ranges::any_of(state.edges, [&](const auto& entry) { return entry.second.src == at || entry.second.dst == at; });
        if (std::holds_alternative<ir::Access>(node.kind) && !joined) lonely.push_back(at);
    }
    for (const ir::NodeId id : lonely) state.nodes.erase(id);
}

}  // namespace sluice::fuzz
