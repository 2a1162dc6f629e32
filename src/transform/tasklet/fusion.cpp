// TaskletFusion: compute in one tasklet what two compute one after the other.
//     tasklet { o = e } -> t -> tasklet { r = f(i) }   ->   tasklet { t = e; r = f(t) }
// T1 both are in Python, without state or code of their own, and the value between them is assigned at the top of the first, once.
// T2 between them is nothing, or a transient of one element that is used nowhere else, written for certain and read by the second
// alone. T3 no other way leads from the first to the second. T4 the value's type is known, and it is a number of one type wherever
// connectors and transient convert it. T5 the second neither reads nor writes what else the first writes: as exact sets. Names of
// the second that the first uses too are replaced; an input that both read in the same way is read once.
#include <algorithm>

#include "analysis/legality/unseen.h"
#include "code/walk.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "rewrite/wires.h"
#include "transform/map/boundary.h"
#include "transform/tasklet/tasklet.h"

namespace sluice::transform {

namespace {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;

struct Link {
    NodeId first, second, access;        ///< The access node may be missing.
    std::string output;                  ///< Of the first.
    std::set<std::string> inputs;        ///< Of the second.
    std::optional<code::DType> element;  ///< Of the transient.
    code::Type value;                    ///< What the first assigns.
    std::vector<code::DType> types;      ///< What it becomes on the way: by the connectors and by the transient.
};

bool plain(const ir::Tasklet& tasklet) {
    return tasklet.code.language == ir::Language::Python && tasklet.code_global.text.empty() && tasklet.code_init.text.empty() &&
           tasklet.code_exit.text.empty() && tasklet.state_fields.empty() && !ir::has_side_effects(tasklet);
}

/// How often the name is a target; 2 stands for more or where it is not plainly assigned.
int assignments(const code::Body& body, const std::string& name, bool top) {
    int count = 0;
    for (const code::StmtPtr& stmt : body) {
        std::visit(
            [&](const auto& s) {
                const auto is = [&](const code::ExprPtr& e) {
                    const auto* target = e ? std::get_if<code::NameExpr>(&e->node) : nullptr;
                    return target && target->id == name;
                };
                if constexpr (requires { s.targets; })
                    for (const code::ExprPtr& target : s.targets) count += is(target) ? (top && s.targets.size() == 1 ? 1 : 2) : 0;
                if constexpr (requires { s.target; }) count += is(s.target) ? 2 : 0;
            },
            stmt->node);
        code::for_each_body(*stmt, [&](const code::Body& inner) { count += assignments(inner, name, false); });
    }
    return count;
}

/// All of one element, for certain.
bool carries_one(const ir::Memlet& memlet) {
    return !memlet.wcr && !memlet.dynamic && !memlet.other_subset;
}

bool one_element(const ir::Container& container) {
    if (container.binding != ir::Binding::Own || !container.transient || container.lifetime != ir::Lifetime::Scope) return false;
    if (std::holds_alternative<ir::Scalar>(container.kind)) return true;
    return std::holds_alternative<ir::Array>(container.kind) &&
           std::ranges::all_of(container.shape, [](const ir::Expr& extent) { return extent.is_integer(1); });
}

/// Through the access node, if there is one.
std::optional<Refusal> follow(const rewrite::Site& site, Link& link) {
    const ir::State& state = site.state();
    const ir::Adjacency& adjacency = site.view().adjacency;
    const auto refuse = [&](std::string why) { return Refusal{.code = "T2", .why = std::move(why), .nodes = {link.access}}; };
    if (!link.access.valid()) {
        for (const EdgeId id : adjacency.out(link.first)) {
            const ir::Edge& edge = state.edges[id];
            if (edge.dst != link.second) continue;
            if (edge.src_connector.empty() || edge.dst_connector.empty() || !link.output.empty())
                return Refusal{
                    .code = "T2", .why = "not one value goes from the one to the other", .nodes = {link.first, link.second}};
            link.output = edge.src_connector;
            link.inputs = {edge.dst_connector};
        }
        return {};
    }
    const std::string& data = std::get<ir::Access>(state.nodes[link.access].kind).data;
    const ir::Container& container = *ir::find_container(site.sdfg(), data);
    if (!one_element(container)) return refuse("`" + data + "` is no transient of one element");
    if (rewrite::count_accesses(site.sdfg(), data) != 1 || rewrite::used_in_control(site.sdfg(), data))
        return refuse("`" + data + "` is used elsewhere");
    if (adjacency.in(link.access).size() != 1) return refuse("`" + data + "` is written by others as well");
    const ir::Edge& written = state.edges[adjacency.in(link.access)[0]];
    if (!carries_one(written.memlet) || written.memlet.empty()) return refuse("`" + data + "` is not surely written");
    link.output = written.src_connector;
    for (const EdgeId id : adjacency.out(link.access)) {
        const ir::Edge& edge = state.edges[id];
        if (edge.dst != link.second || !carries_one(edge.memlet) || edge.dst_connector.empty())
            return refuse("`" + data + "` is read by others as well");
        link.inputs.insert(edge.dst_connector);
    }
    link.element = container.dtype;
    return {};
}

/// T5. A tasklet that writes nothing but the value needs no question.
analysis::Verdict writes_seen(const rewrite::Site& site, const Link& link) {
    const bool others = std::ranges::any_of(site.view().adjacency.out(link.first), [&](EdgeId id) {
        const ir::Edge& edge = site.state().edges[id];
        return !edge.memlet.empty() && edge.src_connector != link.output;
    });
    if (!others) return {.answer = analysis::Answer::Yes};
    const auto* value = link.access.valid() ? std::get_if<ir::Access>(&site.state().nodes[link.access].kind) : nullptr;
    return analysis::writes_unseen(site.sdfg(), site.state(), link.first, link.second, value ? value->data : std::string(),
                                   site.assumptions());
}

rewrite::Planned<Link> plan_tasklet_fusion(const rewrite::Site& site) {
    const ir::State& state = site.state();
    Link link{.first = site.node("first"),
              .second = site.node("second"),
              .access = {},
              .output = {},
              .inputs = {},
              .element = {},
              .value = {},
              .types = {}};
    if (site.match().pattern == 0) link.access = site.node("value");
    const auto refuse = [&](std::string code, std::string why) {
        return Refusal{.code = std::move(code), .why = std::move(why), .nodes = {link.first, link.second}};
    };
    const auto &first = site.get<ir::Tasklet>("first"), &second = site.get<ir::Tasklet>("second");
    if (!plain(first) || !plain(second)) return refuse("T1", "one of them is no plain Python");
    if (auto refusal = follow(site, link)) return *refusal;
    std::size_t leaving = 0;
    for (const EdgeId id : site.view().adjacency.out(link.first)) leaving += state.edges[id].src_connector == link.output ? 1 : 0;
    if (leaving != 1) return refuse("T2", "others read the value as well");
    const auto body = ir::parsed_body(first.code), rest = ir::parsed_body(second.code);
    if (!body || !rest || assignments(*body, link.output, true) != 1)
        return refuse("T1", "the first does not assign " + link.output + " once, at the top");
    for (const std::string& input : link.inputs)
        if (assignments(*rest, input, true) != 0) return refuse("T1", "the second assigns to its input " + input);
    std::set<EdgeId> skip;
    for (const EdgeId id : site.view().adjacency.out(link.first))
        if (state.edges[id].src_connector == link.output) skip.insert(id);
    if (reaches(state, site.view().adjacency, link.first, link.second, skip))
        return refuse("T3", "another way leads from the first to the second");
    if (const auto verdict = writes_seen(site, link); !verdict.yes()) {
        Refusal refusal = refuse("T5", verdict.why);
        if (verdict.witness) refusal.notes.push_back({analysis::to_string(*verdict.witness), {}});
        return refusal;
    }
    const auto types = types_in(site.sdfg(), state, link.first);
    const auto type =
        code::infer_locals(*body, [&](const std::string& name) { return name == link.output ? std::nullopt : types(name); });
    if (!type || !type->contains(link.output)) return refuse("T4", "the type of " + link.output + " is not known");
    link.value = type->at(link.output);
    const auto becomes = [&](const code::DType& to) {
        const code::DType& before = link.types.empty() ? link.value.dtype : link.types.back();
        if (!(to == code::DType()) && (!(to == before) || (link.types.empty() && link.value.weak))) link.types.push_back(to);
    };
    const ir::Connectors& read = state.nodes[link.second].in;
    becomes(state.nodes[link.first].out.at(link.output));
    if (link.element) becomes(*link.element);
    for (const std::string& input : link.inputs)
        if (!(read.at(input) == read.at(*link.inputs.begin()))) return refuse("T4", "the second reads the value as several types");
    becomes(read.at(*link.inputs.begin()));
    for (const code::DType& type_on_the_way : link.types)
        if (!code::cast_target(code::to_string(type_on_the_way))) return refuse("T4", "the value is no number on the way");
    return link;
}

/// The input of the first that carries the same, if there is one.
std::optional<std::string> same_input(const ir::State& state, NodeId first, const ir::Edge& wanted) {
    for (const auto& [id, edge] : state.edges)
        if (edge.dst == first && edge.src == wanted.src && edge.src_connector == wanted.src_connector &&
            edge.memlet == wanted.memlet && !edge.dst_connector.empty())
            return edge.dst_connector;
    return {};
}

void apply_tasklet_fusion(rewrite::Draft& draft, const Link& link) {
    ir::State& state = draft.state();
    ir::Node &first = state.nodes[link.first], &second = state.nodes[link.second];
    std::set<std::string> taken = names_of(first);
    const std::set<std::string> of_second = names_of(second);
    taken.insert(of_second.begin(), of_second.end());
    for (const auto& [name, container] : draft.sdfg().containers) taken.insert(name);
    for (const auto& [name, type] : draft.sdfg().symbols) taken.insert(name);

    const std::string value = free_name(taken, "value");
    taken.insert(value);
    const std::string read = link.types.empty() ? value : free_name(taken, "converted");
    taken.insert(read);
    symbolic::Substitution of_first{{link.output, symbolic::symbol(value)}}, renamed;
    for (const std::string& input : link.inputs) renamed[input] = symbolic::symbol(read);
    // Names that both bind mean different things.
    const std::set<std::string> bound = names_of(first);
    const auto free = ir::free_names(*ir::parsed_body(std::get<ir::Tasklet>(second.kind).code));
    std::map<std::string, std::string> connectors;
    for (const std::string& name : of_second) {
        const bool symbol = free.contains(name) && !second.in.contains(name) && !second.out.contains(name);
        if (link.inputs.contains(name) || !bound.contains(name) || symbol) continue;
        connectors[name] = free_name(taken, name);
        taken.insert(connectors[name]);
        renamed[name] = symbolic::symbol(connectors[name]);
    }
    for (const EdgeId id : data_in(state, draft.before().view().adjacency, link.second)) {
        const ir::Edge edge = state.edges[id];
        if (link.inputs.contains(edge.dst_connector)) continue;
        if (const auto same = same_input(state, link.first, edge)) {
            renamed[edge.dst_connector] = symbolic::symbol(*same);
            state.edges.erase(id);
            continue;
        }
        const auto at = connectors.find(edge.dst_connector);
        const std::string name = at == connectors.end() ? edge.dst_connector : at->second;
        first.in.emplace(name, second.in.at(edge.dst_connector));
        state.edges[id].dst_connector = name;
    }
    for (const EdgeId id : data_out(state, draft.before().view().adjacency, link.second)) {
        ir::Edge& edge = state.edges[id];
        const auto at = connectors.find(edge.src_connector);
        const std::string name = at == connectors.end() ? edge.src_connector : at->second;
        first.out.insert_or_assign(name, second.out.at(edge.src_connector));
        edge.src_connector = name;
    }
    auto& code = std::get<ir::Tasklet>(first.kind).code;
    std::string text = rewrite::substitute(code, of_first).text;
    while (!text.empty() && text.back() == '\n') text.pop_back();
    if (read != value) {
        std::string converted = value;
        for (const code::DType& type : link.types) converted = code::to_string(type) + "(" + converted + ")";
        text += "\n" + read + " = " + converted;
    }
    code.text = text + "\n" + rewrite::substitute(std::get<ir::Tasklet>(second.kind).code, renamed).text;
    std::get<ir::Tasklet>(first.kind).label += "_" + std::get<ir::Tasklet>(second.kind).label;
    const std::string data = link.access.valid() ? std::get<ir::Access>(state.nodes[link.access].kind).data : std::string();
    first.out.erase(link.output);
    if (link.access.valid()) rewrite::erase_node(state, link.access);
    for (auto [id, edge] : state.edges) {
        if (edge.src == link.second) edge.src = link.first;
        if (edge.dst == link.second) edge.dst = link.first;
    }
    std::vector<EdgeId> loops;
    for (const auto& [id, edge] : state.edges)
        if (edge.src == edge.dst) loops.push_back(id);
    for (const EdgeId id : loops) state.edges.erase(id);
    rewrite::erase_node(state, link.second);
    draft.forward(link.second, link.first);
    if (!data.empty()) rewrite::erase_container(draft.sdfg(), data);
}

}  // namespace

rewrite::Transformation tasklet_fusion() {
    using namespace rewrite::kind;
    return rewrite::transformation(
        {.name = "TaskletFusion",
         .summary = "Computes in one tasklet what two compute one after the other.",
         .drawing = "tasklet { o = e } -> t -> tasklet { r = f(i) }   ->   tasklet { t = e; r = f(t) }",
         .decided_by = {.predicates = {"writes_unseen"}},
         .patterns = {rewrite::chain({{"first", tasklet}, {"value", access}, {"second", tasklet}}),
                      rewrite::chain({{"first", tasklet}, {"second", tasklet}})},
         .conditions = {{"T1", "both are plain Python, and the first assigns the value once, at its top"},
                        {"T2", "between them is nothing, or a transient of one element that nothing else uses"},
                        {"T3", "no other way leads from the first to the second"},
                        {"T4", "the type of the value is known"},
                        {"T5", "the second neither reads nor writes what else the first writes"}}},
        plan_tasklet_fusion, apply_tasklet_fusion);
}

}  // namespace sluice::transform
