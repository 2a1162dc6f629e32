// LoopReduction: let the iterations of a loop update an integer instead of reading what the iteration before wrote.
//     for i { s = s + e(i) }   ->   for i { s (sum) = e(i) }
//     for i { if c(i) { k = k + 1 } }   ->   n = 0; for i { if c(i) { n (sum) = 1 } }; k = k + n
//     for i { if c(i) { found = True } }   ->   for i { if c(i) { found (or) = True } }
// R1 the loop counts, and in it a transient scalar of integers or truth values is only updated, by tasklets, by one operator that
// AugAssignToWCR knows, or set to one truth value, or an integer symbol only by adding numbers to it; no condition, range or nested
// SDFG in the loop uses it.
// Such updates give the same in any order: integers wrap. Of floating-point numbers they would not, and these are left to whoever
// asks for AugAssignToWCR.
#include <map>
#include <set>

#include "analysis/symbols.h"
#include "ir/builder.h"
#include "ir/query.h"
#include "ir/walk.h"
#include "rewrite/edit.h"
#include "symbolic/parse.h"
#include "transform/loop/loop.h"
#include "transform/reduce/reduce.h"
#include "transform/reduce/update.h"
#include "transform/tasklet/tasklet.h"

namespace sluice::transform {

namespace {

/// A tasklet that does nothing but set a truth value updates it by the operator that keeps this value.
std::optional<std::pair<ir::EdgeId, std::string>> find_flag(const ir::Sdfg& sdfg, const ir::State& state,
                                                            const ir::Adjacency& adjacency, ir::NodeId node) {
    const auto& tasklet = std::get<ir::Tasklet>(state.nodes[node].kind);
    const std::vector<ir::EdgeId> out = data_out(state, adjacency, node);
    if (out.size() != 1 || !data_in(state, adjacency, node).empty()) return {};
    const ir::Edge& edge = state.edges[out[0]];
    const ir::Container* container = ir::find_container(sdfg, edge.memlet.data);
    if (!container || !(container->dtype == code::DType(code::Scalar::Bool)) || edge.memlet.wcr || edge.memlet.dynamic) return {};
    for (const auto& [value, wcr] : {std::pair("True", "lambda x, y: x or y"), std::pair("False", "lambda x, y: x and y")})
        if (tasklet.code.language == ir::Language::Python && tasklet.code.text == edge.src_connector + " = " + value)
            return std::pair(out[0], std::string(wcr));
    return {};
}

/// The scalars that the loop only updates, each by one operator.
std::set<std::string> only_updated(const ir::Sdfg& sdfg, const ir::LoopRegion& loop) {
    ir::Sdfg within{.name = sdfg.name};
    within.body = loop.body;
    std::map<std::string, std::string> operators;
    std::set<std::string> otherwise;
    ir::for_each_state(loop.body, [&](const ir::State& state) {
        const ir::Adjacency adjacency(state);
        std::map<ir::EdgeId, std::string> updates;
        for (auto [id, node] : state.nodes) {
            if (!std::holds_alternative<ir::Tasklet>(node.kind)) continue;
            const auto found = find_update(sdfg, state, adjacency, id);
            if (const auto* update = std::get_if<TaskletUpdate>(&found))
                for (const ir::EdgeId edge : {update->in, update->out}) updates[edge] = update->wcr;
            if (const auto flag = find_flag(sdfg, state, adjacency, id)) updates.insert(*flag);
        }
        for (auto [id, edge] : state.edges)
            for (const ir::NodeId end : {edge.src, edge.dst}) {
                const auto* access = std::get_if<ir::Access>(&state.nodes[end].kind);
                if (!access || edge.memlet.empty()) continue;
                const auto update = updates.find(id);
                const auto known =
                    update == updates.end() ? operators.end() : operators.emplace(access->data, update->second).first;
                if (known == operators.end() || known->second != update->second) otherwise.insert(access->data);
            }
    });
    std::set<std::string> names;
    for (const auto& [name, op] : operators) {
        const ir::Container* container = sdfg.containers.find(name);
        const bool whole = container && code::is_integer(container->dtype.scalar) && container->dtype.lanes == 1;
        const bool truth = container && container->dtype == code::DType(code::Scalar::Bool);
        if (!otherwise.contains(name) && (whole || truth) && container->transient && container->binding == ir::Binding::Own &&
            std::holds_alternative<ir::Scalar>(container->kind) && !rewrite::used_in_control(within, name))
            names.insert(name);
    }
    return names;
}

/// By how much the assignment adds to its symbol.
std::optional<std::int64_t> added(const std::pair<std::string, std::string>& assignment) {
    const Result<symbolic::Expr> value = symbolic::parse(assignment.second);
    return value.ok() ? (*value - symbolic::symbol(assignment.first)).constant() : std::nullopt;
}

/// The symbols to which the loop only adds numbers.
std::set<std::string> only_added(const ir::Sdfg& sdfg, const ir::LoopRegion& loop) {
    std::set<std::string> names, otherwise;
    ir::Sdfg within{.name = sdfg.name};
    ir::LoopRegion rest = loop;
    const auto look = [&](ir::Region& region) {
        for (auto [id, transition] : region.transitions)
            std::erase_if(transition.assignments, [&](const auto& assignment) {
                const bool adds = added(assignment).has_value();
                (adds ? names : otherwise).insert(assignment.first);
                return adds;
            });
        for (auto [id, block] : region.blocks)
            if (const auto* inner = std::get_if<ir::LoopRegion>(&block.kind)) otherwise.insert(inner->variable);
    };
    ir::for_each_region(rest.body, look);
    within.body.start = ir::add_block(within.body, {.label = "loop", .kind = std::move(rest), .metadata = {}});
    otherwise.merge(analysis::free_symbols(within));
    std::erase_if(names, [&](const std::string& name) {
        const auto type = sdfg.symbols.find(name);
        return otherwise.contains(name) || name == loop.variable || type == sdfg.symbols.end() ||
               !code::is_integer(type->second.scalar);
    });
    return names;
}

struct Reductions {
    std::set<std::string> scalars, symbols;
};

rewrite::Planned<Reductions> plan_loop_reduction(const rewrite::Site& site) {
    const auto& loop = site.get_block<ir::LoopRegion>("loop");
    if (!counted_range(site.sdfg(), loop)) return rewrite::Refusal{.code = "R1", .why = "the loop does not count"};
    Reductions found{only_updated(site.sdfg(), loop), only_added(site.sdfg(), loop)};
    if (found.scalars.empty() && found.symbols.empty())
        return rewrite::Refusal{.code = "R1", .why = "nothing of integers is only updated in the loop"};
    return found;
}

/// A state in which a tasklet says what goes into the scalar.
ir::State giving(const std::string& scalar, std::int64_t value, const char* wcr) {
    ir::State state;
    ir::StateBuilder builder(state);
    ir::Memlet memlet;
    memlet.data = scalar;
    memlet.subset = symbolic::Subset{};
    memlet.volume = 1;
    if (*wcr) memlet.wcr = wcr;
    builder.edge(builder.tasklet("add", {}, {{"out", code::DType()}}, "out = " + std::to_string(value)), "out",
                 builder.access(scalar), "", memlet);
    return state;
}

/// What the loop adds to the symbol is summed up in a scalar.
void sum_up(rewrite::Draft& draft, const std::string& symbol) {
    ir::Sdfg& sdfg = draft.sdfg();
    const std::string scalar = rewrite::fresh_symbol(sdfg, symbol + "_sum");
    ir::add_scalar(sdfg, scalar, sdfg.symbols.at(symbol).scalar, true);
    ir::for_each_region(draft.get_block<ir::LoopRegion>("loop").body, [&](ir::Region& region) {
        std::vector<ir::TransitionId> adding;
        for (auto [id, transition] : region.transitions)
            if (std::ranges::any_of(transition.assignments, [&](const auto& one) { return one.first == symbol; }))
                adding.push_back(id);
        for (const ir::TransitionId id : adding) {
            ir::Transition& transition = region.transitions[id];
            const auto assignment = std::ranges::find(transition.assignments, symbol, &std::pair<std::string, std::string>::first);
            const std::int64_t value = *added(*assignment);
            transition.assignments.erase(assignment);
            const auto others = std::exchange(transition.assignments, {});
            const ir::BlockId to = transition.dst;
            std::string label = "add_" + symbol;
            while (std::ranges::any_of(region.blocks, [&](const auto& entry) { return entry.second.label == label; })) label += "_";
            const ir::BlockId state = ir::add_block(region, {.label = label,
                                                             .kind = Cow<ir::State>(giving(scalar, value, "lambda x, y: x + y")),
                                                             .metadata = transition.metadata});
            region.transitions[id].dst = state;
            ir::add_transition(region, state, to, {}, others);
        }
    });
    ir::Region begin;
    begin.start = ir::add_block(begin, {.label = "sum_" + symbol, .kind = Cow<ir::State>(giving(scalar, 0, "")), .metadata = {}});
    std::vector<ir::Region> before;
    before.push_back(std::move(begin));
    splice(draft.region(), draft.block("loop"), std::move(before), Splice::Before);
    assign_after(draft.region(), draft.block("loop"), symbol, symbolic::symbol(symbol) + symbolic::symbol(scalar));
}

void apply_loop_reduction(rewrite::Draft& draft, const Reductions& plan) {
    for (const std::string& symbol : plan.symbols) sum_up(draft, symbol);
    const std::set<std::string>& names = plan.scalars;
    const ir::Sdfg& sdfg = draft.sdfg();
    ir::edit_each_state(draft.get_block<ir::LoopRegion>("loop").body, [&](ir::State& state) {
        std::vector<ir::NodeId> tasklets;
        for (auto [id, node] : state.nodes)
            if (std::holds_alternative<ir::Tasklet>(node.kind)) tasklets.push_back(id);
        for (const ir::NodeId id : tasklets) {
            const ir::Adjacency adjacency(state);
            const auto found = find_update(sdfg, state, adjacency, id);
            const auto* update = std::get_if<TaskletUpdate>(&found);
            if (update && names.contains(state.edges[update->out].memlet.data)) {
                make_update(state, adjacency, id, *update);
            } else if (const auto flag = find_flag(sdfg, state, adjacency, id);
                       flag && names.contains(state.edges[flag->first].memlet.data)) {
                for (const ir::EdgeId edge : rewrite::memlet_path(state, adjacency, flag->first))
                    state.edges[edge].memlet.wcr = flag->second;
            }
        }
    });
}

}  // namespace

rewrite::Transformation loop_reduction() {
    return rewrite::transformation(
        {.name = "LoopReduction",
         .summary = "Lets the iterations of a loop update an integer instead of reading what the one before wrote.",
         .drawing = "for i { s = s + e(i) }   ->   for i { s (sum) = e(i) }",
         .decided_by = {.structural = "Integers give the same whatever the order of their updates, and nothing else looks at them "
                                      "meanwhile."},
         .patterns = {{.nodes = {{"loop", rewrite::kind::loop}}, .edges = {}}},
         .conditions = {{"R1",
                         "the loop counts, and it only updates a transient scalar of integers or truth values, by one operator, "
                         "only sets one to "
                         "one truth value, or only adds numbers to a symbol"}}},
        plan_loop_reduction, apply_loop_reduction);
}

}  // namespace sluice::transform
