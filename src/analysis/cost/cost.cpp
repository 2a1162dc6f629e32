#include "analysis/cost/cost.h"

#include <algorithm>
#include <map>

#include "analysis/cost/operations.h"
#include "analysis/cost/summation.h"
#include "analysis/loop_range.h"
#include "analysis/nesting.h"
#include "analysis/symbols.h"
#include "code/walk.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "library/contract.h"
#include "library/expand.h"
#include "library/extern_call.h"

namespace sluice::analysis {

using symbolic::Assumptions;
using symbolic::Expr;

Cost& Cost::operator+=(const Cost& other) {
    operations = operations + other.operations;
    calls = calls + other.calls;
    bytes = bytes + other.bytes;
    unknown = unknown + other.unknown;
    exact = exact && other.exact;
    return *this;
}

namespace {

template <class Change> Cost changed(Cost cost, const Change& change) {
    for (Expr* part : {&cost.operations, &cost.calls, &cost.bytes, &cost.unknown}) *part = change(*part);
    return cost;
}

Cost one_unknown() {
    return {.unknown = 1, .exact = false};
}

Cost times(const Cost& cost, const std::string& parameter, const symbolic::Range& range, const Assumptions& known) {
    bool exact = cost.exact;
    Cost result = changed(cost, [&](const Expr& part) { return sum_over(part, parameter, range, known, exact); });
    result.exact = exact;
    return result;
}

std::int64_t element_size(const ir::Sdfg& sdfg, const std::string& data) {
    const ir::Container* container = ir::find_container(sdfg, data);
    return container ? static_cast<std::int64_t>(code::size_in_bytes(container->dtype)) : 0;
}

Expr elements_of(const ir::Sdfg& sdfg, const ir::Memlet& memlet, const Assumptions& known) {
    if (memlet.subset) return symbolic::num_elements(*memlet.subset, known);
    const ir::Container* container = ir::find_container(sdfg, memlet.data);
    Expr total = 1;
    if (container)
        for (const Expr& extent : container->shape) total = total * extent;
    return total;
}

// Costs within one SDFG.
class GraphCounter {
public:
    GraphCounter(const ir::Sdfg& sdfg, const ir::State& state, const ScopeTree& scopes, const ir::Adjacency& adjacency,
                 ir::NodeId root = {})
        : sdfg_(sdfg), state_(state), scopes_(scopes), adjacency_(adjacency), root_(root) {}

    Cost node(ir::NodeId id, const Assumptions& known) const {
        return std::visit(code::Overloaded{
                              [&](const ir::Access&) { return copies(id, known); },
                              [&](const ir::Tasklet& tasklet) { return this->tasklet(id, tasklet, known); },
                              [&](const ir::MapEntry& map) { return this->map(id, map, known); },
                              [&](const ir::ConsumeEntry&) { return one_unknown(); },
                              [&](const ir::NestedSdfg& nested) { return call(nested, known); },
                              [&](const ir::LibraryNode&) { return operation(id); },
                              [&](const ir::MapExit&) { return copies(id, known); },
                              [&](const ir::ConsumeExit&) { return copies(id, known); },
                          },
                          state_.nodes[id].kind);
    }
    Cost children(ir::NodeId entry, const Assumptions& known) const {
        Cost total;
        for (const ir::NodeId child : scopes_.children(entry)) total += node(child, known);
        return total;
    }

private:
    // What is copied into the node (or beyond it, of an exit) from an access node or through an entry.
    Cost copies(ir::NodeId id, const Assumptions& known) const {
        Cost cost;
        for (const ir::EdgeId in : adjacency_.in(id)) {
            const ir::Edge& edge = state_.edges[in];
            const ir::Node& from = state_.nodes[edge.src];
            const bool copy = std::holds_alternative<ir::Access>(from.kind) || ir::is_entry(from);
            if (copy && !edge.memlet.empty())
                cost.bytes = cost.bytes + 2 * elements_of(sdfg_, edge.memlet, known) * element_size(sdfg_, edge.memlet.data);
        }
        return cost;
    }

