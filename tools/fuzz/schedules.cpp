#include "fuzz/schedules.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "interpret/interpret.h"
#include "support/check.h"
#include "symbolic/expr.h"

#include "fuzz/algorithm.h"
#include "fuzz/random.h"

namespace sluice::fuzz {

namespace {

using schedule::Computation;

constexpr double kUntouched = -12345.0;
constexpr int kSmallestSize = 2, kLargestSize = 8;
constexpr std::uint64_t kRepairedPrograms = 4;  ///< Of so many one.

/// A command before it is known which levels there are.
struct Command {
    std::string name;
    std::vector<std::uint64_t> choices;
};

const std::vector<std::string>& names() {
    static const std::vector<std::string> all{"split",        "tile",       "interchange",  "shift",     "skew",   "reverse",
                                              "after",        "between",    "parallelize",  "vectorize", "unroll", "compute_at",
                                              "store_at",     "inline",     "infer_bounds", "store_in",  "gpu",    "allocate_at",
                                              "set_schedule", "compute_at", "after"};
    return all;
}

/// What a run of a program says.
struct Run {
    bool legal = false;
    std::string code;                                 ///< Of the refusal.
    std::vector<std::string> script;                  ///< Python.
    std::vector<std::pair<std::string, bool>> given;  ///< Commands, and whether each was taken.
    std::optional<std::string> wrong;
};

class Script {
public:
    Script(schedule::Function& function, const Algorithm& algorithm, Run& run)
        : function_(function), algorithm_(algorithm), run_(run) {
        run_.script = algorithm.text();
        all_ = algorithm.declare(function);
        for (std::size_t k = 0; k < all_.size(); ++k) {
            if (!algorithm.computations()[k].extended) continue;
            all_[k].infer_bounds();
            run_.script.push_back(all_[k].name() + ".infer_bounds()");
        }
    }

    /// The last one.
    std::vector<Computation> outputs() const { return {all_.back()}; }

    void give(const Command& command, std::size_t number) {
        choices_ = &command.choices, next_ = 0, number_ = number;
        std::string text;
        try {
            text = carry_out(command.name);
            if (!text.empty()) run_.script.push_back(text);
            if (!text.empty()) run_.given.emplace_back(command.name, true);
        } catch (const Failure&) {
            run_.given.emplace_back(command.name, false);
        }
    }

private:
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>((*choices_)[next_++ % choices_->size()] % bound); }
    Computation& some() { return all_[below(all_.size())]; }
    std::string level(const Computation& of) {
        const std::vector<std::string> levels = of.levels();
        return levels[below(levels.size())];
    }
    std::string fresh(const char* part) const { return fmt::format("v{}{}", number_, part); }

