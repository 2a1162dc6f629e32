// Vectorization: compute neighbouring points of a map in the lanes of vectors.
//     map i=b:e { y[i] = f(x[i]) }   ->   map i=b:m:W { y[i:i+W] = f(x[i:i+W]) }; map i=m:e { y[i] = f(x[i]) }
// V1 the map has the dimension; its step is a positive number, it reads no data, and no other range of the map uses its parameter.
// V2 the map holds tasklets in Python and scalars of its own between them. V3 what a point moves are plain numbers (integers,
// float32, float64), one at a time, whose places for consecutive points are the same or at a constant distance along one dimension.
// V4 the code has neither control flow nor indices and does not use the parameter. V5 points along the dimension do not conflict.
// V6 there are at least two lanes, as many points as far as is known, and with `divides_evenly` the lanes divide the extent.
// Neighbours in memory are loaded and stored as vectors. Elements further apart are collected in a buffer first and spread from one
// afterwards, and results that meet in one element are added to it lane by lane. Points that fill no vector stay in a map of
// scalars behind, unless there are known to be none.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/edge_accesses.h"
#include "analysis/legality/tile.h"
#include "analysis/legality/vectorise.h"
#include "ir/builder.h"
#include "ir/port.h"
#include "transform/map/vector_plan.h"

namespace sluice::transform {

namespace {

using ir::EdgeId;
using ir::NodeId;
using rewrite::Refusal;
using symbolic::Expr;

/// Negative indices count from the end, as in Python.
std::optional<std::size_t> dimension_of(const rewrite::Site& site) {
    const auto rank = static_cast<std::int64_t>(site.get<ir::MapEntry>("map").params.size());
    const std::int64_t index = site.integer("dim_idx"), at = index < 0 ? index + rank : index;
    return at >= 0 && at < rank ? std::optional(static_cast<std::size_t>(at)) : std::nullopt;
}

/// Is every vector full?
analysis::Verdict vectors_full(const rewrite::Site& site, const symbolic::Range& range) {
    return analysis::tiles_full(range, site.integer("vector_len"), known_around(site, site.node("map")));
}

std::optional<Refusal> check_range(const rewrite::Site& site) {
    const NodeId id = site.node("map");
    const auto& map = site.get<ir::MapEntry>("map");
    const auto dimension = dimension_of(site);
    if (!dimension)
        return Refusal{.code = "V1", .why = "the map has " + std::to_string(map.params.size()) + " dimensions", .nodes = {id}};
    const symbolic::Range& range = map.range.dims[*dimension];
    if (has_dynamic_range(site.state().nodes[id]))
        return Refusal{.code = "V1", .why = "the range is read from data", .nodes = {id}};
    if (!range.step.constant() || *range.step.constant() < 1 || !range.tile.is_integer(1))
        return Refusal{
            .code = "V1", .why = "the step of `" + symbolic::to_string(range) + "` is not a positive number", .nodes = {id}};
    for (const symbolic::Range& other : map.range.dims)
        if (symbolic::free_symbols(other).contains(map.params[*dimension]))
            return Refusal{.code = "V1",
                           .why = "the range `" + symbolic::to_string(other) + "` uses the parameter " + map.params[*dimension],
                           .nodes = {id}};
    return {};
}

struct Vectors {
    std::size_t dimension;
    bool full;  ///< No point is left that fills no vector.
    VectorPlan contents;
};

rewrite::Planned<Vectors> plan_vectorization(const rewrite::Site& site) {
    const NodeId id = site.node("map");
    if (auto refusal = check_range(site)) return std::move(*refusal);
    const std::int64_t lanes = site.integer("vector_len");
    if (lanes < 2 || lanes > 1024)
        return Refusal{.code = "V6", .why = "a vector of " + std::to_string(lanes) + " lanes cannot be made", .nodes = {id}};
    const std::size_t dimension = *dimension_of(site);
    const auto& map = site.get<ir::MapEntry>("map");
    const Expr points = symbolic::count(map.range.dims[dimension], known_around(site, id));
    if (symbolic::is_no(symbolic::decide(symbolic::less_equal(lanes, points), known_around(site, id))))
        return Refusal{
            .code = "V6", .why = fmt::format("{} points fill no vector of {}", symbolic::to_string(points), lanes), .nodes = {id}};
    const bool even = site.flag("divides_evenly");
    const analysis::Verdict full = vectors_full(site, map.range.dims[dimension]);
    if (even && !full.yes())
        if (auto refusal = site.unless_assumed({.code = "V6", .why = full.why, .nodes = {id}})) return std::move(*refusal);
    auto plan = plan_vectors(site.sdfg(), site.state(), site.view(), id, dimension);
    if (auto* refusal = std::get_if<Refusal>(&plan)) return std::move(*refusal);
    const analysis::Verdict verdict = analysis::map_vectorisable(site.sdfg(), site.state(), id, dimension, site.assumptions());
    if (!verdict.yes()) {
        Refusal conflict{.code = "V5", .why = verdict.why, .nodes = {id}};
        if (verdict.witness) conflict.notes.push_back({analysis::to_string(*verdict.witness), {}});
        if (auto refusal = site.unless_assumed(std::move(conflict))) return std::move(*refusal);
    }
    return Vectors{dimension, even || full.yes(), std::get<VectorPlan>(std::move(plan))};
}

/// Makes the contents of the map compute in vectors of `lanes`.
class Widening {
public:
    Widening(ir::Sdfg& sdfg, ir::State& state, const VectorPlan& plan, std::int64_t lanes)
        : sdfg_(sdfg), state_(state), plan_(plan), lanes_(lanes) {}

