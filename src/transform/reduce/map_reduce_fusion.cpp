// MapReduceFusion: update the result of a reduction where the map computes what is reduced.
//     map i, k { B -> t[i, k] } -> t -> Reduce f over k -> Y   ->   Y = identity; map i, k { B -wcr f-> Y[i] }
// R1 the transient stands between the two and nowhere else. R2 each point of the map surely writes one element of it, each element
// is written by one point, and the reduction reads them all. R3 the reduction commutes, keeps the type of the elements, and its
// output is a section with one element for each index that stays. R4 nothing before the reduction touches its output in this state,
// the map included. R5 where there is an identity, the reduction lies in no scope. The identity is written in a state before this
// one; without it the updates go on from what the output holds.
#include <algorithm>

#include "analysis/legality/hand_over.h"
#include "code/reduction.h"
#include "ir/builder.h"
#include "ir/code_block.h"
#include "ir/port.h"
#include "ir/query.h"
#include "library/reduce/reduce.h"
#include "rewrite/wires.h"
#include "transform/map/boundary.h"
#include "transform/reduce/reduce.h"
#include "transform/tasklet/tasklet.h"

namespace sluice::transform {

namespace {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;
using symbolic::Expr;
using symbolic::Range;
using symbolic::Subset;

struct ReduceFusion {
    NodeId entry, exit, array, reduce, target;
    EdgeId leaf, outer;         ///< From the point's code to the exit, and from there to the transient.
    EdgeId into, result;        ///< Of the reduction.
    std::string wcr, identity;  ///< Identity: empty if there is none.
    Subset element;             ///< Of the output that a point updates.
};

Refusal refused(const ReduceFusion& plan, std::string code, std::string why) {
    return {.code = std::move(code), .why = std::move(why), .nodes = {plan.array, plan.reduce}};
}

std::optional<Refusal> find_ends(const rewrite::Site& site, ReduceFusion& plan) {
    const ir::State& state = site.state();
    const ir::Adjacency& adjacency = site.view().adjacency;
    const std::string& name = std::get<ir::Access>(state.nodes[plan.array].kind).data;
    const ir::Container* container = site.sdfg().containers.find(name);
    if (!container || !container->transient || container->binding != ir::Binding::Own ||
        container->lifetime != ir::Lifetime::Scope || rewrite::count_accesses(site.sdfg(), name) != 1 ||
        rewrite::used_in_control(site.sdfg(), name))
        return refused(plan, "R1", "`" + name + "` is no transient of this place alone");
    if (adjacency.in(plan.array).size() != 1 || adjacency.out(plan.array).size() != 1)
        return refused(plan, "R1", "`" + name + "` is written or read by others as well");
    plan.outer = adjacency.in(plan.array)[0];
    plan.into = adjacency.out(plan.array)[0];
    const std::vector<EdgeId> leaves = rewrite::memlet_leaves(state, adjacency, plan.outer);
    if (leaves.size() != 1 || state.edges[leaves[0]].dst != plan.exit)
        return refused(plan, "R2", "no single edge in the map writes `" + name + "`");
    plan.leaf = leaves[0];
    const auto out = adjacency.out(plan.reduce);
    if (out.size() != 1 || !std::holds_alternative<ir::Access>(state.nodes[state.edges[out[0]].dst].kind))
        return refused(plan, "R3", "the reduction has not one output");
    plan.result = out[0];
    plan.target = state.edges[out[0]].dst;
    return {};
}

/// Is each dimension of the transient one parameter of the map, moved by a constant, over the range that the reduction reads? Then
/// it is seen without a model that the map makes what is reduced.
bool plainly_handed_over(const ir::MapEntry& map, const Subset& written, const Subset& read) {
    std::set<std::string> used;
    for (std::size_t d = 0; d < written.rank(); ++d) {
        const Expr index = written.dims[d].begin;
        const Range& wanted = read.dims[d];
        bool found = false;
        for (std::size_t p = 0; p < map.params.size() && !found; ++p) {
            const Expr shift = index - symbolic::symbol(map.params[p]);
            const Range& range = map.range.dims[p];
            found = shift.constant() && !used.contains(map.params[p]) && range.begin + shift == wanted.begin &&
                    range.end + shift == wanted.end && range.step == wanted.step && range.tile.is_integer(1) &&
                    wanted.tile.is_integer(1);
            if (found) used.insert(map.params[p]);
        }
        if (!found) return false;
    }
    return used.size() == map.params.size();
}

std::optional<Refusal> find_indices(const rewrite::Site& site, const ReduceFusion& plan) {
    const ir::State& state = site.state();
    const auto& map = std::get<ir::MapEntry>(state.nodes[plan.entry].kind);
    const ir::Memlet &write = state.edges[plan.leaf].memlet, &read = state.edges[plan.into].memlet;
    const std::string& name = std::get<ir::Access>(state.nodes[plan.array].kind).data;
    if (write.data != name || !write.subset || !write.subset->is_index() || write.wcr || write.dynamic || write.other_subset)
        return refused(plan, "R2", "a point does not surely write one element of `" + name + "`");
    if (read.data != name || !read.subset || read.wcr || read.dynamic)
        return refused(plan, "R2", "it is not known what of `" + name + "` is reduced");
    if (plainly_handed_over(map, *write.subset, *read.subset)) return {};
    const analysis::Verdict verdict = analysis::handed_over(site.sdfg(), state, plan.entry, plan.reduce, name, site.assumptions());
    if (verdict.yes()) return {};
    return refused(plan, "R2", verdict.why);
}

/// The element of the output that a point updates.
std::optional<Refusal> find_output(const rewrite::Site& site, ReduceFusion& plan) {
    const ir::State& state = site.state();
    const auto& node = std::get<ir::LibraryNode>(state.nodes[plan.reduce].kind);
    const ir::Memlet &write = state.edges[plan.leaf].memlet, &read = state.edges[plan.into].memlet,
                     &result = state.edges[plan.result].memlet;
    const std::string& name = std::get<ir::Access>(state.nodes[plan.target].kind).data;
    const ir::Container* to = ir::find_container(site.sdfg(), name);
    const ir::Container* from = ir::find_container(site.sdfg(), write.data);
    if (result.data != name || !result.subset || result.wcr || result.dynamic || !(to->dtype == from->dtype))
        return refused(plan, "R3", "the output `" + name + "` is not known, or of another type");
    const std::size_t rank = read.subset->rank();
    std::vector<bool> reduced(rank, true);
    const auto axes = node.properties.find("axes");
    if (const auto* list = axes == node.properties.end() ? nullptr : std::get_if<std::vector<std::int64_t>>(&axes->second)) {
        reduced.assign(rank, false);
        for (const std::int64_t axis : *list) {
            const std::int64_t dim = axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
            if (dim < 0 || dim >= static_cast<std::int64_t>(rank)) return refused(plan, "R3", "an axis lies outside of the input");
            reduced[static_cast<std::size_t>(dim)] = true;
        }
    }
    std::vector<std::size_t> kept;
    for (std::size_t d = 0; d < rank; ++d)
        if (!reduced[d]) kept.push_back(d);
    plan.element = *result.subset;
    std::vector<std::size_t> free;
    for (std::size_t d = 0; d < plan.element.rank(); ++d)
        if (kept.size() == plan.element.rank() || !Subset{{plan.element.dims[d]}}.is_index()) free.push_back(d);
    if (free.size() != kept.size()) return refused(plan, "R3", "the output has not one dimension for each that stays");
    for (std::size_t at = 0; at < kept.size(); ++at) {
        const Range& in = read.subset->dims[kept[at]];
        Range& out = plan.element.dims[free[at]];
        if (!in.step.is_integer(1) || !out.step.is_integer(1) || !out.tile.is_integer(1) ||
            !symbolic::is_yes(symbolic::decide(symbolic::equal(in.end - in.begin, out.end - out.begin), site.assumptions())))
            return refused(plan, "R3", "the output has not one element for each index that stays");
        const Expr index = out.begin + (write.subset->dims[kept[at]].begin - in.begin);
        out = Range{index, index + 1, 1, 1};
    }
    return {};
}

std::optional<Refusal> find_operator(const rewrite::Site& site, ReduceFusion& plan) {
    const auto& node = std::get<ir::LibraryNode>(site.state().nodes[plan.reduce].kind);
    const auto wcr = node.properties.find("wcr");
    const auto* text = wcr == node.properties.end() ? nullptr : std::get_if<std::string>(&wcr->second);
    if (!text || !code::is_commutative(ir::Resolution(*text).type())) return refused(plan, "R3", "the reduction does not commute");
    plan.wcr = *text;
    const auto identity = library::reduce_identity(node);
    plan.identity = identity;
    if (!identity.empty() && site.view().scopes.parent(plan.reduce).valid())
        return refused(plan, "R5", "the identity would have to be written before the scope around the reduction");
    return {};
}

/// Other nodes of the state that hold the output before the reduction writes it, and what the map itself touches.
std::optional<Refusal> untouched_before(const rewrite::Site& site, const ReduceFusion& plan) {
    const ir::State& state = site.state();
    const std::string& name = std::get<ir::Access>(state.nodes[plan.target].kind).data;
    for (const auto& [id, node] : state.nodes) {
        const auto* access = std::get_if<ir::Access>(&node.kind);
        if (!access || id == plan.target || id == plan.array || !may_overlap(site.sdfg(), access->data, name)) continue;
        if (reaches(state, site.view().adjacency, plan.target, id)) continue;
        return Refusal{.code = "R4", .why = "`" + access->data + "` is touched before the reduction", .nodes = {id, plan.reduce}};
    }
    if (site.view().adjacency.in(plan.target).size() != 1)
        return refused(plan, "R4", "`" + name + "` is written by others as well");
    return {};
}

rewrite::Planned<ReduceFusion> plan_map_reduce_fusion(const rewrite::Site& site) {
    ReduceFusion plan;
    plan.exit = site.node("map_exit");
    plan.entry = entry_of(site.state(), plan.exit);
    plan.array = site.node("array");
    plan.reduce = site.node("reduce");
    if (auto refusal = find_ends(site, plan)) return *refusal;
    if (auto refusal = find_indices(site, plan)) return *refusal;
    if (auto refusal = find_output(site, plan)) return *refusal;
    if (auto refusal = find_operator(site, plan)) return *refusal;
    if (auto refusal = untouched_before(site, plan)) return *refusal;
    return plan;
}

/// A state before the block that sets every element of the section.
void set_before(ir::Region& region, ir::BlockId block, const std::string& data, const Subset& section, const std::string& value) {
    std::string label = region.blocks[block].label + "_start";
    while (std::ranges::any_of(region.blocks, [&](const auto& entry) { return entry.second.label == label; })) label += "_0";
    const ir::BlockId before = region.blocks.add({.label = label, .kind = Cow<ir::State>(), .metadata = {}});
    for (const auto& [id, transition] : std::as_const(region.transitions))
        if (transition.dst == block) region.transitions[id].dst = before;
    ir::add_transition(region, before, block);
    if (region.start == block) region.start = before;
    ir::StateBuilder state = ir::edit_state(region, before);
    ir::MapRanges params;
    Subset element = section;
    for (std::size_t d = 0; d < section.rank(); ++d) {
        if (Subset{{section.dims[d]}}.is_index()) continue;
        const std::string param = "o" + std::to_string(params.size());  // the name that DaCe gives it
        params.emplace_back(param, section.dims[d]);
        element.dims[d] = Range{symbolic::symbol(param), symbolic::symbol(param) + 1, 1, 1};
    }
    ir::Memlet memlet;
    memlet.data = data;
    memlet.subset = element;
    memlet.volume = 1;
    const NodeId tasklet = state.tasklet("identity", {}, {{"out", code::DType()}}, "out = " + value);
    if (params.empty()) {
        state.edge(tasklet, "out", state.access(data), "", memlet);
        return;
    }
    const auto [entry, exit] = state.map("identity", params);
    state.edge(entry, "", tasklet, "", ir::no_memlet());
    state.memlet_path({tasklet, exit, state.access(data)}, "out", "", memlet);
}

void apply_map_reduce_fusion(rewrite::Draft& draft, const ReduceFusion& plan) {
    const ir::Subset section = *draft.state().edges[plan.result].memlet.subset;
    ir::State& state = draft.state();
    const std::string array = std::get<ir::Access>(state.nodes[plan.array].kind).data;
    const std::string data = std::get<ir::Access>(state.nodes[plan.target].kind).data;
    const std::string x = rewrite::add_passing_connector(state.nodes[plan.exit], data);
    ir::Edge &leaf = state.edges[plan.leaf], &outer = state.edges[plan.outer];
    ir::Memlet update;
    update.data = data;
    update.subset = plan.element;
    update.volume = 1;
    update.wcr = plan.wcr;
    leaf.memlet = update;
    leaf.dst_connector = ir::port_in(x);
    outer.memlet = update;
    outer.memlet.subset = section;
    outer.src_connector = ir::port_out(x);
    outer.dst = plan.target;
    rewrite::erase_node(state, plan.reduce);
    rewrite::erase_node(state, plan.array);
    rewrite::erase_unused_connectors(state, plan.exit);
    draft.forward(plan.reduce, plan.exit);
    draft.forward(plan.array, plan.target);
    rewrite::erase_container(draft.sdfg(), array);
    if (!plan.identity.empty()) set_before(draft.region(), draft.before().match().place.state, data, section, plan.identity);
}

}  // namespace

rewrite::Transformation map_reduce_fusion() {
    using namespace rewrite::kind;
    return rewrite::transformation(
        {.name = "MapReduceFusion",
         .summary = "Updates the result of a reduction where a map computes what is reduced.",
         .drawing = "map i, k { B -> t[i, k] } -> t -> Reduce f over k -> Y   ->   Y = identity; map i, k { B -wcr f-> Y[i] }",
         .decided_by = {.predicates = {"handed_over"}},
         .patterns = {rewrite::chain({{"map_exit", map_exit}, {"array", access}, {"reduce", rewrite::kind::library, "Reduce"}})},
         .conditions = {{"R1", "a transient stands between the two, and nowhere else"},
                        {"R2", "each point surely writes one element of it, no two the same, and all are reduced"},
                        {"R3", "the reduction commutes, and has one element of the same type for each index that stays"},
                        {"R4", "nothing touches the output before the reduction in this state, the map included"},
                        {"R5", "where there is an identity, the reduction lies in no scope"}}},
        plan_map_reduce_fusion, apply_map_reduce_fusion);
}

}  // namespace sluice::transform
