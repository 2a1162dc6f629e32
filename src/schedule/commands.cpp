#include <fmt/format.h>

#include <algorithm>

#include "ir/messages.h"
#include "poly/bounds.h"
#include "poly/convert.h"
#include "schedule/program.h"
#include "support/check.h"

namespace sluice::schedule {

using symbolic::Expr;

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
    if (!of.distributed.empty() && (names.empty() || names.front() != of.distributed))
        refuse("M004",
               fmt::format("the level `{}` of `{}` is distributed and would no longer be the outermost", of.distributed, of.name),
               "Change the loops first and distribute after it.");
    for (const auto& [loop, lanes] : of.lanes)
        if (std::ranges::find(names, loop) == names.end())
            refuse("M004", fmt::format("the level `{}` of `{}` is unrolled or vectorized and would be gone", loop, of.name),
                   "Change the loops first and unroll or vectorize after it.");
    if (of.blocks) {
        const auto at = std::ranges::find(of.levels, of.blocks->level) - of.levels.begin();
        if (std::ranges::find(levels, std::pair(of.blocks->level, from[static_cast<std::size_t>(at)])) == levels.end())
            refuse("M011", fmt::format("the blocks `{}` of `{}` would no longer be those of ranks", of.blocks->level, of.name),
                   "Apply the command to other levels.");
    }
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
std::vector<std::string> Computation::iterators() const {
    return program_->definitions[number_].iterators;
}
void Function::host_to_device(const std::string& input) {
    const auto storage = program_->storage.find(input);
    if (storage == program_->storage.end() || !storage->second.is_input)
        refuse("M001", fmt::format("`{}` is no input", input), "Name an input.");
    program_->copies.in.insert(input);
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

Computation& Computation::split(const std::string& level, const std::string& size, const std::string& outer,
                                const std::string& inner) {
    const Expr value = parse_affine(size, "the size");
    if (const auto constant = value.constant()) return split(level, *constant, outer, inner);
    Definition& of = program_->definitions[number_];
    expect_known(*program_, {.name = of.name, .iterators = {}, .domain = {}, .type = of.type}, value, "the size");
    if (!poly::to_affine(value, {}).ok())
        refuse("M002", fmt::format("the size `{}` is not affine", size), "Write it affine in constants.");
    if (of.blocks) refuse("M011", fmt::format("`{}` has blocks for ranks already", of.name), "Split by a number.");
    // In place of the level two, of which the split by 1 makes sure that they are new.
    const auto at = static_cast<unsigned>(level_of(of, level));
    const poly::Map before = of.times;
    split(level, 1, outer, inner);
    poly::Space old{.tuple = "", .dims = {}};
    std::vector<Expr> levels;
    for (unsigned d = 0; d < before.range_dimensions(); ++d) {
        old.dims.push_back(variable(d));
        const Expr time = symbolic::symbol(variable(d));
        if (d == at) levels.push_back(symbolic::symbol(ir::kRankPlace) - 1);
        levels.push_back(d == at ? time - first_on_rank(value) : time);
    }
    const auto change = poly::to_elements(symbolic::Subset::indices(levels), old, "");
    check(change.ok(), "blocks are affine in the place of a rank times their size");
    of.times = before.then(*change.value);
    of.blocks = {.level = outer,
                 .size = value,
                 .split = before.project_out_range(at + 1, before.range_dimensions() - at - 1).project_out_range(0, at)};
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

Computation& Computation::transform(const std::string& outer, const std::string& inner, const Factors& f,
                                    const std::string& new_outer, const std::string& new_inner) {
    Definition& of = program_->definitions[number_];
    const std::size_t from = level_of(of, outer), to = level_of(of, inner);
    const std::int64_t determinant = f.a * f.d - f.b * f.c;
    if (from == to || (determinant != 1 && determinant != -1))
        refuse("M004",
               fmt::format("({} {}; {} {}) of `{}` and `{}` maps iterations to no iterations one by one", f.a, f.b, f.c, f.d, outer,
                           inner),
               "Name two levels, and factors whose determinant is 1 or -1.");
    auto levels = own_levels(of);
    const auto row = [&](std::int64_t a, std::int64_t b) {
        return fmt::format("({} * {}) + ({} * {})", a, variable(from), b, variable(to));
    };
    if (new_outer != outer && new_outer != inner) expect_new(of, new_outer);
    if (new_inner != outer && new_inner != inner) expect_new(of, new_inner);
    levels[from] = {new_outer, row(f.a, f.b)};
    levels[to] = {new_inner, row(f.c, f.d)};
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
    if (!of.parallel.empty() || !of.lanes.empty() || !of.distributed.empty() || of.blocks)
        refuse("M004", fmt::format("`{}` has parallel, distributed, unrolled or vectorized levels, which would be gone", of.name),
               "Parallelize after set_schedule.");
    of.times = given.with_range_tuple("");
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
    if (of.order && of.order->other != other.number_)
        refuse(
            "M004",
            fmt::format("`{}` runs after `{}` already and would forget it", of.name, program_->definitions[of.order->other].name),
            "Name one computation that it runs after, and order that one after the other.");
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

Computation& Computation::between(const Computation& first, const std::string& first_level, Computation& second,
                                  const std::string& second_level) {
    after(first, first_level);
    Definition& next = program_->definitions[second.number_];
    const std::optional<Order> order = next.order;
    if (next.order && next.order->other == first.number_) next.order.reset();
    try {
        second.after(*this, second_level);
    } catch (...) {
        next.order = order;
        throw;
    }
    return *this;
}

Computation& Computation::gpu(const std::vector<std::string>& levels) {
    Definition& of = program_->definitions[number_];
    if (levels.size() != 2 && levels.size() != 4 && levels.size() != 6)
        refuse("M004", fmt::format("{} levels of `{}` are blocks and threads", levels.size(), of.name),
               "Name two, four or six: blocks, then as many threads.");
    const std::size_t half = levels.size() / 2, blocks = level_of(of, levels.front()), threads = level_of(of, levels[half]);
    for (std::size_t at = 0; at < levels.size(); ++at) {
        const std::size_t expected = at < half ? blocks + at : threads + at - half;
        if (level_of(of, levels[at]) != expected || threads < blocks + half)
            refuse("M004",
                   fmt::format(
                       "the levels {} of `{}` are not blocks directly in each other with threads directly in each other inside",
                       fmt::join(levels, ", "), of.name),
                   fmt::format("Its levels are {}.", fmt::join(of.levels, ", ")));
        if (of.lanes.contains(levels[at]) || of.parallel.contains(levels[at]))
            refuse("M004", fmt::format("the level `{}` of `{}` is parallel, unrolled or vectorized", levels[at], of.name),
                   "Map other levels to a device.");
    }
    for (std::size_t at = 0; at < levels.size(); ++at) {
        of.parallel.insert(levels[at]);
        of.device[levels[at]] = at < half ? analysis::LoopKind::Blocks : analysis::LoopKind::BlockThreads;
    }
    return *this;
}
Computation& Computation::prefetch(const std::string& of, const std::string& level, std::int64_t distance) {
    Definition& reader = program_->definitions[number_];
    level_of(reader, level);
    if (distance < 1)
        refuse("M004", fmt::format("`{}` would prefetch what iteration {} before reads", reader.name, -distance),
               "Give a positive distance.");
    std::erase_if(reader.prefetches, [&](const auto& one) { return one.of == of && one.level == level; });
    reader.prefetches.push_back({of, level, distance});
    return *this;
}
Computation& Computation::tile_gpu(const std::string& outer, const std::string& inner, std::int64_t outer_size,
                                   std::int64_t inner_size, const std::string& outer_tile, const std::string& inner_tile,
                                   const std::string& outer_point, const std::string& inner_point) {
    tile(outer, inner, outer_size, inner_size, outer_tile, inner_tile, outer_point, inner_point);
    return gpu({outer_tile, inner_tile, outer_point, inner_point});
}
Computation& Computation::device_to_host() {
    program_->copies.out.insert(program_->original(program_->definitions[number_]).name);
    return *this;
}

Buffer& Buffer::tag_gpu(ir::Storage memory) {
    const auto storage = program_->storage.find(name_);
    if (storage == program_->storage.end()) {
        program_->wishes[name_].memory = memory;
    } else {
        if (storage->second.is_input && memory != ir::Storage::GPU_Global)
            refuse("M004", fmt::format("the caller keeps the input `{}`", name_), "Cache it with cache_shared_at.");
        storage->second.memory = storage->second.is_input ? ir::Storage::Default : memory;
        storage->second.is_gpu_constant = false;
    }
    return *this;
}
Buffer& Buffer::tag_gpu_constant() {
    const auto storage = program_->storage.find(name_);
    if (storage == program_->storage.end() || !storage->second.is_input)
        refuse("M010", fmt::format("`{}` is tagged as constant memory of a device, and computations store in it", name_),
               "Tag inputs, or cache what kernels compute in shared memory.");
    for (const symbolic::Expr& extent : storage->second.shape)
        if (!extent.constant())
            refuse("M010",
                   fmt::format("the input `{}` is tagged as constant memory of a device, and its size is known to the call alone",
                               name_),
                   "Give its dimensions numbers, or take the tag away.");
    storage->second.is_gpu_constant = true;
    return *this;
}

namespace {

/// The level is split; its inner part runs in full tiles of that many.
void split_into_lanes(Computation& computation, Definition& of, const std::string& level, std::int64_t size,
                      const std::string& outer, const std::string& inner, Lanes lanes) {
    if (of.parallel.contains(level) && outer != level)
        refuse("M004", fmt::format("the level `{}` of `{}` is parallel and would be gone", level, of.name),
               "Change the loops first and parallelize after it.");
    const std::string new_inner = inner.empty() ? level + "_inner" : inner;
    computation.split(level, size, outer.empty() ? level + "_outer" : outer, new_inner);
    of.lanes[new_inner] = {lanes, size};
}

}  // namespace

Computation& Computation::unroll(const std::string& level, std::int64_t factor, const std::string& outer,
                                 const std::string& inner) {
    split_into_lanes(*this, program_->definitions[number_], level, factor, outer, inner, Lanes::Unrolled);
    return *this;
}
Computation& Computation::vectorize(const std::string& level, std::int64_t lanes, const std::string& outer,
                                    const std::string& inner) {
    Definition& of = program_->definitions[number_];
    split_into_lanes(*this, of, level, lanes, outer, inner, Lanes::Vector);
    of.parallel.insert(inner.empty() ? level + "_inner" : inner);
    return *this;
}

std::optional<std::int64_t> Computation::iterations(const std::string& level) const {
    const Definition& of = program_->definitions[number_];
    const auto at = static_cast<unsigned>(level_of(of, level));
    // The distances from each iteration of the level to others in the same iterations around it.
    const poly::Map runs = program_->iterations(of, at + 1).intersect_parameters(program_->context());
    const poly::Set all = runs.range();
    poly::Map pairs = poly::Map::product(all, all);
    for (unsigned d = 0; d < at; ++d) pairs = pairs.equate(d, d);
    const poly::Set apart = pairs.flatten();
    std::vector<std::string> both;
    for (unsigned d = 0; d < 2 * (at + 1); ++d) both.push_back(variable(d));
    const poly::Map distance =
        poly::Map::parse(fmt::format("{{ [{}] -> [{} - {}] }}", fmt::join(both, ", "), both.back(), both[at]));
    const auto greatest = poly::constant_greatest(distance.image(apart.with_tuple("")), 0);
    return greatest ? std::optional(*greatest + 1) : std::nullopt;
}

bool Computation::is_uniform(const std::string& level) const {
    const Definition& of = program_->definitions[number_];
    const auto at = static_cast<unsigned>(level_of(of, level));
    const poly::Set runs = program_->iterations(of, at + 1).intersect_parameters(program_->context()).range();
    return poly::Map::product(runs.project_out(at, 1), runs.project_out(0, at)).flatten().is_equal(runs) == poly::Answer::Yes;
}

namespace {

std::int64_t expect_iterations(const Computation& of, const std::string& level, std::optional<std::int64_t> given) {
    const auto count = given ? given : of.iterations(level);
    if (!count)
        refuse("M004", fmt::format("the level `{}` of `{}` has no constant number of iterations", level, of.name()),
               "Split it by a number and name its inner part.");
    expect_positive(*count);
    return *count;
}

}  // namespace

Computation& Computation::unroll_level(const std::string& level, std::optional<std::int64_t> iterations) {
    program_->definitions[number_].lanes[level] = {Lanes::Unrolled, expect_iterations(*this, level, iterations)};
    return *this;
}
Computation& Computation::vectorize_level(const std::string& level, std::optional<std::int64_t> iterations) {
    Definition& of = program_->definitions[number_];
    of.lanes[level] = {Lanes::Vector, expect_iterations(*this, level, iterations)};
    of.parallel.insert(level);
    return *this;
}

Computation& Computation::inline_into_readers() {
    Definition& of = program_->definitions[number_];
    if (of.target)
        refuse("M004", fmt::format("the update `{}` cannot be inlined", of.name), "Inline a computation without updates.");
    of.is_inlined = true;
    return *this;
}
Computation& Computation::infer_bounds() {
    Definition& of = program_->definitions[number_];
    if (!of.is_box || of.target)
        refuse("M004", fmt::format("the domain of `{}` is not given by bounds alone", of.name), "Give the domain that is read.");
    of.bounds_inferred = true;
    return *this;
}

namespace {

Loop loop_of(const std::string& what, const Program& program, std::size_t other, const std::string& level) {
    if (level == kRoot) refuse("M004", fmt::format("`{}` is placed in no loop", what), "Name a level of the other computation.");
    return {.of = other, .depth = static_cast<unsigned>(level_of(program.definitions[other], level)) + 1};
}

}  // namespace

Computation& Computation::compute_at(const Computation& consumer, const std::string& level) {
    expect_same(*program_, *consumer.program_);
    Definition& of = program_->definitions[number_];
    if (of.target) refuse("M004", fmt::format("`{}` is computed where its target is", of.name), "Place the target.");
    if (consumer.number_ == number_) refuse("M004", fmt::format("`{}` cannot run in its own loops", of.name), "Name a consumer.");
    of.computed_at = loop_of(of.name, *program_, consumer.number_, level);
    return *this;
}
Computation& Computation::store_at(const Computation& consumer, const std::string& level) {
    expect_same(*program_, *consumer.program_);
    Definition& of = program_->definitions[number_];
    const Loop loop = loop_of(of.name, *program_, consumer.number_, level);
    if (!of.computed_at || of.computed_at->of != loop.of || of.computed_at->depth < loop.depth)
        refuse("M004", fmt::format("`{}` is not computed in the loop `{}` of `{}`", of.name, level, consumer.name()),
               "Call compute_at first, with this level or one inside it.");
    of.stored_at = loop;
    return *this;
}

Computation& Computation::store_in(const std::vector<std::string>& indices) {
    Definition& of = program_->definitions[number_];
    if (of.target) refuse("M004", fmt::format("`{}` updates the memory of its target", of.name), "Store the target.");
    std::vector<Expr> layout;
    for (const std::string& index : indices) layout.push_back(parse_affine(index, "the index"));
    affine_map(of, layout, of.name);
    of.buffer.clear();
    of.layout = std::move(layout);
    of.extents.clear();
    return *this;
}

Buffer Computation::buffer() {
    const Definition& of = program_->original(program_->definitions[number_]);
    return {*program_, of.buffer.empty() ? of.name : of.buffer};
}

Buffer& Buffer::allocate_at(const Computation& other, const std::string& level) {
    expect_same(*program_, *other.program_);
    const Loop loop = loop_of(name_, *program_, other.number_, level);
    const auto storage = program_->storage.find(name_);
    if (storage == program_->storage.end()) {
        program_->wishes[name_].allocated = loop;
    } else {
        if (storage->second.is_input || storage->second.is_argument)
            refuse("M004", fmt::format("the caller allocates `{}`", name_), "Name a buffer.");
        storage->second.allocated = loop;
    }
    return *this;
}

Computation& Computation::store_in(const std::string& buffer, const std::vector<std::string>& indices) {
    Definition& of = program_->definitions[number_];
    if (of.target) refuse("M004", fmt::format("`{}` updates the memory of its target", of.name), "Store the target.");
    const auto storage = program_->storage.find(buffer);
    if (storage == program_->storage.end())
        refuse("M001", fmt::format("there is no buffer `{}` for `{}`", buffer, of.name), "Declare it with its extents.");
    std::vector<Expr> layout;
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
    std::size_t placed = 0;
    for (std::size_t at = 0; at < all.size(); ++at) placed += all[at].is_inlined ? 1 : 0;
    // What runs in loops of another, before it, has its place, wherever it was defined.
    const auto settle = [&](const auto& self, std::size_t at, std::size_t links) -> bool {
        if (!positions[at].empty()) return true;
        const std::optional<Order>& order = all[at].order;
        if (order && positions[order->other].empty() &&
            (links == 0 || !program.original(all[order->other]).computed_at || !self(self, order->other, links - 1)))
            return false;
        std::vector<int> prefix;
        if (order) prefix.assign(positions[order->other].begin(), positions[order->other].begin() + order->shared);
        place(at, std::move(prefix));
        ++placed;
        return true;
    };
    // The earliest definition that has its place to get: one that waited comes in front of those that were defined after it.
    const auto settle_one = [&] {
        for (std::size_t at = 0; at < all.size(); ++at)
            if (!all[at].is_inlined && positions[at].empty() && settle(settle, at, all.size())) return true;
        return false;
    };
    while (placed < all.size())
        if (!settle_one()) refuse("M004", "computations run after each other in a circle", "Take one of the commands away.");
    poly::UnionMap times = poly::UnionMap::empty();
    for (std::size_t at = 0; at < all.size(); ++at) {
        if (all[at].is_inlined) continue;
        std::vector<std::string> from, to{std::to_string(positions[at][0])};
        for (std::size_t level = 0; level < depth; ++level) {
            const bool own = level < all[at].levels.size();
            if (own) from.push_back(variable(level));
            to.push_back(own ? variable(level) : "0");
            to.push_back(std::to_string(positions[at][level + 1]));
        }
        const poly::Map own = all[at].times.intersect_domain(all[at].domain);
        if (all[at].domain.is_subset(own.domain()) == poly::Answer::No)
            refuse("M004", fmt::format("the schedule of `{}` gives some of its instances no time", all[at].name),
                   "Give every instance a time.");
        times =
            times.unite(own.then(poly::Map::parse(fmt::format("{{ [{}] -> [{}] }}", fmt::join(from, ", "), fmt::join(to, ", ")))));
    }
    return times;
}

}  // namespace sluice::schedule