    std::string carry_out(const std::string& name) {
        Computation& of = some();
        if (name == "after" || name == "between" || name == "compute_at" || name == "store_at" || name == "allocate_at")
            return of_two(name, of);
        if (name == "inline" || name == "infer_bounds") {
            if (name == "inline" && of.name() == all_.back().name()) return {};
            name == "inline" ? of.inline_into_readers() : of.infer_bounds();
            return fmt::format("{}.{}()", of.name(), name);
        }
        if (name == "store_in") return stored(of);
        if (name == "gpu") return mapped(of);
        if (name == "set_schedule") return scheduled(of);
        const std::string at = level(of);
        if (name == "parallelize") {
            of.parallelize(at);
            return fmt::format("{}.parallelize(\"{}\")", of.name(), at);
        }
        if (name == "shift") {
            const auto by = static_cast<std::int64_t>(below(5)) - 2;
            of.shift(at, by);
            return fmt::format("{}.shift(\"{}\", {})", of.name(), at, by);
        }
        if (name == "reverse") {
            of.reverse(at, fresh("r"));
            return fmt::format("{}.reverse(\"{}\", \"{}\")", of.name(), at, fresh("r"));
        }
        if (name == "split" || name == "unroll" || name == "vectorize") {
            const auto size = static_cast<std::int64_t>(2 + below(3));
            const std::string outer = fresh("o"), inner = fresh("i");
            name == "split"    ? of.split(at, size, outer, inner)
            : name == "unroll" ? of.unroll(at, size, outer, inner)
                               : of.vectorize(at, size, outer, inner);
            return fmt::format("{}.{}(\"{}\", {}, \"{}\", \"{}\")", of.name(), name, at, size, outer, inner);
        }
        std::string other = level(of);
        if (name == "skew" || name == "tile") {
            const std::vector<std::string> levels = of.levels();
            const auto place = std::ranges::find(levels, at);
            if (place + 1 == levels.end()) return {};
            other = name == "tile"
                        ? *(place + 1)
                        : *(place + 1 + static_cast<std::ptrdiff_t>(below(static_cast<std::size_t>(levels.end() - place - 1))));
        }
        if (name == "interchange") {
            of.interchange(at, other);
            return fmt::format("{}.interchange(\"{}\", \"{}\")", of.name(), at, other);
        }
        if (name == "skew") {
            const std::int64_t factor = below(2) == 0 ? 1 : -1;
            of.skew(at, other, factor, fresh("s"), fresh("t"));
            return fmt::format("{}.skew(\"{}\", \"{}\", {}, \"{}\", \"{}\")", of.name(), at, other, factor, fresh("s"), fresh("t"));
        }
        check(name == "tile", "a command of the fuzzer");
        const auto a = static_cast<std::int64_t>(2 + below(3)), b = static_cast<std::int64_t>(2 + below(3));
        of.tile(at, other, a, b, fresh("a"), fresh("b"), fresh("c"), fresh("d"));
        return fmt::format("{}.tile(\"{}\", \"{}\", {}, {}, \"{}\", \"{}\", \"{}\", \"{}\")", of.name(), at, other, a, b,
                           fresh("a"), fresh("b"), fresh("c"), fresh("d"));
    }

    std::string of_two(const std::string& name, Computation& of) {
        // Mostly one that is defined later, or earlier where order is meant.
        const auto here = static_cast<std::size_t>(std::ranges::find(all_, of.name(), &Computation::name) - all_.begin());
        const std::size_t first = name == "after" ? 0 : here + 1, end = name == "after" ? here : all_.size();
        const bool any = first >= end || below(5) == 0;
        Computation& other = name == "store_at" && computed_at_.contains(of.name()) ? all_[computed_at_.at(of.name())]
                             : any                                                  ? some()
                                                                                    : all_[first + below(end - first)];
        const std::string at = name == "after" && below(3) == 0 ? schedule::kRoot : level(other);
        if (name == "between") {
            Computation& last = some();
            const std::string behind = level(of);
            of.between(other, at, last, behind);
            return fmt::format("{}.between({}, \"{}\", {}, \"{}\")", of.name(), other.name(), at, last.name(), behind);
        }
        if (name == "allocate_at") {
            of.buffer().allocate_at(other, at);
            return fmt::format("{}.buffer().allocate_at({}, \"{}\")", of.name(), other.name(), at);
        }
        if (name == "after") of.after(other, at);
        if (name == "compute_at") {
            of.compute_at(other, at);
            computed_at_[of.name()] = static_cast<std::size_t>(&other - all_.data());
        }
        if (name == "store_at") of.store_at(other, at);
        return fmt::format("{}.{}({}, \"{}\")", of.name(), name, other.name(), at);
    }

    std::string mapped(Computation& of) {
        const std::vector<std::string> levels = of.levels();
        const std::size_t count = levels.size() >= 4 && below(2) == 0 ? 4 : 2;
        if (levels.size() < count) return {};
        const std::size_t first = below(levels.size() - count + 1);
        const std::vector<std::string> some(levels.begin() + static_cast<std::ptrdiff_t>(first),
                                            levels.begin() + static_cast<std::ptrdiff_t>(first + count));
        of.gpu(some);
        return fmt::format("{}.gpu(\"{}\")", of.name(), fmt::join(some, "\", \""));
    }

    std::string stored(Computation& of) {
        // The result lies as the caller expects it.
        const AlgorithmComputation& last = algorithm_.computations().back();
        if (of.name() == last.name || (last.target >= 0 && of.name() == all_[static_cast<std::size_t>(last.target)].name()))
            return {};
        std::vector<std::string> indices = of.iterators();
        std::rotate(indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(below(indices.size())), indices.end());
        if (below(3) == 0) indices.front() = fmt::format("{} % {}", indices.front(), 2 + below(3));
        of.store_in(indices);
        return fmt::format("{}.store_in([\"{}\"])", of.name(), fmt::join(indices, "\", \""));
    }

