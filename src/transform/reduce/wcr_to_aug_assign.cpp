// WCRToAugAssign: let a tasklet read, change and write back what its memlet updates.
//     tasklet { out = e } -wcr f-> A[s]   ->   A[s] -> tasklet { out = f(a, e) } -> A[s]
// W1 the tasklet is in Python, ends by assigning its output, and the memlet surely updates one element by a lambda. W2 the value
// converted to the type of the elements gives the same result. W3 no two points of the maps around it update one element. W4
// nothing else in the state, nor in the states of the calls that lead to it, updates the container at the same time. The update
// needs no atomic operation any more, and the tasklet may be fused with others.
#include <algorithm>

#include "analysis/legality/parallel.h"
#include "analysis/legality/within.h"
#include "analysis/symbols.h"
#include "code/print.h"
#include "ir/builder.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "transform/map/boundary.h"
#include "transform/reduce/reduce.h"
#include "transform/tasklet/tasklet.h"

namespace sluice::transform {

namespace {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;

struct ReadAndWrite {
    EdgeId out;
    std::string data;
    std::string code;
    std::string input;
};

/// The lambda's value as code, with the names of the old and the updating value in place.
std::optional<std::string> resolved(const std::string& wcr, const std::string& old, const std::string& update) {
    const auto parsed = ir::parsed_expr(wcr);
    if (!parsed) return {};
    const auto* lambda = std::get_if<code::LambdaExpr>(&(*parsed)->node);
    if (!lambda || lambda->parameters.size() != 2) return {};
    return rewrite::substitute(code::to_string(*lambda->body),
                               {{lambda->parameters[0], symbolic::symbol(old)}, {lambda->parameters[1], symbolic::symbol(update)}});
}

/// The value that the last statement assigns to the output; the statements before it do not name the output.
code::ExprPtr last_value(const code::Body& body, const std::string& output) {
    if (body.empty()) return {};
    const auto* last = std::get_if<code::AssignStmt>(&body.back()->node);
    const auto* target = last && last->targets.size() == 1 ? std::get_if<code::NameExpr>(&last->targets[0]->node) : nullptr;
    if (!target || target->id != output) return {};
    const code::Body before(body.begin(), body.end() - 1);
    if (code::to_string(before).find(output) != std::string::npos) return {};
    return last->value;
}

/// Every name in the tasklet's reach.
std::set<std::string> names_at(const ir::Sdfg& sdfg, const ir::Node& node) {
    std::set<std::string> names = names_of(node);
    for (const auto& [name, container] : sdfg.containers) names.insert(name);
    for (const auto& [name, type] : sdfg.symbols) names.insert(name);
    return names;
}

std::variant<ReadAndWrite, Refusal> find_update(const rewrite::Site& site) {
    const NodeId node = site.node("tasklet");
    const ir::State& state = site.state();
    const ir::Adjacency& adjacency = site.view().adjacency;
    const auto& tasklet = site.get<ir::Tasklet>("tasklet");
    const auto refuse = [&](std::string code, std::string why) {
        return Refusal{.code = std::move(code), .why = std::move(why), .nodes = {node}};
    };
    const std::vector<EdgeId> out = data_out(state, adjacency, node);
    if (out.size() != 1 || !state.edges[out[0]].memlet.wcr)
        return refuse("W1", "the tasklet has not one output that a memlet resolves");
    const ir::Edge& edge = state.edges[out[0]];
    const NodeId target = access_behind(state, adjacency, out[0]);
    if (!target.valid() || std::get<ir::Access>(state.nodes[target].kind).data != edge.memlet.data || !edge.memlet.subset ||
        !edge.memlet.subset->is_index() || edge.memlet.dynamic || edge.memlet.other_subset)
        return refuse("W1", "the memlet does not surely update one element");
    const ir::Container& container = *ir::find_container(site.sdfg(), edge.memlet.data);
    const auto body = ir::parsed_body(tasklet.code);
    const code::ExprPtr value =
        tasklet.code.language == ir::Language::Python && body ? last_value(*body, edge.src_connector) : code::ExprPtr();
    if (!value) return refuse("W1", "the code does not end by assigning " + edge.src_connector);
    const std::set<std::string> taken = names_at(site.sdfg(), state.nodes[node]);
    const std::string input = free_name(taken, "old"), update = free_name(taken, "update");
    const auto text = resolved(*edge.memlet.wcr, input, update);
    if (!text) return refuse("W1", "the resolution is no lambda of two values");
    const auto types = types_in(site.sdfg(), state, node);
    const auto locals = code::infer_locals(*body, types);
    const auto type = code::infer(*value, [&](const std::string& name) {
        const auto local = locals ? locals->find(name) : std::map<std::string, code::Type>::const_iterator();
        return locals && local != locals->end() ? std::optional(local->second) : types(name);
    });
    if (!type || !keeps_type(container.dtype, *type))
        return refuse("W2", "`" + code::to_string(*value) + "` has another type than the elements of " + edge.memlet.data);
    code::Body before(body->begin(), body->end() - 1);
    std::string code = before.empty() ? std::string() : code::to_string(before);
    if (!code.empty() && code.back() != '\n') code += '\n';
    code += update + " = " + code::to_string(*value) + "\n" + edge.src_connector + " = " + *text;
    return ReadAndWrite{out[0], edge.memlet.data, code, input};
}

void edit(ir::State& state, const rewrite::StateView& view, NodeId node, const ReadAndWrite& plan) {
    auto& tasklet = std::get<ir::Tasklet>(state.nodes[node].kind);
    tasklet.code.text = plan.code;
    state.nodes[node].in.emplace(plan.input, code::DType());
    ir::Memlet read = state.edges[plan.out].memlet;
    read.wcr.reset();
    read.wcr_nonatomic = false;
    for (const EdgeId id : rewrite::memlet_path(state, view.adjacency, plan.out)) {
        state.edges[id].memlet.wcr.reset();
        state.edges[id].memlet.wcr_nonatomic = false;
    }
    std::vector<NodeId> path{node};
    for (NodeId scope = view.scopes.parent(node); scope.valid(); scope = view.scopes.parent(scope))
        path.insert(path.begin(), scope);
    const NodeId source = state.nodes.add({.kind = ir::Access{.data = plan.data}, .in = {}, .out = {}, .metadata = {}});
    path.insert(path.begin(), source);
    ir::StateBuilder(state).memlet_path(path, "", plan.input, read);
}

/// Two points of a map around the node, in this SDFG or around the calls that lead to it, that would come into each other's way.
std::optional<Refusal> points_meet(const ir::Sdfg& after, const rewrite::Place& place, NodeId node) {
    rewrite::Place at;
    const auto ask = [&](NodeId inside) -> std::optional<Refusal> {
        const ir::State& state = rewrite::state_at(after, at);
        const ir::Sdfg& sdfg = rewrite::sdfg_at(after, at);
        const rewrite::StateView view(state);
        for (NodeId entry = view.scopes.parent(inside); entry.valid(); entry = view.scopes.parent(entry)) {
            if (!std::holds_alternative<ir::MapEntry>(state.nodes[entry].kind))
                return Refusal{.code = "W3", .why = "the elements of a consume scope are in no order"};
            const analysis::Verdict verdict = analysis::map_parallel(sdfg, state, entry, rewrite::assumptions_at(after, at));
            if (verdict.yes()) continue;
            Refusal refusal{.code = "W3", .why = verdict.why};
            if (verdict.witness) refusal.notes.push_back({analysis::to_string(*verdict.witness), {}});
            return refusal;
        }
        return std::nullopt;
    };
    for (const rewrite::NestedStep& step : place.nested) {
        at.regions = step.regions;
        at.state = step.state;
        if (auto refusal = ask(step.node)) return refusal;
        at.regions.clear();
        at.nested.push_back(step);
    }
    at.regions = place.regions;
    at.state = place.state;
    return ask(node);
}

/// A node of the state that updates what the edge out of `node` leads to, and is kept apart from it neither by a path nor by the
/// elements. Nested SDFGs may update what they write.
std::optional<NodeId> rival(const ir::State& state, const rewrite::StateView& view, const symbolic::Assumptions& known, NodeId node,
                            EdgeId out) {
    const ir::Memlet& own = state.edges[out].memlet;
    const NodeId target = access_behind(state, view.adjacency, out);
    for (const auto& [id, edge] : state.edges) {
        const ir::Node& other = state.nodes[edge.src];
        if (edge.src == node || edge.memlet.empty() || ir::root_name(edge.memlet.data) != ir::root_name(own.data)) continue;
        if (std::holds_alternative<ir::MapExit>(other.kind)) continue;
        if (!edge.memlet.wcr && !std::holds_alternative<ir::NestedSdfg>(other.kind)) continue;
        if (reaches(state, view.adjacency, edge.src, node) || reaches(state, view.adjacency, target, edge.src)) continue;
        if (view.scopes.parent(edge.src) == view.scopes.parent(node) && edge.memlet.subset && own.subset &&
            analysis::lies_apart(*edge.memlet.subset, *own.subset, own.data, known).yes())
            continue;
        return edge.src;
    }
    return {};
}

/// W4, in this SDFG and around the calls that lead to it.
std::optional<Refusal> updated_elsewhere_too(const rewrite::Site& site, const ReadAndWrite& plan, NodeId node) {
    const auto refusal = [&](const ir::State& state, NodeId other, const std::string& data) {
        return Refusal{.code = "W4", .why = ir::label_of(state, other) + " updates " + data + " as well", .nodes = {node}};
    };
    const auto known = site.assumptions(site.view().scopes.parent(node));
    if (const auto other = rival(site.state(), site.view(), known, node, plan.out)) return refusal(site.state(), *other, plan.data);
    std::string data(ir::root_name(plan.data));
    const std::vector<rewrite::NestedStep>& steps = site.match().place.nested;
    for (std::size_t depth = steps.size(); depth-- > 0;) {
        rewrite::Place around;
        around.nested.assign(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(depth));
        around.regions = steps[depth].regions;
        around.state = steps[depth].state;
        const ir::State& state = rewrite::state_at(site.root(), around);
        const rewrite::StateView view(state);
        const auto out = view.adjacency.out(steps[depth].node);
        const auto edge = std::ranges::find_if(out, [&](EdgeId id) { return state.edges[id].src_connector == data; });
        if (edge == out.end()) return {};  // A transient of the nested SDFG.
        data = std::string(ir::root_name(state.edges[*edge].memlet.data));
        const auto here = analysis::assumptions_in(state, view.scopes, view.scopes.parent(steps[depth].node),
                                                   rewrite::assumptions_at(site.root(), around));
        if (const auto other = rival(state, view, here, steps[depth].node, *edge)) return refusal(state, *other, data);
    }
    return {};
}

rewrite::Planned<ReadAndWrite> plan_wcr_to_aug_assign(const rewrite::Site& site) {
    const NodeId node = site.node("tasklet");
    auto found = find_update(site);
    if (std::holds_alternative<Refusal>(found)) return found;
    const auto& chosen = std::get<ReadAndWrite>(found);
    if (auto refusal = updated_elsewhere_too(site, chosen, node)) return std::move(*refusal);
    ir::Sdfg after = site.root();
    edit(rewrite::state_at(after, site.match().place), site.view(), node, chosen);
    auto conflict = points_meet(std::as_const(after), site.match().place, node);
    if (!conflict) return found;
    conflict->nodes = {node};
    if (auto refusal = site.unless_assumed(std::move(*conflict))) return std::move(*refusal);
    return found;
}

void apply_wcr_to_aug_assign(rewrite::Draft& draft, const ReadAndWrite& plan) {
    const rewrite::Site& site = draft.before();
    edit(draft.state(), site.view(), site.node("tasklet"), plan);
}

}  // namespace

rewrite::Transformation wcr_to_aug_assign() {
    return rewrite::transformation(
        {.name = "WCRToAugAssign",
         .summary = "Lets a tasklet read, change and write back what its memlet updates.",
         .drawing = "tasklet { out = e } -wcr f-> A[s]   ->   A[s] -> tasklet { out = f(a, e) } -> A[s]",
         .decided_by = {.predicates = {"map_parallel"}},
         .patterns = {{.nodes = {{"tasklet", rewrite::kind::tasklet}}, .edges = {}}},
         .conditions = {{"W1", "the code ends by assigning the one output, whose memlet updates one element by a lambda"},
                        {"W2", "the value may be converted to the type of the elements first"},
                        {"W3", "no two points of the maps around it update one element"},
                        {"W4",
                         "nothing else in the state, nor in the states of the calls that lead to it, updates the container at the "
                         "same time"}}},
        plan_wcr_to_aug_assign, apply_wcr_to_aug_assign);
}

}  // namespace sluice::transform
