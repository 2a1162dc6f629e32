// MapToCopy: a map that moves elements, one at each point, is a copy.
//     A -> map i=b:e { A[i + c] -> B[i + d] } -> B   ->   A[b + c:e + c] -> B[b + d:e + d]
// C1 the map holds one tasklet that assigns its input to its output, and nobody has decided who runs it or measures it. C2 it reads
// one array and writes another of the same element type, without resolution. C3 each parameter counts up by one and is, plus a
// constant, the index in one dimension of both, in the same order. What a copy may be is then what others know: RedundantArray
// takes it away, and whoever wrote A writes B.
#include <algorithm>

#include "ir/code_block.h"
#include "ir/query.h"
#include "rewrite/edit.h"
#include "transform/map/map.h"

namespace sluice::transform {

namespace {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;
using symbolic::Subset;

struct MovedElements {
    NodeId from, to, tasklet;
    Subset source, destination;
};

const std::string* assigned_name(const code::ExprPtr& e) {
    const auto* name = e ? std::get_if<code::NameExpr>(&e->node) : nullptr;
    return name ? &name->id : nullptr;
}

/// `out = in`, in connectors that convert nothing.
bool only_moves(const ir::Node& node, const code::DType& element) {
    const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind);
    if (!tasklet || tasklet->code.language != ir::Language::Python || ir::has_side_effects(*tasklet) ||
        tasklet->instrument != ir::Instrumentation::No_Instrumentation || node.in.size() != 1 || node.out.size() != 1)
        return false;
    for (const auto* connector : {&*node.in.begin(), &*node.out.begin()})
        if (!(connector->second == code::DType()) && !(connector->second == element)) return false;
    const auto body = ir::parsed_body(tasklet->code);
    const auto* assign = body.ok() && body->size() == 1 ? std::get_if<code::AssignStmt>(&(*body)[0]->node) : nullptr;
    if (!assign || assign->targets.size() != 1) return false;
    const std::string *target = assigned_name(assign->targets[0]), *value = assigned_name(assign->value);
    return target && value && *target == node.out.begin()->first && *value == node.in.begin()->first;
}

struct Moved {
    Subset section;
    std::vector<std::string> order;  ///< Of the parameters.
};

/// What the element at the point covers over the whole map; missing: C3.
std::optional<Moved> section_of(const Subset& point, const ir::MapEntry& map) {
    Moved moved;
    for (const symbolic::Range& range : point.dims) {
        std::vector<std::size_t> used;
        for (std::size_t at = 0; at < map.params.size(); ++at)
            if (symbolic::depends_on(range.begin, map.params[at])) used.push_back(at);
        if (!symbolic::num_elements(range, {}).is_integer(1) || used.size() > 1) return {};
        moved.section.dims.push_back(range);
        if (used.empty()) continue;
        const std::string& parameter = map.params[used[0]];
        const symbolic::Range& all = map.range.dims[used[0]];
        const symbolic::Expr shift = range.begin - symbolic::symbol(parameter);
        if (symbolic::depends_on(shift, parameter) || !all.step.is_integer(1) || !all.tile.is_integer(1) ||
            std::ranges::find(moved.order, parameter) != moved.order.end())
            return {};
        moved.order.push_back(parameter);
        moved.section.dims.back() = {all.begin + shift, all.end + shift};
    }
    for (const symbolic::Range& range : map.range.dims)
        for (const std::string& parameter : map.params)
            if (symbolic::depends_on(range.begin, parameter) || symbolic::depends_on(range.end, parameter)) return {};
    return moved.order.size() == map.params.size() ? std::optional(moved) : std::nullopt;
}

bool is_own_array(const ir::Container* container) {
    return container && container->binding == ir::Binding::Own && std::holds_alternative<ir::Array>(container->kind);
}

rewrite::Planned<MovedElements> plan_map_to_copy(const rewrite::Site& site) {
    const ir::State& state = site.state();
    const ir::Adjacency& adjacency = site.view().adjacency;
    const NodeId entry = site.node("map"), exit = site.view().scopes.exit_of(entry);
    const auto& map = site.get<ir::MapEntry>("map");
    const auto refuse = [&](std::string code, std::string why) {
        return Refusal{.code = std::move(code), .why = std::move(why), .nodes = {entry}};
    };
    const auto inside = site.view().scopes.children(entry);
    if (map.schedule != ir::Schedule::Default || map.instrument != ir::Instrumentation::No_Instrumentation ||
        has_dynamic_range(state.nodes[entry]))
        return refuse("C1", "somebody has decided how the map runs, or measures it");
    const auto tasklet =
        std::ranges::find_if(inside, [&](NodeId id) { return std::holds_alternative<ir::Tasklet>(state.nodes[id].kind); });
    if (tasklet == inside.end() || rewrite::nodes_inside(site.view().scopes, entry).size() != 1 ||
        adjacency.in(entry).size() != 1 || adjacency.out(entry).size() != 1 || adjacency.in(exit).size() != 1 ||
        adjacency.out(exit).size() != 1)
        return refuse("C1", "the map does more than to move an element at each point");
    const EdgeId in = adjacency.in(entry)[0], read = adjacency.out(entry)[0], write = adjacency.in(exit)[0],
                 out = adjacency.out(exit)[0];
    const auto* from = std::get_if<ir::Access>(&state.nodes[state.edges[in].src].kind);
    const auto* to = std::get_if<ir::Access>(&state.nodes[state.edges[out].dst].kind);
    const ir::Container* source = from ? site.sdfg().containers.find(from->data) : nullptr;
    const ir::Container* destination = to ? site.sdfg().containers.find(to->data) : nullptr;
    if (!is_own_array(source) || !is_own_array(destination) || from->data == to->data || !(source->dtype == destination->dtype))
        return refuse("C2", "it does not lead from one array to another of the same element type");
    const ir::Memlet &element = state.edges[read].memlet, &result = state.edges[write].memlet;
    for (const ir::Memlet* memlet : {&element, &result, &state.edges[in].memlet, &state.edges[out].memlet})
        if (memlet->wcr || memlet->dynamic || memlet->other_subset || memlet->allow_oob)
            return refuse("C2", "an element is updated, or moved under a condition");
    if (element.data != from->data || result.data != to->data || !element.subset || !result.subset)
        return refuse("C2", "it does not move one element of an array at each point");
    if (!only_moves(state.nodes[*tasklet], source->dtype)) return refuse("C1", "the tasklet computes something");
    const auto moved = section_of(*element.subset, map), placed = section_of(*result.subset, map);
    if (!moved || !placed || moved->order != placed->order)
        return refuse("C3", "elements do not lie in the same order in both arrays");
    return MovedElements{state.edges[in].src, state.edges[out].dst, *tasklet, moved->section, placed->section};
}

void apply_map_to_copy(rewrite::Draft& draft, const MovedElements& plan) {
    const NodeId entry = draft.node("map"), exit = draft.before().view().scopes.exit_of(entry);
    ir::State& state = draft.state();
    ir::Memlet memlet = ir::no_memlet();
    memlet.data = std::get<ir::Access>(state.nodes[plan.from].kind).data;
    memlet.subset = plan.source;
    memlet.other_subset = plan.destination;
    memlet.volume = symbolic::num_elements(plan.source);
    memlet.metadata = state.nodes[plan.tasklet].metadata;
    for (const NodeId node : {plan.tasklet, exit, entry}) rewrite::erase_node(state, node);
    state.edges.add({plan.from, "", plan.to, "", std::move(memlet)});
}

}  // namespace

rewrite::Transformation map_to_copy() {
    return rewrite::transformation(
        {.name = "MapToCopy",
         .summary = "Makes a copy of a map that moves one element at each point.",
         .drawing = "A -> map i { A[i] -> B[i] } -> B   ->   A -> B",
         .decided_by = {.structural = "The copy moves the elements that the points of the map moved, each once."},
         .patterns = {{.nodes = {{"map", rewrite::kind::map_entry}}, .edges = {}}},
         .conditions = {{"C1",
                         "the map holds one tasklet that assigns its input to its output, without a schedule or a measurement"},
                        {"C2", "it leads from one array to another of the same element type, without resolution"},
                        {"C3", "each parameter is, plus a constant, one index of both arrays, in the same order"}}},
        plan_map_to_copy, apply_map_to_copy);
}

}  // namespace sluice::transform
