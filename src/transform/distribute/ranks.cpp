#include "transform/distribute/ranks.h"

#include <algorithm>

#include "analysis/legality/within.h"
#include "analysis/propagate.h"
#include "analysis/symbols.h"
#include "ir/builder.h"
#include "ir/messages.h"
#include "ir/port.h"
#include "ir/walk.h"
#include "rewrite/device_copy.h"
#include "rewrite/edit.h"
#include "support/diagnostic.h"
#include "transform/map/boundary.h"
#include "transform/map/map.h"
#include "transform/reduce/identity.h"

namespace sluice::transform {

namespace {

using ir::EdgeId;
using ir::NodeId;
using symbolic::Expr;
using symbolic::Range;
using symbolic::Subset;

/// Points of each rank but for the last ones.
Expr length_of_share(const Range& all) {
    return symbolic::maximum(1, symbolic::ceil_divide(symbolic::count(all), symbolic::symbol(ir::kRanks)));
}

/// What the points with the first parameter in `share` touch at most; nullopt: not known. `subset` is what one point touches.
std::optional<Subset> part_for_rank(const ir::MapEntry& map, Subset subset, const Range& share,
                                    const symbolic::Assumptions& known) {
    for (std::size_t at = map.params.size(); at-- > 0;)
        subset = symbolic::image_over(subset, map.params[at], at == 0 ? share : map.range.dims[at], known).subset;
    const std::set<std::string> names = symbolic::free_symbols(subset);
    if (std::ranges::any_of(map.params, [&](const std::string& one) { return names.contains(one); })) return std::nullopt;
    return subset;
}

/// Are the elements that a share and a later one touch through these edges apart?
bool are_apart(const ir::MapEntry& map, const std::string& data, const Subset& one, const Subset& other,
               const symbolic::Assumptions& inside) {
    const Range& all = map.range.dims.front();
    symbolic::Assumptions known = inside;
    std::vector<Expr> bounds;
    for (const char* name : {"first__rank", "end__rank", "later__rank", "last__rank"}) {
        known.assume_any(name);
        bounds.push_back(symbolic::symbol(name));
    }
    known.assume(symbolic::less_equal(all.begin, bounds[0]));
    known.assume(symbolic::less(bounds[0], bounds[1]));
    known.assume(symbolic::less_equal(bounds[1], bounds[2]));
    known.assume(symbolic::less(bounds[2], bounds[3]));
    known.assume(symbolic::less_equal(bounds[3], all.end));
    const Range first{bounds[0], bounds[1], all.step, all.tile}, later{bounds[2], bounds[3], all.step, all.tile};
    const auto apart = [&](const Subset& a, const Subset& b) {
        const auto of_first = part_for_rank(map, a, first, known), of_later = part_for_rank(map, b, later, known);
        return of_first && of_later && analysis::lies_apart(*of_first, *of_later, data, known).yes();
    };
    return apart(one, other) && apart(other, one);
}

bool is_message_type(const ir::Container& container) {
    const code::DType& type = container.dtype;
    return type.is_scalar() && type.scalar != code::Scalar::Float16 && !std::holds_alternative<ir::Stream>(container.kind) &&
           container.binding == ir::Binding::Own;
}

symbolic::Assumptions inside_of(const ir::MapEntry& map, symbolic::Assumptions known) {
    for (std::size_t at = 0; at < map.params.size(); ++at)
        known.assume_in(map.params[at], map.range.dims[at].begin, map.range.dims[at].end);
    return known;
}

class Sharing {
public:
    Sharing(const ir::Sdfg& sdfg, const ir::State& state, NodeId entry, const symbolic::Assumptions& known)
        : sdfg_(sdfg),
          state_(state),
          entry_(entry),
          map_(std::get<ir::MapEntry>(state.nodes[entry].kind)),
          adjacency_(state),
          scopes_(state, adjacency_),
          inside_(inside_of(map_, known)) {}

    std::variant<std::vector<Exchange>, NoShare> exchanges() const {
        if (scopes_.parent(entry_).valid()) return NoShare{"R1", "the map is inside of another scope"};
        const Range& first = map_.range.dims.front();
        if (has_dynamic_range(state_.nodes[entry_])) return NoShare{"R3", "the range is read from data"};
        if (!is_yes(symbolic::decide(symbolic::less_equal(1, first.step), inside_)))
            return NoShare{"R3", "the step " + symbolic::to_string(first.step) + " is not known to be positive"};
        std::vector<Exchange> all;
        const NodeId exit = scopes_.exit_of(entry_);
        for (const EdgeId id : adjacency_.out(exit)) {
            if (state_.edges[id].memlet.empty()) continue;
            Exchange exchange{.outer = id, .inner = {}};
            if (auto no = complete(exchange)) return *std::move(no);
            all.push_back(std::move(exchange));
        }
        if (auto no = mixture(all)) return *std::move(no);
        return all;
    }

private:
    const Subset* point_at(EdgeId inner) const {
        const ir::Memlet& memlet = state_.edges[inner].memlet;
        return memlet.subset ? &*memlet.subset : nullptr;
    }