    Cost tasklet(ir::NodeId id, const ir::Tasklet& tasklet, const Assumptions& known) const {
        const auto body =
            tasklet.code.language == ir::Language::Python ? std::optional(ir::parsed_body(tasklet.code)) : std::nullopt;
        if (!body || !body->ok()) return one_unknown();
        const CodeCost code = cost_of(**body);
        Cost cost{.operations = code.operations, .calls = code.calls, .exact = !code.loops && !code.branches};
        if (code.loops) cost.unknown = 1;
        for (const bool input : {true, false})
            for (const ir::EdgeId at : input ? adjacency_.in(id) : adjacency_.out(id)) {
                const ir::Edge& edge = state_.edges[at];
                if (edge.memlet.empty()) continue;
                // Of an array at a connector the code picks elements.
                const auto picked = code.subscripts.find(input ? edge.dst_connector : edge.src_connector);
                const Expr accesses =
                    picked != code.subscripts.end() ? Expr(picked->second) : elements_of(sdfg_, edge.memlet, known);
                const int sides = edge.memlet.wcr ? 2 : 1;
                cost.bytes = cost.bytes + accesses * sides * element_size(sdfg_, edge.memlet.data);
            }
        return cost;
    }

    Cost operation(ir::NodeId id) const {
        if (library::is_final(std::get<ir::LibraryNode>(state_.nodes[id].kind))) return one_unknown();
        const Result<library::Cost> cost = capture([&] {
            const library::NodeContext context = library::context_of(sdfg_, state_, id, "", false);
            return library::cost_of(context, library::bind(context));
        });
        if (!cost.ok() || !cost->flops) return one_unknown();
        return {.operations = *cost->flops, .bytes = cost->bytes};
    }

    Cost map(ir::NodeId id, const ir::MapEntry& map, const Assumptions& outside) const {
        std::vector<Assumptions> known{outside};
        for (std::size_t d = 0; d < map.params.size(); ++d) {
            known.push_back(known.back());
            assume_in(known.back(), map.params[d], map.range.dims[d]);
        }
        Cost cost = children(id, known.back());
        // How often a range that is read inside of the scope runs is not known before it.
        const auto read_inside = [&](const std::string& name) { return id != root_ && state_.nodes[id].in.contains(name); };
        if (std::ranges::any_of(symbolic::free_symbols(map.range), read_inside)) {
            cost += one_unknown();
            return cost;
        }
        for (std::size_t d = map.params.size(); d-- > 0;) cost = times(cost, map.params[d], map.range.dims[d], known[d]);
        return cost;
    }

    static Cost call(const ir::NestedSdfg& nested, const Assumptions& outside) {
        const symbolic::Substitution mapping(nested.symbol_mapping.begin(), nested.symbol_mapping.end());
        const Cost cost = cost_of(*nested.sdfg, assumptions_inside(nested, outside));
        // What the callee counts by symbols of its own is not known before it runs.
        for (const Expr& part : {cost.operations, cost.calls, cost.bytes, cost.unknown})
            for (const std::string& name : symbolic::free_symbols(part))
                if (!mapping.contains(name)) return one_unknown();
        return changed(cost, [&](const Expr& part) { return symbolic::substitute(part, mapping); });
    }

