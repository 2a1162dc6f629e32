#include "transform/data/rebase.h"

#include <algorithm>

#include "analysis/projection.h"
#include "ir/port.h"
#include "ir/query.h"
#include "ir/strides.h"

namespace sluice::transform {

using ir::EdgeId;
using ir::NodeId;
using symbolic::Assumptions;
using symbolic::Expr;
using symbolic::Range;
using symbolic::Subset;

std::optional<Placement> placement(const Subset& section, const Subset& part, const Assumptions& known) {
    const auto single = [&](const Range& range) { return symbolic::num_elements(range, known).is_integer(1); };
    Placement result{.section = section, .along = std::vector<std::optional<std::size_t>>(section.rank()), .origin = {}};
    for (const Range& range : part.dims) {
        if (!range.tile.is_integer(1) || !(single(range) || range.step.is_integer(1))) return {};
        result.origin.push_back(range.begin);
    }
    std::size_t next = 0;
    const auto skip = [&] {
        while (next < part.rank() && single(part.dims[next])) ++next;
    };
    for (std::size_t d = 0; d < section.rank(); ++d) {
        if (single(section.dims[d])) continue;
        if (!section.dims[d].tile.is_integer(1)) return {};
        skip();
        if (next == part.rank()) return {};
        const Expr apart = symbolic::count(section.dims[d], known) - symbolic::count(part.dims[next], known);
        if (!symbolic::is_yes(symbolic::decide(symbolic::equal(apart, 0), known))) return {};
        result.along[d] = next++;
    }
    skip();
    if (next != part.rank()) return {};
    return result;
}

Subset placed(const Placement& placement, const Subset& subset) {
    Subset inner;
    for (const std::optional<std::size_t>& along : placement.along) {
        Range range = Range::index(0);
        if (along) {
            range = subset.dims[*along];
            const Expr& origin = placement.origin[*along];
            range.begin = range.begin - origin;
            range.end = range.end - origin;
        }
        inner.dims.push_back(range);
    }
    Subset result;
    for (std::size_t d = 0; d < inner.rank(); ++d) {
        const Range& outer = placement.section.dims[d];
        if (inner.dims[d].is_index())
            result.dims.push_back(Range::index(outer.begin + inner.dims[d].begin * outer.step));
        else
            result.dims.push_back(symbolic::compose(Subset{{outer}}, Subset{{inner.dims[d]}}).dims[0]);
    }
    return result;
}

namespace {

/// The edge and those that carry the same data through scopes inside of it.
void inward(const ir::State& state, const ir::Adjacency& adjacency, EdgeId edge, std::vector<EdgeId>& found) {
    if (std::ranges::find(found, edge) != found.end()) return;
    found.push_back(edge);
    const ir::Edge& at = state.edges[edge];
    const ir::Node &src = state.nodes[at.src], &dst = state.nodes[at.dst];
    const bool from_exit = ir::is_exit(src);
    const bool to_entry = ir::is_entry(dst);
    if (from_exit && ir::is_port_out(at.src_connector))
        for (const EdgeId inner : adjacency.in(at.src))
            if (state.edges[inner].dst_connector == ir::across(at.src_connector)) inward(state, adjacency, inner, found);
    if (to_entry && ir::is_port_in(at.dst_connector))
        for (const EdgeId inner : adjacency.out(at.dst))
            if (state.edges[inner].src_connector == ir::across(at.dst_connector)) inward(state, adjacency, inner, found);
}

}  // namespace

std::vector<EdgeId> edges_of_access(const ir::State& state, const ir::Adjacency& adjacency, EdgeId at) {
    std::vector<EdgeId> found;
    inward(state, adjacency, at, found);
    for (const EdgeId edge : rewrite::memlet_path(state, adjacency, at))
        if (std::ranges::find(found, edge) == found.end()) found.push_back(edge);
    return found;
}

std::optional<Subset> exact_side(const ir::Sdfg& sdfg, const ir::Memlet& memlet, const std::string& container, bool source,
                                 const Assumptions& known) {
    const ir::Container* data = sdfg.containers.find(container);
    if (!data || memlet.dynamic) return {};
    const analysis::Moved moved = analysis::side_of(memlet, container, *data, source, known);
    if (!moved.exact || moved.subset.rank() != data->shape.size()) return {};
    return moved.subset;
}

bool is_packed(const ir::Container& container) {
    const auto* array = std::get_if<ir::Array>(&container.kind);
    if (!array || !array->start_offset.is_integer(0)) return false;
    if (std::ranges::any_of(array->offset, [](const Expr& offset) { return !offset.is_integer(0); })) return false;
    return ir::strides_of(container) == ir::dense_strides(container.shape);
}

}  // namespace sluice::transform