    std::optional<NoShare> complete(Exchange& exchange) const {
        const ir::Edge& outer = state_.edges[exchange.outer];
        const auto* access = std::get_if<ir::Access>(&state_.nodes[outer.dst].kind);
        const ir::Container* container = access ? sdfg_.containers.find(access->data) : nullptr;
        if (!container || outer.memlet.data != access->data || !is_message_type(*container))
            return NoShare{"R4", "`" + outer.memlet.data + "` is no array of numbers that messages move"};
        if (auto no = others_in_the_way(outer.dst, access->data)) return no;
        const std::string inside = ir::across(outer.src_connector);
        for (const EdgeId id : adjacency_.in(outer.src))
            if (state_.edges[id].dst_connector == inside) exchange.inner.push_back(id);
        for (const EdgeId id : exchange.inner)
            if (state_.edges[id].memlet.data != access->data || !point_at(id))
                return NoShare{"R4", "what the points write of `" + access->data + "` is not known"};
        return std::nullopt;
    }

    /// Whoever writes the container in this state does so before the map or behind its messages.
    std::optional<NoShare> others_in_the_way(NodeId target, const std::string& name) const {
        for (const auto& [id, node] : state_.nodes) {
            const auto* access = std::get_if<ir::Access>(&node.kind);
            if (!access || id == target || scopes_.encloses(entry_, id) || adjacency_.in(id).empty()) continue;
            if (!may_overlap(sdfg_, access->data, name)) continue;
            const bool fed =
                std::ranges::any_of(adjacency_.in(id), [&](EdgeId e) { return state_.edges[e].src == scopes_.exit_of(entry_); });
            if (fed || (!reaches(state_, adjacency_, id, entry_) && !reaches(state_, adjacency_, target, id)))
                return NoShare{"R5", "another part of the state writes `" + name + "`, neither before nor after"};
        }
        return std::nullopt;
    }

    /// Ranks bring elements of their own, or combine what all of them have updated.
    std::optional<NoShare> mixture(std::vector<Exchange>& all) const {
        for (Exchange& exchange : all) {
            const std::string& name = state_.edges[exchange.outer].memlet.data;
            std::vector<EdgeId> others;
            for (const Exchange& other : all)
                if (state_.edges[other.outer].memlet.data == name)
                    others.insert(others.end(), other.inner.begin(), other.inner.end());
            const bool own = std::ranges::all_of(exchange.inner, [&](EdgeId id) {
                return std::ranges::all_of(
                    others, [&](EdgeId other) { return are_apart(map_, name, *point_at(id), *point_at(other), inside_); });
            });
            if (own) continue;
            if (auto no = combination(exchange, name, others.size() == exchange.inner.size())) return no;
        }
        return std::nullopt;
    }

    std::optional<NoShare> combination(Exchange& exchange, const std::string& name, bool alone) const {
        const ir::Memlet& outer = state_.edges[exchange.outer].memlet;
        std::optional<code::ReductionType> type;
        for (const EdgeId id : exchange.inner) {
            const auto& wcr = state_.edges[id].memlet.wcr;
            const auto one = wcr ? wcr->type() : code::ReductionType::Custom;
            if (!code::is_commutative(one) || (type && *type != one) || !alone || !outer.subset)
                return NoShare{"R4", "which elements of `" + name +
                                         "` the points of one rank write, and no other, is not known, and they are not combined by "
                                         "one commutative operator"};
            type = one;
        }
        exchange.combined = type;
        exchange.identity = identity_text(*type, sdfg_.containers.at(name).dtype);
        if (exchange.identity.empty()) return NoShare{"R4", "the operator that updates `" + name + "` has no identity in its type"};
        for (const EdgeId id : adjacency_.in(entry_))
            if (may_overlap(sdfg_, state_.edges[id].memlet.data, name))
                return NoShare{"R4", "the map reads `" + name + "`, which it updates"};
        return std::nullopt;
    }