    const ir::Sdfg& sdfg_;
    const ir::State& state_;
    const ScopeTree& scopes_;
    const ir::Adjacency& adjacency_;
    const ir::NodeId root_;  ///< Whose cost is asked for; invalid: the state's.
};

Cost dearer(const Cost& a, const Cost& b) {
    return {.operations = symbolic::maximum(a.operations, b.operations),
            .calls = symbolic::maximum(a.calls, b.calls),
            .bytes = symbolic::maximum(a.bytes, b.bytes),
            .unknown = symbolic::maximum(a.unknown, b.unknown),
            .exact = a == b && a.exact};
}

Cost cost_of(const ir::Sdfg& sdfg, const ir::Region& region, const Assumptions& known);

Cost cost_of(const ir::Sdfg& sdfg, const ir::LoopRegion& loop, const Assumptions& outside) {
    const auto range = loop_range(loop);
    if (!range || loop.variable.empty()) {
        Cost once = cost_of(sdfg, loop.body, outside);
        once += one_unknown();
        return once;
    }
    Assumptions known = outside;
    assume_in(known, loop.variable, *range);
    return times(cost_of(sdfg, loop.body, known), loop.variable, *range, outside);
}

// Every block once; a machine that goes back to a block that was there before repeats an unknown number of times.
Cost cost_of(const ir::Sdfg& sdfg, const ir::Region& region, const Assumptions& known) {
    Cost total;
    for (auto [id, block] : region.blocks) {
        total += std::visit(code::Overloaded{
                                [&](const Cow<ir::State>& state) {
                                    const ir::Adjacency adjacency(*state);
                                    const ScopeTree scopes(*state, adjacency);
                                    return GraphCounter(sdfg, *state, scopes, adjacency).children({}, known);
                                },
                                [&](const ir::LoopRegion& loop) { return cost_of(sdfg, loop, known); },
                                [&](const ir::ConditionalBlock& conditional) {
                                    Cost dearest;
                                    for (const ir::Branch& branch : conditional.branches)
                                        dearest = dearer(dearest, cost_of(sdfg, branch.body, known));
                                    return dearest;
                                },
                                [&](const ir::NamedRegion& named) { return cost_of(sdfg, named.body, known); },
                                [](const auto&) { return Cost{.exact = false}; },
                            },
                            block.kind);
    }
    std::map<ir::BlockId, std::size_t> arrivals;
    for (auto [id, transition] : region.transitions) {
        if (transition.dst.value <= transition.src.value && ++arrivals[transition.dst] == 1) total += one_unknown();
        if (transition.condition.text != "1" && transition.condition.text != "True" && !transition.condition.text.empty())
            total.exact = false;
    }
    return total;
}

}  // namespace

Cost cost_of(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes, ir::NodeId node,
             const Assumptions& known) {
    return GraphCounter(sdfg, state, scopes, adjacency, node).node(node, known);
}

Cost cost_of(const ir::Sdfg& sdfg, const Assumptions& known) {
    return cost_of(sdfg, sdfg.body, known);
}

Expr footprint(const ir::Sdfg& sdfg, const ir::State& state, const ir::Adjacency& adjacency, const ScopeTree& scopes,
               ir::NodeId entry) {
    std::map<std::string, symbolic::Subset> touched;
    const auto touch = [&](const ir::Memlet& memlet) {
        const ir::Container* container = memlet.empty() ? nullptr : ir::find_container(sdfg, memlet.data);
        if (!container) return;
        const symbolic::Subset part = memlet.subset.value_or(symbolic::Subset::extents(container->shape));
        const auto [present, added] = touched.emplace(memlet.data, part);
        if (!added) present->second = symbolic::hull_union(present->second, part);
    };
    for (const ir::EdgeId edge : adjacency.in(entry)) touch(state.edges[edge].memlet);
    for (const ir::EdgeId edge : adjacency.out(scopes.exit_of(entry))) touch(state.edges[edge].memlet);
    Expr bytes = 0;
    for (const auto& [data, part] : touched) bytes = bytes + symbolic::num_elements(part) * element_size(sdfg, data);
    return bytes;
}

Expr reuse(const Cost& cost, const Expr& footprint) {
    return symbolic::true_divide(cost.bytes, footprint);
}

Expr picoseconds(const Cost& cost, const Machine& machine) {
    return cost.operations * machine.operation + cost.calls * machine.call + cost.bytes * machine.byte +
           cost.unknown * machine.unknown;
}

}  // namespace sluice::analysis
