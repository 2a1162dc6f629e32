// DoubleBuffering: bring what the next iteration of a loop needs while this one computes, into the other of two buffers.
//     for i { A[f(i)] -> t; t -> B }   ->   A[f(b)] -> t[0]; for i { A[f(i + s)] -> t[(k + 1) % 2] beside t[k % 2] -> B }; t[k % 2]
//     -> B
// where k counts the iterations and the last one, which brings nothing, stands behind the loop.
// D1 the loop counts and has at least one iteration, as far as is known; nobody reads its variable afterwards. D2 its body is one
// state, in which one plain copy fills the transient, which is used here only. D3 the transient is a scalar or a packed array, and
// who uses it takes single elements or an address. D4 no iteration writes what is copied for it or for the next one. A map becomes
// such a loop by MapToForLoop.
#include <algorithm>

#include "analysis/legality/prefetch.h"
#include "analysis/projection.h"
#include "analysis/symbols.h"
#include "ir/query.h"
#include "transform/data/rebase.h"
#include "transform/loop/loop.h"

namespace sluice::transform {

namespace {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;
using symbolic::Expr;
using symbolic::Range;
using symbolic::Subset;

struct Buffer {
    NodeId source, node;  ///< Access nodes.
    EdgeId copy;
    std::string array, name;
    std::vector<EdgeId> uses;  ///< Edges that carry what lies in it.
};

const ir::State* only_state(const ir::LoopRegion& loop) {
    if (loop.body.blocks.size() != 1 || !loop.body.transitions.empty()) return nullptr;
    return ir::as_state((*loop.body.blocks.begin()).second);
}

/// The transient that is copied at the top of the state, where nothing comes before: D2.
std::optional<Buffer> buffer_in(const ir::Sdfg& sdfg, const ir::State& state, const std::string& wanted) {
    const ir::Adjacency adjacency(state);
    for (const auto& [id, node] : state.nodes) {
        const auto* access = std::get_if<ir::Access>(&node.kind);
        if (!access || (!wanted.empty() && access->data != wanted) || access->setzero || adjacency.in(id).size() != 1) continue;
        const EdgeId copy = adjacency.in(id)[0];
        const ir::Edge& edge = state.edges[copy];
        const auto* source = std::get_if<ir::Access>(&state.nodes[edge.src].kind);
        if (!source || !adjacency.in(edge.src).empty() || edge.memlet.empty() || edge.memlet.wcr || edge.memlet.dynamic ||
            !edge.src_connector.empty() || !edge.dst_connector.empty() || !used_only_at(sdfg, state, id))
            continue;
        const ir::Container *from = sdfg.containers.find(source->data), *to = sdfg.containers.find(access->data);
        if (!from || !to || from->binding != ir::Binding::Own || to->binding != ir::Binding::Own ||
            std::holds_alternative<ir::Stream>(from->kind))
            continue;
        Buffer found{.source = edge.src, .node = id, .copy = copy, .array = source->data, .name = access->data, .uses = {}};
        std::set<EdgeId> uses;
        for (const EdgeId out : adjacency.out(id))
            if (!state.edges[out].memlet.empty())
                for (const EdgeId use : edges_of_access(state, adjacency, out)) uses.insert(use);
        found.uses.assign(uses.begin(), uses.end());
        return found;
    }
    return {};
}

/// D3; empty if nothing is against it.
std::string why_not_doubled(const ir::Sdfg& sdfg, const ir::State& state, const Buffer& buffer, const std::string& variable,
                            const symbolic::Assumptions& known) {
    const ir::Container& container = sdfg.containers.at(buffer.name);
    if (!std::holds_alternative<ir::Scalar>(container.kind) && !is_packed(container))
        return buffer.name + " is neither a scalar nor a packed array";
    if (analysis::free_symbols(container).contains(variable)) return "the size of " + buffer.name + " depends on " + variable;
    if (!exact_side(sdfg, state.edges[buffer.copy].memlet, buffer.name, false, known) ||
        !exact_side(sdfg, state.edges[buffer.copy].memlet, buffer.array, true, known))
        return "the copy does not say which elements of " + buffer.name + " it fills";
    const ir::Adjacency adjacency(state);
    for (const EdgeId id : buffer.uses) {
        const ir::Edge& edge = state.edges[id];
        const ir::Node& node = state.nodes[edge.dst];
        if (edge.memlet.data != buffer.name) return "a copy of " + buffer.name + " names its other end";
        if (std::holds_alternative<ir::LibraryNode>(node.kind)) return "a library node counts the dimensions of " + buffer.name;
        if (const auto* access = std::get_if<ir::Access>(&node.kind)) {
            const ir::Container* other = ir::find_container(sdfg, access->data);
            if (!other || other->binding != ir::Binding::Own) return "a view looks at " + buffer.name;
            if (!exact_side(sdfg, edge.memlet, access->data, false, known))
                return "a copy of " + buffer.name + " does not say where it leads";
        }
        const Subset side = edge.memlet.subset.value_or(analysis::whole(container));
        if (std::holds_alternative<ir::Tasklet>(node.kind) && side.rank() > 0 && !symbolic::num_elements(side, known).is_integer(1))
            return "a tasklet takes several elements of " + buffer.name;
    }
    return {};
}

Expr last_of(const Range& range, const Expr& iterations) {
    return range.begin + (iterations - 1) * range.step;
}

struct Doubling {
    Range range;  ///< Of the loop.
    Buffer buffer;
};

rewrite::Planned<Doubling> plan_double_buffering(const rewrite::Site& site) {
    const auto& loop = site.get_block<ir::LoopRegion>("loop");
    const auto range = counted_range(site.sdfg(), loop);
    if (!range) return Refusal{.code = "D1", .why = "the loop does not count from one expression of symbols to another"};
    const Expr iterations = symbolic::count(*range, site.assumptions());
    if (!symbolic::is_yes(symbolic::decide(symbolic::less_equal(1, iterations), site.assumptions())))
        if (auto refusal = site.unless_assumed(
                {.code = "D1", .why = "the loop has " + symbolic::to_string(iterations) + " iterations, which may be none"}))
            return std::move(*refusal);
    if (used_elsewhere(site.sdfg(), site.region(), site.block("loop"), loop.variable))
        return Refusal{.code = "D1", .why = "the variable " + loop.variable + " is read outside of the loop"};
    const ir::State* state = only_state(loop);
    if (!state) return Refusal{.code = "D2", .why = "the body of the loop is more than one state"};
    if (std::string why = why_not_copied(site.sdfg(), loop); !why.empty()) return Refusal{.code = "D2", .why = std::move(why)};
    if (std::string why = why_not_written_out(site.sdfg(), loop, {last_of(*range, iterations)}, site.assumptions()); !why.empty())
        return Refusal{.code = "D2", .why = std::move(why)};
    const auto buffer = buffer_in(site.sdfg(), *state, site.text("transient"));
    if (!buffer)
        return Refusal{.code = "D2", .why = "no transient is filled by a plain copy at the begin of the body and used there only"};
    if (const std::string why = why_not_doubled(site.sdfg(), *state, *buffer, loop.variable, site.assumptions()); !why.empty())
        return Refusal{.code = "D3", .why = why};
    const Doubling plan{*range, *buffer};
    if (!aliases(site.sdfg(), buffer->array).empty()) {
        const std::string why = buffer->array + " may be the same memory as another argument";
        if (auto refusal = site.unless_assumed({.code = "D4", .why = why})) return std::move(*refusal);
        return plan;
    }
    const analysis::Verdict verdict =
        analysis::copy_ahead(site.sdfg(), site.region(), site.block("loop"), *state, buffer->copy, site.assumptions());
    if (verdict.yes()) return plan;
    Refusal conflict{.code = "D4", .why = verdict.why};
    if (verdict.witness) conflict.notes.push_back({analysis::to_string(*verdict.witness), {}});
    if (auto refusal = site.unless_assumed(std::move(conflict))) return std::move(*refusal);
    return plan;
}

Subset at_turn(const Subset& subset, const Expr& turn) {
    Subset result{{Range::index(turn)}};
    result.dims.insert(result.dims.end(), subset.dims.begin(), subset.dims.end());
    return result;
}

/// The copy under other names of its elements.
ir::Memlet bring(const ir::Sdfg& sdfg, const ir::Memlet& memlet, const Buffer& buffer, const symbolic::Substitution& values,
                 const Expr& turn) {
    const symbolic::Assumptions known = analysis::assumptions_of(sdfg);
    ir::Memlet result;
    result.data = buffer.array;
    result.subset = symbolic::substitute(*exact_side(sdfg, memlet, buffer.array, true, known), values);
    result.other_subset = at_turn(symbolic::substitute(*exact_side(sdfg, memlet, buffer.name, false, known), values), turn);
    result.volume = symbolic::num_elements(*result.subset);
    return result;
}

NodeId add_access(ir::State& state, const std::string& name) {
    return state.nodes.add({.kind = ir::Access{.data = name}, .in = {}, .out = {}, .metadata = {}});
}

/// Uses read the buffer of this turn.
void read_turn(const ir::Sdfg& sdfg, ir::State& state, const Buffer& buffer, const Expr& turn) {
    const symbolic::Assumptions known = analysis::assumptions_of(sdfg);
    const ir::Container& container = sdfg.containers.at(buffer.name);
    for (const EdgeId id : buffer.uses) {
        ir::Edge& edge = state.edges[id];
        if (const auto* access = std::get_if<ir::Access>(&state.nodes[edge.dst].kind); access && !edge.memlet.other_subset)
            edge.memlet.other_subset = exact_side(sdfg, edge.memlet, access->data, false, known);
        const Subset subset = edge.memlet.subset.value_or(analysis::whole(container));
        edge.memlet.subset = at_turn(container.shape.empty() ? Subset{} : subset, turn);
    }
    state.edges.erase(buffer.copy);
    rewrite::erase_isolated_accesses(state);
}

void apply_double_buffering(rewrite::Draft& draft, const Doubling& plan) {
    const rewrite::Site& site = draft.before();
    const ir::Sdfg& before = site.sdfg();
    const auto& loop = site.get_block<ir::LoopRegion>("loop");
    const Range& range = plan.range;
    const Expr variable = symbolic::symbol(loop.variable), step = range.step;
    const Expr turn = symbolic::modulo(symbolic::floor_divide(variable - range.begin, step), 2);
    const Buffer& buffer = plan.buffer;
    const ir::Memlet copy = only_state(loop)->edges[buffer.copy].memlet;
    const Expr last = last_of(range, symbolic::count(range, site.assumptions()));

    auto& changed = draft.get_block<ir::LoopRegion>("loop");
    ir::State& state = *ir::as_state(changed.body.blocks[changed.body.start]);
    read_turn(before, state, buffer, turn);
    const ir::LoopRegion without_copy = changed;
    ir::State& piped = *ir::as_state(changed.body.blocks[changed.body.start]);  // No longer shared with the copy.
    const NodeId from = add_access(piped, buffer.array), to = add_access(piped, buffer.name);
    const Expr next = symbolic::modulo(symbolic::floor_divide(variable - range.begin, step) + 1, 2);
    piped.edges.add({from, "", to, "", bring(before, copy, buffer, {{loop.variable, variable + step}}, next)});
    changed.condition = ir::CodeBlock{loop.variable + (*step.constant() > 0 ? " < " : " > ") + symbolic::to_string(last)};

    ir::State first;
    const NodeId first_from = add_access(first, buffer.array), first_to = add_access(first, buffer.name);
    first.edges.add({first_from, "", first_to, "", bring(before, copy, buffer, {{loop.variable, range.begin}}, 0)});
    ir::Region prologue;
    ir::add_block(prologue, {.label = "bring_first_" + buffer.name, .kind = Cow<ir::State>(std::move(first)), .metadata = {}});

    ir::Container& container = draft.sdfg().containers.at(buffer.name);
    container.shape.insert(container.shape.begin(), Expr(2));
    container.kind = ir::Array{};
    splice(draft.region(), draft.block("loop"), {Iterations(draft.sdfg(), without_copy, site.assumptions()).at(last)},
           Splice::Behind);
    splice(draft.region(), draft.block("loop"), {prologue}, Splice::Before);
}

}  // namespace

rewrite::Transformation double_buffering() {
    return rewrite::transformation(
        {.name = "DoubleBuffering",
         .summary = "Brings what the next iteration of a loop needs while this one computes, into the other of two "
                    "buffers.",
         .drawing = "for i { A[f(i)] -> t; t -> B }   ->   A[f(b)] -> t[0]; for i { A[f(i + s)] -> t[(k + 1) % 2] with "
                    "t[k % 2] -> B }; t[k % 2] -> B",
         .decided_by = {.predicates = {"copy_ahead"}},
         .patterns = {{.nodes = {{"loop", rewrite::kind::loop}}, .edges = {}}},
         .conditions = {{"D1", "the loop counts, has at least one iteration, and its variable is not read afterwards"},
                        {"D2", "its body is one state, in which one plain copy fills the transient"},
                        {"D3", "the transient is a scalar or a packed array that can get one more dimension"},
                        {"D4", "no iteration writes what is copied for it or for the next one"}},
         .parameters = {{"transient", std::string(), "The transient; empty: the first one that is copied."}}},
        plan_double_buffering, apply_double_buffering);
}

}  // namespace sluice::transform
