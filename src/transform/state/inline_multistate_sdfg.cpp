// InlineMultistateSDFG: put the blocks of a nested SDFG in the place of the state that does nothing but call it.
//     state { nested { for i { A }; B } }   ->   for i { A }; B
// M1 inlining is not forbidden, and nothing inside returns. M2 the state holds the call and what it reads and writes, nothing else.
// M3 each of its arguments is an aligned part of the container it is connected to, and what it takes by value it does not change.
// M4 names mean the same outside: symbols that the nested SDFG gives values to have names of their own, no tasklet hides a symbol
// that moves into its code. M5 extents of transients inside are known where the SDFG allocates.
#include <algorithm>

#include "ir/query.h"
#include "ir/walk.h"
#include "rewrite/edit.h"
#include "rewrite/transformation.h"
#include "transform/loop/loop.h"
#include "transform/state/inlining.h"

namespace sluice::transform {

namespace {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;

/// M2: every other node is an access node that the call reads or writes directly.
bool alone(const ir::State& state, NodeId nested) {
    for (const auto& [id, node] : state.nodes)
        if (id != nested && !std::holds_alternative<ir::Access>(node.kind)) return false;
    return std::ranges::all_of(state.edges, [&](const auto& entry) {
        const ir::Edge& edge = entry.second;
        return edge.src == nested || edge.dst == nested;
    });
}

/// M4: a symbol that gets a value inside and is something outside.
std::optional<std::string> conflicting_symbol(const ir::Sdfg& sdfg, const ir::NestedSdfg& nested) {
    for (const std::string& name : ir::assigned_symbols(*nested.sdfg)) {
        if (nested.symbol_mapping.contains(name)) return name;
        if (sdfg.symbols.contains(name) || sdfg.containers.contains(name) || sdfg.constants.contains(name)) return name;
        if (std::ranges::binary_search(ir::assigned_symbols(sdfg), name)) return name;
    }
    return {};
}

rewrite::Planned<Inlining> plan_inline_multistate_sdfg(const rewrite::Site& site) {
    const NodeId id = site.node("nested");
    const auto& nested = site.get<ir::NestedSdfg>("nested");
    const auto refuse = [&](std::string code, std::string why) {
        return Refusal{.code = std::move(code), .why = std::move(why), .nodes = {id}};
    };
    if (nested.no_inline) return refuse("M1", "inlining " + nested.label + " is forbidden by its property no_inline");
    const auto returns = [](const ir::Block& block) { return std::holds_alternative<ir::ReturnBlock>(block.kind); };
    if (ir::any_block(nested.sdfg->body, returns)) return refuse("M1", nested.label + " returns, which would end the caller");
    if (!alone(site.state(), id)) return refuse("M2", "the state does more than call " + nested.label);
    const Inlining inlining(site.sdfg(), site.state(), site.view(), id);
    if (auto why = inlining.why_not_aligned()) return refuse("M3", *why);
    if (auto refusal = why_not_by_value(site, "M3")) return std::move(*refusal);
    if (auto name = conflicting_symbol(site.sdfg(), nested))
        return refuse("M4", "the symbol " + *name + " is something else outside");
    if (auto why = inlining.why_not_named()) return refuse("M4", *why);
    if (auto why = inlining.why_not_allocated()) return refuse("M5", *why);
    return inlining;
}

void apply_inline_multistate_sdfg(rewrite::Draft& draft, const Inlining& inlining) {
    const rewrite::Site& site = draft.before();
    const auto& nested = site.get<ir::NestedSdfg>("nested");
    ir::Region body = inlining.translated_region(draft.sdfg());
    for (const std::string& name : ir::assigned_symbols(*nested.sdfg)) {
        const auto type = nested.sdfg->symbols.find(name);
        draft.sdfg().symbols.emplace(name, type == nested.sdfg->symbols.end() ? code::DType(code::Scalar::Int64) : type->second);
    }
    std::vector<ir::Region> bodies;
    bodies.push_back(std::move(body));
    splice(draft.region(), site.match().place.state, std::move(bodies), Splice::Instead);
}

}  // namespace

rewrite::Transformation inline_multistate_sdfg() {
    return rewrite::transformation(
        {.name = "InlineMultistateSDFG",
         .summary = "Puts the blocks of a nested SDFG in the place of the state that calls it.",
         .drawing = "state { nested { for i { A }; B } }   ->   for i { A }; B",
         .decided_by = {.predicates = {"values_kept"}},
         .patterns = {{.nodes = {{"nested", rewrite::kind::nested_sdfg}}, .edges = {}}},
         .conditions = {{"M1", "the nested SDFG may be inlined and does not return"},
                        {"M2", "the state does nothing but call it"},
                        {"M3",
                         "each argument is an aligned part of the container that it is connected to; what it "
                         "takes by value it does not change"},
                        {"M4", "names inside can mean the same outside"},
                        {"M5", "extents of its transients are known where the SDFG allocates"}},
         .simplifies = true},
        plan_inline_multistate_sdfg, apply_inline_multistate_sdfg);
}

}  // namespace sluice::transform