    std::string scheduled(Computation& of) {
        std::vector<std::string> from = of.iterators(), to = from;
        std::rotate(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(below(to.size())), to.end());
        if (to.size() > 1 && below(2) == 0) to.back() += " + " + to.front();
        const std::string times = fmt::format("{{ {}[{}] -> [{}] }}", of.name(), fmt::join(from, ", "), fmt::join(to, ", "));
        of.set_schedule(times);
        return fmt::format("{}.set_schedule(\"{}\")", of.name(), times);
    }

    schedule::Function& function_;
    const Algorithm& algorithm_;
    Run& run_;
    std::vector<Computation> all_;
    std::map<std::string, std::size_t> computed_at_;
    const std::vector<std::uint64_t>* choices_ = nullptr;
    std::size_t next_ = 0, number_ = 0;
};

std::int64_t at_size(const symbolic::Expr& e, std::int64_t n) {
    const auto value = symbolic::substitute(e, {{"N", symbolic::integer(n)}}).constant();
    check(value.has_value(), "an extent of the fuzzer's programs");
    return *value;
}

/// What is wrong with the values that a graph leaves.
std::optional<std::string> difference(const ir::Sdfg& graph, const Algorithm& algorithm, std::int64_t n, std::uint64_t order) {
    const auto extent = static_cast<std::size_t>(n + Algorithm::kMargin);
    std::vector<double> x(extent * extent), y(extent);
    std::vector<std::int64_t> at(extent);
    for (std::size_t i = 0; i < extent; ++i) {
        y[i] = Algorithm::y(static_cast<std::int64_t>(i));
        at[i] = Algorithm::at(static_cast<std::int64_t>(i), n);
        for (std::size_t j = 0; j < extent; ++j)
            x[i * extent + j] = Algorithm::x(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j));
    }
    interpret::Arguments arguments{.memory = {{"x", x.data()}, {"y", y.data()}, {"at", at.data()}}, .symbols = {{"N", n}}};
    const std::size_t last = algorithm.computations().size() - 1;
    const AlgorithmComputation& of = algorithm.computations()[last];
    const std::string name = of.target < 0 ? of.name : algorithm.computations()[static_cast<std::size_t>(of.target)].name;
    std::vector<std::int64_t> shape;
    std::size_t count = 1;
    for (const symbolic::Expr& dimension : graph.containers.at(name).shape) {
        shape.push_back(at_size(dimension, n));
        count *= static_cast<std::size_t>(std::max<std::int64_t>(shape.back(), 0));
    }
    std::vector<double> result(count, kUntouched), expected = result;
    arguments.memory[name] = result.data();
    const auto report = interpret::interpret(graph, arguments, {.seed = order});
    if (!report.ok()) return report.error().code + ": " + report.error().message;
    if (!report->findings.empty()) return report->findings.front().code + ": " + report->findings.front().message;
    for (const auto& [point, value] : algorithm.values(last, n)) {
        std::size_t place = 0;
        for (std::size_t d = 0; d < point.size(); ++d)
            place = place * static_cast<std::size_t>(shape[d]) + static_cast<std::size_t>(point[d]);
        expected[place] = value;
    }
    for (std::size_t k = 0; k < count; ++k)
        if (result[k] != expected[k])
            return fmt::format("N = {}, order {}: element {} of {} is {} and not {}", n, order, k, name, result[k], expected[k]);
    return std::nullopt;
}

struct RunOptions {
    bool interpreted = true;
    bool repaired = false;  ///< With the commands near to it that make it legal.
};

