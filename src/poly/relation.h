// Relations between integer points: of one pair of spaces (Map), and of several (UnionMap).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "poly/set.h"

namespace sluice::poly {

struct Pair {
    std::map<std::string, std::int64_t> parameters;
    std::vector<std::int64_t> from, to;
};

class Map : public Handle<isl_map> {
public:
    using Handle::Handle;
    static Map parse(std::string_view text);
    static Map universe(const Space& from, const Space& to);
    /// All pairs of a point of one and a point of the other.
    static Map product(const Set& from, const Set& to);
    /// From each point of the space to its first coordinates.
    static Map prefix(const Space& space, unsigned count);

    Map reverse() const;
    /// From x by this relation, then by `next`.
    Map then(const Map& next) const;
    Map intersect(const Map& other) const;
    Map unite(const Map& other) const;
    Map subtract(const Map& other) const;
    Map intersect_domain(const Set& domain) const;
    Map intersect_range(const Set& range) const;
    Map intersect_parameters(const Set& parameters) const;
    Map coalesce() const;
    Map project_out_domain(unsigned first, unsigned count) const;
    Map project_out_range(unsigned first, unsigned count) const;
    /// Keeps pairs whose given coordinates are equal (first smaller than second).
    Map equate(unsigned from, unsigned to) const;
    Map order_less(unsigned from, unsigned to) const;
    Map order_greater(unsigned from, unsigned to) const;
    Map with_domain_tuple(const std::string& tuple) const;
    Map with_range_tuple(const std::string& tuple) const;
    /// The first `count` coordinates of the domain stand before those of the range too: S[i, j] -> A[e] becomes S[i, j] -> A[i, e].
    Map prefix_range(unsigned count) const;
    Set domain() const;
    Set range() const;
    Set image(const Set& of) const;
    /// The pairs as points of one space, from then to.
    Set flatten() const;
    /// From each pair to its first point, or to its second.
    Map to_first() const;
    Map to_second() const;
    /// The smallest set of equations between both points that contains it.
    Map affine_hull() const;
    static Map identity(const Set& of);

    Answer is_empty() const;
    Answer is_subset(const Map& of) const;
    Answer is_equal(const Map& other) const;
    Answer is_injective() const;
    Answer is_single_valued() const;
    std::vector<std::string> parameter_names() const;
    bool involves_parameter(const std::string& name) const;
    unsigned domain_dimensions() const;
    unsigned range_dimensions() const;
    std::string domain_tuple() const;
    std::string range_tuple() const;
    /// A pair with small coordinates; nullopt if empty or not known.
    std::optional<Pair> sample() const;
    std::string to_string() const;
};

class UnionMap : public Handle<isl_union_map> {
public:
    using Handle::Handle;
    UnionMap(const Map& map);  // NOLINT: a relation is a union of one
    static UnionMap parse(std::string_view text);
    static UnionMap empty();

    UnionMap reverse() const;
    UnionMap then(const UnionMap& next) const;
    UnionMap intersect(const UnionMap& other) const;
    UnionMap unite(const UnionMap& other) const;
    UnionMap subtract(const UnionMap& other) const;
    UnionMap coalesce() const;
    UnionMap intersect_domain(const UnionSet& domain) const;
    UnionMap intersect_range(const UnionSet& range) const;
    UnionSet domain() const;
    UnionSet range() const;
    Answer is_empty() const;
    Answer is_subset(const UnionMap& of) const;
    Answer is_equal(const UnionMap& other) const;
    UnionMap intersect_parameters(const Set& parameters) const;
    std::vector<Map> maps() const;
    std::string to_string() const;
};

}  // namespace sluice::poly
