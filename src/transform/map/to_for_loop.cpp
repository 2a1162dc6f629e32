// MapToForLoop: run the points of a map one after the other, in loops.
//     map i=b:e:s, j { B }   ->   nested { for i=b:e:s { for j { B } } }
// L1 the signs of the steps are known and the map runs on the CPU. L2 the scope can be nested and holds something. L3 no parameter
// has the name of a symbol, which the loop would change. L4 no stream lives inside of the map: each point has its own.
// The loops stand in a nested SDFG, which InlineSDFG takes out again where the map was alone in its state. A range that is read
// from data is read before the loops.
#include <algorithm>

#include "analysis/scopes.h"
#include "ir/builder.h"
#include "ir/port.h"
#include "rewrite/nest.h"
#include "transform/map/scope_edits.h"

namespace sluice::transform {

namespace {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;

bool on_cpu(ir::Schedule schedule) {
    return schedule == ir::Schedule::Default || schedule == ir::Schedule::Sequential || schedule == ir::Schedule::CPU_Multicore ||
           schedule == ir::Schedule::CPU_Persistent || schedule == ir::Schedule::Unrolled;
}

bool is_symbol_here(const rewrite::Site& site, NodeId map, const std::string& name) {
    if (site.sdfg().symbols.contains(name)) return true;
    for (NodeId at = site.view().scopes.parent(map); at.valid(); at = site.view().scopes.parent(at)) {
        const ir::Node& around = site.state().nodes[at];
        const auto* outer = std::get_if<ir::MapEntry>(&around.kind);
        if (outer && std::ranges::find(outer->params, name) != outer->params.end()) return true;
        const auto* consume = std::get_if<ir::ConsumeEntry>(&around.kind);
        if ((consume && consume->pe_index == name) || around.in.contains(name)) return true;
    }
    return false;
}

/// Of each range: does its step rise?
rewrite::Planned<std::vector<bool>> directions(const rewrite::Site& site) {
    const NodeId id = site.node("map");
    const auto& map = site.get<ir::MapEntry>("map");
    if (!on_cpu(map.schedule))
        return Refusal{.code = "L1", .why = "the map is scheduled as " + std::string(ir::to_string(map.schedule)), .nodes = {id}};
    const symbolic::Assumptions known = known_around(site, id);
    std::vector<bool> ascending;
    for (const symbolic::Range& range : map.range.dims) {
        const symbolic::Truth rises = symbolic::decide(symbolic::less(0, range.step), known);
        if (rises == symbolic::Truth::Unknown)
            return Refusal{
                .code = "L1", .why = "the sign of the step " + symbolic::to_string(range.step) + " is not known", .nodes = {id}};
        ascending.push_back(symbolic::is_yes(rises));
    }
    for (const std::string& name : map.params)
        if (is_symbol_here(site, id, name))
            return Refusal{.code = "L3", .why = "the parameter " + name + " has the name of a symbol", .nodes = {id}};
    return ascending;
}

rewrite::Planned<std::vector<bool>> plan_map_to_for_loop(const rewrite::Site& site) {
    const NodeId id = site.node("map");
    auto ascending = directions(site);
    if (std::holds_alternative<Refusal>(ascending)) return ascending;
    const std::vector<NodeId> nodes = scope_nodes(site.view().scopes, id);
    if (nodes.size() == 2) return Refusal{.code = "L2", .why = "the map holds nothing", .nodes = {id}};
    if (auto why = rewrite::why_not_nested(site.sdfg(), site.state(), nodes))
        return Refusal{.code = "L2", .why = *why, .nodes = {id}};
    for (const std::string& name : private_transients(site.sdfg(), site.state(), site.view(), id))
        if (std::holds_alternative<ir::Stream>(site.sdfg().containers.at(name).kind))
            return Refusal{.code = "L4", .why = "the stream " + name + " is a new one for each point", .nodes = {id}};
    return ascending;
}

NodeId map_of(const ir::State& body) {
    for (const auto& [id, node] : body.nodes)
        if (std::holds_alternative<ir::MapEntry>(node.kind)) return id;
    return {};
}

/// Takes away the inputs of a range that is read from data: symbol <- Python text.
std::vector<std::pair<std::string, std::string>> take_dynamic_inputs(ir::Sdfg& inner, ir::State& body, NodeId entry) {
    std::vector<std::pair<std::string, std::string>> assignments;
    std::vector<EdgeId> gone;
    for (const auto& [id, edge] : body.edges) {
        if (edge.dst != entry || edge.dst_connector.empty() || ir::is_port_in(edge.dst_connector)) continue;
        const ir::Container& container = inner.containers.at(edge.memlet.data);
        std::string text = edge.memlet.data;
        if (!container.shape.empty()) text += "[" + symbolic::to_string(edge.memlet.subset.value_or(symbolic::Subset{})) + "]";
        if (!code::is_integer(container.dtype.scalar)) text = "int(" + text + ")";  // A range truncates.
        assignments.emplace_back(edge.dst_connector, text);
        inner.symbols.emplace(edge.dst_connector, rewrite::symbol_type(container));
        gone.push_back(id);
    }
    for (const EdgeId id : gone) body.edges.erase(id);
    for (const auto& [name, text] : assignments) body.nodes[entry].in.erase(name);
    rewrite::erase_isolated_accesses(body);
    return assignments;
}

/// The region once for each value of the parameter.
ir::Region loop_over(ir::Region region, const std::string& parameter, const symbolic::Range& range, bool ascending) {
    ir::Block block = ir::for_loop("for_" + parameter, parameter, range.begin, range.end, range.step);
    auto& loop = std::get<ir::LoopRegion>(block.kind);
    const bool plain = range.end.constant() || range.end.is_symbol();
    const std::string end = symbolic::to_string(range.end);
    if (!ascending) loop.condition->text = parameter + " > " + (plain ? end : "(" + end + ")");
    loop.body = std::move(region);
    ir::Region around;
    ir::add_block(around, std::move(block));
    return around;
}

void apply_map_to_for_loop(rewrite::Draft& draft, const std::vector<bool>& ascending) {
    const rewrite::Site& site = draft.before();
    const NodeId entry = draft.node("map");
    const ir::MapEntry map = site.get<ir::MapEntry>("map");
    const NodeId exit = site.view().scopes.exit_of(entry);
    ir::State& state = draft.state();
    const std::vector<NodeId> nodes = scope_nodes(site.view().scopes, entry);
    const NodeId nested = rewrite::nest_nodes(draft.sdfg(), state, nodes, map.label);

    ir::Sdfg& inner = std::get<ir::NestedSdfg>(state.nodes[nested].kind).sdfg.edit();
    ir::State& body = *ir::as_state(inner.body.blocks[inner.body.start]);
    const NodeId inside = map_of(body);
    NodeId inside_exit;
    for (const auto& [id, node] : body.nodes)
        if (const auto* closes = std::get_if<ir::MapExit>(&node.kind); closes && closes->entry == inside) inside_exit = id;
    const auto assignments = take_dynamic_inputs(inner, body, inside);
    dissolve_scope(body, {inside, inside_exit});
    for (std::size_t at = map.params.size(); at-- > 0;) {
        inner.body = loop_over(std::move(inner.body), map.params[at], map.range.dims[at], ascending[at]);
        inner.symbols.emplace(map.params[at], code::Scalar::Int64);
    }
    if (!assignments.empty()) {
        const ir::BlockId loop = inner.body.start;
        const ir::BlockId begin = inner.body.blocks.add({.label = "range", .kind = Cow<ir::State>(), .metadata = {}});
        inner.body.start = begin;
        ir::add_transition(inner.body, begin, loop, {}, assignments);
    }
    draft.forward(entry, nested);
    draft.forward(exit, nested);
}

}  // namespace

rewrite::Transformation map_to_for_loop() {
    return rewrite::transformation(
        {.name = "MapToForLoop",
         .summary = "Runs the points of a map one after the other, in loops.",
         .drawing = "map i=b:e:s, j { B }   ->   nested { for i=b:e:s { for j { B } } }",
         .decided_by = {.structural = "The order of the loop is one of those in which the points of the map may run."},
         .patterns = {{.nodes = {{"map", rewrite::kind::map_entry}}, .edges = {}}},
         .conditions = {{"L1", "the signs of the steps are known and the map runs on the CPU"},
                        {"L2", "the scope can be nested and holds something"},
                        {"L3", "no parameter has the name of a symbol"},
                        {"L4", "no stream lives inside of the map"}}},
        plan_map_to_for_loop, apply_map_to_for_loop);
}

}  // namespace sluice::transform
