// V307 to V309: scopes. The scope of each node follows from its predecessors, in topological order; a violation is two
// predecessors that disagree, or a path that ends inside a scope.
#include "ir/verify/verification.h"

#include "ir/query.h"

namespace sluice::ir::verification {

namespace {

void pair_exits(Report& report, Dataflow& flow) {
    const State& state = flow.state;
    flow.exit_of.assign(state.nodes.id_bound(), NodeId());
    for (auto [id, node] : state.nodes) {
        if (!is_exit(node)) continue;
        const NodeId entry = entry_of_exit(node);
        const bool map = std::holds_alternative<MapExit>(node.kind);
        if (!state.nodes.contains(entry) || (map ? !std::holds_alternative<MapEntry>(state.nodes[entry].kind)
                                                 : !std::holds_alternative<ConsumeEntry>(state.nodes[entry].kind)))
            report.add("V307", "the exit belongs to no entry of its kind", node.metadata.where, node_place(state, id));
        else if (flow.exit_of[entry.value].valid())
            report.add("V307", "two exits belong to the entry n" + std::to_string(entry.value), node.metadata.where,
                       node_place(state, id));
        else
            flow.exit_of[entry.value] = id;
    }
    for (auto [id, node] : state.nodes)
        if (is_entry(node) && !flow.exit_of[id.value].valid())
            report.add("V307", "the entry has no exit", node.metadata.where, node_place(state, id));
}

}  // namespace

void check_scopes(Report& report, Dataflow& flow) {
    const State& state = flow.state;
    pair_exits(report, flow);
    flow.scope.assign(state.nodes.id_bound(), NodeId());
    for (NodeId id : flow.order) {
        const Node& node = state.nodes[id];
        bool first = true, agree = true;
        for (EdgeId edge : flow.adjacency.in(id)) {
            const NodeId scope = flow.scope_of_edge(state.edges[edge]);
            agree = agree && (first || scope == flow.scope[id.value]);
            if (first) flow.scope[id.value] = scope;
            first = false;
        }
        const NodeId scope = flow.scope[id.value];
        if (!agree) report.add("V308", "edges from different scopes meet at the node", node.metadata.where, node_place(state, id));
        if (is_exit(node)) {
            const NodeId entry = entry_of_exit(node);
            if (agree && scope != entry && state.nodes.contains(entry))
                report.add("V309", "the exit does not follow its entry n" + std::to_string(entry.value), node.metadata.where,
                           node_place(state, id));
            if (state.nodes.contains(entry) && is_entry(state.nodes[entry])) flow.scope[id.value] = entry;
        } else if (scope.valid() && flow.adjacency.out(id).empty()) {
            report.add("V308", "the node lies in the scope of n" + std::to_string(scope.value) + " and does not lead to its exit",
                       node.metadata.where, node_place(state, id));
        }
    }
}

}  // namespace sluice::ir::verification
