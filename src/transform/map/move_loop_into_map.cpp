// MoveLoopIntoMap: let every point of a map run through a loop by itself.
//     for k { map i { B } }   ->   map i { nested { for k { B } } }
// M1 the loop counts, and its body is one state that holds a map and nothing beside it. M2 the range of the map reads no data and
// does not use the variable. M3 different points of the map do not conflict in different iterations. M4 the contents of the map can
// be nested, no stream lives there, and the variable is not read after the loop.
#include <algorithm>

#include "analysis/legality/interchange.h"
#include "analysis/propagate.h"
#include "analysis/symbols.h"
#include "rewrite/nest.h"
#include "transform/loop/loop.h"
#include "transform/map/scope_edits.h"

namespace sluice::transform {

namespace {

using ir::NodeId;
using rewrite::Refusal;

/// The body's only state, if it is one.
const ir::State* only_state(const ir::LoopRegion& loop) {
    if (loop.body.blocks.size() != 1 || !loop.body.transitions.empty()) return nullptr;
    return ir::as_state((*loop.body.blocks.begin()).second);
}

/// The one map at the top of a state that holds beside it only what it reads and writes.
NodeId only_map(const ir::State& state, const rewrite::StateView& view) {
    NodeId map;
    for (const NodeId id : view.scopes.children({})) {
        const ir::Node& node = state.nodes[id];
        if (std::holds_alternative<ir::MapEntry>(node.kind)) {
            if (map.valid()) return {};
            map = id;
        } else if (!std::holds_alternative<ir::Access>(node.kind)) {
            return {};
        }
    }
    if (!map.valid()) return {};
    for (const auto& [id, edge] : state.edges)
        if (std::holds_alternative<ir::Access>(state.nodes[edge.src].kind) &&
            std::holds_alternative<ir::Access>(state.nodes[edge.dst].kind) && !view.scopes.parent(edge.src).valid())
            return {};
    return map;
}

std::optional<Refusal> check_contents(const rewrite::Site& site, const ir::State& state, NodeId map) {
    const auto& loop = site.get_block<ir::LoopRegion>("loop");
    const rewrite::StateView& view = site.view(state);
    const std::vector<NodeId> inside = rewrite::nodes_inside(view.scopes, map);
    if (inside.empty()) return Refusal{.code = "M4", .why = "the map holds nothing", .nodes = {}};
    if (auto why = rewrite::why_not_nested(site.sdfg(), state, inside)) return Refusal{.code = "M4", .why = *why};
    for (const std::string& name : private_transients(site.sdfg(), state, view, map))
        if (std::holds_alternative<ir::Stream>(site.sdfg().containers.at(name).kind))
            return Refusal{.code = "M4", .why = "the stream " + name + " is a new one for each point"};
    if (used_elsewhere(site.sdfg(), site.region(), site.block("loop"), loop.variable))
        return Refusal{.code = "M4", .why = "the variable " + loop.variable + " is read outside of the loop"};
    return {};
}

/// The map in the state that is the body of the loop.
rewrite::Planned<NodeId> plan_move_loop_into_map(const rewrite::Site& site) {
    const auto& loop = site.get_block<ir::LoopRegion>("loop");
    if (!counted_range(site.sdfg(), loop))
        return Refusal{.code = "M1", .why = "the loop does not count from one expression of symbols to another by a constant step"};
    const ir::State* state = only_state(loop);
    const NodeId map = state ? only_map(*state, site.view(*state)) : NodeId();
    if (!map.valid()) return Refusal{.code = "M1", .why = "the body of the loop is not one state that is a map"};
    const auto& entry = std::get<ir::MapEntry>(state->nodes[map].kind);
    if (has_dynamic_range(state->nodes[map])) return Refusal{.code = "M2", .why = "the range of the map is read from data"};
    if (symbolic::free_symbols(entry.range).contains(loop.variable))
        return Refusal{.code = "M2",
                       .why = "the range `" + symbolic::to_string(entry.range) + "` uses the variable " + loop.variable};
    if (auto refusal = check_contents(site, *state, map)) return std::move(*refusal);
    const analysis::Verdict verdict =
        analysis::loop_moves_into_map(site.sdfg(), site.region(), site.block("loop"), entry.params.size(), site.assumptions());
    if (verdict.yes()) return map;
    Refusal conflict{.code = "M3", .why = verdict.why};
    if (verdict.witness) conflict.notes.push_back({analysis::to_string(*verdict.witness), {}});
    if (auto refusal = site.unless_assumed(std::move(conflict))) return std::move(*refusal);
    return map;
}

/// The nested SDFG's body once for each value of the variable, which it gives itself.
void loop_around(ir::NestedSdfg& nested, const ir::LoopRegion& like, const std::string& label,
                 const std::map<std::string, code::DType>& types) {
    ir::Sdfg& inner = nested.sdfg.edit();
    ir::LoopRegion loop = like;
    loop.body = std::move(inner.body);
    inner.body = {};
    ir::add_block(inner.body, {.label = label, .kind = std::move(loop), .metadata = {}});
    nested.symbol_mapping.erase(like.variable);
    inner.symbols.insert_or_assign(like.variable, code::Scalar::Int64);
    for (const std::string& name : analysis::free_symbols(inner)) {
        if (nested.symbol_mapping.contains(name)) continue;
        nested.symbol_mapping.emplace(name, symbolic::symbol(name));
        const auto type = types.find(name);
        inner.symbols.emplace(name, type == types.end() ? code::DType(code::Scalar::Int64) : type->second);
    }
}

void apply_move_loop_into_map(rewrite::Draft& draft, NodeId map) {
    const rewrite::Site& site = draft.before();
    const ir::BlockId block = draft.block("loop");
    const auto& before = site.get_block<ir::LoopRegion>("loop");
    const std::vector<NodeId> inside = rewrite::nodes_inside(site.view(*only_state(before)).scopes, map);
    const std::string label = draft.region().blocks[block].label;
    auto& loop = draft.get_block<ir::LoopRegion>("loop");
    ir::State& state = *ir::as_state(loop.body.blocks[loop.body.start]);
    ir::Expr& condition = std::get<ir::MapEntry>(state.nodes[map].kind).omp_if;
    if (symbolic::free_symbols(condition).contains(before.variable))
        condition = symbolic::boolean(true);  // It was about one iteration.
    const NodeId nested = rewrite::nest_nodes(draft.sdfg(), state, inside, label + "_body");
    loop_around(std::get<ir::NestedSdfg>(state.nodes[nested].kind), before, label, draft.sdfg().symbols);
    // Nothing outside of the nested SDFG uses the variable any more.
    analysis::propagate_memlets(draft.sdfg(), state, site.assumptions());
    std::vector<ir::Region> bodies;
    bodies.push_back(std::move(loop.body));
    splice(draft.region(), block, std::move(bodies), Splice::Instead);
    rewrite::forget_unused(draft.sdfg(), {}, {before.variable});
}

}  // namespace

rewrite::Transformation move_loop_into_map() {
    return rewrite::transformation(
        {.name = "MoveLoopIntoMap",
         .summary = "Lets every point of a map run through a loop by itself.",
         .drawing = "for k { map i { B } }   ->   map i { nested { for k { B } } }",
         .decided_by = {.predicates = {"loop_moves_into_map"}},
         .patterns = {{.nodes = {{"loop", rewrite::kind::loop}}, .edges = {}}},
         .conditions = {{"M1", "the loop counts, and its body is one state that is a map"},
                        {"M2", "the range of the map reads no data and does not use the variable"},
                        {"M3", "different points of the map do not conflict in different iterations"},
                        {"M4",
                         "the contents can be nested, no stream lives there, and the variable is not read "
                         "after the loop"}}},
        plan_move_loop_into_map, apply_move_loop_into_map);
}

}  // namespace sluice::transform
