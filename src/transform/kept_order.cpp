#include "transform/kept_order.h"

#include <algorithm>
#include <string>

#include "analysis/edge_accesses.h"
#include "ir/builder.h"
#include "ir/query.h"
#include "transform/ordering.h"

namespace sluice::transform {

using ir::EdgeId;
using ir::NodeId;

std::set<NodeId> reached_from(const ir::State& state, const ir::Adjacency& adjacency, NodeId from, bool forwards) {
    std::set<NodeId> seen{from};
    std::vector<NodeId> pending{from};
    while (!pending.empty()) {
        const NodeId at = pending.back();
        pending.pop_back();
        for (const EdgeId edge : forwards ? adjacency.out(at) : adjacency.in(at)) {
            const NodeId next = forwards ? state.edges[edge].dst : state.edges[edge].src;
            if (seen.insert(next).second) pending.push_back(next);
        }
    }
    return seen;
}

namespace {

/// Containers that nodes of a state touch, views and what they view together.
struct Touched {
    std::set<std::string> read, written;
    bool opaque = false;   ///< A view: it may be anything.
    bool effects = false;  ///< Besides data.
};

void touch(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency, NodeId id, Touched& all) {
    all.effects = all.effects || has_effects(state.nodes[id]);
    const auto* access = std::get_if<ir::Access>(&state.nodes[id].kind);
    if (!access) return;
    const std::string root(ir::root_name(access->data));
    const ir::Container& container = analysis::container_at(sdfg, root);
    all.opaque = all.opaque || container.binding != ir::Binding::Own || std::holds_alternative<ir::Stream>(container.kind);
    if (!adjacency.out(id).empty()) all.read.insert(root);
    if (!adjacency.in(id).empty() || access->setzero) all.written.insert(root);
}

bool conflict(const Touched& a, const Touched& b) {
    const auto meet = [](const std::set<std::string>& x, const std::set<std::string>& y) {
        return std::ranges::any_of(x, [&](const std::string& name) { return y.contains(name); });
    };
    return a.opaque || b.opaque || (a.effects && b.effects) || meet(a.written, b.written) || meet(a.written, b.read) ||
           meet(a.read, b.written);
}

/// Pairs of nodes, one outside and one inside, that nothing keeps in order any more and that may conflict.
class Order {
public:
    Order(const ir::Sdfg& sdfg, const ir::State& state, const std::set<NodeId>& inside, const std::vector<NodeId>& neighbours,
          bool before)
        : sdfg_(sdfg), state_(state), adjacency_(state), before_(before) {
        for (const NodeId id : inside) {
            const auto edges = before ? adjacency_.in(id) : adjacency_.out(id);
            const bool end = std::ranges::none_of(
                edges, [&](EdgeId edge) { return inside.contains(before ? state.edges[edge].src : state.edges[edge].dst); });
            if (!end) continue;
            for (const NodeId neighbour : neighbours)
                if (neighbour != id) consider(neighbour, id, inside);
        }
    }
    std::vector<std::pair<NodeId, NodeId>> missing;

private:
    void consider(NodeId outside, NodeId end, const std::set<NodeId>& inside) {
        const std::set<NodeId> ordered = reached_from(state_, adjacency_, end, !before_);
        if (ordered.contains(outside)) return;
        Touched far, near;
        for (const NodeId id : reached_from(state_, adjacency_, outside, !before_)) touch(sdfg_, state_, adjacency_, id, far);
        for (const NodeId id : reached_from(state_, adjacency_, end, before_))
            if (inside.contains(id)) {
                touch(sdfg_, state_, adjacency_, id, near);
                for (const EdgeId edge : before_ ? adjacency_.out(id) : adjacency_.in(id))
                    touch(sdfg_, state_, adjacency_, before_ ? state_.edges[edge].dst : state_.edges[edge].src, near);
                for (const EdgeId edge : before_ ? adjacency_.in(id) : adjacency_.out(id))
                    touch(sdfg_, state_, adjacency_, before_ ? state_.edges[edge].src : state_.edges[edge].dst, near);
            }
        if (conflict(far, near)) missing.emplace_back(outside, end);
    }

    const ir::Sdfg& sdfg_;
    const ir::State& state_;
    ir::Adjacency adjacency_;
    bool before_;
};

}  // namespace

void keep_order(const ir::Sdfg& sdfg, ir::State& state, const std::set<NodeId>& inside, const std::vector<NodeId>& before,
                const std::vector<NodeId>& after) {
    const Order behind(sdfg, state, inside, before, true);
    for (const auto& [outside, end] : behind.missing) state.edges.add({outside, "", end, "", ir::no_memlet()});
    const Order ahead(sdfg, state, inside, after, false);
    for (const auto& [outside, end] : ahead.missing) state.edges.add({end, "", outside, "", ir::no_memlet()});
}

}  // namespace sluice::transform