Run run_program(std::uint64_t seed, const std::vector<Command>& commands, const RunOptions& options = {}) {
    Run run;
    Random random(derived_seed(seed, 1));
    const Algorithm algorithm(random);
    schedule::Function function("random");
    Script script(function, algorithm, run);
    for (std::size_t k = 0; k < commands.size(); ++k)
        if (!commands[k].name.empty()) script.give(commands[k], k);
    try {
        if (options.repaired)
            if (const auto text = function.repair(script.outputs())) run.script.push_back(*text);
        run.script.push_back(fmt::format("graph = codegen([{}])", script.outputs().front().name()));
        const Result<ir::Sdfg> graph = function.build(script.outputs(), {.suggest = false});
        if (!graph.ok()) {
            run.code = graph.error().code;
            if (run.code.front() != 'M' || run.given.empty()) run.wrong = run.code + ": " + graph.error().message;
            return run;
        }
        run.legal = true;
        if (!options.interpreted) return run;
        for (const std::int64_t n : {kSmallestSize + static_cast<int>(seed % 3), kLargestSize})
            for (const std::uint64_t order : {std::uint64_t{0}, seed | 1})
                if (!run.wrong && (order == 0 || n < kLargestSize)) run.wrong = difference(*graph, algorithm, n, order);
    } catch (const InternalError& bug) {
        run.wrong = bug.what();
    }
    return run;
}

std::vector<Command> commands_of(std::uint64_t seed, int longest) {
    Random random(derived_seed(seed, 2));
    std::vector<Command> commands;
    for (int left = random.between(0, longest); left > 0; --left) {
        commands.push_back({.name = random.pick(names()), .choices = {}});
        for (int k = 0; k < 8; ++k) commands.back().choices.push_back(random.next());
    }
    return commands;
}

/// One command after the other, without those that make the schedule illegal.
Run without_refused(std::uint64_t seed, std::vector<Command>& commands, ScheduleReport& report) {
    const std::vector<Command> all = commands;
    commands.assign(all.size(), {});
    for (std::size_t k = 0; k < all.size(); ++k) {
        commands[k] = all[k];
        const Run with = run_program(seed, commands, {.interpreted = false});
        if (!with.code.empty() && !with.wrong) {
            ++report.refusals[with.code];
            // A search costs as much as tens of schedules.
            if (seed % kRepairedPrograms == 0 && (with.code == "M005" || with.code == "M006" || with.code == "M009")) {
                Run mended = run_program(seed, commands, {.repaired = true});
                ++report.illegal;
                report.mended += mended.legal ? 1 : 0;
                if (mended.wrong) return mended;
            }
            commands[k] = {};
        }
    }
    return run_program(seed, commands);
}

/// Leaves commands out for as long as the program stays wrong.
Run smaller(std::uint64_t seed, std::vector<Command> commands, Run run) {
    for (Command& command : commands) {
        const Command kept = command;
        command.name.clear();
        Run without = run_program(seed, commands);
        if (without.wrong)
            run = std::move(without);
        else
            command = kept;
    }
    return run;
}

}  // namespace

ScheduleReport run_schedules(const ScheduleOptions& options, const std::function<void(const ScheduleReport&)>& progress) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.seconds));
    ScheduleReport report;
    for (std::uint64_t k = 0; k < options.programs && report.findings.size() < options.most_findings; ++k) {
        if (options.seconds > 0 && Clock::now() >= end) break;
        const std::uint64_t seed = derived_seed(options.seed, options.first + k);
        std::vector<Command> commands = commands_of(seed, options.longest);
        Run run = run_program(seed, commands);
        ++report.programs;
        if (!run.code.empty() && !run.wrong) run = without_refused(seed, commands, report);
        report.legal += run.legal ? 1 : 0;
        for (const auto& [name, taken] : run.given) {
            ScheduleTally& tally = report.tallies[name];
            ++tally.given;
            ++report.commands;
            tally.refused += taken ? 0 : 1;
            tally.built += taken && run.legal ? 1 : 0;
        }
        if (run.wrong) {
            run = smaller(seed, commands, std::move(run));
            report.findings.push_back({.program = seed, .text = fmt::format("{}\n{}\n", *run.wrong, fmt::join(run.script, "\n"))});
        }
        if (progress) progress(report);
    }
    return report;
}

std::string table(const ScheduleReport& report) {
    std::string text = fmt::format("{:16} {:>8} {:>8} {:>8}\n", "command", "given", "refused", "built");
    for (const auto& [name, tally] : report.tallies)
        text += fmt::format("{:16} {:>8} {:>8} {:>8}\n", name, tally.given, tally.refused, tally.built);
    if (report.illegal > 0)
        text += fmt::format("{} of {} illegal schedules are legal with a command near to them\n", report.mended, report.illegal);
    for (const auto& [code, count] : report.refusals) text += fmt::format("{} schedules refused by {}\n", count, code);
    return text;
}

}  // namespace sluice::fuzz
