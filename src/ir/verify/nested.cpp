// V54x: nested SDFGs and their connections.
#include <functional>
#include <map>

#include "ir/verify/verification.h"

namespace sluice::ir::verification {

namespace {

std::optional<std::int64_t> constant_elements(const std::vector<Expr>& shape, const symbolic::Substitution& mapping) {
    Expr elements = 1;
    for (const Expr& extent : shape) elements = elements * symbolic::substitute(extent, mapping);
    return elements.constant();
}

/// A container that is no other's memory; two arguments of a nested SDFG may be one outside, and those of a program where they say
/// so.
bool stands_alone(const Names& names, const Container* container) {
    if (!container || container->binding != Binding::Own) return false;
    const auto* array = std::get_if<Array>(&container->kind);
    return container->transient || (names.of_program && !(array && array->may_alias));
}

/// Do both memlets begin at different elements for certain?
bool begin_apart(Names& names, const Memlet& a, const Memlet& b) {
    if (a.data != b.data)
        return a.empty() || b.empty() || stands_alone(names, names.container(a.data)) ||
               stands_alone(names, names.container(b.data));
    if (!a.subset || !b.subset || a.subset->rank() != b.subset->rank()) return false;
    for (std::size_t at = 0; at < a.subset->rank(); ++at)
        if (const auto apart = (a.subset->dims[at].begin - b.subset->dims[at].begin).constant(); apart && *apart != 0) return true;
    return false;
}

std::string described(const Memlet& memlet) {
    if (memlet.empty()) return "a value";
    return memlet.subset ? memlet.data + "[" + symbolic::to_string(*memlet.subset) + "]" : memlet.data;
}

/// Inside, one name is one memory.
void check_both_ways(Names& names, const Dataflow& flow, NodeId id,
                     const std::function<void(std::string_view, const std::string&)>& add) {
    std::map<std::string_view, const Memlet*> brought;
    for (const EdgeId in : flow.adjacency.in(id)) {
        const Edge& edge = flow.state.edges[in];
        if (!edge.dst_connector.empty()) brought.emplace(edge.dst_connector, &edge.memlet);
    }
    for (const EdgeId out : flow.adjacency.out(id)) {
        const Edge& edge = flow.state.edges[out];
        const auto found = brought.find(edge.src_connector);
        if (found != brought.end() && begin_apart(names, *found->second, edge.memlet))
            add("V547", "the connector " + edge.src_connector + " brings " + described(*found->second) + " and takes away " +
                            described(edge.memlet));
    }
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

    check_both_ways(names, flow, id, add);

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
