#include "transform/ordering.h"

#include <algorithm>

#include "analysis/edge_accesses.h"
#include "ir/messages.h"
#include "ir/query.h"
#include "ir/stream_join.h"
#include "ir/walk.h"

namespace sluice::transform {

using ir::EdgeId;
using ir::NodeId;

Ordering::Ordering(const ir::Sdfg& sdfg, const ir::State& state)
    : adjacency_(state), scopes_(state, adjacency_), successors_(state.nodes.id_bound()) {
    for (const auto& [id, edge] : state.edges) successors_[edge.src.value].push_back(edge.dst);
    for (const auto& [id, node] : state.nodes)
        if (ir::joins_parts(sdfg, state, adjacency_, id)) joins_parts_.insert(id);
    collect(sdfg, state);
}

bool Ordering::reaches(NodeId from, NodeId to) const {
    if (from == to) return true;
    std::vector<bool>& seen = reached_[from];
    if (seen.empty()) {
        seen.assign(successors_.size(), false);
        std::vector<NodeId> pending{from};
        seen[from.value] = true;
        while (!pending.empty()) {
            const NodeId at = pending.back();
            pending.pop_back();
            for (const NodeId next : successors_[at.value])
                if (!seen[next.value]) {
                    seen[next.value] = true;
                    if (!joins_parts_.contains(next)) pending.push_back(next);
                }
        }
    }
    return seen[to.value];
}

NodeId Ordering::outermost(NodeId node) const {
    NodeId entry = node;
    for (NodeId at = scopes_.parent(node); at.valid(); at = scopes_.parent(at)) entry = at;
    return entry;
}

/// A view may stand for whatever it is joined to in the state.
std::set<std::string> Ordering::roots(const ir::Sdfg& sdfg, const ir::State& state, NodeId access) const {
    std::set<std::string> found;
    std::set<NodeId> seen{access};
    std::vector<NodeId> pending{access};
    while (!pending.empty()) {
        const NodeId at = pending.back();
        pending.pop_back();
        const std::string root(ir::root_name(std::get<ir::Access>(state.nodes[at].kind).data));
        found.insert(root);
        if (analysis::container_at(sdfg, root).binding != ir::Binding::View) continue;
        const auto follow = [&](NodeId next) {
            if (std::holds_alternative<ir::Access>(state.nodes[next].kind) && seen.insert(next).second) pending.push_back(next);
        };
        for (const EdgeId edge : adjacency_.in(at)) follow(state.edges[edge].src);
        for (const EdgeId edge : adjacency_.out(at)) follow(state.edges[edge].dst);
    }
    return found;
}

void Ordering::collect(const ir::Sdfg& sdfg, const ir::State& state) {
    for (const auto& [id, node] : state.nodes) {
        const auto* access = std::get_if<ir::Access>(&node.kind);
        if (!access) continue;
        const std::set<std::string> data = roots(sdfg, state, id);
        const std::string own(ir::root_name(access->data));
        const bool top = !scopes_.parent(id).valid();
        const ir::Container* container = ir::find_container(sdfg, access->data);
        const bool stream = container && std::holds_alternative<ir::Stream>(container->kind);
        const NodeId around = top ? id : outermost(id);
        const auto add = [&](bool writes, NodeId start, NodeId end, EdgeId edge, const ir::Memlet* memlet) {
            for (const std::string& root : data) {
                Event event{
                    .data = root, .writes = writes || stream, .access = id, .start = start, .end = end, .subset = {}, .edge = edge};
                if (memlet && top && root == own && access->data == own && !stream)
                    event.subset = memlet->data == access->data ? memlet->subset : memlet->other_subset;
                // A copy within one container: either subset may be the one of this end.
                if (memlet && memlet->other_subset && memlet->data == access->data) {
                    const ir::Edge& e = state.edges[edge];
                    const auto* far = std::get_if<ir::Access>(&state.nodes[writes ? e.src : e.dst].kind);
                    if (far && far->data == access->data) event.subset.reset();
                }
                events_.push_back(std::move(event));
            }
        };
        const NodeId exit = top ? NodeId() : scopes_.exit_of(around);
        if (access->setzero) add(true, around, top ? id : exit, {}, nullptr);
        for (const EdgeId edge : adjacency_.out(id)) {
            if (state.edges[edge].memlet.empty()) continue;
            const NodeId far = state.edges[edge].dst;
            const NodeId scope_end = scopes_.exit_of(far);
            add(false, around, !top ? exit : scope_end.valid() ? scope_end : far, edge, &state.edges[edge].memlet);
        }
        for (const EdgeId edge : adjacency_.in(id)) {
            if (state.edges[edge].memlet.empty()) continue;
            const NodeId far = state.edges[edge].src;
            const bool is_exit = ir::is_exit(state.nodes[far]);
            add(true, !top ? around : is_exit ? scopes_.parent(far) : far, top ? id : exit, edge, &state.edges[edge].memlet);
        }
    }
}

bool has_effects(const ir::Node& node) {
    if (const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind))
        return ir::has_side_effects(*tasklet) || !tasklet->state_fields.empty();
    if (const auto* library = std::get_if<ir::LibraryNode>(&node.kind)) return ir::is_message(*library);
    const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind);
    bool found = false;
    if (nested)
        ir::for_each_state(nested->sdfg->body, [&](const ir::State& state) {
            for (const auto& [id, inner] : state.nodes) found = found || has_effects(inner);
        });
    return found;
}

bool may_conflict(const Event& a, const Event& b, const symbolic::Assumptions& known) {
    if (a.data != b.data || (!a.writes && !b.writes)) return false;
    if (!a.subset || !b.subset || a.subset->rank() != b.subset->rank()) return true;
    return !symbolic::is_yes(symbolic::disjoint(*a.subset, *b.subset, known));
}

}  // namespace sluice::transform
