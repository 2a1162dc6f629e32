// V52x and V53x: map and consume entries.
#include <algorithm>

#include "ir/code_block.h"
#include "ir/port.h"
#include "ir/query.h"
#include "ir/verify/verification.h"

namespace sluice::ir::verification {

namespace {

bool is_integer_arithmetic(const Expr& e) {
    using symbolic::Kind;
    if (e.kind() == Kind::Call || e.kind() == Kind::Real || e.kind() == Kind::Rational) return false;
    return std::ranges::all_of(e.operands(), is_integer_arithmetic);
}

// A truth value, over integers that no data has to be read for.
bool is_condition(const Expr& e) {
    using symbolic::Kind;
    switch (e.kind()) {
        case Kind::Boolean:
            return true;
        case Kind::And:
        case Kind::Or:
        case Kind::Not:
            return std::ranges::all_of(e.operands(), is_condition);
        case Kind::Equal:
        case Kind::Less:
        case Kind::LessEqual:
            return std::ranges::all_of(e.operands(), is_integer_arithmetic);
        default:
            return false;
    }
}

}  // namespace

void check_map(Report& report, Names& names, const Dataflow& flow, NodeId id, const MapEntry& map) {
    const State& state = flow.state;
    const Node& node = state.nodes[id];
    const Span& where = node.metadata.where;
    const auto add = [&](std::string_view code, const std::string& message) {
        report.add(code, message, where, node_place(state, id));
    };
    if (map.params.empty() || map.params.size() != map.range.rank())
        add("V521",
            "the map has " + std::to_string(map.params.size()) + " parameters and " + std::to_string(map.range.rank()) + " ranges");
    for (const std::string& symbol : symbolic::free_symbols(map.omp_if))
        if (!node.in.contains(symbol) && !is_defined(names, &flow, flow.scope[id.value], symbol))
            add("V701", "the symbol " + symbol + " of omp_if is not defined");
    if (!is_condition(map.omp_if)) add("V525", "omp_if is `" + symbolic::to_string(map.omp_if) + "`, not a condition");
    for (const std::string& data : map.private_updates)
        if (!names.container(data)) add("V526", "the private updates name `" + data + "`, which is no container");
    std::set<std::string> earlier;
    for (std::size_t at = 0; at < map.params.size(); ++at) {
        if (!is_identifier(map.params[at]))
            add("V522", "the parameter `" + map.params[at] + "` is not an identifier");
        else if (earlier.contains(map.params[at]))
            add("V522", "two parameters are named " + map.params[at]);
        if (at < map.range.rank()) {
            const Range& range = map.range.dims[at];
            if (range.step.is_integer(0) || range.tile.is_integer(0))
                add("V523", "the step of the range of " + map.params[at] + " is zero");
            for (const std::string& symbol : symbolic::free_symbols(range))
                if (!earlier.contains(symbol) && !node.in.contains(symbol) &&
                    !is_defined(names, &flow, flow.scope[id.value], symbol))
                    add("V701", "the symbol " + symbol + " of the range of " + map.params[at] + " is not defined");
        }
        earlier.insert(map.params[at]);
    }
    for (EdgeId edge_id : flow.adjacency.in(id)) {
        const Edge& edge = state.edges[edge_id];
        if (edge.dst_connector.empty() || is_port_in(edge.dst_connector)) continue;
        const Memlet& memlet = edge.memlet;
        const Container* container = names.container(memlet.data);
        if (!container) continue;  // V401
        const auto elements = memlet.subset ? symbolic::num_elements(*memlet.subset).constant() : std::nullopt;
        const bool whole = !memlet.subset && container->shape.empty();
        if (!whole && (!memlet.subset || (elements && *elements != 1)))
            add("V524", "the dynamic input " + edge.dst_connector + " is " + memlet.data +
                            (memlet.subset ? "[" + symbolic::to_string(*memlet.subset) + "]" : " as a whole"));
    }
}

void check_consume(Report& report, Names& names, const Dataflow& flow, NodeId id, const ConsumeEntry& consume) {
    const State& state = flow.state;
    const Node& node = state.nodes[id];
    const Span& where = node.metadata.where;
    const auto add = [&](std::string_view code, const std::string& message) {
        report.add(code, message, where, node_place(state, id));
    };
    if (!is_identifier(consume.pe_index)) add("V532", "the index `" + consume.pe_index + "` is not an identifier");
    if (const auto count = consume.num_pes.constant(); (count && *count < 1) || consume.chunksize < 1)
        add("V533", "the scope has " + symbolic::to_string(consume.num_pes) + " processing elements and chunks of " +
                        std::to_string(consume.chunksize));
    check_symbols(report, names, &flow, flow.scope[id.value], consume.num_pes, where, "the number of processing elements",
                  node_place(state, id));
    const auto edge = flow.adjacency.in_at(id, kStreamIn);
    const Container* stream = edge ? names.container(state.edges[*edge].memlet.data) : nullptr;
    if (!stream || !std::holds_alternative<Stream>(stream->kind)) add("V531", "the scope reads no stream");
    if (!consume.condition || consume.condition->text.empty() || consume.condition->language != Language::Python) return;
    if (const Result<code::ExprPtr> tree = parsed_expr(consume.condition->text); !tree.ok())
        add("V534", "the condition `" + consume.condition->text + "` does not parse: " + tree.error().message);
}

}  // namespace sluice::ir::verification
