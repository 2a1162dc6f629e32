// P1 a transition between the blocks assigns a value that is taken. P2 the blocks up to it run once, one after the other, before
// everything else. P3 nothing else gives the symbol a value, nothing uses it before, and what it is given keeps its value. P4 no
// scope, code or loop gives the names another meaning.
#include "transform/state/propagation.h"

#include <algorithm>

#include "analysis/symbols.h"
#include "ir/code_block.h"
#include "ir/walk.h"
#include "rewrite/edit.h"

namespace sluice::transform {

namespace {

using rewrite::Refusal;
using symbolic::Expr;

/// An assignment of a transition, and what takes the symbol's place.
struct Propagated {
    ir::TransitionId transition;
    std::string symbol;
    Expr value;
};

/// The blocks from the start of the region to `last`, if they run once, one after the other; empty if not.
std::vector<ir::BlockId> way_to(const ir::Region& region, const rewrite::RegionView& view, ir::BlockId last) {
    std::vector<ir::BlockId> way;
    for (ir::BlockId at = region.start; at.valid() && way.size() <= region.blocks.size();) {
        if (view.in(at).size() != (at == region.start ? 0U : 1U)) return {};
        way.push_back(at);
        if (view.out(at).size() != 1 || !region.transitions[view.out(at)[0]].condition.text.empty()) return {};
        if (at == last) return way;
        at = region.transitions[view.out(at)[0]].dst;
    }
    return {};
}

bool reads(const std::string& expression, const std::string& name) {
    const auto parsed = ir::parsed_expr(expression);
    return !parsed.ok() || ir::free_names(**parsed).contains(name);
}

bool uses(const ir::Sdfg& sdfg, const ir::Region& region, const std::string& name) {
    bool found = false;
    ir::for_each_region(region, [&](const ir::Region& each) {
        ir::for_each_code(
            each,
            [&](const ir::CodeBlock& code) {
                const auto body = ir::parsed_body(code);
                found = found || !body.ok() || ir::free_names(*body).contains(name);
            },
            [&](const std::string& text) { found = found || reads(text, name); });
    });
    ir::for_each_state(region,
                       [&](const ir::State& state) { found = found || analysis::free_symbols(sdfg, state).contains(name); });
    return found;
}

bool uses(const ir::Sdfg& sdfg, const ir::Block& block, const std::string& name) {
    ir::Region alone;
    alone.start = alone.blocks.add(block);
    return uses(sdfg, alone, name);
}

int count_assignments(const ir::Region& region, const std::string& name) {
    int count = 0;
    ir::for_each_region(region, [&](const ir::Region& each) {
        for (const auto& [id, transition] : each.transitions)
            count +=
                static_cast<int>(std::ranges::count(transition.assignments, name, &std::pair<std::string, std::string>::first));
        for (const auto& [id, block] : each.blocks)
            if (const auto* loop = std::get_if<ir::LoopRegion>(&block.kind)) count += loop->variable == name;
    });
    return count;
}

/// Does a scope, or a node by a connector, give the name another meaning?
bool hides(const ir::Region& region, const std::string& name) {
    bool found = false;
    ir::for_each_state(region, [&](const ir::State& state) {
        for (const auto& [id, node] : state.nodes) {
            const auto* map = std::get_if<ir::MapEntry>(&node.kind);
            const auto* consume = std::get_if<ir::ConsumeEntry>(&node.kind);
            found = found || node.in.contains(name) || node.out.contains(name) || (consume && consume->pe_index == name) ||
                    (map && std::ranges::find(map->params, name) != map->params.end());
        }
    });
    return found;
}

bool is_mapped(const ir::Sdfg& root, const rewrite::Place& place, const std::string& name) {
    if (place.nested.empty()) return false;
    const rewrite::NestedStep& call = place.nested.back();
    const rewrite::Place around{
        .nested = {place.nested.begin(), place.nested.end() - 1}, .regions = call.regions, .state = call.state};
    return std::get<ir::NestedSdfg>(rewrite::state_at(root, around).nodes[call.node].kind).symbol_mapping.contains(name);
}

/// P3 and P4.
std::optional<Refusal> why_not(const rewrite::Site& site, const ir::Transition& transition, const std::string& symbol,
                               const Expr& value) {
    const auto refuse = [](const char* code, std::string why) { return Refusal{.code = code, .why = std::move(why)}; };
    const ir::Sdfg& sdfg = site.sdfg();
    const auto declared = sdfg.symbols.find(symbol);
    if (declared == sdfg.symbols.end() || !(declared->second == code::DType(code::Scalar::Int64)))
        return refuse("P3", symbol + " is not declared as int64");
    if (std::ranges::find(sdfg.arg_names, symbol) != sdfg.arg_names.end()) return refuse("P3", symbol + " is an argument");
    if (count_assignments(sdfg.body, symbol) != 1) return refuse("P3", symbol + " has other values elsewhere");
    if (is_mapped(site.root(), site.match().place, symbol)) return refuse("P3", symbol + " has a value when the call begins");
    for (const ir::BlockId block : way_to(site.region(), site.region_view(), transition.src))
        if (uses(sdfg, site.region().blocks[block], symbol)) return refuse("P3", symbol + " is used before it has the value");
    for (const ir::BlockId block : way_to(site.region(), site.region_view(), transition.src))
        for (const ir::TransitionId id : site.region_view().out(block))
            for (const auto& [other, text] : site.region().transitions[id].assignments)
                if (reads(text, symbol)) return refuse("P3", symbol + " is used before it has the value");
    std::set<std::string> names = symbolic::free_symbols(value);
    for (const std::string& name : names) {
        const auto type = sdfg.symbols.find(name);
        if (sdfg.containers.contains(name) || type == sdfg.symbols.end() || !(type->second == declared->second) ||
            count_assignments(sdfg.body, name) > 0)
            return refuse("P3", name + " is no int64 symbol that keeps its value");
    }
    names.insert(symbol);
    for (const std::string& name : names)
        if (hides(sdfg.body, name)) return refuse("P4", name + " means something else in a scope or in code");
    return {};
}

/// The first assignment whose value is taken and whose symbol can be left out.
rewrite::Planned<Propagated> plan_propagation(const rewrite::Site& site, bool (*takes)(const Expr&)) {
    const ir::Region& region = site.region();
    std::optional<Refusal> last;
    for (const ir::TransitionId id : site.region_view().out(site.block("before"))) {
        const ir::Transition& transition = region.transitions[id];
        if (transition.dst != site.block("after")) continue;
        for (const auto& [symbol, text] : transition.assignments) {
            const auto parsed = ir::parsed_expr(text);
            const auto value = parsed.ok() ? ir::to_symbolic(**parsed) : Result<Expr>(parsed.error());
            if (!value.ok() || !takes(*value)) continue;
            if (!site.match().place.regions.empty() || way_to(region, site.region_view(), transition.src).empty())
                return Refusal{.code = "P2", .why = "what comes before the assignment may run otherwise than once, in order"};
            last = why_not(site, transition, symbol, *value);
            if (!last) return Propagated{id, symbol, *value};
        }
    }
    return last ? *last : Refusal{.code = "P1", .why = "nothing of the kind is assigned between the blocks"};
}

void apply_propagation(rewrite::Draft& draft, const Propagated& found) {
    std::erase_if(draft.region().transitions[found.transition].assignments,
                  [&](const auto& assignment) { return assignment.first == found.symbol; });
    ir::Sdfg& sdfg = draft.sdfg();
    const symbolic::Substitution replacement{{found.symbol, found.value}};
    rewrite::substitute(sdfg.body, replacement);
    for (auto& [name, container] : sdfg.containers) rewrite::substitute(container, replacement);
    sdfg.symbols.erase(found.symbol);
}

}  // namespace

rewrite::Transformation propagation(std::string name, std::string summary, std::string drawing, const std::string& assigned,
                                    bool (*takes)(const Expr&)) {
    return rewrite::transformation(
        {.name = std::move(name),
         .summary = std::move(summary),
         .drawing = std::move(drawing),
         .decided_by = {.structural = "The symbol has one value wherever it is used, and the value is the same there."},
         .patterns = {rewrite::chain({{"before", rewrite::kind::any_block}, {"after", rewrite::kind::any_block}})},
         .conditions = {{"P1", "a transition between the blocks assigns " + assigned},
                        {"P2", "the blocks up to it run once, one after the other, before everything else"},
                        {"P3",
                         "nothing else gives the symbol a value, nothing uses it before, and what it is given keeps its value"},
                        {"P4", "no scope, code or loop gives the names another meaning"}},
         .simplifies = true},
        [takes](const rewrite::Site& site) { return plan_propagation(site, takes); }, apply_propagation);
}

}  // namespace sluice::transform
