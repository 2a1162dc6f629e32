#include "lower/cost.h"

#include <algorithm>

namespace sluice::lower {

namespace {

Expr cost_of_children(const StateContext& state, NodeId entry);

Expr cost_of_node(const StateContext& state, NodeId id) {
    const ir::Node& node = state.node(id);
    if (const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind)) {
        const bool loops = tasklet->code.text.find("while") != std::string::npos ||
                           tasklet->code.text.find("for ") != std::string::npos || tasklet->code.language != ir::Language::Python;
        const auto lines = 1 + std::ranges::count(tasklet->code.text, '\n');
        const auto calls = std::ranges::count(tasklet->code.text, '(');
        return loops ? Expr(kUnknownCost) : Expr(static_cast<std::int64_t>(lines + 4 * calls));
    }
    if (std::holds_alternative<ir::MapEntry>(node.kind)) return cost_of_map(state, id);
    if (std::holds_alternative<ir::NestedSdfg>(node.kind) || std::holds_alternative<ir::ConsumeEntry>(node.kind))
        return kUnknownCost;
    return 0;
}

Expr cost_of_children(const StateContext& state, NodeId entry) {
    Expr total = 0;
    for (const NodeId child : state.scopes.children(entry)) total = total + cost_of_node(state, child);
    return total;
}

}  // namespace

Expr cost_of_map(const StateContext& state, NodeId entry) {
    const auto& map = std::get<ir::MapEntry>(state.node(entry).kind);
    Expr cost = symbolic::maximum(cost_of_children(state, entry), 1);
    if (cost.kind() == symbolic::Kind::Maximum) cost = cost_of_children(state, entry);
    for (std::size_t d = map.params.size(); d-- > 0;) {
        const Expr count = symbolic::count(map.range.dims[d]);
        cost = cost * count;
        // A range that depends on an outer parameter is priced at that parameter's begin and end, whichever is dearer.
        for (std::size_t outer = 0; outer < d; ++outer) {
            if (!symbolic::depends_on(cost, map.params[outer])) continue;
            const auto at = [&](const Expr& value) { return symbolic::substitute(cost, {{map.params[outer], value}}); };
            cost = symbolic::maximum(at(map.range.dims[outer].begin), at(map.range.dims[outer].end));
        }
    }
    return cost;
}

bool is_index(const StateContext& state, const Expr& e) {
    if (e.kind() == symbolic::Kind::Call || e.kind() == symbolic::Kind::Real || e.kind() == symbolic::Kind::Rational) return false;
    if (e.is_symbol())
        return std::ranges::any_of(state.function.symbols, [&](const auto& entry) {
            return entry.second.name == e.name() && entry.second.type == DType(code::Scalar::Int64);
        });
    return std::ranges::all_of(e.operands(), [&](const Expr& operand) { return is_index(state, operand); });
}

}  // namespace sluice::lower
