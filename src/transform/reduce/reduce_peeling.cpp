// ReducePeeling: let the first of the points that update a transient write it.
//     t = identity; map k=b:e { B(k) -wcr f-> t }   ->   nested { B(b) -> t; for k=b+1:e { B(k) -wcr f-> t } }
// P1 the map has one parameter, a constant positive step, and at least one point as far as is known. P2 a transient is all that the
// map updates, by one commuting operator, and each point surely updates every element of it once. P3 before the map it holds the
// identity of the operator, and nothing else looks at that. P4 the map can become a loop (MapToForLoop says why not). The map
// becomes a state machine, as in the SDFG paper's section 6.2: no identity is written, and the loop's updates are no conflicts.
#include <algorithm>

#include "analysis/legality/parallel.h"
#include "analysis/symbols.h"
#include "code/reduction.h"
#include "code/walk.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "ir/walk.h"
#include "rewrite/session.h"
#include "transform/loop/loop.h"
#include "transform/map/boundary.h"
#include "transform/reduce/reduce.h"

namespace sluice::transform {

namespace {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;

struct Peeling {
    NodeId begin, entry, exit;
    NodeId producer, producer_end;  ///< A tasklet, or a map around one: what writes the identity.
    std::string data;
    std::string wcr;
    std::optional<rewrite::Plan> loop;  ///< Of MapToForLoop.
};

Refusal not_peelable(const Peeling& plan, std::string code, std::string why) {
    return {.code = std::move(code), .why = std::move(why), .nodes = {plan.begin, plan.entry}};
}

/// Does the value change nothing under the operator? Infinity is above every number of any type.
bool is_identity(const ir::Resolution& resolution, const code::DType& type, const code::Expr& value) {
    const auto* constant = std::get_if<code::ConstantExpr>(&value.node);
    const auto number = [&](double wanted) {
        if (!constant) return false;
        if (const auto* whole = std::get_if<std::int64_t>(&constant->value)) return static_cast<double>(*whole) == wanted;
        const auto* real = std::get_if<double>(&constant->value);
        return real && *real == wanted;
    };
    const auto* negated = std::get_if<code::UnaryExpr>(&value.node);
    switch (code::identity_of(resolution.type(), type)) {
        case code::Identity::Zero:
            return number(0);
        case code::Identity::One:
            return number(1);
        case code::Identity::Largest:
            return code::dotted_name(value) == "math.inf";
        case code::Identity::Smallest:
            return negated && negated->op == code::UnaryOp::Minus && code::dotted_name(*negated->operand) == "math.inf";
        case code::Identity::AllOnes:
        case code::Identity::None:
            return false;
    }
    return false;
}

/// The tasklet, alone or in a map, whose constant the access node holds.
std::optional<Refusal> find_identity(const rewrite::Site& site, Peeling& plan) {
    const ir::State& state = site.state();
    const ir::Adjacency& adjacency = site.view().adjacency;
    const auto refuse = [&](std::string why) { return not_peelable(plan, "P3", std::move(why)); };
    if (adjacency.in(plan.begin).size() != 1) return refuse("`" + plan.data + "` is not written by one node before the map");
    for (const EdgeId id : adjacency.out(plan.begin))
        if (state.edges[id].dst != plan.entry || !state.edges[id].memlet.empty())
            return refuse("the identity in `" + plan.data + "` is read");
    if (rewrite::count_accesses(site.sdfg(), plan.data) != 2 || rewrite::used_in_control(site.sdfg(), plan.data))
        return refuse("`" + plan.data + "` is used elsewhere");
    const EdgeId written = adjacency.in(plan.begin)[0];
    const std::vector<EdgeId> leaves = rewrite::memlet_leaves(state, adjacency, written);
    if (leaves.size() != 1 || state.edges[written].memlet.wcr) return refuse("`" + plan.data + "` does not begin at the identity");
    const NodeId source = state.edges[leaves[0]].src;
    const auto* tasklet = std::get_if<ir::Tasklet>(&state.nodes[source].kind);
    const auto body = tasklet && tasklet->code.language == ir::Language::Python ? ir::parsed_body(tasklet->code)
                                                                                : Result<code::Body>(code::Body{});
    const auto* assignment = body && body->size() == 1 ? std::get_if<code::AssignStmt>(&body->front()->node) : nullptr;
    if (!assignment || !is_identity(plan.wcr, site.sdfg().containers.at(plan.data).dtype, *assignment->value) ||
        adjacency.out(source).size() != 1 || !state.nodes[source].in.empty())
        return refuse("`" + plan.data + "` does not begin at the identity of `" + plan.wcr + "`");
    const NodeId around = site.view().scopes.parent(source);
    plan.producer = plan.producer_end = source;
    if (around == site.view().scopes.parent(plan.entry)) return {};
    plan.producer = around;
    plan.producer_end = site.view().scopes.exit_of(around);
    if (site.view().scopes.parent(around) != site.view().scopes.parent(plan.entry) ||
        rewrite::nodes_inside(site.view().scopes, around).size() != 1 || adjacency.out(plan.producer_end).size() != 1)
        return refuse("more than the identity is written before the map");
    return {};
}

/// What leaves the map is one container, updated by one operator.
std::optional<Refusal> find_update(const rewrite::Site& site, Peeling& plan) {
    const ir::State& state = site.state();
    const ir::Adjacency& adjacency = site.view().adjacency;
    const auto& map = std::get<ir::MapEntry>(state.nodes[plan.entry].kind);
    const auto step = map.range.dims[0].step.constant();
    if (map.params.size() != 1 || !step || *step < 1 || !map.range.dims[0].tile.is_integer(1))
        return not_peelable(plan, "P1", "the map has not one parameter that rises by a constant");
    plan.data = std::get<ir::Access>(state.nodes[plan.begin].kind).data;
    for (const EdgeId id : adjacency.out(plan.exit)) {
        const ir::Memlet& memlet = state.edges[id].memlet;
        if (memlet.data != plan.data || !memlet.wcr)
            return not_peelable(plan, "P2", "the map writes more than updates of `" + plan.data + "`");
        plan.wcr = *memlet.wcr;
    }
    const ir::Container* container = site.sdfg().containers.find(plan.data);
    if (plan.wcr.empty() || !container || !container->transient || container->binding != ir::Binding::Own)
        return not_peelable(plan, "P2", "the map updates no transient that is set before it");
    return {};
}

/// Plain writes where the edges inside of the scope were updates.
void write_plainly(ir::State& state, const std::string& data) {
    for (auto [id, edge] : state.edges) {
        if (edge.memlet.data != data) continue;
        edge.memlet.wcr.reset();
        edge.memlet.wcr_nonatomic = false;
    }
    for (auto [id, node] : state.nodes) {
        auto* nested = std::get_if<ir::NestedSdfg>(&node.kind);
        if (!nested || !node.out.contains(data)) continue;
        ir::edit_each_state(nested->sdfg.edit().body, [&](ir::State& inner) { write_plainly(inner, data); });
    }
}

/// With plain writes, one point writes every element of the container, no two of its own at the same place.
std::optional<Refusal> updates_all_once(const rewrite::Site& site, const Peeling& plan) {
    ir::Sdfg root = site.root();
    ir::State& state = rewrite::state_at(root, site.match().place);
    std::vector<NodeId> inside = rewrite::nodes_inside(site.view().scopes, plan.entry);
    const std::set<NodeId> nodes(inside.begin(), inside.end());
    for (auto [id, edge] : state.edges)
        if ((nodes.contains(edge.src) || nodes.contains(edge.dst) || edge.src == plan.exit) && edge.memlet.data == plan.data) {
            edge.memlet.wcr.reset();
            edge.memlet.wcr_nonatomic = false;
        }
    const rewrite::StateView view(std::as_const(state));
    const symbolic::Assumptions known = site.assumptions(plan.entry);
    const ir::Sdfg& sdfg = rewrite::sdfg_at(std::as_const(root), site.match().place);
    const auto& parameter = std::get<ir::MapEntry>(state.nodes[plan.entry].kind).params[0];
    const ir::Container& container = sdfg.containers.at(plan.data);
    int writes = 0;
    for (const BoundaryMemlet& boundary : boundary_memlets(state, view, plan.entry)) {
        if (!boundary.writes) continue;
        const auto written = surely_written(state, view, boundary, known);
        const bool moves = written && symbolic::free_symbols(*written).contains(parameter);
        if (++writes > 1 || !written || moves ||
            !symbolic::is_yes(symbolic::covers(*written, symbolic::Subset::extents(container.shape), known)))
            return not_peelable(plan, "P2", "a point does not surely update every element of `" + plan.data + "`");
    }
    for (const NodeId id : inside) {
        if (std::holds_alternative<ir::NestedSdfg>(state.nodes[id].kind) && state.nodes[id].out.contains(plan.data))
            return not_peelable(plan, "P2", "a nested SDFG updates `" + plan.data + "`");
        if (!std::holds_alternative<ir::MapEntry>(state.nodes[id].kind)) continue;
        const analysis::Verdict verdict = analysis::map_parallel(sdfg, state, id, site.assumptions());
        if (verdict.yes()) continue;
        Refusal refusal = not_peelable(plan, "P2", "a point may update an element several times: " + verdict.why);
        if (verdict.witness) refusal.notes.push_back({analysis::to_string(*verdict.witness), {}});
        return refusal;
    }
    return {};
}

rewrite::Match loop_of(const rewrite::Site& site, NodeId entry) {
    return {.pattern = 0, .place = site.match().place, .nodes = {entry}, .blocks = {}};
}

rewrite::Planned<Peeling> plan_reduce_peeling(const rewrite::Site& site) {
    Peeling plan;
    plan.begin = site.node("identity");
    plan.entry = site.node("map");
    plan.exit = site.view().scopes.exit_of(plan.entry);
    if (auto refusal = find_update(site, plan)) return *refusal;
    if (auto refusal = find_identity(site, plan)) return *refusal;
    if (auto refusal = updates_all_once(site, plan)) return *refusal;
    const symbolic::Range& range = std::get<ir::MapEntry>(site.state().nodes[plan.entry].kind).range.dims[0];
    const symbolic::Assumptions known = site.assumptions(site.view().scopes.parent(plan.entry));
    if (!symbolic::is_yes(symbolic::decide(symbolic::less(range.begin, range.end), known)))
        if (auto refusal = site.unless_assumed(not_peelable(plan, "P1", "the map may have no point"))) return *refusal;
    const auto loop = rewrite::plan(site.root(), map_to_for_loop(), loop_of(site, plan.entry));
    if (!loop) return not_peelable(plan, "P4", loop.error().message);
    if (const auto* refusal = std::get_if<Refusal>(&*loop)) return not_peelable(plan, "P4", refusal->why);
    plan.loop = std::get<rewrite::Plan>(*loop);
    return plan;
}

void forget_identity(ir::State& state, const rewrite::StateView& view, const Peeling& plan) {
    const NodeId parent = view.scopes.parent(plan.entry);
    rewrite::erase_node(state, plan.begin);
    if (plan.producer != plan.producer_end) {
        for (const NodeId inside : rewrite::nodes_inside(view.scopes, plan.producer)) rewrite::erase_node(state, inside);
        rewrite::erase_node(state, plan.producer_end);
    }
    rewrite::erase_node(state, plan.producer);
    const bool held = std::ranges::any_of(state.edges, [&](const auto& entry) { return entry.second.dst == plan.entry; });
    if (parent.valid() && !held) state.edges.add({parent, "", plan.entry, "", ir::no_memlet()});
}

/// The first iteration before the loop, the only block of the nested SDFG.
void peel(ir::Sdfg& inner, const symbolic::Range& range, const std::string& data) {
    const ir::BlockId block = inner.body.start;
    auto& loop = std::get<ir::LoopRegion>(inner.body.blocks[block].kind);
    ir::Region first = Iterations(inner, loop, analysis::assumptions_wherever_called(inner)).at(range.begin);
    ir::edit_each_state(first, [&](ir::State& state) { write_plainly(state, data); });
    loop.init = ir::CodeBlock{loop.variable + " = " + symbolic::to_string(range.begin + range.step)};
    std::vector<ir::Region> bodies;
    bodies.push_back(std::move(first));
    splice(inner.body, block, std::move(bodies), Splice::Before);
}

/// Nothing is read of the container before it is written: it only leaves the nested SDFG.
void only_out(ir::State& state, NodeId nested, const std::string& data) {
    std::vector<EdgeId> gone;
    for (const auto& [id, edge] : state.edges)
        if (edge.dst == nested && edge.dst_connector == data) gone.push_back(id);
    for (const EdgeId id : gone) {
        const NodeId source = state.edges[id].src;
        state.edges.erase(id);
        const bool read = std::ranges::any_of(state.edges, [&](const auto& entry) { return entry.second.src == source; });
        if (!read && std::holds_alternative<ir::Access>(state.nodes[source].kind)) rewrite::erase_node(state, source);
    }
    state.nodes[nested].in.erase(data);
}

void apply_reduce_peeling(rewrite::Draft& draft, const Peeling& plan) {
    const rewrite::Site& site = draft.before();
    const symbolic::Range range = std::get<ir::MapEntry>(site.state().nodes[plan.entry].kind).range.dims[0];
    forget_identity(draft.state(), site.view(), plan);
    const NodeId nested = rewrite::carry_out(draft.root(), map_to_for_loop(), loop_of(site, plan.entry), *plan.loop).at(plan.entry);
    ir::State& state = draft.state();
    peel(std::get<ir::NestedSdfg>(state.nodes[nested].kind).sdfg.edit(), range, plan.data);
    for (auto [id, edge] : state.edges)
        if (edge.src == nested && edge.memlet.data == plan.data) edge.memlet.wcr.reset();
    only_out(state, nested, plan.data);
    draft.forward(plan.entry, nested);
    draft.forward(plan.exit, nested);
}

}  // namespace

rewrite::Transformation reduce_peeling() {
    return rewrite::transformation(
        {.name = "ReducePeeling",
         .summary = "Lets the first of the points that update a transient write it, and loops over the others.",
         .drawing = "t = identity; map k=b:e { B(k) -wcr f-> t }   ->   nested { B(b) -> t; for k=b+1:e { B(k) -wcr f-> t } }",
         .decided_by = {.predicates = {"map_parallel"}},
         .patterns = {rewrite::chain({{"identity", rewrite::kind::access}, {"map", rewrite::kind::map_entry}})},
         .conditions = {{"P1", "the map has one rising parameter, and at least one point"},
                        {"P2", "each point surely updates every element of one transient once, by one operator"},
                        {"P3", "before the map the transient holds the operator's identity, which nothing reads"},
                        {"P4", "the map can become a loop"}}},
        plan_reduce_peeling, apply_reduce_peeling);
}

}  // namespace sluice::transform
