// R1 each read finds in memory the value of the instance that it names, or what it finds where computations run whole, one after
// the other.  R2 what the caller passed ends as it does there.  R3 nothing reads memory of the function that nobody stored in.
#include <fmt/format.h>

#include "poly/flow.h"
#include "schedule/program.h"
#include "schedule/witness.h"

namespace sluice::schedule {

using poly::Answer;
using poly::UnionMap;

namespace {

constexpr const char* kEnd = "end__";

/// Computations one after the other, in the order that commands give and else in that of their definitions.
UnionMap one_by_one(Program program) {
    for (Definition& of : program.definitions) {
        of.times = poly::Map::prefix({.tuple = of.name, .dims = of.iterators}, static_cast<unsigned>(of.iterators.size()));
        of.levels = of.iterators;
        if (of.order) of.order->shared = 0;
    }
    return full_times(program);
}

unsigned dimensions(const UnionMap& times) {
    const std::vector<poly::Map> maps = times.maps();
    return maps.empty() ? 0 : maps.front().range_dimensions();
}

/// Instances of the end, one for each element, behind all.
UnionMap with_end(const UnionMap& times, const Storage& storage, std::size_t definitions) {
    std::vector<std::string> from, to(dimensions(times), "0");
    for (std::size_t at = 0; at < storage.shape.size(); ++at) from.push_back(fmt::format("e{}", at));
    if (to.empty()) return times;
    to.front() = std::to_string(definitions + 1);
    return times.unite(poly::Map::parse(fmt::format("{{ {}[{}] -> [{}] }}", kEnd, fmt::join(from, ", "), fmt::join(to, ", "))));
}

poly::Map at_end(const Storage& storage) {
    std::vector<std::string> dims;
    for (std::size_t at = 0; at < storage.shape.size(); ++at) dims.push_back(fmt::format("e{}", at));
    const std::string list = fmt::format("{}", fmt::join(dims, ", "));
    return poly::Map::parse(fmt::format("{{ {}[{}] -> {}[{}] }}", kEnd, list, storage.name, list))
        .intersect_range(elements_of(storage));
}

/// Who stored what a reader finds.
class Findings {
public:
    Findings(const Program& program, const UnionMap& times)
        : program_(program), times_(times), reference_(one_by_one(program)), context_(program.context()) {}

    void check() const {
        for (const Definition& reader : program_.definitions) {
            if (reader.is_inlined) continue;
            for (const Read& read : reader.reads) check(reader, read);
        }
        for (const auto& [name, storage] : program_.storage)
            if (storage.is_argument) at_the_end(storage);
    }

private:
    struct Found {
        UnionMap stores;           ///< Who stores -> who reads.
        poly::UnionSet untouched;  ///< Readers of what nobody stored before.
    };

    UnionMap limited(const UnionMap& pairs) const { return pairs.intersect_parameters(context_); }

    Found found(const UnionMap& reads, const UnionMap& writes, const UnionMap& times) const {
        poly::FlowAnswer answer = poly::flow(
            {.sinks = limited(reads), .must_sources = limited(writes), .may_sources = UnionMap::empty(), .schedule = times});
        if (!answer.known()) expect_answer(Answer::Unknown, "what reads find in memory");
        return {.stores = answer.must, .untouched = answer.without_write.domain()};
    }

    UnionMap writes(const std::string& buffer, bool by_iteration) const {
        UnionMap all = UnionMap::empty();
        for (const Definition& of : program_.definitions)
            if (!of.is_inlined && of.buffer == buffer)
                all = all.unite(by_iteration ? program_.elements(of) : affine_map(of, of.layout, buffer));
        return all;
    }

    static bool is_within(const UnionMap& pairs, const UnionMap& of) {
        const Answer answer = pairs.subtract(of).is_empty();
        expect_answer(answer, "what reads find in memory");
        return answer == Answer::Yes;
    }
    static bool is_within(const poly::UnionSet& points, const poly::UnionSet& of) {
        const Answer answer = points.is_subset(of);
        expect_answer(answer, "what reads find in memory");
        return answer == Answer::Yes;
    }

