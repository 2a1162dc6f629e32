#include "poly/relation.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>

#include "poly/raw.h"

namespace sluice::poly {

namespace {

isl_map* named(isl_map* map, isl_dim_type side, const std::string& tuple) {
    return tuple.empty() ? isl_map_reset_tuple_id(map, side) : isl_map_set_tuple_name(map, side, tuple.c_str());
}

}  // namespace

Map Map::parse(std::string_view text) {
    return Map(isl_map_read_from_str(context(), std::string(text).c_str()));
}
Map Map::universe(const Space& from, const Space& to) {
    return Map(isl_map_universe(isl_space_map_from_domain_and_range(raw_space(from), raw_space(to))));
}
Map Map::product(const Set& from, const Set& to) {
    return Map(isl_map_from_domain_and_range(from.copy(), to.copy()));
}
Map Map::prefix(const Space& space, unsigned count) {
    Map map = universe(space, Space{.tuple = {}, .dims = {space.dims.begin(), space.dims.begin() + count}});
    for (unsigned at = 0; at < count; ++at) map = map.equate(at, at);
    return map;
}
Map Map::reverse() const {
    return Map(isl_map_reverse(copy()));
}
Map Map::then(const Map& next) const {
    return Map(isl_map_apply_range(copy(), next.copy()));
}
Map Map::intersect(const Map& other) const {
    return Map(isl_map_intersect(copy(), other.copy()));
}
Map Map::unite(const Map& other) const {
    return Map(isl_map_union(copy(), other.copy()));
}
Map Map::subtract(const Map& other) const {
    return Map(isl_map_subtract(copy(), other.copy()));
}
Map Map::intersect_domain(const Set& domain) const {
    return Map(isl_map_intersect_domain(copy(), domain.copy()));
}
Map Map::intersect_range(const Set& range) const {
    return Map(isl_map_intersect_range(copy(), range.copy()));
}
Map Map::intersect_parameters(const Set& parameters) const {
    isl_set* raw = parameters.copy();
    if (raw && isl_set_is_params(raw) == isl_bool_false) raw = isl_set_params(raw);
    return Map(isl_map_intersect_params(copy(), raw));
}
Map Map::coalesce() const {
    return Map(isl_map_coalesce(copy()));
}
Map Map::project_out_domain(unsigned first, unsigned count) const {
    return Map(isl_map_project_out(copy(), isl_dim_in, first, count));
}
Map Map::project_out_range(unsigned first, unsigned count) const {
    return Map(isl_map_project_out(copy(), isl_dim_out, first, count));
}
Map Map::equate(unsigned from, unsigned to) const {
    return Map(isl_map_equate(copy(), isl_dim_in, static_cast<int>(from), isl_dim_out, static_cast<int>(to)));
}
Map Map::order_less(unsigned from, unsigned to) const {
    return Map(isl_map_order_lt(copy(), isl_dim_in, static_cast<int>(from), isl_dim_out, static_cast<int>(to)));
}
Map Map::order_greater(unsigned from, unsigned to) const {
    return Map(isl_map_order_gt(copy(), isl_dim_in, static_cast<int>(from), isl_dim_out, static_cast<int>(to)));
}
Map Map::with_domain_tuple(const std::string& tuple) const {
    return Map(named(copy(), isl_dim_in, tuple));
}
Map Map::with_range_tuple(const std::string& tuple) const {
    return Map(named(copy(), isl_dim_out, tuple));
}
Map Map::prefix_range(unsigned count) const {
    const char* tuple = known() ? isl_map_get_tuple_name(get(), isl_dim_out) : nullptr;
    const std::string name = tuple ? tuple : "";
    isl_map* raw = isl_map_insert_dims(copy(), isl_dim_out, 0, count);
    for (unsigned at = 0; at < count; ++at)
        raw = isl_map_equate(raw, isl_dim_in, static_cast<int>(at), isl_dim_out, static_cast<int>(at));
    return Map(named(raw, isl_dim_out, name));
}
Set Map::domain() const {
    return Set(isl_map_domain(copy()));
}
Set Map::range() const {
    return Set(isl_map_range(copy()));
}
Set Map::image(const Set& of) const {
    return Set(isl_set_apply(of.copy(), copy()));
}
Set Map::flatten() const {
    return Set(isl_set_flatten(isl_map_wrap(copy())));
}
Map Map::to_first() const {
    return Map(isl_map_domain_map(copy()));
}
Map Map::to_second() const {
    return Map(isl_map_range_map(copy()));
}
Map Map::affine_hull() const {
    return Map(isl_map_from_basic_map(isl_map_affine_hull(copy())));
}
Map Map::identity(const Set& of) {
    return Map(isl_set_identity(of.copy()));
}
Answer Map::is_empty() const {
    return answer_of(isl_map_is_empty(get()));
}
Answer Map::is_subset(const Map& of) const {
    return answer_of(isl_map_is_subset(get(), of.get()));
}
Answer Map::is_equal(const Map& other) const {
    return answer_of(isl_map_is_equal(get(), other.get()));
}
Answer Map::is_injective() const {
    return answer_of(isl_map_is_injective(get()));
}
Answer Map::is_single_valued() const {
    return answer_of(isl_map_is_single_valued(get()));
}
std::vector<std::string> Map::parameter_names() const {
    std::vector<std::string> names;
    const isl_size count = isl_map_dim(get(), isl_dim_param);
    for (int at = 0; at < count; ++at) names.emplace_back(isl_map_get_dim_name(get(), isl_dim_param, static_cast<unsigned>(at)));
    return names;
}
bool Map::involves_parameter(const std::string& name) const {
    const int at = known() ? isl_map_find_dim_by_name(get(), isl_dim_param, name.c_str()) : -1;
    return at >= 0 && isl_map_involves_dims(get(), isl_dim_param, static_cast<unsigned>(at), 1) != isl_bool_false;
}
unsigned Map::domain_dimensions() const {
    const isl_size count = isl_map_dim(get(), isl_dim_in);
    return count < 0 ? 0 : static_cast<unsigned>(count);
}
unsigned Map::range_dimensions() const {
    const isl_size count = isl_map_dim(get(), isl_dim_out);
    return count < 0 ? 0 : static_cast<unsigned>(count);
}
std::string Map::domain_tuple() const {
    const char* tuple = known() ? isl_map_get_tuple_name(get(), isl_dim_in) : nullptr;
    return tuple ? tuple : "";
}
std::string Map::range_tuple() const {
    const char* tuple = known() ? isl_map_get_tuple_name(get(), isl_dim_out) : nullptr;
    return tuple ? tuple : "";
}
std::optional<Pair> Map::sample() const {
    std::optional<Point> point = flatten().sample();
    if (!point) return std::nullopt;
    const auto middle = point->coordinates.begin() + domain_dimensions();
    return Pair{std::move(point->parameters), {point->coordinates.begin(), middle}, {middle, point->coordinates.end()}};
}
std::string Map::to_string() const {
    return take_text(isl_map_to_str(get()));
}

UnionMap::UnionMap(const Map& map) : Handle(isl_union_map_from_map(map.copy())) {}
UnionMap UnionMap::parse(std::string_view text) {
    return UnionMap(isl_union_map_read_from_str(context(), std::string(text).c_str()));
}
UnionMap UnionMap::empty() {
    return UnionMap(isl_union_map_empty_ctx(context()));
}
UnionMap UnionMap::reverse() const {
    return UnionMap(isl_union_map_reverse(copy()));
}
UnionMap UnionMap::then(const UnionMap& next) const {
    return UnionMap(isl_union_map_apply_range(copy(), next.copy()));
}
UnionMap UnionMap::intersect(const UnionMap& other) const {
    return UnionMap(isl_union_map_intersect(copy(), other.copy()));
}
UnionMap UnionMap::unite(const UnionMap& other) const {
    return UnionMap(isl_union_map_union(copy(), other.copy()));
}
UnionMap UnionMap::subtract(const UnionMap& other) const {
    return UnionMap(isl_union_map_subtract(copy(), other.copy()));
}
UnionMap UnionMap::coalesce() const {
    return UnionMap(isl_union_map_coalesce(copy()));
}
UnionMap UnionMap::intersect_domain(const UnionSet& domain) const {
    return UnionMap(isl_union_map_intersect_domain(copy(), domain.copy()));
}
UnionMap UnionMap::intersect_range(const UnionSet& range) const {
    return UnionMap(isl_union_map_intersect_range(copy(), range.copy()));
}
UnionSet UnionMap::domain() const {
    return UnionSet(isl_union_map_domain(copy()));
}
UnionSet UnionMap::range() const {
    return UnionSet(isl_union_map_range(copy()));
}
Answer UnionMap::is_empty() const {
    return answer_of(isl_union_map_is_empty(get()));
}
Answer UnionMap::is_subset(const UnionMap& of) const {
    return answer_of(isl_union_map_is_subset(get(), of.get()));
}
Answer UnionMap::is_equal(const UnionMap& other) const {
    return answer_of(isl_union_map_is_equal(get(), other.get()));
}
UnionMap UnionMap::intersect_parameters(const Set& parameters) const {
    return UnionMap(isl_union_map_intersect_params(copy(), raw_parameters(parameters)));
}
std::vector<Map> UnionMap::maps() const {
    std::vector<Map> parts;
    const auto add = [](isl_map* map, void* user) {
        static_cast<std::vector<Map>*>(user)->emplace_back(map);
        return isl_stat_ok;
    };
    isl_union_map_foreach_map(get(), add, &parts);
    return parts;
}
std::string UnionMap::to_string() const {
    return take_text(isl_union_map_to_str(get()));
}

}  // namespace sluice::poly
