#include "analysis/projection.h"
#include "ir/port.h"

#include <algorithm>

namespace sluice::analysis {

using symbolic::Assumptions;
using symbolic::Expr;
using symbolic::Range;
using symbolic::Subset;

Binder binder_of(const ir::Node& entry) {
    Binder binder;
    if (const auto* map = std::get_if<ir::MapEntry>(&entry.kind)) {
        for (std::size_t at = 0; at < map->params.size() && at < map->range.rank(); ++at)
            binder.parameters.emplace_back(map->params[at], map->range.dims[at]);
    } else if (const auto* consume = std::get_if<ir::ConsumeEntry>(&entry.kind)) {
        binder.parameters.emplace_back(consume->pe_index, Range::extent(consume->num_pes));
        binder.repeats_unknown = true;
    } else {
        return binder;
    }
    for (const auto& [connector, type] : entry.in)
        if (!ir::is_port_in(connector)) binder.data_dependent.insert(connector);
    return binder;
}

namespace {

const std::vector<Expr>* offset_of(const ir::Container& container) {
    if (const auto* array = std::get_if<ir::Array>(&container.kind)) return &array->offset;
    if (const auto* stream = std::get_if<ir::Stream>(&container.kind)) return &stream->offset;
    return nullptr;
}

}  // namespace

Range whole_dimension(const ir::Container& container, std::size_t dimension) {
    if (dimension >= container.shape.size()) return Range::index(0);
    const std::vector<Expr>* offset = offset_of(container);
    const Expr begin = offset && dimension < offset->size() ? -(*offset)[dimension] : Expr(0);
    return {begin, begin + container.shape[dimension], 1, 1};
}

Subset whole(const ir::Container& container) {
    Subset subset;
    for (std::size_t d = 0; d < container.shape.size(); ++d) subset.dims.push_back(whole_dimension(container, d));
    return subset;
}

namespace {

/// Is a least or greatest of several values, which no difference makes a constant, among what the parameter changes?
bool has_extremum_of(const Expr& e, const std::string& parameter) {
    if (!symbolic::depends_on(e, parameter)) return false;
    if (e.kind() == symbolic::Kind::Minimum || e.kind() == symbolic::Kind::Maximum) return true;
    return std::ranges::any_of(e.operands(), [&](const Expr& part) { return has_extremum_of(part, parameter); });
}

}  // namespace

std::optional<Expr> sum_over(const Expr& value, const std::string& parameter, const Range& range, const Assumptions& known) {
    const Expr times = symbolic::count(range, known);
    if (!symbolic::depends_on(value, parameter)) return value * times;
    if (has_extremum_of(value, parameter)) return std::nullopt;
    // Newton's forward differences: sum_{t<n} f(t) = sum_k C(n, k + 1) * (D^k f)(0), which ends when a difference vanishes.
    constexpr int kMostDegree = 4;
    Expr difference = value, total = 0, choose = times;
    for (int k = 0; k <= kMostDegree; ++k) {
        total = total + choose * symbolic::substitute(difference, {{parameter, range.begin}});
        difference = symbolic::substitute(difference, {{parameter, symbolic::symbol(parameter) + range.step}}) - difference;
        if (difference.is_integer(0)) return total;
        choose = symbolic::true_divide(choose * (times - (k + 1)), k + 2);
    }
    return std::nullopt;
}

namespace {

/// Bounds beyond this many alternatives tell a reader nothing and cost time at every further union.
constexpr std::size_t kMostAlternatives = 4;

bool unwieldy(const Expr& e) {
    if ((e.kind() == symbolic::Kind::Minimum || e.kind() == symbolic::Kind::Maximum) && e.operands().size() > kMostAlternatives)
        return true;
    return std::ranges::any_of(e.operands(), [](const Expr& part) { return unwieldy(part); });
}
bool unwieldy(const Range& range) {
    return unwieldy(range.begin) || unwieldy(range.end);
}

template <class Condition> bool widen_where(Subset& subset, const ir::Container& container, Condition&& condition) {
    bool widened = false;
    for (std::size_t d = 0; d < subset.rank(); ++d) {
        if (!condition(subset.dims[d])) continue;
        subset.dims[d] = whole_dimension(container, d);
        widened = true;
    }
    return widened;
}

/// No element lies outside of the container: a bound that is surely too wide comes from the estimate alone.
void clamp(Subset& subset, const ir::Container& container, const Assumptions& known) {
    // Where nothing runs all comparisons hold, and nothing is said.
    const auto below = [&](const Expr& a, const Expr& b) {
        return symbolic::is_yes(symbolic::decide(symbolic::less(a, b), known)) &&
               !symbolic::is_yes(symbolic::decide(symbolic::less(b, a), known));
    };
    for (std::size_t d = 0; d < subset.rank() && d < container.shape.size(); ++d) {
        const Range all = whole_dimension(container, d);
        Range& range = subset.dims[d];
        if (!range.step.is_integer(1) || !range.tile.is_integer(1)) continue;
        if (below(range.begin, all.begin)) range.begin = all.begin;
        if (below(all.end, range.end)) range.end = all.end;
    }
}

bool depends_on(const Range& range, const std::string& name) {
    return symbolic::depends_on(range.begin, name) || symbolic::depends_on(range.end, name) ||
           symbolic::depends_on(range.step, name) || symbolic::depends_on(range.tile, name);
}

void leave_parameter(Moved& moved, const std::string& name, const Range& range, const ir::Container& container,
                     const Assumptions& known) {
    const auto varies = [&](const Range& dim) { return depends_on(dim, name); };
    if (std::ranges::any_of(moved.subset.dims, varies)) {
        symbolic::Image image = symbolic::image_over(moved.subset, name, range, known);
        moved.subset = std::move(image.subset);
        moved.exact &= image.exact;
        if (widen_where(moved.subset, container, varies)) moved.exact = false;
        if (!image.exact) clamp(moved.subset, container, known);
    } else if (!symbolic::is_yes(symbolic::decide(symbolic::less(0, symbolic::count(range, known)), known))) {
        moved.exact = false;  // An empty range would touch nothing.
    }
    if (moved.dynamic && moved.volume.is_integer(0)) return;
    if (const std::optional<Expr> total = sum_over(moved.volume, name, range, known)) {
        moved.volume = *total;
    } else {
        moved.volume = 0;
        moved.dynamic = true;
    }
}

}  // namespace

Moved leave(Moved inside, const Binder& binder, const ir::Container& container, const Assumptions& known) {
    for (auto at = binder.parameters.rbegin(); at != binder.parameters.rend(); ++at)
        leave_parameter(inside, at->first, at->second, container, known);
    for (const std::string& name : binder.data_dependent) {
        if (widen_where(inside.subset, container, [&](const Range& dim) { return depends_on(dim, name); })) {
            inside.exact = false;
            inside.dynamic = true;
        }
        if (symbolic::depends_on(inside.volume, name)) {
            inside.volume = 0;
            inside.dynamic = true;
        }
    }
    if (binder.repeats_unknown) {
        inside.volume = 0;
        inside.dynamic = true;
        inside.exact = false;
    }
    return inside;
}

Moved together(const Moved& a, const Moved& b, const ir::Container& container, const Assumptions& known) {
    Moved both;
    both.dynamic = a.dynamic || b.dynamic;
    const bool unbounded = (a.dynamic && a.volume.is_integer(0)) || (b.dynamic && b.volume.is_integer(0));
    both.volume = unbounded ? Expr(0) : a.volume + b.volume;
    if (a.subset == b.subset) {
        both.subset = a.subset;
        both.exact = a.exact && b.exact;
        return both;
    }
    if (a.subset.rank() != b.subset.rank()) {
        both.subset = whole(container);
        both.exact = false;
        return both;
    }
    if (symbolic::is_yes(symbolic::covers(a.subset, b.subset, known))) {
        both.subset = a.subset;
        both.exact = a.exact;
    } else if (symbolic::is_yes(symbolic::covers(b.subset, a.subset, known))) {
        both.subset = b.subset;
        both.exact = b.exact;
    } else {
        both.subset = symbolic::hull_union(a.subset, b.subset, known);
        both.exact = false;
        widen_where(both.subset, container, [](const Range& dim) { return unwieldy(dim); });
        if (!a.exact || !b.exact) clamp(both.subset, container, known);
    }
    return both;
}

namespace {

/// Where a copy of `moved` elements lands in a container when the memlet does not say: from its origin, dimensions of one index
/// dropped.
std::optional<Subset> from_origin(const Subset& moved, const ir::Container& container, const Assumptions& known) {
    std::vector<Expr> extents;
    for (const Range& range : moved.dims) extents.push_back(symbolic::num_elements(range, known));
    if (extents.size() != container.shape.size()) std::erase_if(extents, [](const Expr& extent) { return extent.is_integer(1); });
    if (extents.size() != container.shape.size()) return std::nullopt;
    Subset subset;
    for (std::size_t d = 0; d < extents.size(); ++d) {
        const Expr begin = whole_dimension(container, d).begin;
        subset.dims.push_back({begin, begin + extents[d], 1, 1});
    }
    return subset;
}

}  // namespace

Moved side_of(const ir::Memlet& memlet, const std::string& data, const ir::Container& container, bool source_side,
              const Assumptions& known) {
    Moved moved;
    const bool own_side =
        memlet.data == data && (!memlet.is_data_src || *memlet.is_data_src == source_side || !memlet.other_subset);
    if (own_side) {
        moved.subset = memlet.subset ? *memlet.subset : whole(container);
    } else if (memlet.other_subset) {
        moved.subset = *memlet.other_subset;
    } else if (const auto landed = memlet.subset ? from_origin(*memlet.subset, container, known) : std::nullopt) {
        moved.subset = *landed;
    } else {
        moved.subset = whole(container);
        moved.exact = false;
    }
    moved.dynamic = memlet.dynamic;
    moved.exact &= !memlet.dynamic;
    moved.volume = memlet.volume;
    if (memlet.volume.is_integer(0) && !memlet.dynamic) moved.volume = symbolic::num_elements(moved.subset, known);
    return moved;
}

}  // namespace sluice::analysis
