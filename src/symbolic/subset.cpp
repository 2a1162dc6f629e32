// Subsets as lists of ranges: construction, sizes, symbols, moving and composing.
#include "symbolic/subset.h"

#include <algorithm>

#include "support/check.h"
#include "symbolic/section.h"

namespace sluice::symbolic {

Subset Subset::indices(const std::vector<Expr>& at) {
    Subset result;
    for (const Expr& index : at) result.dims.push_back(Range::index(index));
    return result;
}

Subset Subset::extents(const std::vector<Expr>& shape) {
    Subset result;
    for (const Expr& size : shape) result.dims.push_back(Range::extent(size));
    return result;
}

bool Subset::is_index() const {
    return std::all_of(dims.begin(), dims.end(), [](const Range& range) { return range.is_index(); });
}

Expr num_elements(const Subset& subset, const Assumptions& assumptions) {
    Expr product = 1;
    for (const Range& range : subset.dims) product = product * num_elements(range, assumptions);
    return product;
}

std::vector<Expr> sizes(const Subset& subset, const Assumptions& assumptions) {
    std::vector<Expr> result;
    for (const Range& range : subset.dims) result.push_back(count(range, assumptions));
    return result;
}

std::set<std::string> free_symbols(const Subset& subset) {
    std::set<std::string> names;
    for (const Range& range : subset.dims) names.merge(free_symbols(range));
    return names;
}

Subset substitute(const Subset& subset, const Substitution& replacement) {
    Subset result;
    for (const Range& range : subset.dims) result.dims.push_back(substitute(range, replacement));
    return result;
}

Subset offset_by(const Subset& subset, const std::vector<Expr>& by) {
    check(subset.rank() == by.size(), "offset of rank ", by.size(), " for a subset of rank ", subset.rank());
    Subset result = subset;
    for (std::size_t d = 0; d < by.size(); ++d) {
        result.dims[d].begin = result.dims[d].begin + by[d];
        result.dims[d].end = result.dims[d].end + by[d];
    }
    return result;
}

namespace {

Range compose_dimension(const Range& outer, const Range& inner) {
    Range picked = inner;
    if (!inner.tile.is_integer(1) && (!outer.step.is_integer(1) || !outer.tile.is_integer(1)))
        picked = {min_index(inner), max_index(inner) + 1, 1, 1};
    const Expr first = outer.begin + picked.begin * outer.step;
    if (picked.is_index()) return {first, first + 1, 1, outer.tile};
    const Expr tile = outer.tile.is_integer(1) ? picked.tile : outer.tile;
    return {first, outer.begin + picked.end * outer.step, outer.step * picked.step, tile};
}

}  // namespace

Subset compose(const Subset& outer, const Subset& inner) {
    check(outer.rank() == inner.rank(), "composition of a subset of rank ", outer.rank(), " with one of rank ", inner.rank());
    Subset result;
    for (std::size_t d = 0; d < outer.rank(); ++d) result.dims.push_back(compose_dimension(outer.dims[d], inner.dims[d]));
    return result;
}

bool is_empty(const Subset& subset, const Assumptions& assumptions) {
    return std::any_of(subset.dims.begin(), subset.dims.end(), [&](const Range& range) { return is_empty(range, assumptions); });
}

}  // namespace sluice::symbolic
