#include "analysis/dependences/order.h"

#include <algorithm>

#include "ir/adjacency.h"
#include "poly/convert.h"

namespace sluice::analysis {

using poly::Map;
using symbolic::Expr;

poly::Space space_of(const AccessModel& model, const Statement& statement) {
    poly::Space space{.tuple = statement.tuple, .dims = {}};
    for (const std::size_t at : statement.iterators) space.dims.push_back(model.iterators[at].name);
    return space;
}

Map time_of(const AccessModel& model, const Statement& statement) {
    std::size_t length = 0;
    for (const Statement& other : model.statements) length = std::max(length, other.order.size());
    symbolic::Subset time;
    for (const OrderStep& step : statement.order) {
        Expr value = step.position;
        if (step.kind == OrderStep::Kind::Iterate) {
            const Iterator& iterator = model.iterators[static_cast<std::size_t>(step.position)];
            value = symbolic::symbol(iterator.name) * iterator.direction;
        }
        time.dims.push_back(symbolic::Range::index(value));
    }
    while (time.rank() < length) time.dims.push_back(symbolic::Range::index(0));
    return std::move(*poly::to_elements(time, space_of(model, statement), "").value).intersect_domain(statement.domain);
}

namespace {

bool path_leads(const ir::State& state, ir::NodeId from, ir::NodeId to) {
    const ir::Adjacency adjacency(state);
    std::vector<bool> seen(state.nodes.id_bound());
    std::vector<ir::NodeId> open{from};
    while (!open.empty()) {
        const ir::NodeId at = open.back();
        open.pop_back();
        if (at == to) return true;
        if (seen[at.value]) continue;
        seen[at.value] = true;
        for (const ir::EdgeId edge : adjacency.out(at)) open.push_back(state.edges[edge].dst);
    }
    return false;
}

}  // namespace

Map happens_before(const AccessModel& model, const Statement& first, const Statement& second) {
    const poly::Space from = space_of(model, first), to = space_of(model, second);
    Map same = Map::universe(from, to);  // Equal in all common iterators so far.
    Map before = same.subtract(same);
    unsigned depth = 0;
    for (std::size_t level = 0; level < first.order.size() && level < second.order.size(); ++level) {
        const OrderStep &a = first.order[level], &b = second.order[level];
        if (a.kind != b.kind) break;
        if (a.kind == OrderStep::Kind::Iterate) {
            const Iterator& iterator = model.iterators[static_cast<std::size_t>(a.position)];
            if (a.position != b.position) break;
            if (iterator.kind != Iterator::Kind::Map)
                before = before.unite(iterator.direction > 0 ? same.order_less(depth, depth) : same.order_greater(depth, depth));
            same = same.equate(depth, depth);
            ++depth;
        } else if (a.kind == OrderStep::Kind::Sequence) {
            if (a.position == b.position) continue;
            if (a.position < b.position) before = before.unite(same);
            break;
        } else {
            if (a.state != b.state) break;
            if (a.node == b.node) continue;
            if (a.position < b.position && path_leads(*a.state, a.node, b.node)) before = before.unite(same);
            break;
        }
    }
    return before.intersect_domain(first.domain).intersect_range(second.domain);
}

}  // namespace sluice::analysis
