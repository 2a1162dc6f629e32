#include "schedule/alternatives.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/diagnostic.h"

namespace sluice::schedule {

namespace {

/// isl's operations for all that is tried, and how much that is at most.
constexpr unsigned long kSearchOperations = 6'000'000;
constexpr std::size_t kMostTries = 60;

std::string listed_levels(const std::vector<std::string>& names) {
    std::vector<std::string> quoted;
    for (const std::string& name : names) quoted.push_back(fmt::format("\"{}\"", name));
    return fmt::format("{}", fmt::join(quoted, ", "));
}

class Nearby {
public:
    explicit Nearby(const Program& program) : program_(program) {}

    std::vector<Alternative> all() {
        for (std::size_t at = 0; at < program_.definitions.size(); ++at) other_levels(at);
        for (std::size_t at = 0; at < program_.definitions.size(); ++at) shifts(at);
        for (std::size_t at = 0; at < program_.definitions.size(); ++at) own_memory(at);
        for (std::size_t at = 0; at < program_.definitions.size(); ++at) without(at);
        for (std::size_t at = 0; at < program_.definitions.size(); ++at) other_orders(at);
        for (std::size_t at = 0; at < program_.definitions.size(); ++at) skews(at);
        for (std::size_t at = 0; at < program_.definitions.size(); ++at) shifts_at_other_levels(at);
        return std::move(found_);
    }

private:
    const Definition& of(std::size_t at) const { return program_.definitions[at]; }
    void add(std::string text, std::function<void(Program&)> apply) { found_.push_back({std::move(text), std::move(apply)}); }
    static std::string level_name(const Definition& other, unsigned shared) {
        return shared == 0 ? kRoot : other.levels[shared - 1];
    }

    /// The same commands with another level.
    void other_levels(std::size_t at) {
        const Definition& here = of(at);
        if (here.order) {
            const Definition& other = of(here.order->other);
            const auto most = static_cast<unsigned>(std::min(here.levels.size(), other.levels.size()));
            for (unsigned shared : nearest(here.order->shared, most)) {
                const std::string level = level_name(other, shared);
                add(fmt::format("{}.after({}, \"{}\")", here.name, other.name, level),
                    [at, shared](Program& program) { program.definitions[at].order->shared = shared; });
            }
        }
        if (here.computed_at) {
            const Definition& consumer = of(here.computed_at->of);
            for (unsigned depth : nearest(here.computed_at->depth, static_cast<unsigned>(consumer.levels.size())))
                if (depth > 0)
                    add(fmt::format("{}.compute_at({}, \"{}\")", here.name, consumer.name, level_name(consumer, depth)),
                        [at, depth](Program& program) {
                            Definition& changed = program.definitions[at];
                            changed.computed_at->depth = depth;
                            if (changed.stored_at && changed.stored_at->depth > depth) changed.stored_at->depth = depth;
                        });
        }
        for (const std::string& level : here.parallel) {
            if (here.lanes.contains(level) || here.device.contains(level)) continue;
            for (const std::string& other : here.levels)
                if (!here.parallel.contains(other))
                    add(fmt::format("{0}.parallelize(\"{1}\") in the place of {0}.parallelize(\"{2}\")", here.name, other, level),
                        [at, level, other](Program& program) {
                            program.definitions[at].parallel.erase(level);
                            program.definitions[at].parallel.insert(other);
                        });
        }
        lanes_elsewhere(at);
        allocated(at);
    }

    /// Another level in lanes or without a loop, of as many iterations.
    void lanes_elsewhere(std::size_t at) {
        const Definition& here = of(at);
        for (const auto& [level, lanes] : here.lanes)
            for (auto other = here.levels.rbegin(); other != here.levels.rend(); ++other) {
                if (*other == level || here.lanes.contains(*other) || here.parallel.contains(*other)) continue;
                const bool vector = lanes.first == Lanes::Vector;
                const std::int64_t size = lanes.second;
                const std::string name = *other, outer = name + "_l", inner = name + "_v";
                add(fmt::format("{0}.{1}(\"{2}\", {3}, \"{4}\", \"{5}\") in the place of {0}.{1} of \"{6}\"", here.name,
                                vector ? "vectorize" : "unroll", name, size, outer, inner, level),
                    [at, level, name, outer, inner, size, vector](Program& program) {
                        program.definitions[at].lanes.erase(level);
                        program.definitions[at].parallel.erase(level);
                        Computation changed(program, at);
                        vector ? changed.vectorize(name, size, outer, inner) : changed.unroll(name, size, outer, inner);
                    });
            }
    }

    /// Memory of loops further out.
    void allocated(std::size_t at) {
        const Definition& here = of(at);
        const auto outside = [&](const std::string& buffer, const Loop& loop, bool wished) {
            const Definition& other = of(loop.of);
            for (unsigned depth = loop.depth - 1; depth > 0; --depth)
                add(fmt::format("{}.buffer().allocate_at({}, \"{}\")", here.name, other.name, level_name(other, depth)),
                    [buffer, depth, wished](Program& program) {
                        if (wished)
                            program.wishes.at(buffer).allocated->depth = depth;
                        else
                            program.storage.at(buffer).allocated->depth = depth;
                    });
        };
        if (here.target) return;
        if (const auto wish = program_.wishes.find(here.name); here.buffer.empty() && wish != program_.wishes.end()) {
            if (wish->second.allocated) outside(here.name, *wish->second.allocated, true);
        } else if (const auto storage = program_.storage.find(here.buffer);
                   storage != program_.storage.end() && storage->second.allocated) {
            outside(here.buffer, *storage->second.allocated, false);
        }
    }

