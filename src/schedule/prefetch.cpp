// Prefetches: the element that an iteration some later reads, in terms of the instance that runs now.
// F1 the later iteration is a fixed distance away in the iterators.  F2 what is read is affine, and memory that stays.
#include <fmt/format.h>

#include <algorithm>

#include "schedule/program.h"

namespace sluice::schedule {

namespace {

using symbolic::Expr;

/// How far the iterators are from those of the iteration of the level that is so much later.
std::vector<std::int64_t> distance_of(const Definition& of, const Definition::Prefetch& asked) {
    const auto level = std::ranges::find(of.levels, asked.level);
    if (level == of.levels.end())
        refuse("M009", fmt::format("`{}` is to prefetch in its level `{}`, which later commands took away", of.name, asked.level),
               fmt::format("Its levels are {}.", fmt::join(of.levels, ", ")));
    const auto at = static_cast<std::size_t>(level - of.levels.begin());
    std::vector<std::string> now, later;
    for (std::size_t d = 0; d < of.levels.size(); ++d) {
        now.push_back(fmt::format("t{}", d));
        later.push_back(d == at ? fmt::format("t{} + {}", d, asked.distance) : now.back());
    }
    const poly::Map step = poly::Map::parse(fmt::format("{{ [{}] -> [{}] }}", fmt::join(now, ", "), fmt::join(later, ", ")));
    const poly::Map pairs = of.times.then(step).then(of.times.reverse());
    const auto example = pairs.sample();
    std::vector<std::int64_t> distance;
    std::vector<std::string> from, to;
    for (std::size_t d = 0; example && d < example->from.size(); ++d) {
        distance.push_back(example->to[d] - example->from[d]);
        from.push_back(fmt::format("x{}", d));
        to.push_back(fmt::format("x{} + {}", d, distance.back()));
    }
    const poly::Map fixed =
        poly::Map::parse(fmt::format("{{ {0}[{1}] -> {0}[{2}] }}", of.name, fmt::join(from, ", "), fmt::join(to, ", ")));
    if (!example || pairs.is_subset(fixed) != poly::Answer::Yes)
        refuse("M009",
               fmt::format("the iteration of `{}` that is {} later is no fixed distance away for `{}`, which is to prefetch",
                           asked.level, asked.distance, of.name),
               "Prefetch along another level, or by less than a tile.");
    return distance;
}

/// Is all but the last index the same, and that one a constant apart? Then both are likely in one line of the cache.
bool are_neighbours(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    if (a.size() != b.size() || a.empty()) return a.size() == b.size();
    return std::equal(a.begin(), a.end() - 1, b.begin(), b.end() - 1) && (a.back() - b.back()).constant();
}

}  // namespace

std::vector<std::optional<symbolic::Subset>> prefetched(const Program& program, const Definition& of) {
    std::vector<std::optional<symbolic::Subset>> elements(of.reads.size());
    for (const Definition::Prefetch& asked : of.prefetches) {
        if (!of.device.empty())
            refuse("M010", fmt::format("`{}` is to prefetch, and kernels of a device do not", of.name),
                   "Take the command away, or cache what threads read again with cache_shared_at.");
        symbolic::Substitution later;
        const std::vector<std::int64_t> distance = distance_of(of, asked);
        for (std::size_t d = 0; d < distance.size(); ++d)
            later.emplace(of.iterators[d], symbolic::symbol(of.iterators[d]) + distance[d]);
        std::vector<std::vector<Expr>> seen;
        for (std::size_t at = 0; at < of.reads.size(); ++at) {
            const Read& read = of.reads[at];
            if (read.of != asked.of) continue;
            const Definition* producer = program.find(read.of);
            if (!read.is_affine())
                refuse("M009", fmt::format("data decide what `{}` reads of `{}`, which is to be prefetched", of.name, read.of),
                       "Prefetch what is read at affine indices.");
            if (!read.around.empty() || (producer && program.storage.at(producer->buffer).allocated))
                refuse("M009", fmt::format("`{}` is to prefetch `{}`, whose memory is new in each iteration", of.name, read.of),
                       "Prefetch what stays in memory.");
            const std::vector<Expr> indices = producer ? indices_in(*producer, point_of(read)) : read.indices;
            if (std::ranges::any_of(seen, [&](const auto& other) { return are_neighbours(indices, other); })) continue;
            seen.push_back(indices);
            symbolic::Subset element = symbolic::Subset::indices(indices.empty() ? std::vector<Expr>{0} : indices);
            elements[at] = symbolic::substitute(element, later);
        }
        if (seen.empty())
            refuse("M004", fmt::format("`{}` does not read `{}`, which it is to prefetch", of.name, asked.of),
                   "Name an input or a computation that it reads.");
    }
    return elements;
}

}  // namespace sluice::schedule
