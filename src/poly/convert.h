// Symbolic expressions as affine functions and sets, and back.
//
// Affine: sums with constant factors, floor division and modulo by constants, minima, maxima, selections, and conditions made of
// comparisons and connectives. A product, power or quotient of symbols that are all parameters stands as a parameter of its own,
// named by its text (`N*M`): what holds for every value of that parameter holds, but a point found may not exist, so that
// whoever reports points asks `is_opaque` first.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "poly/relation.h"
#include "symbolic/assumptions.h"
#include "symbolic/subset.h"

namespace sluice::poly {

/// A value, or why there is none: `not affine: i*j multiplies two variables`.
template <class T> struct Converted {
    std::optional<T> value;
    std::string why;
    bool ok() const { return value.has_value(); }
};

/// A piecewise quasi-affine function on a space.
class Affine : public Handle<isl_pw_aff> {
public:
    using Handle::Handle;
    /// The points at which it is defined and the relation from them to its value.
    Map graph(const std::string& range_tuple) const;
    std::string to_string() const;
};

/// `checked_index(at, size, axis)` as the place that it is where it raises nothing; any other expression as it is. What converts an
/// expression does so itself.
symbolic::Expr without_check(const symbolic::Expr& index);
Converted<Affine> to_affine(const symbolic::Expr& value, const Space& space);
/// The points of the space at which the condition holds.
Converted<Set> to_set(const symbolic::Expr& condition, const Space& space);
/// The points at which the last named dimension takes the range's indices: begin <= x < end in steps. A step is a constant.
Converted<Set> in_range(const symbolic::Range& range, const std::string& dimension, const Space& space);
/// From each point to the elements of the subset, `tuple[e0, e1, ...]`.
Converted<Map> to_elements(const symbolic::Subset& subset, const Space& space, const std::string& tuple);

/// The pairs of points for which a condition on the dimensions of both (of different names) holds.
Converted<Map> to_relation(const symbolic::Expr& condition, const Space& from, const Space& to);

/// What is known of the parameters: facts that convert, and positivity of symbols that are positive by default. A set without
/// dimensions. `symbols` limits the defaults to those names.
Set to_parameters(const symbolic::Assumptions& assumptions, const std::vector<std::string>& symbols);

/// Is this parameter the text of an expression that was not affine?
bool is_opaque(std::string_view parameter);

/// Expressions of the function's value, of the set as a condition, in terms of parameters and the space's dimensions.
std::optional<symbolic::Expr> to_expression(const Affine& affine, const Space& space);
std::optional<symbolic::Expr> to_condition(const Set& set, const Space& space);

}  // namespace sluice::poly
