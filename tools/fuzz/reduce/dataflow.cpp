// Fewer nodes and edges.
#include <algorithm>

#include "fuzz/reduce/edits.h"
#include "ir/adjacency.h"
#include "ir/query.h"

namespace sluice::fuzz {

namespace {

void erase_node(ir::State& state, ir::NodeId node) {
    std::vector<ir::EdgeId> edges;
    for (auto [id, edge] : state.edges)
        if (edge.src == node || edge.dst == node) edges.push_back(id);
    for (const ir::EdgeId id : edges) state.edges.erase(id);
    state.nodes.erase(node);
}

/// Nodes between the entry and the exit, both included.
std::vector<ir::NodeId> scope_nodes(const ir::State& state, ir::NodeId entry) {
    std::vector<ir::NodeId> found = {entry};
    const auto is_exit = [&](ir::NodeId id) {
        const ir::Node& node = state.nodes[id];
        const auto* map = std::get_if<ir::MapExit>(&node.kind);
        const auto* consume = std::get_if<ir::ConsumeExit>(&node.kind);
        return (map && map->entry == entry) || (consume && consume->entry == entry);
    };
    for (std::size_t at = 0; at < found.size(); ++at) {
        if (is_exit(found[at])) continue;
        for (auto [id, edge] : state.edges)
            if (edge.src == found[at] && std::ranges::find(found, edge.dst) == found.end()) found.push_back(edge.dst);
    }
    return found;
}

/// A node that computes, with its scope; or a copy.
bool drop_operation(TestCase& test, std::size_t at) {
    for (const auto& [graph, state] : states_of(test.sdfg)) {
        for (auto [id, node] : state->nodes) {
            const bool scope = ir::is_entry(node);
            if (!scope && ir::is_exit(node)) continue;
            if (at-- > 0) continue;
            const std::vector<ir::NodeId> gone = scope ? scope_nodes(*state, id) : std::vector<ir::NodeId>{id};
            for (const ir::NodeId each : gone) erase_node(*state, each);
            prune(*state);
            return true;
        }
    }
    return false;
}

bool drop_edge(TestCase& test, std::size_t at) {
    for (const auto& [graph, state] : states_of(test.sdfg)) {
        if (at >= state->edges.size()) {
            at -= state->edges.size();
            continue;
        }
        ir::EdgeId chosen;
        for (auto [id, edge] : state->edges)
            if (at-- == 0) chosen = id;
        const ir::Edge edge = state->edges[chosen];
        state->edges.erase(chosen);
        // A connector that is not fed any more: a tasklet goes on with a number.
        ir::Node &src = state->nodes[edge.src], &dst = state->nodes[edge.dst];
        if (auto* tasklet = std::get_if<ir::Tasklet>(&dst.kind); tasklet && !edge.dst_connector.empty()) {
            const auto type = dst.in.find(edge.dst_connector);
            dst.in.erase(type);
            tasklet->code.text = edge.dst_connector + " = 1\n" + tasklet->code.text;
        }
        if (std::holds_alternative<ir::NestedSdfg>(dst.kind)) dst.in.erase(edge.dst_connector);
        const bool used = std::ranges::any_of(state->edges, [&](const auto& entry) {
            return entry.second.src == edge.src && entry.second.src_connector == edge.src_connector;
        });
        if (!used && !edge.src_connector.empty() &&
            (std::holds_alternative<ir::Tasklet>(src.kind) || std::holds_alternative<ir::NestedSdfg>(src.kind)))
            src.out.erase(edge.src_connector);
        prune(*state);
        return true;
    }
    return false;
}

bool simplify_memlet(TestCase& test, std::size_t at) {
    for (const auto& [graph, state] : states_of(test.sdfg))
        for (auto [id, edge] : state->edges) {
            ir::Memlet& memlet = edge.memlet;
            const std::size_t dims = memlet.subset ? memlet.subset->rank() : 0;
            const std::size_t others = memlet.other_subset ? memlet.other_subset->rank() : 0;
            const std::size_t options = 4 + 2 * dims + others;
            if (at >= options) {
                at -= options;
                continue;
            }
            if (at == 0) memlet.wcr.reset();
            if (at == 1 && memlet.wcr) memlet.wcr = "lambda a, b: a + b";
            if (at == 2) memlet.dynamic = false;
            if (at == 3) memlet.other_subset.reset();
            if (at >= 4 && at < 4 + dims) memlet.subset->dims[at - 4] = symbolic::Range::index(0);
            if (at >= 4 + dims && at < 4 + 2 * dims) {
                symbolic::Range& range = memlet.subset->dims[at - 4 - dims];
                if (!range.is_index()) range = symbolic::Range::extent(1);
                range.step = 1;
            }
            if (at >= 4 + 2 * dims) memlet.other_subset->dims[at - 4 - 2 * dims] = symbolic::Range::index(0);
            if (memlet.subset) memlet.volume = symbolic::num_elements(*memlet.subset);
            return true;
        }
    return false;
}

}  // namespace

std::vector<EditFamily> dataflow_edits() {
    return {{"drop operations", drop_operation}, {"drop edges", drop_edge}, {"simplify memlets", simplify_memlet}};
}

}  // namespace sluice::fuzz
