#include "interchange/scopes.h"

#include <deque>
#include <map>
#include <string_view>

#include "ir/port.h"
#include "ir/query.h"

namespace sluice::interchange {

namespace {

// Scope in which a successor of the node lies.
NodeId scope_after(const State& state, const std::vector<NodeId>& scope, NodeId id) {
    const Node& node = state.nodes[id];
    if (is_entry(node)) return id;
    if (!is_exit(node)) return scope[id.value];
    const NodeId entry = entry_of_exit(node);
    return state.nodes.contains(entry) ? scope[entry.value] : NodeId();
}

}  // namespace

std::vector<NodeId> enclosing_entries(const State& state) {
    std::vector<NodeId> scope(state.nodes.id_bound());
    std::vector<std::uint32_t> waiting(state.nodes.id_bound(), 0);
    std::vector<std::vector<NodeId>> next(state.nodes.id_bound());
    for (const auto [id, edge] : state.edges) {
        if (!state.nodes.contains(edge.src) || !state.nodes.contains(edge.dst)) continue;
        ++waiting[edge.dst.value];
        next[edge.src.value].push_back(edge.dst);
    }
    std::deque<NodeId> ready;
    for (const auto [id, node] : state.nodes)
        if (waiting[id.value] == 0) ready.push_back(id);
    while (!ready.empty()) {
        const NodeId id = ready.front();
        ready.pop_front();
        const NodeId inner = scope_after(state, scope, id);
        for (const NodeId to : next[id.value]) {
            if (inner.valid()) scope[to.value] = inner;
            if (--waiting[to.value] == 0) ready.push_back(to);
        }
    }
    for (const auto [id, node] : state.nodes)
        if (const NodeId entry = entry_of_exit(node); state.nodes.contains(entry)) scope[id.value] = entry;
    return scope;
}

namespace {

using Port = std::pair<NodeId, std::string_view>;

class PathTracer {
public:
    explicit PathTracer(const State& state) : state_(state) {
        for (const auto [id, edge] : state.edges) {
            if (const auto name = ir::port_name(edge.dst_connector); !name.empty()) into_.emplace(Port{edge.dst, name}, id);
            if (const auto name = ir::port_name(edge.src_connector); !name.empty()) out_of_.emplace(Port{edge.src, name}, id);
        }
    }
    std::string source(EdgeId edge) const { return walk(edge, true); }
    std::string target(EdgeId edge) const { return walk(edge, false); }

private:
    std::string walk(EdgeId edge, bool backwards) const {
        for (std::size_t steps = 0; steps <= state_.nodes.size(); ++steps) {
            const Edge& here = state_.edges[edge];
            const NodeId id = backwards ? here.src : here.dst;
            if (!state_.nodes.contains(id)) return {};
            const Node& node = state_.nodes[id];
            if (const auto* access = std::get_if<Access>(&node.kind)) return access->data;
            if (!is_entry(node) && !is_exit(node)) return {};
            const auto name = ir::port_name(backwards ? here.src_connector : here.dst_connector);
            const auto& other_side = backwards ? into_ : out_of_;
            const auto at = other_side.find(Port{id, name});
            if (name.empty() || at == other_side.end()) return {};
            edge = at->second;
        }
        return {};
    }

    const State& state_;
    std::map<Port, EdgeId> into_, out_of_;  // the first edge of each passage
};

}  // namespace

std::vector<PathEnds> path_ends(const State& state) {
    const PathTracer tracer(state);
    std::vector<PathEnds> ends(state.edges.id_bound());
    for (const auto [id, edge] : state.edges) ends[id.value] = {tracer.source(id), tracer.target(id)};
    return ends;
}

}  // namespace sluice::interchange
