#include "rewrite/wires.h"

#include <algorithm>

#include "ir/query.h"
#include "ir/walk.h"
#include "rewrite/edit.h"

namespace sluice::rewrite {

namespace {

bool is_code(const ir::Node& node) {
    return std::holds_alternative<ir::Tasklet>(node.kind) || std::holds_alternative<ir::NestedSdfg>(node.kind);
}

std::vector<ir::EdgeId> wires(const ir::State& state, const std::function<bool(const std::string&)>& gone) {
    std::vector<ir::EdgeId> found;
    for (const auto& [id, edge] : state.edges)
        if (!edge.memlet.empty() && is_code(state.nodes[edge.src]) && is_code(state.nodes[edge.dst]) &&
            gone(std::string(ir::root_name(edge.memlet.data))))
            found.push_back(id);
    return found;
}

}  // namespace

void release_wires(const ir::Sdfg& sdfg, ir::Region& region, const std::function<bool(const std::string&)>& gone) {
    bool any = false;
    ir::for_each_state(std::as_const(region), [&](const ir::State& state) { any = any || !wires(state, gone).empty(); });
    if (!any) return;  // states stay shared
    ir::edit_each_state(region, [&](ir::State& state) {
        for (const ir::EdgeId id : wires(state, gone)) {
            ir::Edge& edge = state.edges[id];
            code::DType& type = state.nodes[edge.src].out.at(edge.src_connector);
            const ir::Container* container = ir::find_container(sdfg, edge.memlet.data);
            if (type.is_void() && container) type = container->dtype;
            edge.memlet = ir::no_memlet();
        }
    });
}

void erase_container(ir::Sdfg& sdfg, const std::string& name) {
    release_wires(sdfg, sdfg.body, [&](const std::string& data) { return data == name; });
    sdfg.containers.erase(name);
}

}  // namespace sluice::rewrite
