#include "transform/tasklet/tasklet.h"

#include <algorithm>
#include <functional>

#include "code/walk.h"
#include "ir/code_block.h"
#include "ir/query.h"

namespace sluice::transform {

using ir::EdgeId;
using ir::NodeId;

code::TypeEnvironment types_in(const ir::Sdfg& sdfg, const ir::State& state, NodeId tasklet) {
    std::map<std::string, code::Type> known;
    for (const auto& [name, type] : sdfg.symbols) known[name] = {.dtype = type, .weak = type == code::Scalar::Int64};
    for (const auto& [name, constant] : sdfg.constants) known[name] = {.dtype = constant.container.dtype};
    for (const auto& [id, node] : state.nodes)
        if (const auto* map = std::get_if<ir::MapEntry>(&node.kind))
            for (const std::string& parameter : map->params) known[parameter] = {.dtype = code::Scalar::Int64, .weak = true};
    const ir::Node& node = state.nodes[tasklet];
    for (const auto& [id, edge] : state.edges) {
        if (edge.dst != tasklet && edge.src != tasklet) continue;
        const std::string& connector = edge.dst == tasklet ? edge.dst_connector : edge.src_connector;
        const ir::Container* container = ir::find_container(sdfg, edge.memlet.data);
        if (container && !connector.empty()) known[connector] = {.dtype = container->dtype};
    }
    for (const auto* side : {&node.in, &node.out})
        for (const auto& [name, type] : *side)
            if (!type.is_void() && !type.compound) known[name] = {.dtype = type};
    return [known = std::move(known)](const std::string& name) -> std::optional<code::Type> {
        const auto at = known.find(name);
        return at == known.end() ? std::nullopt : std::optional(at->second);
    };
}

std::set<std::string> names_of(const ir::Node& tasklet) {
    std::set<std::string> names;
    for (const auto* side : {&tasklet.in, &tasklet.out})
        for (const auto& [name, type] : *side) names.insert(name);
    const auto body = ir::parsed_body(std::get<ir::Tasklet>(tasklet.kind).code);
    if (!body) return names;
    names.merge(ir::free_names(*body));
    const auto add = [&](const code::ExprPtr& e) {
        if (const auto* target = e ? std::get_if<code::NameExpr>(&e->node) : nullptr) names.insert(target->id);
    };
    const std::function<void(const code::Body&)> targets = [&](const code::Body& inner) {
        for (const code::StmtPtr& stmt : inner) {
            std::visit(
                [&](const auto& s) {
                    if constexpr (requires { s.targets; }) std::ranges::for_each(s.targets, add);
                    if constexpr (requires { s.target; }) add(s.target);
                },
                stmt->node);
            code::for_each_body(*stmt, targets);
        }
    };
    targets(*body);
    return names;
}

std::string free_name(const std::set<std::string>& taken, const std::string& base) {
    std::string name = base;
    for (std::size_t i = 0; taken.contains(name); ++i) name = base + "_" + std::to_string(i);
    return name;
}

std::vector<EdgeId> data_in(const ir::State& state, const ir::Adjacency& adjacency, NodeId node) {
    std::vector<EdgeId> found;
    for (const EdgeId id : adjacency.in(node))
        if (!state.edges[id].dst_connector.empty()) found.push_back(id);
    return found;
}

std::vector<EdgeId> data_out(const ir::State& state, const ir::Adjacency& adjacency, NodeId node) {
    std::vector<EdgeId> found;
    for (const EdgeId id : adjacency.out(node))
        if (!state.edges[id].src_connector.empty()) found.push_back(id);
    return found;
}

NodeId access_before(const ir::State& state, const ir::Adjacency& adjacency, EdgeId edge) {
    const NodeId node = state.edges[rewrite::memlet_path(state, adjacency, edge).front()].src;
    return std::holds_alternative<ir::Access>(state.nodes[node].kind) ? node : NodeId();
}

NodeId access_behind(const ir::State& state, const ir::Adjacency& adjacency, EdgeId edge) {
    const NodeId node = state.edges[rewrite::memlet_path(state, adjacency, edge).back()].dst;
    return std::holds_alternative<ir::Access>(state.nodes[node].kind) ? node : NodeId();
}

}  // namespace sluice::transform