    const ir::Sdfg& sdfg_;
    const ir::State& state_;
    NodeId entry_;
    const ir::MapEntry& map_;
    ir::Adjacency adjacency_;
    analysis::ScopeTree scopes_;
    symbolic::Assumptions inside_;
};

// ---- the messages ---------------------------------------------------------------------------------------------------------

/// map r { broadcast of what rank r wrote }, in order, behind `from`.
NodeId broadcast(ir::State& state, NodeId from, const ir::MapEntry& map, const std::string& data, const Subset& point,
                 const symbolic::Assumptions& known) {
    ir::StateBuilder builder(state);
    const Range& all = map.range.dims.front();
    const Expr count = symbolic::ceil_divide(symbolic::count(all), length_of_share(all));
    const auto [entry, exit] = builder.map("ranks", {{"root__rank", Range::extent(count)}}, ir::Schedule::Sequential);
    const Expr root = symbolic::symbol("root__rank");
    const auto part = part_for_rank(map, point, share_of(all, root), inside_of(map, known));
    check(part.has_value(), "what a rank writes is no longer known");
    const NodeId message = builder.library("MPI_Bcast", "bcast", {"_buffer"}, {"_buffer"}, {{"root", root}});
    const NodeId to = builder.access(data);
    builder.memlet_path({from, entry, message}, {}, "_buffer", ir::memlet(data, *part));
    builder.memlet_path({message, exit, to}, "_buffer", {}, ir::memlet(data, *part));
    return to;
}

/// Every element of the subset is the identity; the node behind it.
NodeId begin_at_identity(ir::State& state, const std::string& data, const Subset& subset, const std::string& identity) {
    ir::StateBuilder builder(state);
    const NodeId task = builder.tasklet("identity", {}, {{"out", code::DType()}}, "out = " + identity);
    const NodeId begun = builder.access(data);
    ir::MapRanges ranges;
    std::vector<Expr> point;
    for (const Range& dim : subset.dims) {
        ranges.emplace_back("e__" + std::to_string(ranges.size()), dim);
        point.push_back(symbolic::symbol(ranges.back().first));
    }
    const ir::Memlet element = ir::memlet(data, Subset::indices(point));
    if (ranges.empty()) {
        builder.edge(task, "out", begun, {}, element);
        return begun;
    }
    const auto [entry, exit] = builder.map("identity", ranges);
    builder.edge(entry, {}, task, {}, ir::no_memlet());
    builder.memlet_path({task, exit, begun}, "out", {}, element);
    return begun;
}

constexpr std::string_view word_of(code::ReductionType type) {
    using enum code::ReductionType;
    switch (type) {
        case Sum:
            return "sum";
        case Product:
            return "product";
        case Min:
            return "min";
        case Max:
            return "max";
        case LogicalAnd:
            return "logical_and";
        case LogicalOr:
            return "logical_or";
        case LogicalXor:
            return "logical_xor";
        case BitwiseAnd:
            return "bitwise_and";
        case BitwiseOr:
            return "bitwise_or";
        case BitwiseXor:
            return "bitwise_xor";
        default:
            return "";
    }
}

/// Each rank updates a copy of its own, from the identity on; the combination of all updates the container.
void combine(ir::Sdfg& sdfg, ir::State& state, NodeId entry, const Exchange& exchange) {
    const ir::Edge outer = state.edges[exchange.outer];
    const std::string name = outer.memlet.data;
    const std::string mine = rewrite::add_device_copy(sdfg, name, "rank_", ir::Storage::Default);
    const std::string all = rewrite::add_device_copy(sdfg, name, "ranks_", ir::Storage::Default);
    const Subset& subset = *outer.memlet.subset;
    const ir::Adjacency adjacency(state);
    for (const EdgeId leaf : rewrite::memlet_leaves(state, adjacency, exchange.outer))
        for (const EdgeId edge : rewrite::memlet_path(state, adjacency, leaf))
            if (state.edges[edge].memlet.data == name) state.edges[edge].memlet.data = mine;
    ir::StateBuilder builder(state);
    builder.edge(begin_at_identity(state, mine, subset, exchange.identity), {}, entry, {}, ir::no_memlet());
    const NodeId updated = builder.access(mine), together = builder.access(all);
    state.edges[exchange.outer].dst = updated;
    const NodeId message =
        builder.library("MPI_Allreduce", "allreduce", {"_in"}, {"_out"}, {{"op", std::string(word_of(*exchange.combined))}});
    builder.edge(updated, {}, message, "_in", ir::memlet(mine, subset));
    builder.edge(message, "_out", together, {}, ir::memlet(all, subset));
    ir::Memlet update = ir::memlet(all, subset);
    update.other_subset = subset;
    update.wcr = outer.memlet.wcr;
    builder.edge(together, {}, outer.dst, outer.dst_connector, std::move(update));
}

void share(ir::Sdfg& sdfg, ir::State& state, NodeId entry, const std::vector<Exchange>& exchanges,
           const symbolic::Assumptions& known) {
    const ir::MapEntry map = std::get<ir::MapEntry>(state.nodes[entry].kind);
    for (const Exchange& exchange : exchanges) {
        if (exchange.combined) {
            combine(sdfg, state, entry, exchange);
            continue;
        }
        const ir::Edge outer = state.edges[exchange.outer];
        NodeId at = ir::StateBuilder(state).access(outer.memlet.data);
        state.edges[exchange.outer].dst = at;
        for (const EdgeId inner : exchange.inner) {
            const Subset point = *state.edges[inner].memlet.subset;
            at = broadcast(state, at, map, outer.memlet.data, point, known);
        }
        // The last of them is the node that the map wrote to.
        ir::StateBuilder builder(state);
        std::vector<EdgeId> last;
        for (auto [id, edge] : state.edges)
            if (edge.dst == at) last.push_back(id);
        for (const EdgeId id : last) state.edges[id].dst = outer.dst;
        rewrite::erase_node(state, at);
    }
    auto& shared = std::get<ir::MapEntry>(state.nodes[entry].kind);
    shared.range.dims.front() = share_of(map.range.dims.front(), symbolic::symbol(ir::kRankPlace) - 1);
    shared.schedule = ir::Schedule::Default;
}

std::vector<NodeId> maps_for_ranks(const ir::State& state) {
    std::vector<NodeId> found;
    for (const auto& [id, node] : state.nodes)
        if (const auto* map = std::get_if<ir::MapEntry>(&node.kind); map && map->schedule == ir::Schedule::MPI) found.push_back(id);
    return found;
}

[[noreturn]] void refuse(const ir::State& state, NodeId entry, const std::string& path, const std::string& why) {
    const ir::Node& node = state.nodes[entry];
    fail({.code = "L027",
          .message = "the ranks cannot share map `" + std::get<ir::MapEntry>(node.kind).label + "`: " + why,
          .where = node.metadata.where,
          .path = path + "/n" + std::to_string(entry.value),
          .remedy = "give it another schedule, with SetSchedule; MPITransform gives the schedule MPI where it can be carried out",
          .notes = {}});
}

void expect_none_inside(const ir::Sdfg& sdfg, const std::string& path, bool inside) {
    ir::for_each_state(sdfg.body, [&](const ir::State& state) {
        if (inside)
            for (const NodeId entry : maps_for_ranks(state)) refuse(state, entry, path, "it lies in a nested SDFG");
        for (const auto& [id, node] : state.nodes)
            if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind))
                expect_none_inside(*nested->sdfg, path + "/" + nested->label, true);
    });
}

}  // namespace

