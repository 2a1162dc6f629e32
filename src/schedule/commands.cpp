#include <fmt/format.h>

#include <algorithm>

#include "schedule/program.h"
#include "support/check.h"

namespace sluice::schedule {

namespace {

std::size_t level_of(const Definition& of, const std::string& level) {
    const auto at = std::ranges::find(of.levels, level);
    if (at == of.levels.end())
        refuse("M004", fmt::format("`{}` has no level `{}`", of.name, level),
               fmt::format("Its levels are {}.", fmt::join(of.levels, ", ")));
    return static_cast<std::size_t>(at - of.levels.begin());
}

void expect_new(const Definition& of, const std::string& level) {
    if (level == kRoot || std::ranges::find(of.levels, level) != of.levels.end())
        refuse("M004", fmt::format("`{}` has a level `{}` already", of.name, level), "Give the new level another name.");
}

void expect_positive(std::int64_t size) {
    if (size < 1) refuse("M004", fmt::format("a tile of {} iterations", size), "Give a positive size.");
}

std::string variable(std::size_t at) {
    return "x" + std::to_string(at);
}

/// The new levels, as functions of the old ones x0, x1, ...
void rewrite(Definition& of, const std::vector<std::pair<std::string, std::string>>& levels) {
    std::vector<std::string> from, to, names;
    for (std::size_t at = 0; at < of.levels.size(); ++at) from.push_back(variable(at));
    for (const auto& [name, time] : levels) names.push_back(name), to.push_back(time);
    for (const std::string& loop : of.parallel)
        if (std::ranges::find(names, loop) == names.end())
            refuse("M004", fmt::format("the level `{}` of `{}` is parallel and would be gone", loop, of.name),
                   "Change the loops first and parallelize after it.");
    const poly::Map change = poly::Map::parse(fmt::format("{{ [{}] -> [{}] }}", fmt::join(from, ", "), fmt::join(to, ", ")));
    check(change.known(), "a command writes isl's notation");
    of.times = of.times.then(change);
    of.levels = std::move(names);
}

std::vector<std::pair<std::string, std::string>> own_levels(const Definition& of) {
    std::vector<std::pair<std::string, std::string>> levels;
    for (std::size_t at = 0; at < of.levels.size(); ++at) levels.emplace_back(of.levels[at], variable(at));
    return levels;
}

}  // namespace

const std::string& Computation::name() const {
    return program_->definitions[number_].name;
}
std::vector<std::string> Computation::levels() const {
    return program_->definitions[number_].levels;
}

Computation& Computation::split(const std::string& level, std::int64_t size, const std::string& outer, const std::string& inner) {
    Definition& of = program_->definitions[number_];
    const std::size_t at = level_of(of, level);
    expect_positive(size);
    auto levels = own_levels(of);
    levels.erase(levels.begin() + static_cast<std::ptrdiff_t>(at));
    for (const auto& [name, time] : levels)
        if (name == outer || name == inner || outer == inner || outer == kRoot || inner == kRoot)
            refuse("M004", fmt::format("`{}` and `{}` are no two new levels of `{}`", outer, inner, of.name),
                   "Give the new levels other names.");
    levels.insert(levels.begin() + static_cast<std::ptrdiff_t>(at), {{outer, fmt::format("floor({} / {})", variable(at), size)},
                                                                     {inner, fmt::format("{} mod {}", variable(at), size)}});
    rewrite(of, levels);
    return *this;
}

Computation& Computation::tile(const std::string& outer, const std::string& inner, std::int64_t outer_size, std::int64_t inner_size,
                               const std::string& outer_tile, const std::string& inner_tile, const std::string& outer_point,
                               const std::string& inner_point) {
    const Definition& of = program_->definitions[number_];
    if (level_of(of, inner) != level_of(of, outer) + 1)
        refuse("M004", fmt::format("`{}` does not stand directly inside `{}` in `{}`", inner, outer, of.name),
               "Interchange levels until it does.");
    split(outer, outer_size, outer_tile, outer_point);
    split(inner, inner_size, inner_tile, inner_point);
    return interchange(outer_point, inner_tile);
}

Computation& Computation::interchange(const std::string& a, const std::string& b) {
    Definition& of = program_->definitions[number_];
    auto levels = own_levels(of);
    std::swap(levels[level_of(of, a)], levels[level_of(of, b)]);
    rewrite(of, levels);
    return *this;
}

Computation& Computation::shift(const std::string& level, std::int64_t by) {
    Definition& of = program_->definitions[number_];
    auto levels = own_levels(of);
    levels[level_of(of, level)].second += fmt::format(" + ({})", by);
    rewrite(of, levels);
    return *this;
}

Computation& Computation::skew(const std::string& outer, const std::string& inner, std::int64_t factor,
                               const std::string& new_outer, const std::string& new_inner) {
    Definition& of = program_->definitions[number_];
    const std::size_t from = level_of(of, outer), to = level_of(of, inner);
    if (from >= to)
        refuse("M004", fmt::format("`{}` is not inside `{}` in `{}`", inner, outer, of.name), "Name the outer level first.");
    auto levels = own_levels(of);
    levels[to].second += fmt::format(" {} {}{}", factor < 0 ? '-' : '+', factor < 0 ? -factor : factor, variable(from));
    if (new_outer != outer) expect_new(of, new_outer);
    if (new_inner != inner) expect_new(of, new_inner);
    levels[from].first = new_outer;
    levels[to].first = new_inner;
    rewrite(of, levels);
    return *this;
}

Computation& Computation::reverse(const std::string& level, const std::string& renamed) {
    Definition& of = program_->definitions[number_];
    const std::size_t at = level_of(of, level);
    if (renamed != level) expect_new(of, renamed);
    auto levels = own_levels(of);
    levels[at] = {renamed, "-" + variable(at)};
    rewrite(of, levels);
    return *this;
}

Computation& Computation::set_schedule(const std::string& times) {
    Definition& of = program_->definitions[number_];
    const poly::Map given = poly::Map::parse(times);
    if (!given.known() || given.domain_tuple() != of.name || given.domain_dimensions() != of.iterators.size())
        refuse("M004", fmt::format("`{}` gives the instances of `{}` no time", times, of.name),
               fmt::format("Write a relation such as {{ {}[{}] -> [{}] }}.", of.name, fmt::join(of.iterators, ", "),
                           fmt::join(of.iterators, ", ")));
    for (const std::string& parameter : given.parameter_names())
        if (!program_->constants.contains(parameter))
            refuse("M001", fmt::format("the schedule of `{}` names `{}`, which is no constant", of.name, parameter),
                   "Declare it as a constant.");
    const poly::Map restricted = given.intersect_domain(of.domain);
    if (restricted.is_single_valued() != poly::Answer::Yes || restricted.is_injective() != poly::Answer::Yes ||
        of.domain.is_subset(restricted.domain()) != poly::Answer::Yes)
        refuse("M004", fmt::format("`{}` does not give each instance of `{}` a time of its own", times, of.name),
               "Give every instance one time, and no two the same.");
    if (!of.parallel.empty())
        refuse("M004", fmt::format("`{}` has parallel levels, which would be gone", of.name), "Parallelize after set_schedule.");
    of.times = restricted.with_range_tuple("");
    of.levels.clear();
    for (unsigned at = 0; at < of.times.range_dimensions(); ++at) of.levels.push_back("t" + std::to_string(at));
    return *this;
}

Computation& Computation::after(const Computation& other, const std::string& level) {
    expect_same(*program_, *other.program_);
    if (other.number_ == number_) refuse("M004", fmt::format("`{}` cannot run after itself", name()), "Name another computation.");
    const Definition& first = program_->definitions[other.number_];
    const std::size_t shared = level == kRoot ? 0 : level_of(first, level) + 1;
    Definition& of = program_->definitions[number_];
    if (shared > of.levels.size())
        refuse("M004",
               fmt::format("`{}` has {} levels and cannot share {} with `{}`", of.name, of.levels.size(), shared, first.name),
               "Name an outer level.");
    of.order = Order{other.number_, static_cast<unsigned>(shared)};
    return *this;
}
Computation& Computation::before(const Computation& other, const std::string& level) {
    Computation(other).after(*this, level);
    return *this;
}
Computation& Computation::then(Computation& next, const std::string& level) {
    return next.after(*this, level);
}

Computation& Computation::parallelize(const std::string& level) {
    Definition& of = program_->definitions[number_];
    level_of(of, level);
    of.parallel.insert(level);
    return *this;
}

Computation& Computation::store_in(const std::string& buffer, const std::vector<std::string>& indices) {
    Definition& of = program_->definitions[number_];
    if (of.target) refuse("M004", fmt::format("`{}` updates the memory of its target", of.name), "Store the target.");
    const auto storage = program_->storage.find(buffer);
    if (storage == program_->storage.end())
        refuse("M001", fmt::format("there is no buffer `{}` for `{}`", buffer, of.name), "Declare it with its extents.");
    std::vector<symbolic::Expr> layout;
    for (const std::string& index : indices) layout.push_back(parse_affine(index, "the index"));
    if (indices.empty())
        for (const std::string& iterator : of.iterators) layout.push_back(symbolic::symbol(iterator));
    if (layout.size() != storage->second.shape.size())
        refuse("M004", fmt::format("`{}` is stored at {} indices of `{}`", of.name, layout.size(), buffer),
               fmt::format("It has {}.", storage->second.shape.size()));
    if (!(storage->second.type == of.type))
        refuse("M004", fmt::format("`{}` and `{}` have different element types", of.name, buffer),
               "Declare the buffer of that type.");
    affine_map(of, layout, buffer);
    of.buffer = buffer;
    of.layout = std::move(layout);
    return *this;
}

poly::UnionMap full_times(const Program& program) {
    const auto& all = program.definitions;
    std::size_t depth = 0;
    for (const Definition& of : all) depth = std::max(depth, of.levels.size());
    std::vector<std::vector<int>> positions(all.size());
    /// The first free position behind those who share `shared` loops.
    const auto place = [&](std::size_t at, std::vector<int> prefix) {
        int next = 0;
        for (const std::vector<int>& other : positions)
            if (!other.empty() && std::equal(prefix.begin(), prefix.end(), other.begin()))
                next = std::max(next, other[prefix.size()] + 1);
        prefix.push_back(next);
        prefix.resize(depth + 1, 0);
        positions[at] = std::move(prefix);
    };
    for (std::size_t placed = 0; placed < all.size();) {
        const std::size_t so_far = placed;
        for (std::size_t at = 0; at < all.size(); ++at) {
            const std::optional<Order>& order = all[at].order;
            if (!positions[at].empty() || (order && positions[order->other].empty())) continue;
            std::vector<int> prefix;
            if (order) prefix.assign(positions[order->other].begin(), positions[order->other].begin() + order->shared);
            place(at, std::move(prefix));
            ++placed;
        }
        if (placed == so_far) refuse("M004", "computations run after each other in a circle", "Take one of the commands away.");
    }
    poly::UnionMap times = poly::UnionMap::empty();
    for (std::size_t at = 0; at < all.size(); ++at) {
        std::vector<std::string> from, to{std::to_string(positions[at][0])};
        for (std::size_t level = 0; level < depth; ++level) {
            const bool own = level < all[at].levels.size();
            if (own) from.push_back(variable(level));
            to.push_back(own ? variable(level) : "0");
            to.push_back(std::to_string(positions[at][level + 1]));
        }
        times = times.unite(
            all[at].times.then(poly::Map::parse(fmt::format("{{ [{}] -> [{}] }}", fmt::join(from, ", "), fmt::join(to, ", ")))));
    }
    return times;
}

}  // namespace sluice::schedule