    /// The numbers up to `most`, those near to `from` first, without it.
    static std::vector<unsigned> nearest(unsigned from, unsigned most) {
        std::vector<unsigned> all;
        for (unsigned other = 0; other <= most; ++other)
            if (other != from) all.push_back(other);
        const auto distance = [&](unsigned one) { return one < from ? 2 * (from - one) : 2 * (one - from) + 1; };
        std::ranges::sort(all, {}, distance);
        return all;
    }

    bool shares_loops(std::size_t at) const {
        return (of(at).order && of(at).order->shared > 0) ||
               std::ranges::any_of(program_.definitions, [&](const Definition& other) {
                   return other.order && other.order->other == at && other.order->shared > 0;
               });
    }
    void shift(std::size_t at, std::size_t level, std::int64_t by) {
        const std::string name = of(at).levels[level];
        add(fmt::format("{}.shift(\"{}\", {})", of(at).name, name, by),
            [at, name, by](Program& program) { Computation(program, at).shift(name, by); });
    }
    void shifts(std::size_t at) {
        if (!of(at).order || of(at).order->shared == 0) return;
        for (const std::int64_t by : {1, 2, -1, 3})
            for (std::size_t level = 0; level < of(at).order->shared; ++level) shift(at, level, by);
    }
    void shifts_at_other_levels(std::size_t at) {
        if (!shares_loops(at)) return;
        for (const std::int64_t by : {-2, 4, -3})
            for (std::size_t level = 0; level < of(at).levels.size(); ++level) shift(at, level, by);
    }

    void own_memory(std::size_t at) {
        const Definition& here = of(at);
        if (here.target || (here.buffer.empty() && here.layout == own_point(here))) return;
        add(fmt::format("{}.store_in([{}])", here.name, listed_levels(here.iterators)),
            [at](Program& program) { Computation(program, at).store_in(program.definitions[at].iterators); });
    }

    /// One command less.
    void without(std::size_t at) {
        const Definition& here = of(at);
        const auto leave = [&](const std::string& command, std::function<void(Definition&)> change) {
            add(fmt::format("without {}.{}", here.name, command),
                [at, change = std::move(change)](Program& program) { change(program.definitions[at]); });
        };
        for (const std::string& level : here.parallel)
            if (!here.lanes.contains(level) && !here.device.contains(level))
                leave(fmt::format("parallelize(\"{}\")", level), [level](Definition& changed) { changed.parallel.erase(level); });
        for (const auto& [level, lanes] : here.lanes) {
            const bool vector = lanes.first == Lanes::Vector;
            leave(fmt::format("{} of \"{}\", which stays split", vector ? "vectorize" : "unroll", level),
                  [level, vector](Definition& changed) {
                      changed.lanes.erase(level);
                      if (vector) changed.parallel.erase(level);
                  });
        }
        if (here.order)
            leave(
                fmt::format("after({}, \"{}\")", of(here.order->other).name, level_name(of(here.order->other), here.order->shared)),
                [](Definition& changed) { changed.order.reset(); });
        if (here.computed_at)
            leave(fmt::format("compute_at({}, \"{}\")", of(here.computed_at->of).name,
                              level_name(of(here.computed_at->of), here.computed_at->depth)),
                  [](Definition& changed) { changed.computed_at.reset(), changed.stored_at.reset(); });
    }

    /// Two levels change places, or one runs the other way round.
    void other_orders(std::size_t at) {
        const std::vector<std::string>& levels = of(at).levels;
        for (std::size_t a = 0; a < levels.size(); ++a)
            for (std::size_t b = a + 1; b < levels.size(); ++b) {
                const std::string outer = levels[a], inner = levels[b];
                add(fmt::format("{}.interchange(\"{}\", \"{}\")", of(at).name, outer, inner),
                    [at, outer, inner](Program& program) { Computation(program, at).interchange(outer, inner); });
            }
        for (const std::string& level : levels)
            add(fmt::format("{}.reverse(\"{}\", \"{}\")", of(at).name, level, level),
                [at, level](Program& program) { Computation(program, at).reverse(level, level); });
    }

    /// An outer level runs later for each iteration of an inner one.
    void skews(std::size_t at) {
        const std::vector<std::string>& levels = of(at).levels;
        for (const std::int64_t factor : {1, -1, 2})
            for (std::size_t a = 0; a < levels.size(); ++a)
                for (std::size_t b = a + 1; b < levels.size(); ++b) {
                    const std::string outer = levels[a], inner = levels[b];
                    add(fmt::format(
                            "{0}.interchange(\"{1}\", \"{2}\").skew(\"{2}\", \"{1}\", {3}, \"{2}\", \"{1}\").interchange(\"{2}\", "
                            "\"{1}\")",
                            of(at).name, outer, inner, factor),
                        [at, outer, inner, factor](Program& program) {
                            Computation(program, at)
                                .interchange(outer, inner)
                                .skew(inner, outer, factor, inner, outer)
                                .interchange(inner, outer);
                        });
                }
    }

    const Program& program_;
    std::vector<Alternative> found_;
};

}  // namespace

std::vector<Alternative> alternatives(const Program& program) {
    return Nearby(program).all();
}

std::optional<Alternative> legal_alternative(const Program& program, const std::function<void(const Program&)>& expect_legal) {
    const poly::Budget budget(kSearchOperations);
    std::vector<Alternative> all = alternatives(program);
    if (all.size() > kMostTries) all.resize(kMostTries);
    for (Alternative& one : all) {
        if (budget.exceeded()) break;
        try {
            Program changed = program;
            one.apply(changed);
            expect_legal(changed);
            return std::move(one);
        } catch (const Failure&) {
            continue;  // Not this one.
        }
    }
    return std::nullopt;
}

}  // namespace sluice::schedule
