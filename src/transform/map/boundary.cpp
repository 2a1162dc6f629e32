#include "transform/map/boundary.h"

#include <algorithm>

#include "analysis/dependences/access_model.h"
#include "analysis/nesting.h"
#include "analysis/projection.h"
#include "analysis/symbols.h"
#include "code/assignments.h"
#include "ir/code_block.h"
#include "ir/port.h"
#include "ir/query.h"

namespace sluice::transform {

using ir::EdgeId;
using ir::NodeId;

namespace {

/// The side of the memlet that concerns the container at the far end.
std::optional<symbolic::Subset> side(const ir::Memlet& memlet, const std::string& container) {
    return memlet.data == container ? memlet.subset : memlet.other_subset;
}

std::string container_at(const ir::State& state, NodeId node, const std::string& otherwise) {
    const auto* access = std::get_if<ir::Access>(&state.nodes[node].kind);
    return access ? access->data : otherwise;
}

}  // namespace

std::vector<BoundaryMemlet> boundary_memlets(const ir::State& state, const rewrite::StateView& view, NodeId entry) {
    std::vector<BoundaryMemlet> found;
    const NodeId exit = view.scopes.exit_of(entry);
    const auto add = [&](EdgeId id, bool writes) {
        const ir::Edge& edge = state.edges[id];
        if (edge.memlet.empty()) return;
        BoundaryMemlet boundary{.edge = id,
                                .inside = writes ? edge.src : edge.dst,
                                .outside = {},
                                .container = edge.memlet.data,
                                .writes = writes,
                                .hull = {}};
        const std::vector<EdgeId> path = rewrite::memlet_path(state, view.adjacency, id);
        const ir::Edge& end = state.edges[writes ? path.back() : path.front()];
        boundary.container = container_at(state, writes ? end.dst : end.src, edge.memlet.data);
        const EdgeId outer = rewrite::outer_edge(state, view.adjacency, id);
        if (outer.valid()) boundary.outside = writes ? state.edges[outer].dst : state.edges[outer].src;
        boundary.hull = side(edge.memlet, boundary.container);
        found.push_back(std::move(boundary));
    };
    for (const EdgeId id : view.adjacency.out(entry)) add(id, false);
    for (const EdgeId id : view.adjacency.in(exit)) add(id, true);
    return found;
}

namespace {

std::optional<symbolic::Subset> exactly(const ir::State& state, const rewrite::StateView& view, EdgeId id,
                                        const std::string& container, const symbolic::Assumptions& known);

/// Does a run of the nested SDFG write every element of the connector's container? Answered for one state with one write.
bool fills(const ir::NestedSdfg& nested, const std::string& connector, const ir::Memlet& memlet,
           const symbolic::Assumptions& outer) {
    const ir::Sdfg& inner = *nested.sdfg;
    if (inner.body.blocks.size() != 1) return false;
    const auto* only = std::get_if<Cow<ir::State>>(&(*inner.body.blocks.begin()).second.kind);
    const ir::Container* container = inner.containers.find(connector);
    if (!only || !container || !memlet.subset) return false;
    const ir::State& state = **only;
    const rewrite::StateView view(state);
    const symbolic::Assumptions known = analysis::assumptions_inside(nested, outer);
    const symbolic::Substitution outside(nested.symbol_mapping.begin(), nested.symbol_mapping.end());
    symbolic::Expr inside = 1;
    for (const symbolic::Expr& extent : container->shape) inside = inside * symbolic::substitute(extent, outside);
    if (!(inside == symbolic::num_elements(*memlet.subset, outer))) return false;
    std::vector<EdgeId> writes;
    for (const auto& [id, edge] : state.edges) {
        const auto* access = std::get_if<ir::Access>(&state.nodes[edge.dst].kind);
        if (access && access->data == connector) writes.push_back(id);
    }
    if (writes.size() != 1) return false;
    const auto subset = exactly(state, view, writes[0], connector, known);
    return subset && (container->shape.empty() || symbolic::is_yes(symbolic::covers(*subset, analysis::whole(*container), known)));
}

/// Does the node at the edge's source write all that the memlet says, whatever happens?
bool writes_all(const ir::State& state, const ir::Edge& edge, const symbolic::Assumptions& known) {
    const ir::Node& source = state.nodes[edge.src];
    if (const auto* nested = std::get_if<ir::NestedSdfg>(&source.kind))
        return fills(*nested, edge.src_connector, edge.memlet, known);
    const auto* tasklet = std::get_if<ir::Tasklet>(&source.kind);
    if (!tasklet || tasklet->code.language != ir::Language::Python) return true;
    const Result<code::Body> body = ir::parsed_body(tasklet->code);
    if (!body) return false;
    // Elements that are written by index: all of them, unless some code may be left out.
    const bool straight = std::ranges::none_of(*body, [](const code::StmtPtr& statement) {
        return std::holds_alternative<code::IfStmt>(statement->node) || std::holds_alternative<code::ForStmt>(statement->node) ||
               std::holds_alternative<code::WhileStmt>(statement->node);
    });
    return straight || code::assigned_on_every_path(*body, edge.src_connector);
}

std::optional<symbolic::Subset> exactly(const ir::State& state, const rewrite::StateView& view, EdgeId id,
                                        const std::string& container, const symbolic::Assumptions& known) {
    const ir::Edge& edge = state.edges[id];
    if (edge.memlet.wcr || edge.memlet.dynamic || edge.memlet.empty()) return {};
    const auto* exit = std::get_if<ir::MapExit>(&state.nodes[edge.src].kind);
    if (std::holds_alternative<ir::ConsumeExit>(state.nodes[edge.src].kind)) return {};
    if (!exit) return writes_all(state, edge, known) ? side(edge.memlet, container) : std::nullopt;
    const ir::Node& entry = state.nodes[exit->entry];
    if (has_dynamic_range(entry)) return {};
    const auto& map = std::get<ir::MapEntry>(entry.kind);
    const symbolic::Assumptions inside = analysis::assumptions_in(state, view.scopes, exit->entry, known);
    std::optional<symbolic::Subset> all;
    for (const EdgeId inner : view.adjacency.in(edge.src)) {
        if (state.edges[inner].dst_connector != ir::across(edge.src_connector)) continue;
        auto subset = exactly(state, view, inner, container, known);
        if (!subset) return {};
        for (std::size_t d = map.params.size(); d-- > 0;) {
            const symbolic::Range& range = map.range.dims[d];
            if (!symbolic::is_yes(symbolic::decide(symbolic::less_equal(1, symbolic::count(range, inside)), inside))) return {};
            if (!symbolic::free_symbols(*subset).contains(map.params[d])) continue;
            symbolic::Image image = symbolic::image_over(*subset, map.params[d], range, inside);
            if (!image.exact || symbolic::free_symbols(image.subset).contains(map.params[d])) return {};
            subset = std::move(image.subset);
        }
        if (!all || symbolic::is_yes(symbolic::covers(*subset, *all, inside)))
            all = subset;
        else if (!symbolic::is_yes(symbolic::covers(*all, *subset, inside)))
            return {};
    }
    return all;
}

}  // namespace

std::optional<symbolic::Subset> surely_written(const ir::State& state, const rewrite::StateView& view,
                                               const BoundaryMemlet& boundary, const symbolic::Assumptions& known) {
    return exactly(state, view, boundary.edge, boundary.container, known);
}

std::vector<EdgeId> edges_inward(const ir::State& state, const ir::Adjacency& adjacency, EdgeId edge) {
    std::vector<EdgeId> found{edge};
    const ir::Edge& at = state.edges[edge];
    const auto* exit = std::get_if<ir::MapExit>(&state.nodes[at.src].kind);
    const bool consume_exit = std::holds_alternative<ir::ConsumeExit>(state.nodes[at.src].kind);
    const bool entry = ir::is_entry(state.nodes[at.dst]);
    if ((exit || consume_exit) && ir::is_port_out(at.src_connector)) {
        for (const EdgeId inner : adjacency.in(at.src))
            if (state.edges[inner].dst_connector == ir::across(at.src_connector))
                std::ranges::copy(edges_inward(state, adjacency, inner), std::back_inserter(found));
    } else if (entry && ir::is_port_in(at.dst_connector)) {
        for (const EdgeId inner : adjacency.out(at.dst))
            if (state.edges[inner].src_connector == ir::across(at.dst_connector))
                std::ranges::copy(edges_inward(state, adjacency, inner), std::back_inserter(found));
    }
    return found;
}

bool goes_both_ways(const ir::Node& node, const std::string& connector) {
    return std::holds_alternative<ir::NestedSdfg>(node.kind) && node.in.contains(connector) && node.out.contains(connector);
}

bool may_overlap(const ir::Sdfg& sdfg, const std::string& a, const std::string& b) {
    const std::string_view root_a = ir::root_name(a), root_b = ir::root_name(b);
    if (root_a == root_b) return true;
    const auto own = [&](std::string_view name) {
        const ir::Container* container = sdfg.containers.find(name);
        const auto* array = container ? std::get_if<ir::Array>(&container->kind) : nullptr;
        return container && container->binding == ir::Binding::Own && !(array && array->may_alias);
    };
    return !own(root_a) || !own(root_b);
}

bool reaches(const ir::State& state, const ir::Adjacency& adjacency, NodeId from, NodeId to, const std::set<EdgeId>& skip) {
    std::set<NodeId> seen{from};
    std::vector<NodeId> open{from};
    while (!open.empty()) {
        const NodeId node = open.back();
        open.pop_back();
        if (node == to) return true;
        for (const EdgeId id : adjacency.out(node))
            if (!skip.contains(id) && seen.insert(state.edges[id].dst).second) open.push_back(state.edges[id].dst);
    }
    return false;
}

}  // namespace sluice::transform