    void run() {
        for (const auto& [id, access] : plan_.moved) {
            const bool writes = state_.edges[id].dst == plan_.exit;
            if (access.kind == LaneAccess::Kind::Neighbours)
                state_.edges[id].memlet.subset = elements(*state_.edges[id].memlet.subset, access);
            else if (writes)
                spread(id, access);
            else if (access.kind == LaneAccess::Kind::Apart)
                collect(id, access);
            if (writes || access.kind != LaneAccess::Kind::Same) state_.edges[id].memlet.volume = lanes_;
        }
        for (const std::string& name : plan_.wide_scalars) {
            code::DType& type = sdfg_.containers.find(name)->dtype;
            type = code::DType(type.scalar, static_cast<std::uint32_t>(lanes_));
        }
        widen_connectors();
    }

private:
    symbolic::Subset elements(symbolic::Subset subset, const LaneAccess& access) const {
        symbolic::Range& range = subset.dims[access.dimension];
        range = {range.begin, range.begin + access.distance * (lanes_ - 1) + 1, access.distance, 1};
        return subset;
    }
    symbolic::Subset all_lanes() const { return symbolic::Subset::extents({Expr(lanes_)}); }

    NodeId buffer(const std::string& data) {
        const std::string name = rewrite::fresh_symbol(sdfg_, data + "_lanes");
        ir::Container& made = ir::add_transient(sdfg_, name, analysis::container_at(sdfg_, data).dtype, {Expr(lanes_)});
        made.storage = ir::Storage::Register;
        return state_.nodes.add({.kind = ir::Access{.data = name}, .in = {}, .out = {}, .metadata = {}});
    }
    ir::Memlet whole(NodeId buffer) const {
        ir::Memlet memlet = ir::no_memlet();
        memlet.data = std::get<ir::Access>(state_.nodes[buffer].kind).data;
        memlet.subset = all_lanes();
        memlet.volume = lanes_;
        return memlet;
    }
    ir::Memlet copied(const ir::Memlet& of, const LaneAccess& access) const {
        ir::Memlet memlet = of;
        memlet.subset = elements(*of.subset, access);
        memlet.other_subset = all_lanes();
        memlet.volume = lanes_;
        return memlet;
    }

    /// Elements apart from each other into a buffer, and from there into the vector.
    void collect(EdgeId id, const LaneAccess& access) {
        const NodeId at = buffer(state_.edges[id].memlet.data);
        ir::Edge& edge = state_.edges[id];
        ir::Edge load{at, "", edge.dst, edge.dst_connector, whole(at)};
        edge.memlet = copied(edge.memlet, access);
        edge.dst = at;
        edge.dst_connector.clear();
        state_.edges.add(std::move(load));
    }

    /// The vector into a buffer, and from there to elements apart from each other, or to the one that each lane updates.
    void spread(EdgeId id, const LaneAccess& access) {
        const NodeId at = buffer(state_.edges[id].memlet.data);
        ir::Edge out = state_.edges[id];
        state_.edges[id] = {out.src, out.src_connector, at, "", whole(at)};
        out.src = at;
        out.src_connector.clear();
        if (!out.memlet.wcr) {
            out.memlet = copied(out.memlet, access);
            state_.edges.add(std::move(out));
        } else {
            update(at, out, access);
        }
    }

    /// map lane=0:W { element (+)= buffer[lane] }
    void update(NodeId from, const ir::Edge& out, const LaneAccess& access) {
        const std::string param = rewrite::fresh_symbol(sdfg_, "lane");
        const Expr lane = symbolic::symbol(param);
        ir::StateBuilder builder(state_);
        const auto [entry, exit] = builder.map(out.memlet.data + "_lanes", {{param, symbolic::Range::extent(lanes_)}});
        std::get<ir::MapEntry>(state_.nodes[entry].kind).schedule = ir::Schedule::Sequential;
        const NodeId add = builder.tasklet("update_" + out.memlet.data, {{"value", {}}}, {{"result", {}}}, "result = value");
        ir::Memlet load = whole(from), store = out.memlet;
        load.subset = symbolic::Subset::indices({lane});
        load.volume = 1;
        if (access.kind == LaneAccess::Kind::Apart) {
            const Expr index = store.subset->dims[access.dimension].begin + access.distance * lane;
            store.subset->dims[access.dimension] = symbolic::Range::index(index);
        }
        builder.memlet_path({from, entry, add}, "", "value", load);
        const std::string x = rewrite::add_passing_connector(state_.nodes[exit], store.data);
        state_.edges.add({add, "result", exit, ir::port_in(x), store});
        state_.edges.add({exit, ir::port_out(x), out.dst, out.dst_connector, store});
    }

