// Sets of integer points: of one space (Set), and of several (UnionSet). `{ S[i] : 0 <= i < N }` in isl's notation; parse and
// to_string speak it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "poly/budget.h"
#include "poly/handle.h"

namespace sluice::poly {

/// A tuple of named integer dimensions, `S[i, j]` (without a name: `[i, j]`); every other name is a parameter.
struct Space {
    std::string tuple;
    std::vector<std::string> dims = {};
    bool operator==(const Space&) const = default;
};

/// A point, with the values of the parameters that it needs.
struct Point {
    std::map<std::string, std::int64_t> parameters;
    std::vector<std::int64_t> coordinates;
};

class Set : public Handle<isl_set> {
public:
    using Handle::Handle;
    static Set parse(std::string_view text);
    static Set universe(const Space& space);
    static Set empty(const Space& space);

    Set intersect(const Set& other) const;
    Set unite(const Set& other) const;
    Set subtract(const Set& other) const;
    Set coalesce() const;
    /// Holds what is known of the parameters (a set without dimensions, or of the same space).
    Set intersect_parameters(const Set& parameters) const;
    /// The parameters for which it has a point, as a set without dimensions.
    Set parameters() const;
    Set project_out(unsigned first, unsigned count) const;
    /// One more dimension behind the others, of any value.
    Set add_dimension() const;
    Set with_tuple(const std::string& tuple) const;

    Answer is_empty() const;
    Answer is_subset(const Set& of) const;
    Answer is_equal(const Set& other) const;
    bool involves_parameter(const std::string& name) const;
    std::vector<std::string> parameter_names() const;
    std::string tuple() const;
    unsigned dimensions() const;
    /// A point with small coordinates; nullopt if empty or not known.
    std::optional<Point> sample() const;
    /// All points for these values of the parameters, which must be all that it has; nullopt if there are more, or not known.
    std::optional<std::vector<std::vector<std::int64_t>>> points(const std::map<std::string, std::int64_t>& parameters,
                                                                 std::size_t limit) const;
    std::string to_string() const;
};

class UnionSet : public Handle<isl_union_set> {
public:
    using Handle::Handle;
    UnionSet(const Set& set);  // NOLINT: a set is a union of one
    static UnionSet parse(std::string_view text);
    static UnionSet empty();

    UnionSet intersect(const UnionSet& other) const;
    UnionSet unite(const UnionSet& other) const;
    UnionSet subtract(const UnionSet& other) const;
    UnionSet coalesce() const;
    Answer is_empty() const;
    Answer is_subset(const UnionSet& of) const;
    Answer is_equal(const UnionSet& other) const;
    UnionSet intersect_parameters(const Set& parameters) const;
    std::vector<Set> sets() const;
    std::string to_string() const;
};

}  // namespace sluice::poly
