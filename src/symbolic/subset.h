// Ranges and subsets: regular sections of integer lattices, the language of memlets and of map ranges.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "symbolic/assumptions.h"
#include "symbolic/expr.h"

namespace sluice::symbolic {

/// begin : end : step : tile, half-open. With step > 0 the indices are begin, begin + step, ... < end; with step < 0 they are
/// begin, begin + step, ... > end. Each index stands for `tile` consecutive elements. Step is never 0.
struct Range {
    Expr begin = 0;
    Expr end = 1;
    Expr step = 1;
    Expr tile = 1;

    static Range index(const Expr& at) { return {at, at + 1, 1, 1}; }
    static Range extent(const Expr& size) { return {0, size, 1, 1}; }
    /// One index, whatever its value: end == begin + 1 with unit step and tile.
    bool is_index() const;
    bool operator==(const Range&) const = default;
};

/// Number of indices of the range: max(0, ceil((end - begin) / step)); the max is dropped where provably not needed.
Expr count(const Range& range, const Assumptions& assumptions = {});
/// count * tile.
Expr num_elements(const Range& range, const Assumptions& assumptions = {});
/// Smallest and largest index touched, both inclusive (tile included), valid if the range is not empty.
Expr min_index(const Range& range);
Expr max_index(const Range& range);

/// One Range per dimension; a subset of rank 0 is a scalar's only element.
struct Subset {
    std::vector<Range> dims;

    static Subset indices(const std::vector<Expr>& at);
    static Subset extents(const std::vector<Expr>& shape);
    std::size_t rank() const { return dims.size(); }
    bool is_index() const;
    bool operator==(const Subset&) const = default;
};

Expr num_elements(const Subset& subset, const Assumptions& assumptions = {});
/// Count of each dimension.
std::vector<Expr> sizes(const Subset& subset, const Assumptions& assumptions = {});

std::set<std::string> free_symbols(const Range& range);
std::set<std::string> free_symbols(const Subset& subset);
Range substitute(const Range& range, const Substitution& replacement);
Subset substitute(const Subset& subset, const Substitution& replacement);

/// Is every element of `inner` in `outer`? Exact where strides are equal or 1 and bounds compare.
Truth covers(const Subset& outer, const Subset& inner, const Assumptions& assumptions = {});
/// Do the two share no element? Uses bounds, and residues of equal strides.
Truth disjoint(const Subset& a, const Subset& b, const Assumptions& assumptions = {});
bool is_empty(const Subset& subset, const Assumptions& assumptions = {});

/// Smallest box (unit step unless both agree) that holds both: an over-approximation of the union.
Subset hull_union(const Subset& a, const Subset& b, const Assumptions& assumptions = {});
/// Exact intersection where it is a regular section with provable bounds; nullopt where it is not known to be one.
std::optional<Subset> intersection(const Subset& a, const Subset& b, const Assumptions& assumptions = {});
/// Moves every dimension by `by` (same rank).
Subset offset_by(const Subset& subset, const std::vector<Expr>& by);
/// The elements of `outer` picked by `inner`, whose indices count positions within `outer`: outer.begin + inner * outer.step.
/// A tile of `outer` stays with its position. A tile of `inner` over an outer step other than 1 is not a regular section: the
/// result then is the section with that step from the first to the last position, which contains it.
Subset compose(const Subset& outer, const Subset& inner);

/// Hull of the subset over all values of `parameter` in `range`, which is taken not to be empty: the image of a map dimension.
/// Exact (`exact` true) if the subset is affine in the parameter with a step that covers; otherwise a box that contains it. A
/// dimension whose bounds over the parameter are not known (an element read such as `A[i]`) keeps mentioning the parameter: the
/// caller replaces it by the whole extent.
struct Image {
    Subset subset;
    bool exact;
};
Image image_over(const Subset& subset, const std::string& parameter, const Range& range, const Assumptions& assumptions = {});

/// `0:N, i, 0:N:2` (an index prints as one expression; step and tile only if not 1).
std::string to_string(const Range& range);
std::string to_string(const Subset& subset);
/// Errors: S010 syntax. The empty text is the subset of rank 0.
Result<Subset> parse_subset(std::string_view text);

}  // namespace sluice::symbolic