std::variant<std::vector<Exchange>, NoShare> exchanges_of(const ir::Sdfg& sdfg, const ir::State& state, NodeId entry,
                                                          const symbolic::Assumptions& known) {
    return Sharing(sdfg, state, entry, known).exchanges();
}

Range share_of(const Range& all, const Expr& rank) {
    const Expr length = all.step * length_of_share(all);
    const Expr begin = all.begin + length * rank;
    return {begin, symbolic::minimum(all.end, begin + length), all.step, all.tile};
}

ir::Sdfg on_ranks(ir::Sdfg sdfg) {
    expect_none_inside(sdfg, sdfg.name, false);
    bool any = false;
    ir::for_each_state(sdfg.body, [&](const ir::State& state) { any = any || !maps_for_ranks(state).empty(); });
    if (!any) return sdfg;
    const symbolic::Assumptions known = analysis::assumptions_of(sdfg);
    ir::edit_each_state(sdfg.body, [&](ir::State& state) {
        for (const NodeId entry : maps_for_ranks(state)) {
            const auto found = exchanges_of(sdfg, state, entry, known);
            if (const auto* no = std::get_if<NoShare>(&found)) refuse(state, entry, sdfg.name, no->why);
            share(sdfg, state, entry, std::get<std::vector<Exchange>>(found), known);
        }
    });
    for (const char* symbol : {ir::kRankPlace, ir::kRanks})
        if (!sdfg.symbols.contains(symbol)) ir::add_symbol(sdfg, symbol);
    analysis::propagate_memlets(sdfg);
    return sdfg;
}

}  // namespace sluice::transform
