// V54x: nested SDFGs and their connections.
#include "ir/verify/verification.h"

namespace sluice::ir::verification {

namespace {

std::optional<std::int64_t> constant_elements(const std::vector<Expr>& shape, const symbolic::Substitution& mapping) {
    Expr elements = 1;
    for (const Expr& extent : shape) elements = elements * symbolic::substitute(extent, mapping);
    return elements.constant();
}

}  // namespace

void check_nested(Report& report, Names& names, const Dataflow& flow, NodeId id, const NestedSdfg& nested) {
    const State& state = flow.state;
    const Node& node = state.nodes[id];
    const Span& where = node.metadata.where;
    const std::string place = node_place(state, id);
    const auto add = [&](std::string_view code, const std::string& message) { report.add(code, message, where, place); };
    const Sdfg& inner = *nested.sdfg;
    for (const auto* connectors : {&node.in, &node.out})
        for (const auto& [name, type] : *connectors) {
            const Container* container = inner.containers.find(name);
            if (!container || container->transient)
                add("V541",
                    "the connector " + name + (container ? " names a transient" : " names no container") + " of " + inner.name);
        }
    for (const auto& [name, container] : inner.containers)
        if (!container.transient && !node.in.contains(name) && !node.out.contains(name))
            add("V542", "the container " + name + " of " + inner.name + " is not connected");
    for (const auto& [symbol, value] : nested.symbol_mapping)
        check_symbols(report, names, &flow, flow.scope[id.value], value, where, "the mapping of " + symbol, place);

    symbolic::Substitution mapping(nested.symbol_mapping.begin(), nested.symbol_mapping.end());
    const auto check_connection = [&](const Edge& edge, const std::string& connector) {
        const Container* inside = inner.containers.find(connector);
        const Container* outside = names.container(edge.memlet.data);
        if (!inside || !outside) return;
        const bool plain = std::holds_alternative<Array>(inside->kind) || std::holds_alternative<Scalar>(inside->kind);
        const bool same_kind = std::holds_alternative<Array>(outside->kind) || std::holds_alternative<Scalar>(outside->kind);
        if (plain && same_kind && !(inside->dtype == outside->dtype))
            add("V544", connector + " is " + code::to_string(inside->dtype) + " inside and " + code::to_string(outside->dtype) +
                            " outside");
        const auto needed = constant_elements(inside->shape, mapping), present = constant_elements(outside->shape, {});
        if (plain && same_kind && needed && present && *needed > *present)
            add("V545", connector + " has " + std::to_string(*needed) + " elements inside, " + edge.memlet.data + " has " +
                            std::to_string(*present));
    };
    for (EdgeId edge : flow.adjacency.in(id)) check_connection(state.edges[edge], state.edges[edge].dst_connector);
    for (EdgeId edge : flow.adjacency.out(id)) check_connection(state.edges[edge], state.edges[edge].src_connector);

    if (report.levels >= kMostLevels) return add("V546", "the SDFG is nested too deeply");
    std::set<std::string> needed;
    {
        const Report::Enter enter(report, place);
        needed = check_sdfg(report, inner);
    }
    for (const std::string& symbol : needed)
        if (!nested.symbol_mapping.contains(symbol)) add("V543", "the symbol " + symbol + " of " + inner.name + " is not mapped");
}

}  // namespace sluice::ir::verification
