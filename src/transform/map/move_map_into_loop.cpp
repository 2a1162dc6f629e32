// MoveMapIntoLoop: let the points of a map run through a loop together.
//     map i { nested { for k { B } } }   ->   nested { for k { map i { nested { B } } } }
// P1 the map holds a nested SDFG that is one loop and nothing else, and the body of the loop is one state. P2 the loop counts,
// and its range does not depend on the point. P3 no transient of the nested SDFG lives longer than an iteration. P4 the map can be
// nested, and no name hides another. No conflict can arise: what points do in different iterations was in no order, and now is in
// one.
#include <algorithm>

#include "analysis/liveness.h"
#include "analysis/nesting.h"
#include "ir/builder.h"
#include "rewrite/nest.h"
#include "transform/loop/loop.h"
#include "transform/map/scope_edits.h"

namespace sluice::transform {

namespace {

using ir::NodeId;
using rewrite::Refusal;

/// The loop that the SDFG is, if it is one around one state.
const ir::LoopRegion* only_loop(const ir::Sdfg& sdfg) {
    if (sdfg.body.blocks.size() != 1 || !sdfg.body.transitions.empty()) return nullptr;
    const auto* loop = std::get_if<ir::LoopRegion>(&(*sdfg.body.blocks.begin()).second.kind);
    if (!loop || loop->body.blocks.size() != 1 || !loop->body.transitions.empty()) return nullptr;
    return ir::as_state((*loop->body.blocks.begin()).second) ? loop : nullptr;
}

bool holds_nothing_else(const rewrite::Site& site) {
    const NodeId map = site.node("map"), nested = site.node("nested"), exit = site.view().scopes.exit_of(map);
    return std::ranges::all_of(site.view().scopes.children(map), [&](NodeId id) { return id == nested || id == exit; });
}

/// The range in terms of the symbols around the nested SDFG.
symbolic::Range outer_range(const ir::NestedSdfg& nested, const symbolic::Range& range) {
    symbolic::Substitution mapping;
    for (const auto& [name, value] : nested.symbol_mapping) mapping.insert_or_assign(name, value);
    return symbolic::substitute(range, mapping);
}

/// Range of the loop, in terms of the symbols around the map.
rewrite::Planned<symbolic::Range> range_outside(const rewrite::Site& site) {
    const NodeId id = site.node("nested");
    const auto& nested = site.get<ir::NestedSdfg>("nested");
    const ir::LoopRegion* loop = only_loop(*nested.sdfg);
    if (!loop || !holds_nothing_else(site))
        return Refusal{.code = "P1", .why = "the map does not hold one loop around one state, and nothing else", .nodes = {id}};
    const auto range = counted_range(*nested.sdfg, *loop);
    if (!range)
        return Refusal{.code = "P2",
                       .why = "the loop does not count from one expression of symbols to another by a constant step",
                       .nodes = {id}};
    const auto& params = site.get<ir::MapEntry>("map").params;
    const symbolic::Range outer = outer_range(nested, *range);
    for (const std::string& name : symbolic::free_symbols(outer))
        if (std::ranges::find(params, name) != params.end() || site.state().nodes[site.node("map")].in.contains(name))
            return Refusal{
                .code = "P2", .why = "the range `" + symbolic::to_string(outer) + "` of the loop uses " + name, .nodes = {id}};
    for (const auto& [name, allocation] :
         analysis::allocation_scopes(*nested.sdfg, analysis::assumptions_inside(nested, site.assumptions(site.node("map")))))
        if (allocation.level == analysis::AllocationScope::Level::Sdfg)
            return Refusal{
                .code = "P3", .why = "the transient " + name + " may carry a value from one iteration to the next", .nodes = {id}};
    return outer;
}

rewrite::Planned<symbolic::Range> plan_move_map_into_loop(const rewrite::Site& site) {
    auto range = range_outside(site);
    if (std::holds_alternative<Refusal>(range)) return range;
    const NodeId map = site.node("map");
    if (auto why = rewrite::why_not_nested(site.sdfg(), site.state(), scope_nodes(site.view().scopes, map)))
        return Refusal{.code = "P4", .why = *why, .nodes = {map}};
    const std::string& variable = only_loop(*site.get<ir::NestedSdfg>("nested").sdfg)->variable;
    const auto& params = site.get<ir::MapEntry>("map").params;
    if (site.sdfg().symbols.contains(variable) || site.sdfg().containers.contains(variable) ||
        std::ranges::find(params, variable) != params.end())
        return Refusal{
            .code = "P4", .why = "the variable " + variable + " means something else outside of the map", .nodes = {map}};
    return range;
}

void apply_move_map_into_loop(rewrite::Draft& draft, const symbolic::Range& range) {
    const rewrite::Site& site = draft.before();
    const NodeId map = draft.node("map");
    const auto& old = site.get<ir::NestedSdfg>("nested");
    const ir::LoopRegion loop = *only_loop(*old.sdfg);
    const std::string label = (*old.sdfg->body.blocks.begin()).second.label;

    ir::State& state = draft.state();
    const NodeId around = rewrite::nest_nodes(draft.sdfg(), state, scope_nodes(site.view().scopes, map), old.label + "_" + label);
    ir::Sdfg& outer = std::get<ir::NestedSdfg>(state.nodes[around].kind).sdfg.edit();
    ir::State& body = *ir::as_state(outer.body.blocks[outer.body.start]);
    for (auto [id, node] : body.nodes)
        if (auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) {
            ir::Sdfg& inner = nested->sdfg.edit();
            inner.body = loop.body;
            inner.symbols.insert_or_assign(loop.variable, code::Scalar::Int64);
            nested->symbol_mapping.insert_or_assign(loop.variable, symbolic::symbol(loop.variable));
        }
    ir::Block block = ir::for_loop(label, loop.variable, range.begin, range.end, range.step);
    std::get<ir::LoopRegion>(block.kind).body = std::move(outer.body);
    outer.body = {};
    ir::add_block(outer.body, std::move(block));
    outer.symbols.insert_or_assign(loop.variable, code::Scalar::Int64);
    for (const std::string& name : symbolic::free_symbols(range)) {
        auto& mapping = std::get<ir::NestedSdfg>(state.nodes[around].kind).symbol_mapping;
        if (!mapping.emplace(name, symbolic::symbol(name)).second) continue;
        const auto type = site.sdfg().symbols.find(name);
        outer.symbols.emplace(name, type == site.sdfg().symbols.end() ? code::DType(code::Scalar::Int64) : type->second);
    }
    draft.forward(map, around);
    draft.forward(site.node("nested"), around);
    draft.forward(site.view().scopes.exit_of(map), around);
}

}  // namespace

rewrite::Transformation move_map_into_loop() {
    return rewrite::transformation(
        {.name = "MoveMapIntoLoop",
         .summary = "Lets the points of a map run through a loop together.",
         .drawing = "map i { nested { for k { B } } }   ->   nested { for k { map i { nested { B } } } }",
         .decided_by =
             {.structural =
                  "Points of a map have no order, and each iteration of the loop ends for all of them before the next begins."},
         .patterns = {rewrite::chain({{"map", rewrite::kind::map_entry}, {"nested", rewrite::kind::nested_sdfg}})},
         .conditions = {{"P1", "the map holds a nested SDFG that is one loop around one state, and nothing else"},
                        {"P2", "the loop counts, and its range does not depend on the point"},
                        {"P3", "no transient of the nested SDFG lives longer than an iteration"},
                        {"P4", "the map can be nested, and the variable means nothing else outside"}}},
        plan_move_map_into_loop, apply_move_map_into_loop);
}

}  // namespace sluice::transform
