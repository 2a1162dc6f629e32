#include "analysis/lanes.h"

#include <algorithm>
#include <optional>

#include "code/ast.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "ir/walk.h"

namespace sluice::analysis {

namespace {

using symbolic::Expr;

/// What the connector takes or gives at once: an element, or a vector of neighbours.
bool is_element(const ir::Memlet& memlet, const ir::Connectors& connectors, const std::string& connector) {
    const auto type = connectors.find(connector);
    const std::int64_t lanes = type != connectors.end() && type->second.is_vector() ? type->second.lanes : 1;
    return !memlet.dynamic && (!memlet.subset || symbolic::num_elements(*memlet.subset).is_integer(lanes));
}

/// Is it a scalar that each iteration of the scope has for itself?
bool is_own(const ir::Sdfg& sdfg, const ir::State& state, const ScopeTree& scopes, ir::NodeId entry, const std::string& data) {
    const ir::Container* container = sdfg.containers.find(data);
    if (!container || !container->transient || container->lifetime != ir::Lifetime::Scope ||
        container->binding != ir::Binding::Own || !std::holds_alternative<ir::Scalar>(container->kind))
        return false;
    bool own = true;
    ir::for_each_state(sdfg.body, [&](const ir::State& other) {
        for (const auto& [id, node] : other.nodes)
            if (const auto* access = std::get_if<ir::Access>(&node.kind); access && access->data == data)
                own = own && &other == &state && scopes.parent(id) == entry;
    });
    return own;
}

/// Is the node such a scalar, written and read by tasklets alone?
bool joins_tasklets(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes,
                    ir::NodeId entry, ir::NodeId node) {
    const auto* access = std::get_if<ir::Access>(&state.nodes[node].kind);
    const auto is_tasklet = [&](ir::NodeId end) { return std::holds_alternative<ir::Tasklet>(state.nodes[end].kind); };
    return access && !access->setzero && is_own(sdfg, state, scopes, entry, access->data) &&
           std::ranges::all_of(adjacency.in(node), [&](ir::EdgeId in) { return is_tasklet(state.edges[in].src); }) &&
           std::ranges::all_of(adjacency.out(node), [&](ir::EdgeId out) { return is_tasklet(state.edges[out].dst); });
}

void look_at(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency, const ir::MapEntry& map,
             ir::NodeId tasklet, Lanes& lanes) {
    const std::string& parameter = map.params.back();
    const ir::Node& node = state.nodes[tasklet];
    for (const ir::EdgeId id : adjacency.in(tasklet)) {
        const ir::Memlet& memlet = state.edges[id].memlet;
        if (memlet.empty() || std::holds_alternative<ir::Access>(state.nodes[state.edges[id].src].kind)) continue;
        const auto distance = element_stride(sdfg, memlet, parameter);
        lanes.neighbours = lanes.neighbours && is_element(memlet, node.in, state.edges[id].dst_connector) && distance &&
                           (*distance == 0 || *distance == 1);
    }
    for (const ir::EdgeId id : adjacency.out(tasklet)) {
        const ir::Memlet& memlet = state.edges[id].memlet;
        if (memlet.empty()) continue;
        if (std::holds_alternative<ir::Access>(state.nodes[state.edges[id].dst].kind)) {
            lanes.apart = lanes.apart && !memlet.wcr;
            continue;
        }
        const auto distance = element_stride(sdfg, memlet, parameter);
        const bool combined = memlet.wcr && distance && *distance == 0 &&
                              std::ranges::find(map.private_updates, memlet.data) != map.private_updates.end();
        lanes.combines = lanes.combines && combined;
        const ir::Container* container = ir::find_container(sdfg, memlet.data);
        lanes.waits = lanes.waits && container && !code::is_integer(container->dtype.scalar);
        lanes.apart =
            lanes.apart && is_element(memlet, node.out, state.edges[id].src_connector) && distance && (combined || *distance == 1);
    }
}

}  // namespace

std::optional<std::int64_t> element_stride(const ir::Sdfg& sdfg, const ir::Memlet& memlet, const std::string& parameter) {
    const ir::Container* container = ir::find_container(sdfg, memlet.data);
    if (!container || !memlet.subset) return container ? std::optional<std::int64_t>(0) : std::nullopt;
    const auto* array = std::get_if<ir::Array>(&container->kind);
    if (!array) return std::holds_alternative<ir::Scalar>(container->kind) ? std::optional<std::int64_t>(0) : std::nullopt;
    Expr flat = 0, extent = 1;
    for (std::size_t d = memlet.subset->rank(); d-- > 0;) {
        flat = flat + memlet.subset->dims[d].begin * (array->strides.empty() ? extent : array->strides[d]);
        extent = extent * container->shape[d];
    }
    return (symbolic::substitute(flat, {{parameter, symbolic::symbol(parameter) + 1}}) - flat).constant();
}

bool is_straight_line(const ir::Tasklet& tasklet) {
    if (tasklet.code.language != ir::Language::Python) return false;
    const auto body = ir::parsed_body(tasklet.code);
    return body.ok() && std::ranges::all_of(*body, [](const code::StmtPtr& statement) {
               return std::holds_alternative<code::AssignStmt>(statement->node) ||
                      std::holds_alternative<code::AugAssignStmt>(statement->node);
           });
}

namespace {

bool assigns_alone(const code::Body& body) {
    return std::ranges::all_of(body, [](const code::StmtPtr& statement) {
        const auto* branch = std::get_if<code::IfStmt>(&statement->node);
        return std::holds_alternative<code::AssignStmt>(statement->node) ||
               std::holds_alternative<code::AugAssignStmt>(statement->node) ||
               (branch && assigns_alone(branch->then_body) && assigns_alone(branch->else_body));
    });
}

}  // namespace

bool only_assigns(const ir::Tasklet& tasklet) {
    if (tasklet.code.language != ir::Language::Python || ir::has_side_effects(tasklet) || !tasklet.state_fields.empty() ||
        !tasklet.environments.empty())
        return false;
    const auto body = ir::parsed_body(tasklet.code);
    return body.ok() && assigns_alone(*body);
}

bool prefetches(const ir::State& state, const ir::Adjacency& adjacency, ir::NodeId node) {
    return std::ranges::any_of(adjacency.in(node), [&](ir::EdgeId edge) { return state.edges[edge].memlet.prefetch.has_value(); });
}

Lanes lanes_of(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes,
               ir::NodeId entry) {
    const auto& map = std::get<ir::MapEntry>(state.nodes[entry].kind);
    Lanes lanes;
    lanes.in_loop = !map.unroll && map.schedule != ir::Schedule::Unrolled;
    for (const ir::NodeId child : scopes.children(entry)) {
        if (ir::is_exit(state.nodes[child]) || joins_tasklets(sdfg, state, adjacency, scopes, entry, child)) continue;
        const auto* tasklet = std::get_if<ir::Tasklet>(&state.nodes[child].kind);
        if (!tasklet || !is_straight_line(*tasklet) || prefetches(state, adjacency, child)) {
            lanes.obstacle = child;
            return lanes;
        }
        look_at(sdfg, state, adjacency, map, child, lanes);
    }
    return lanes;
}

}  // namespace sluice::analysis
