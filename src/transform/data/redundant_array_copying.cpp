// RedundantArrayCopying: leave out a copy that brings elements back to where they came from.
//     A[s] -> t -> A[s] -> B   ->   A[s] -> B
// C1 both are plain copies, and nothing else in the state fills the container between them. C2 every element goes back to where it
// came from. C3 no other write to these elements comes between. What else reads the container between still does; else it goes as
// well.
#include <algorithm>

#include "analysis/legality/redundant_copy.h"
#include "analysis/legality/within.h"
#include "rewrite/wires.h"
#include "transform/data/rebase.h"

namespace sluice::transform {

namespace {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;
using symbolic::Subset;

struct Copies {
    EdgeId out, back;
};

std::vector<EdgeId> between(const ir::State& state, const ir::Adjacency& adjacency, NodeId src, NodeId dst) {
    std::vector<EdgeId> found;
    for (const EdgeId id : adjacency.out(src))
        if (state.edges[id].dst == dst) found.push_back(id);
    return found;
}

std::optional<Copies> copies(const rewrite::Site& site) {
    const ir::State& state = site.state();
    const ir::Adjacency& adjacency = site.view().adjacency;
    const NodeId middle = site.node("med_array");
    const auto out = between(state, adjacency, site.node("in_array"), middle),
               back = between(state, adjacency, middle, site.node("out_array"));
    if (out.size() != 1 || back.size() != 1 || adjacency.in(middle).size() != 1) return {};
    for (const EdgeId id : {out[0], back[0]}) {
        const ir::Edge& edge = state.edges[id];
        if (edge.memlet.empty() || edge.memlet.wcr || edge.memlet.dynamic || !edge.src_connector.empty() ||
            !edge.dst_connector.empty())
            return {};
    }
    return Copies{.out = out[0], .back = back[0]};
}

/// C2
bool returns(const rewrite::Site& site, const Copies& copies) {
    const std::string &array = site.get<ir::Access>("in_array").data, &middle = site.get<ir::Access>("med_array").data;
    const symbolic::Assumptions known = site.assumptions(site.view().scopes.parent(site.node("med_array")));
    const ir::Memlet &out = site.state().edges[copies.out].memlet, &back = site.state().edges[copies.back].memlet;
    const auto from = exact_side(site.sdfg(), out, array, true, known), there = exact_side(site.sdfg(), out, middle, false, known),
               here = exact_side(site.sdfg(), back, middle, true, known), to = exact_side(site.sdfg(), back, array, false, known);
    if (!from || !there || !here || !to) return false;
    if (*from == *to && *there == *here) return true;
    const auto place = placement(*from, *there, known);
    return place && analysis::lies_within(*here, *there, middle, known).yes() && placed(*place, *here) == *to;
}

rewrite::Planned<Copies> plan_redundant_array_copying(const rewrite::Site& site) {
    const NodeId in = site.node("in_array"), middle = site.node("med_array"), out = site.node("out_array");
    const std::string &array = site.get<ir::Access>("in_array").data, &other = site.get<ir::Access>("med_array").data;
    const ir::Container *first = site.sdfg().containers.find(array), *second = site.sdfg().containers.find(other);
    const auto found = copies(site);
    const auto plain = [](const ir::Container* container) {
        return container && container->binding == ir::Binding::Own && !std::holds_alternative<ir::Stream>(container->kind);
    };
    if (!found || !plain(first) || !plain(second) || site.get<ir::Access>("med_array").setzero || array == other ||
        site.get<ir::Access>("out_array").data != array)
        return Refusal{.code = "C1",
                       .why = other + " does not get a plain copy of " + array + " and gives it back",
                       .nodes = {in, middle, out}};
    if (!(first->dtype == second->dtype))
        return Refusal{.code = "C1", .why = "the copies convert elements", .nodes = {in, middle, out}};
    for (const auto& [id, node] : site.state().nodes) {
        const auto* access = std::get_if<ir::Access>(&node.kind);
        if (access && id != middle && access->data == other && !site.view().adjacency.in(id).empty())
            return Refusal{.code = "C1", .why = other + " is filled elsewhere in the state, too", .nodes = {middle, id}};
    }
    if (!returns(site, *found))
        return Refusal{.code = "C2", .why = "elements of " + array + " come back to other places", .nodes = {in, middle, out}};
    if (!aliases(site.sdfg(), array).empty()) {
        const std::string why = array + " may be the same memory as another argument";
        if (auto refusal = site.unless_assumed({.code = "C3", .why = why, .nodes = {in}})) return std::move(*refusal);
        return *found;
    }
    const analysis::Verdict verdict =
        analysis::unchanged_between(site.sdfg(), site.state(), found->out, found->back, site.assumptions());
    if (verdict.yes()) return *found;
    Refusal conflict{.code = "C3", .why = verdict.why, .nodes = {in, middle, out}};
    if (verdict.witness) conflict.notes.push_back({analysis::to_string(*verdict.witness), {}});
    if (auto refusal = site.unless_assumed(std::move(conflict))) return std::move(*refusal);
    return *found;
}

/// The order of what stood around the copy stays: who follows the array after it follows what came before.
void apply_redundant_array_copying(rewrite::Draft& draft, const Copies& found) {
    const rewrite::Site& site = draft.before();
    const NodeId middle = site.node("med_array"), out = site.node("out_array");
    ir::State& state = draft.state();
    const std::string other = site.get<ir::Access>("med_array").data;
    const bool gone = site.view().adjacency.out(middle).size() == 1 && used_only_at(site.sdfg(), site.state(), middle);
    state.edges.erase(found.back);
    if (gone) {
        rewrite::erase_node(state, middle);
        rewrite::erase_container(draft.sdfg(), other);
    }
    const bool last = site.view().adjacency.out(out).empty() && site.view().adjacency.in(out).size() == 1;
    if (last)
        state.nodes.erase(out);
    else
        state.edges.add({gone ? site.node("in_array") : middle, "", out, "", ir::no_memlet()});
    rewrite::erase_isolated_accesses(state);
    if (last && state.nodes.contains(site.node("in_array"))) draft.forward(out, site.node("in_array"));
}

}  // namespace

rewrite::Transformation redundant_array_copying() {
    return rewrite::transformation(
        {.name = "RedundantArrayCopying",
         .summary = "Leaves out a copy that brings elements back to where they came from.",
         .drawing = "A[s] -> t -> A[s] -> B   ->   A[s] -> B",
         .decided_by = {.predicates = {"unchanged_between", "lies_within"}},
         .patterns = {rewrite::chain(
             {{"in_array", rewrite::kind::access}, {"med_array", rewrite::kind::access}, {"out_array", rewrite::kind::access}})},
         .conditions = {{"C1", "both are plain copies, and nothing else fills the container between them"},
                        {"C2", "every element goes back to where it came from"},
                        {"C3", "no other write to these elements comes between"}},
         .simplifies = true},
        plan_redundant_array_copying, apply_redundant_array_copying);
}

}  // namespace sluice::transform
