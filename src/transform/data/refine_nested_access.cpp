// RefineNestedAccess: pass a nested SDFG the part of an array that it touches.
//     A -A[0:N, 0:N]-> nested { a[k, 0:N] }   ->   A -A[k, 0:N]-> nested { a[0, 0:N] }
// N1 an argument is touched in a part of its elements only, which symbols of the caller describe. N2 it is an aligned part of the
// container it is connected to: its dimensions run along dimensions of that one by the same strides. N3 the part lies within the
// argument whatever happens, whether it is touched or not. N4 memlets inside say which elements they move, nested SDFGs inside get
// no more than the part, and no expression reads the argument.
// Strides stay what they were; indices inside count from the begin of the part.
#include <algorithm>

#include "analysis/access_sets.h"
#include "analysis/legality/within.h"
#include "analysis/nesting.h"
#include "analysis/projection.h"
#include "analysis/symbols.h"
#include "ir/strides.h"
#include "ir/walk.h"
#include "transform/data/rebase.h"

namespace sluice::transform {

namespace {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;
using symbolic::Expr;
using symbolic::Range;
using symbolic::Subset;

struct Refined {
    std::string connector;
    Subset part;                                   ///< Of the argument, in inner terms.
    std::vector<std::pair<EdgeId, Subset>> outer;  ///< What the edges of the call carry instead.
};

Refusal refuse(const rewrite::Site& site, std::string code, std::string why) {
    return {.code = std::move(code), .why = std::move(why), .nodes = {site.node("nested")}};
}

symbolic::Assumptions inside_of(const rewrite::Site& site) {
    return analysis::assumptions_inside(site.get<ir::NestedSdfg>("nested"),
                                        site.assumptions(site.view().scopes.parent(site.node("nested"))));
}

/// The extents of an argument that is the part: none is negative.
std::vector<Expr> extents_of(const Subset& part, const symbolic::Assumptions& known) {
    std::vector<Expr> extents;
    for (const Range& range : part.dims) {
        const Expr extent = range.end - range.begin;
        const bool some = symbolic::is_yes(symbolic::decide(symbolic::less_equal(0, extent), known));
        extents.push_back(some ? extent : symbolic::maximum(0, extent));
    }
    return extents;
}

/// What is touched of the argument, as a box; nothing where that is all of it or not known in the caller's symbols.
std::optional<Subset> touched(const ir::NestedSdfg& nested, const analysis::Accesses& accesses, const std::string& name,
                              const symbolic::Assumptions& known) {
    const ir::Container& container = nested.sdfg->containers.at(name);
    std::optional<Subset> all;
    for (const auto* sets : {&accesses.reads, &accesses.writes}) {
        const auto at = sets->find(name);
        if (at == sets->end()) continue;
        all = all ? symbolic::hull_union(*all, at->second.subset, known) : at->second.subset;
    }
    if (!all || all->rank() != container.shape.size()) return {};
    for (Range& range : all->dims)
        if (!range.is_index()) range = {symbolic::min_index(range), symbolic::max_index(range) + 1, 1, 1};
    const bool at_origin = std::ranges::all_of(all->dims, [](const Range& range) { return range.begin.is_integer(0); });
    if (*all == analysis::whole(container) || (at_origin && extents_of(*all, known) == container.shape)) return {};
    for (const std::string& symbol : symbolic::free_symbols(*all))
        if (!nested.symbol_mapping.contains(symbol)) return {};
    return all;
}

/// The edge's side at the argument, as the part of the container that the refined argument is.
std::variant<Subset, Refusal> outside(const rewrite::Site& site, EdgeId id, const std::string& name, bool reading,
                                      const Subset& part) {
    const auto& nested = site.get<ir::NestedSdfg>("nested");
    const ir::Memlet& memlet = site.state().edges[id].memlet;
    const ir::Container* outer = site.sdfg().containers.find(memlet.data);
    const symbolic::Assumptions known = site.assumptions(site.view().scopes.parent(site.node("nested")));
    const ir::Container& inner = nested.sdfg->containers.at(name);
    const auto section = outer ? exact_side(site.sdfg(), memlet, memlet.data, reading, known) : std::nullopt;
    const symbolic::Substitution mapping(nested.symbol_mapping.begin(), nested.symbol_mapping.end());
    const Subset whole = symbolic::substitute(analysis::whole(inner), mapping);
    const auto place = section ? placement(*section, whole, known) : std::nullopt;
    if (!place) return refuse(site, "N2", name + " is no aligned part of " + memlet.data);
    const std::vector<Expr> outer_strides = ir::strides_of(*outer), inner_strides = ir::strides_of(inner);
    for (std::size_t d = 0; d < place->along.size(); ++d)
        if (const auto k = place->along[d];
            k && !(outer_strides[d] * section->dims[d].step == symbolic::substitute(inner_strides[*k], mapping)))
            return refuse(site, "N2", name + " walks through " + memlet.data + " by other strides");
    const Subset result = placed(*place, symbolic::substitute(part, mapping));
    const bool same_size = symbolic::is_yes(symbolic::decide(
        symbolic::equal(symbolic::num_elements(result, known), symbolic::substitute(symbolic::num_elements(part), mapping)),
        known));
    if (same_size && symbolic::is_yes(symbolic::covers(*section, result, known))) return result;
    const analysis::Verdict within = analysis::lies_within(part, analysis::whole(inner), name, inside_of(site));
    if (within.yes()) return result;
    if (auto refusal = site.unless_assumed(refuse(site, "N3", within.why + ", where it is not touched"))) return *refusal;
    return result;
}

/// N4: nested SDFGs inside are not handed more than the part, and nothing names elements beyond it, not even where it never runs.
bool says_elements(const ir::Sdfg& inner, const std::string& name, const Subset& part, const symbolic::Assumptions& known) {
    if (rewrite::used_in_control(inner, name)) return false;
    bool said = true;
    ir::for_each_state(inner.body, [&](const ir::State& state) {
        const ir::Adjacency adjacency(state);
        for (const auto& [id, node] : state.nodes) {
            const auto* access = std::get_if<ir::Access>(&node.kind);
            if (!access || access->data != name) continue;
            if (access->setzero) said = false;
            for (const bool in : {true, false})
                for (const EdgeId at : in ? adjacency.in(id) : adjacency.out(id))
                    for (const EdgeId edge : edges_of_access(state, adjacency, at)) {
                        const ir::Memlet& memlet = state.edges[edge].memlet;
                        const std::vector<EdgeId> path = rewrite::memlet_path(state, adjacency, edge);
                        const NodeId far = in ? state.edges[path.front()].src : state.edges[path.back()].dst;
                        const auto* other = std::get_if<ir::Access>(&state.nodes[far].kind);
                        if (other && other->data == name) said = false;
                        const auto& subset = memlet.data == name ? memlet.subset : memlet.other_subset;
                        if (!memlet.empty() && !subset) said = false;
                        if (!subset) continue;
                        const auto within = symbolic::covers(part, *subset, known);
                        const bool nested = std::holds_alternative<ir::NestedSdfg>(state.nodes[far].kind);
                        if (nested ? !symbolic::is_yes(within) : symbolic::is_no(within)) said = false;
                    }
        }
    });
    return said;
}

rewrite::Planned<Refined> plan_refine_nested_access(const rewrite::Site& site) {
    const NodeId id = site.node("nested");
    const auto& nested = site.get<ir::NestedSdfg>("nested");
    const symbolic::Assumptions inside = inside_of(site);
    const analysis::Accesses accesses = analysis::accesses_of(*nested.sdfg, inside);
    const std::string& wanted = site.text("argument");
    std::optional<Refusal> refusal;
    const auto against = [&](std::string code, std::string why) {
        if (!refusal) refusal = refuse(site, std::move(code), std::move(why));
    };
    for (const auto& [name, container] : nested.sdfg->containers) {
        if (container.transient || !std::holds_alternative<ir::Array>(container.kind) || (!wanted.empty() && name != wanted))
            continue;
        const auto part = touched(nested, accesses, name, inside);
        if (!part) continue;
        if (!says_elements(*nested.sdfg, name, *part, inside)) {
            against("N4", "something inside does not say which elements of " + name + " it uses");
            continue;
        }
        Refined refined{.connector = name, .part = *part, .outer = {}};
        bool aligned = true;
        for (const bool reading : {true, false})
            for (const EdgeId edge : reading ? site.view().adjacency.in(id) : site.view().adjacency.out(id)) {
                const ir::Edge& e = site.state().edges[edge];
                if ((reading ? e.dst_connector : e.src_connector) != name || e.memlet.empty()) continue;
                auto subset = outside(site, edge, name, reading, *part);
                if (auto* found = std::get_if<Refusal>(&subset)) {
                    against(found->code, found->why);
                    aligned = false;
                } else {
                    refined.outer.emplace_back(edge, std::get<Subset>(std::move(subset)));
                }
            }
        if (aligned) return refined;
    }
    against("N1", "every argument is touched as a whole, or in a part that the caller cannot describe");
    return *refusal;
}

void rebase_inside(ir::Sdfg& inner, const std::string& name, const Subset& part) {
    std::vector<Expr> by;
    for (const Range& range : part.dims) by.push_back(-range.begin);
    ir::edit_each_state(inner.body, [&](ir::State& state) {
        const ir::Adjacency adjacency(state);
        std::set<EdgeId> edges;
        for (const auto& [id, node] : state.nodes)
            if (const auto* access = std::get_if<ir::Access>(&node.kind); access && access->data == name)
                for (const bool in : {true, false})
                    for (const EdgeId at : in ? adjacency.in(id) : adjacency.out(id))
                        for (const EdgeId edge : edges_of_access(state, adjacency, at)) edges.insert(edge);
        for (const EdgeId id : edges) {
            ir::Memlet& memlet = state.edges[id].memlet;
            if (memlet.empty()) continue;
            std::optional<Subset>& side = memlet.data == name ? memlet.subset : memlet.other_subset;
            side = symbolic::offset_by(*side, by);
        }
    });
}

void apply_refine_nested_access(rewrite::Draft& draft, const Refined& refined) {
    const symbolic::Assumptions inside = inside_of(draft.before());
    ir::Sdfg& inner = draft.get<ir::NestedSdfg>("nested").sdfg.edit();
    rebase_inside(inner, refined.connector, refined.part);
    ir::Container& container = inner.containers.at(refined.connector);
    const std::vector<Expr> strides = ir::strides_of(container);
    auto& layout = std::get<ir::Array>(container.kind);
    layout.strides = strides;
    layout.offset.clear();
    layout.total_size = 0;
    container.shape = extents_of(refined.part, inside);
    if (is_packed(container)) layout.strides.clear();
    for (const auto& [id, subset] : refined.outer) {
        ir::Memlet& memlet = draft.state().edges[id].memlet;
        memlet.subset = subset;
        memlet.volume = symbolic::num_elements(subset);
    }
}

}  // namespace

rewrite::Transformation refine_nested_access() {
    return rewrite::transformation(
        {.name = "RefineNestedAccess",
         .summary = "Passes a nested SDFG the part of an array that it touches.",
         .drawing = "A -A[0:N, 0:N]-> nested { a[k, 0:N] }   ->   A -A[k, 0:N]-> nested { a[0, 0:N] }",
         .decided_by = {.predicates = {"lies_within"}},
         .patterns = {{.nodes = {{"nested", rewrite::kind::nested_sdfg}}, .edges = {}}},
         .conditions = {{"N1", "an argument is touched in a part that symbols of the caller describe"},
                        {"N2", "it is an aligned part of the container it is connected to"},
                        {"N3", "the part lies within the argument whatever happens"},
                        {"N4", "memlets inside say which elements they move, and no expression reads the argument"}},
         .parameters = {{"argument", std::string(), "The connector; empty: the first one that can be refined."}},
         .simplifies = true},
        plan_refine_nested_access, apply_refine_nested_access);
}

}  // namespace sluice::transform
