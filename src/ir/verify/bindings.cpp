// V8xx: views and references.
#include "ir/verify/verification.h"

namespace sluice::ir::verification {

void check_bindings(Report& report, Names& names, const Dataflow& flow, NodeId id, const Access& access) {
    const State& state = flow.state;
    const Node& node = state.nodes[id];
    const Binding binding = names.container(access.data)->binding;
    const auto add = [&](std::string_view code, const std::string& message) {
        report.add(code, message, node.metadata.where, node_place(state, id));
    };
    const bool views = node.in.contains("views") || node.out.contains("views");
    if (views && binding != Binding::View) add("V802", access.data + " is no view but has a `views` connector");
    if (node.in.contains("set") && binding != Binding::Reference)
        add("V802", access.data + " is no reference but has a `set` connector");
    if (binding != Binding::View) return;
    int marked = 0, candidates = 0;
    const auto consider = [&](const std::string& connector, NodeId other) {
        if (connector == "views") ++marked;
        const auto* neighbour = other.valid() ? std::get_if<Access>(&state.nodes[other].kind) : nullptr;
        if (neighbour && neighbour->data != access.data) ++candidates;
    };
    for (EdgeId edge : flow.adjacency.in(id)) consider(state.edges[edge].dst_connector, flow.source[edge.value]);
    for (EdgeId edge : flow.adjacency.out(id)) consider(state.edges[edge].src_connector, flow.sink[edge.value]);
    if (marked > 1)
        add("V801", std::to_string(marked) + " edges say what the view " + access.data + " views");
    else if (candidates == 0)
        add("V801", "nothing says what the view " + access.data + " views");
}

}  // namespace sluice::ir::verification
