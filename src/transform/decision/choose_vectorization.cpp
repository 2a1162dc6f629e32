// ChooseVectorization: run the innermost dimension of a map in the lanes of vector registers.
//     map i { straight-line code on neighbouring elements }   ->   map i simd { ... }
// L1 it is not decided. L2 the scope holds straight-line tasklets alone. L3 they touch neighbouring elements, or combine values in
// private copies, whose order alone keeps the compiler from it.
#include <algorithm>

#include "code/walk.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "transform/decision/decision.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;
using symbolic::Expr;

bool is_straight(const ir::Tasklet& tasklet) {
    if (tasklet.code.language != ir::Language::Python) return false;
    const auto body = ir::parsed_body(tasklet.code);
    return body.ok() && std::ranges::all_of(*body, [](const code::StmtPtr& statement) {
               return std::holds_alternative<code::AssignStmt>(statement->node) ||
                      std::holds_alternative<code::AugAssignStmt>(statement->node);
           });
}

/// How far the first element of the memlet moves when the parameter does by one; nullopt: not by a constant.
std::optional<std::int64_t> stride(const ir::Sdfg& sdfg, const ir::Memlet& memlet, const std::string& parameter) {
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

/// What the connector takes or gives at once: an element, or a vector of neighbours.
bool is_element(const ir::Memlet& memlet, const ir::Connectors& connectors, const std::string& connector) {
    const auto type = connectors.find(connector);
    const std::int64_t lanes = type != connectors.end() && type->second.is_vector() ? type->second.lanes : 1;
    return !memlet.dynamic && (!memlet.subset || symbolic::num_elements(*memlet.subset).is_integer(lanes));
}

struct Lanes {
    bool neighbours = true;  ///< All elements stand or move by one.
    bool combines = true;    ///< Nothing but updates of private copies leaves.
    bool possible = true;
};

void look_at(const Surroundings& around, const ir::MapEntry& map, ir::NodeId tasklet, Lanes& lanes) {
    const std::string& parameter = map.params.back();
    const ir::Node& node = around.state.nodes[tasklet];
    for (const ir::EdgeId id : around.adjacency.in(tasklet)) {
        const ir::Memlet& memlet = around.state.edges[id].memlet;
        if (memlet.empty()) continue;
        const auto distance = stride(around.sdfg, memlet, parameter);
        lanes.neighbours = lanes.neighbours && is_element(memlet, node.in, around.state.edges[id].dst_connector) && distance &&
                           (*distance == 0 || *distance == 1);
    }
    for (const ir::EdgeId id : around.adjacency.out(tasklet)) {
        const ir::Memlet& memlet = around.state.edges[id].memlet;
        if (memlet.empty()) continue;
        const auto distance = stride(around.sdfg, memlet, parameter);
        const bool combined = memlet.wcr && distance && *distance == 0 &&
                              std::ranges::find(map.private_updates, memlet.data) != map.private_updates.end();
        lanes.combines = lanes.combines && combined;
        lanes.possible = lanes.possible && is_element(memlet, node.out, around.state.edges[id].src_connector) && distance &&
                         (combined || *distance == 1);
    }
}

}  // namespace

bool fills_lanes(const Surroundings& around, ir::NodeId entry) {
    const auto& map = std::get<ir::MapEntry>(around.state.nodes[entry].kind);
    Lanes lanes;
    for (const ir::NodeId child : around.scopes.children(entry)) {
        if (ir::is_exit(around.state.nodes[child])) continue;
        const auto* tasklet = std::get_if<ir::Tasklet>(&around.state.nodes[child].kind);
        if (!tasklet || !is_straight(*tasklet)) return false;
        look_at(around, map, child, lanes);
    }
    return lanes.possible && (lanes.neighbours || lanes.combines);
}

namespace {

std::optional<Refusal> why_not_choose_vectorization(const rewrite::Site& site) {
    const ir::NodeId entry = site.node("map");
    const auto& map = site.get<ir::MapEntry>("map");
    if (map.simd) return Refusal{.code = "L1", .why = "the map is vectorised", .nodes = {entry}};
    for (const ir::NodeId child : site.view().scopes.children(entry)) {
        const auto* tasklet = std::get_if<ir::Tasklet>(&site.state().nodes[child].kind);
        if (!ir::is_exit(site.state().nodes[child]) && !(tasklet && is_straight(*tasklet)))
            return Refusal{.code = "L2", .why = "there is more in the scope than straight-line tasklets", .nodes = {entry, child}};
    }
    const Surroundings around{site.sdfg(), site.state(), site.view().adjacency, site.view().scopes, site.assumptions()};
    if (!fills_lanes(around, entry))
        return Refusal{.code = "L3", .why = "its tasklets touch elements that are no neighbours", .nodes = {entry}};
    return {};
}

void apply_choose_vectorization(rewrite::Draft& draft) {
    draft.get<ir::MapEntry>("map").simd = true;
}

}  // namespace

rewrite::Transformation choose_vectorization() {
    return rewrite::CheckedEdit{
        .descriptor = {.name = "ChooseVectorization",
                       .group = "decision",
                       .summary = "Runs the innermost dimension of a map in the lanes of vector registers.",
                       .drawing = "map i { straight-line code on neighbouring elements }   ->   map i simd { ... }",
                       .decided_by = {.structural = "Lanes are points of a map, which are independent."},
                       .patterns = {{.nodes = {{"map", rewrite::kind::map_entry}}, .edges = {}}},
                       .conditions = {{"L1", "it is not decided"},
                                      {"L2", "the scope holds straight-line tasklets alone"},
                                      {"L3",
                                       "they touch neighbouring elements, or combine values in private copies, whose order "
                                       "alone keeps the compiler from it"}}},
        .can_apply = why_not_choose_vectorization,
        .apply = apply_choose_vectorization};
}

}  // namespace sluice::transform
