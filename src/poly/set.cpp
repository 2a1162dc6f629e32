#include "poly/set.h"

#include <isl/ctx.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_set.h>
#include <isl/val.h>

#include "poly/raw.h"

namespace sluice::poly {

Set Set::parse(std::string_view text) {
    return Set(isl_set_read_from_str(context(), std::string(text).c_str()));
}

isl_space* raw_space(const Space& space) {
    isl_space* raw = isl_space_set_alloc(context(), 0, static_cast<unsigned>(space.dims.size()));
    return space.tuple.empty() ? raw : isl_space_set_tuple_name(raw, isl_dim_set, space.tuple.c_str());
}

Set Set::universe(const Space& space) {
    return Set(isl_set_universe(raw_space(space)));
}
Set Set::empty(const Space& space) {
    return Set(isl_set_empty(raw_space(space)));
}

Set Set::intersect(const Set& other) const {
    return Set(isl_set_intersect(copy(), other.copy()));
}
Set Set::unite(const Set& other) const {
    return Set(isl_set_union(copy(), other.copy()));
}
Set Set::subtract(const Set& other) const {
    return Set(isl_set_subtract(copy(), other.copy()));
}
Set Set::coalesce() const {
    return Set(isl_set_coalesce(copy()));
}
Set Set::intersect_parameters(const Set& parameters) const {
    return Set(isl_set_intersect_params(copy(), raw_parameters(parameters)));
}
Set Set::parameters() const {
    return Set(isl_set_params(copy()));
}
Set Set::project_out(unsigned first, unsigned count) const {
    return Set(isl_set_project_out(copy(), isl_dim_set, first, count));
}
Set Set::add_dimension() const {
    return Set(isl_set_add_dims(copy(), isl_dim_set, 1));
}
Set Set::with_tuple(const std::string& tuple) const {
    return Set(tuple.empty() ? isl_set_reset_tuple_id(copy()) : isl_set_set_tuple_name(copy(), tuple.c_str()));
}

Answer Set::is_empty() const {
    return answer_of(isl_set_is_empty(get()));
}
Answer Set::is_subset(const Set& of) const {
    return answer_of(isl_set_is_subset(get(), of.get()));
}
Answer Set::is_equal(const Set& other) const {
    return answer_of(isl_set_is_equal(get(), other.get()));
}
bool Set::involves_parameter(const std::string& name) const {
    const int at = known() ? isl_set_find_dim_by_name(get(), isl_dim_param, name.c_str()) : -1;
    return at >= 0 && isl_set_involves_dims(get(), isl_dim_param, static_cast<unsigned>(at), 1) != isl_bool_false;
}
std::vector<std::string> Set::parameter_names() const {
    std::vector<std::string> names;
    const isl_size count = isl_set_dim(get(), isl_dim_param);
    for (int at = 0; at < count; ++at) names.emplace_back(isl_set_get_dim_name(get(), isl_dim_param, static_cast<unsigned>(at)));
    return names;
}
std::string Set::tuple() const {
    const char* tuple = known() ? isl_set_get_tuple_name(get()) : nullptr;
    return tuple ? tuple : "";
}
unsigned Set::dimensions() const {
    const isl_size count = isl_set_dim(get(), isl_dim_set);
    return count < 0 ? 0 : static_cast<unsigned>(count);
}
std::string Set::to_string() const {
    return take_text(isl_set_to_str(get()));
}

namespace {

/// Smallest point (in lexical order) with all coordinates in [-limit, limit], or any point without a limit.
isl_point* point_within(isl_set* set, std::optional<int> low, int high) {
    const isl_size count = isl_set_dim(set, isl_dim_set);
    if (!low) return isl_set_sample_point(set);
    for (int at = 0; at < count; ++at) {
        set = isl_set_lower_bound_si(set, isl_dim_set, static_cast<unsigned>(at), *low);
        set = isl_set_upper_bound_si(set, isl_dim_set, static_cast<unsigned>(at), high);
    }
    return isl_set_sample_point(isl_set_lexmin(set));
}

}  // namespace

std::optional<Point> Set::sample() const {
    const std::vector<std::string> names = parameter_names();
    isl_set* all = copy();
    if (isl_set_is_params(all) == isl_bool_true) all = isl_set_from_params(all);
    all = isl_set_move_dims(all, isl_dim_set, 0, isl_dim_param, 0, static_cast<unsigned>(names.size()));
    struct Box {
        std::optional<int> low;
        int high;
    };
    isl_point* found = nullptr;
    for (const Box box : {Box{0, 8}, Box{-64, 64}, Box{{}, 0}}) {
        isl_point_free(found);
        found = point_within(isl_set_copy(all), box.low, box.high);
        if (!found || isl_point_is_void(found) == isl_bool_false) break;
    }
    const isl_size count = isl_set_dim(all, isl_dim_set);
    isl_set_free(all);
    std::optional<Point> point;
    if (found && isl_point_is_void(found) == isl_bool_false) {
        point.emplace();
        for (int at = 0; at < count; ++at) {
            const std::int64_t value = take_integer(isl_point_get_coordinate_val(found, isl_dim_set, at));
            if (static_cast<std::size_t>(at) < names.size())
                point->parameters.emplace(names[static_cast<std::size_t>(at)], value);
            else
                point->coordinates.push_back(value);
        }
    }
    isl_point_free(found);
    return point;
}

std::optional<std::vector<std::vector<std::int64_t>>> Set::points(const std::map<std::string, std::int64_t>& parameters,
                                                                  std::size_t limit) const {
    isl_set* fixed = copy();
    for (const auto& [name, value] : parameters) {
        const int at = fixed ? isl_set_find_dim_by_name(fixed, isl_dim_param, name.c_str()) : -1;
        if (at >= 0) fixed = isl_set_fix_si(fixed, isl_dim_param, static_cast<unsigned>(at), static_cast<int>(value));
    }
    struct Found {
        std::vector<std::vector<std::int64_t>> points;
        std::size_t limit, dimensions;
    } found{{}, limit, dimensions()};
    const auto add = [](isl_point* point, void* user) {
        auto& into = *static_cast<Found*>(user);
        std::vector<std::int64_t> coordinates;
        for (std::size_t at = 0; at < into.dimensions; ++at)
            coordinates.push_back(take_integer(isl_point_get_coordinate_val(point, isl_dim_set, static_cast<int>(at))));
        isl_point_free(point);
        into.points.push_back(std::move(coordinates));
        return into.points.size() > into.limit ? isl_stat_error : isl_stat_ok;
    };
    const isl_stat done = isl_set_foreach_point(fixed, add, &found);
    isl_set_free(fixed);
    if (done != isl_stat_ok) return std::nullopt;
    return std::move(found.points);
}

UnionSet::UnionSet(const Set& set) : Handle(isl_union_set_from_set(set.copy())) {}
UnionSet UnionSet::parse(std::string_view text) {
    return UnionSet(isl_union_set_read_from_str(context(), std::string(text).c_str()));
}
UnionSet UnionSet::empty() {
    return UnionSet(isl_union_set_empty_ctx(context()));
}
UnionSet UnionSet::intersect(const UnionSet& other) const {
    return UnionSet(isl_union_set_intersect(copy(), other.copy()));
}
UnionSet UnionSet::unite(const UnionSet& other) const {
    return UnionSet(isl_union_set_union(copy(), other.copy()));
}
UnionSet UnionSet::subtract(const UnionSet& other) const {
    return UnionSet(isl_union_set_subtract(copy(), other.copy()));
}
UnionSet UnionSet::coalesce() const {
    return UnionSet(isl_union_set_coalesce(copy()));
}
Answer UnionSet::is_empty() const {
    return answer_of(isl_union_set_is_empty(get()));
}
Answer UnionSet::is_subset(const UnionSet& of) const {
    return answer_of(isl_union_set_is_subset(get(), of.get()));
}
Answer UnionSet::is_equal(const UnionSet& other) const {
    return answer_of(isl_union_set_is_equal(get(), other.get()));
}
UnionSet UnionSet::intersect_parameters(const Set& parameters) const {
    return UnionSet(isl_union_set_intersect_params(copy(), raw_parameters(parameters)));
}
std::vector<Set> UnionSet::sets() const {
    std::vector<Set> parts;
    const auto add = [](isl_set* set, void* user) {
        static_cast<std::vector<Set>*>(user)->emplace_back(set);
        return isl_stat_ok;
    };
    isl_union_set_foreach_set(get(), add, &parts);
    return parts;
}
std::string UnionSet::to_string() const {
    return take_text(isl_union_set_to_str(get()));
}

}  // namespace sluice::poly