    void check(const Definition& reader, const Read& read) const {
        const Definition* producer = program_.find(read.of);
        const std::string& buffer = producer ? producer->buffer : read.of;
        const Storage& storage = program_.storage.at(buffer);
        if (!read.is_affine()) return any(reader, read);
        const Found scheduled = found(program_.elements(reader, read), writes(buffer, true), times_);
        const Found whole = found(program_.accessed(reader, read), writes(buffer, false), reference_);
        const bool as_whole = is_within(scheduled.stores, whole.stores) && is_within(scheduled.untouched, whole.untouched);
        UnionMap named = UnionMap::empty();
        if (producer) named = limited(program_.points(reader, read).intersect_range(producer->domain)).reverse();
        // Who adds up in the same memory finds what is there; others find no other instance of the computation that they name.
        if (producer && reader.buffer != buffer)
            expect_none(scheduled.stores.intersect_domain(producer->domain).intersect_range(named.range()).subtract(named), named,
                        buffer);
        if (!as_whole) {
            const UnionMap other = whole.stores.intersect_range(complement(reader, named));
            const UnionMap wrong = scheduled.stores.subtract(named.unite(other));
            expect_none(wrong, named.unite(whole.stores), buffer);
            const UnionMap late = named.unite(whole.stores).intersect_range(scheduled.untouched);
            if (const auto example = example_of(late))
                refuse("M016",
                       fmt::format("the schedule does not run {} before {}, which finds its value in `{}`{}", example->first,
                                   example->second, buffer, example->where),
                       "Change the order of the computations or their levels.");
        }
        if (storage.is_argument || is_within(scheduled.untouched, poly::UnionSet::empty())) return;
        for (const poly::Set& points : scheduled.untouched.sets())
            if (const auto point = points.sample())
                refuse("M017",
                       fmt::format("{} reads an element of `{}` that nobody has stored in{}",
                                   instance(reader.name, point->coordinates), buffer, with(point->parameters)),
                       "Store in it first, or let the caller pass it.");
    }

    /// Failure M016 with one of those who store what is not to be found -> who reads it.
    static void expect_none(const UnionMap& wrong, const UnionMap& right, const std::string& buffer) {
        const auto example = example_of(wrong);
        if (!example) return;
        const auto instead = example_of(right.intersect_range(wrong.range()));
        refuse("M016",
               fmt::format("{} would find in `{}` what {} stores{}{}", example->second, buffer, example->first,
                           instead ? fmt::format(", and not what {} does", instead->first) : std::string(), example->where),
               "Change the order of the computations or their levels, or store them in different elements.");
    }

    /// Where data decide which element is read: the order of all stores is that of the whole computations.
    void any(const Definition& reader, const Read& read) const {
        const Definition* producer = program_.find(read.of);
        const std::string& buffer = producer ? producer->buffer : read.of;
        const UnionMap pairs = limited(writes(buffer, false).then(UnionMap(program_.accessed(reader, read)).reverse()));
        const UnionMap first = poly::before(pairs, reference_), then = pairs.subtract(first);
        const UnionMap bad = poly::violated(first, times_).unite(poly::before(then, times_));
        if (const auto example = example_of(bad))
            refuse("M016",
                   fmt::format("{} may find in `{}` what {} stores, and the schedule runs them in another order{}", example->second,
                               buffer, example->first, example->where),
                   "Change the order of the computations or their levels.");
    }

    poly::UnionSet complement(const Definition& reader, const UnionMap& named) const {
        poly::UnionSet all = reader.domain;
        return all.subtract(named.range());
    }

    void at_the_end(const Storage& storage) const {
        const UnionMap stores = writes(storage.name, false), end = at_end(storage);
        if (stores.maps().empty()) return;
        const std::size_t count = program_.definitions.size();
        const Found scheduled = found(end, stores, with_end(times_, storage, count));
        const Found whole = found(end, stores, with_end(reference_, storage, count));
        if (is_within(scheduled.stores, whole.stores)) return;
        const UnionMap wrong = scheduled.stores.subtract(whole.stores);
        const auto example = example_of(wrong);
        const auto right = example_of(whole.stores.intersect_range(wrong.range()));
        refuse("M016",
               fmt::format("`{}` would keep what {} stores{}{}", storage.name, example->first,
                           right ? fmt::format(", and not what {} does", right->first) : std::string(), example->where),
               "Keep the order of instances that share an element.");
    }

    const Program& program_;
    const UnionMap& times_;
    const UnionMap reference_;
    poly::Set context_;
};

}  // namespace

void check_memory(const Program& program, const UnionMap& times) {
    Findings(program, times).check();
}

}  // namespace sluice::schedule