    void widen(code::DType& type, const code::DType& otherwise) const {
        if (type.is_void()) type = otherwise;
        if (!type.is_void()) type = code::DType(type.scalar, static_cast<std::uint32_t>(lanes_));
    }
    /// The type of what moves along the edge; void between two tasklets.
    code::DType moved(const ir::Edge& edge) const {
        return edge.memlet.empty() ? code::DType() : code::DType(analysis::container_at(sdfg_, edge.memlet.data).dtype.scalar);
    }
    void widen_connectors() {
        for (const auto& [id, edge] : state_.edges) {
            const auto access = plan_.moved.find(id);
            const bool same = access != plan_.moved.end() && access->second.kind == LaneAccess::Kind::Same;
            if (plan_.wide.contains(edge.src) && !edge.src_connector.empty())
                widen(state_.nodes[edge.src].out.at(edge.src_connector), moved(edge));
            if (!plan_.wide.contains(edge.dst) || edge.dst_connector.empty() || (same && edge.src == plan_.entry)) continue;
            const auto* scalar = std::get_if<ir::Access>(&state_.nodes[edge.src].kind);
            const bool narrow = scalar && !plan_.wide_scalars.contains(scalar->data) &&
                                std::holds_alternative<ir::Scalar>(analysis::container_at(sdfg_, scalar->data).kind);
            const bool from_narrow_code =
                std::holds_alternative<ir::Tasklet>(state_.nodes[edge.src].kind) && !plan_.wide.contains(edge.src);
            if (!narrow && !from_narrow_code) widen(state_.nodes[edge.dst].in.at(edge.dst_connector), moved(edge));
        }
    }

    ir::Sdfg& sdfg_;
    ir::State& state_;
    const VectorPlan& plan_;
    const std::int64_t lanes_;
};

void apply_vectorization(rewrite::Draft& draft, const Vectors& plan) {
    const rewrite::Site& site = draft.before();
    const NodeId entry = draft.node("map");
    const std::int64_t lanes = site.integer("vector_len");
    const symbolic::Range range = site.get<ir::MapEntry>("map").range.dims[plan.dimension];
    ir::State& state = draft.state();
    symbolic::Range vectors = range;
    vectors.step = range.step * Expr(lanes);
    if (!plan.full) {
        const Expr whole = symbolic::floor_divide(symbolic::count(range, known_around(site, entry)), lanes);
        vectors.end = range.begin + whole * vectors.step;
        const auto copies = copy_scope(draft.sdfg(), state, scope_nodes(site.view().scopes, entry),
                                       private_transients(site.sdfg(), site.state(), site.view(), entry));
        auto& rest = std::get<ir::MapEntry>(state.nodes[copies.at(entry)].kind);
        rest.range.dims[plan.dimension].begin = vectors.end;
        rest.label += "_rest";
    }
    std::get<ir::MapEntry>(state.nodes[entry].kind).range.dims[plan.dimension] = vectors;
    Widening(draft.sdfg(), state, plan.contents, lanes).run();
}

}  // namespace

rewrite::Transformation vectorization() {
    return rewrite::transformation(
        {.name = "Vectorization",
         .summary = "Computes neighbouring points of a map in the lanes of vectors.",
         .drawing = "map i=b:e { y[i] = f(x[i]) }   ->   map i=b:m:W { y[i:i+W] = f(x[i:i+W]) }; map i=m:e { ... }",
         .decided_by = {.predicates = {"map_vectorisable", "tiles_full"}},
         .patterns = {{.nodes = {{"map", rewrite::kind::map_entry}}, .edges = {}}},
         .conditions = {{"V1", "the range of the dimension has a positive number as its step and stands alone"},
                        {"V2", "the map holds tasklets in Python, and scalars of its own between them"},
                        {"V3", "a point moves single numbers, from point to point at a constant distance"},
                        {"V4", "the code has neither control flow nor indices, and no parameter"},
                        {"V5", "points along the dimension do not conflict"},
                        {"V6",
                         "there are at least two lanes, and points for one vector; with divides_evenly, they divide the extent"}},
         .parameters = {{"vector_len", std::int64_t{4}, "Lanes of a vector."},
                        {"dim_idx", std::int64_t{-1}, "Which dimension; negative numbers count from the last."},
                        {"divides_evenly", false, "There is no rest: every vector is full."}}},
        plan_vectorization, apply_vectorization);
}

}  // namespace sluice::transform
