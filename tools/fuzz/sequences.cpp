#include "fuzz/sequences.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "driver/cache.h"
#include "driver/certificate.h"
#include "fuzz/compare.h"
#include "fuzz/random.h"
#include "fuzz/random_options.h"
#include "fuzz/reduce.h"
#include "rewrite/session.h"
#include "transform/registry.h"

namespace sluice::fuzz {

namespace {

using Clock = std::chrono::steady_clock;

/// Transformations that are looked for before a step gives up.
constexpr int kTries = 12;
/// A certificate may cost about as much as a sequence.
constexpr unsigned long kCertifyOperations = 5'000'000;
/// Places at which one of them is tried, where there are so many.
constexpr std::size_t kMatches = 4;

/// Transformations of programs on a device, and those that bring them there, in this order.
const std::map<std::string_view, std::vector<std::string_view>> kAfter = {
    {"StreamingComposition", {"FPGATransformSDFG", "FPGATransformState"}}, {"StreamingMemory", {"FPGATransformSDFG"}}};

/// What fixes an argument is given the values that the case's argument has: the program then means the same for this input.
constexpr std::string_view kFixesInput = "InputToConstant";

class Sequences {
public:
    explicit Sequences(const SequenceOptions& options)
        : options_(options),
          registry_(options.registry ? *options.registry : transform::builtin()),
          folder_(std::filesystem::temp_directory_path() / "sluice-fuzz") {
        for (const rewrite::Transformation* each : registry_.all()) {
            if (!options.only.empty() && !options.only.contains(each->descriptor.name)) continue;
            transformations_.push_back(each);
            report_.tallies[each->descriptor.name];
        }
    }

    SequenceReport run(const std::function<void(const SequenceReport&)>& progress) {
        const auto end =
            Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.seconds));
        for (std::uint64_t k = 0; k < options_.sequences && report_.findings.size() < options_.most_findings; ++k) {
            if (options_.seconds > 0 && Clock::now() >= end) break;
            sequence(options_.first + k);
            ++report_.sequences;
            if (progress) progress(report_);
        }
        return std::move(report_);
    }

private:
    void sequence(std::uint64_t index) {
        const std::uint64_t seed = derived_seed(options_.seed, index);
        TestCase test = generate(seed, options_.generate);
        Random random(derived_seed(seed, 2));
        CheckOptions check;
        check.orders = {};
        check.transformations = &registry_;
        ir::Sdfg after;
        std::optional<Finding> finding = transform(test, random, after);
        if (!finding) {
            if (options_.compiled > 0 && index % options_.compiled == 0 && !fixed(test)) {
                check.configurations = {configuration(index / options_.compiled)};
                ++report_.compiled;
            }
            finding = check_case(test, check, folder_.path());
            if (options_.certify) certify(test, after, finding);
        }
        if (finding) report(seed, test, check, *finding);
    }

    /// Applies a few to the case's graph and writes down which; a finding if one of them breaks.
    std::optional<Finding> transform(TestCase& test, Random& random, ir::Sdfg& after) {
        rewrite::Session session(test.sdfg, registry_);
        session.verify_everything(true);
        std::string name;
        std::optional<Finding> finding;
        memory_ = make_memory(test).or_fail();
        try {
            for (int left = random.between(1, options_.longest); left > 0 && !fixed(session); --left)
                for (int tries = 0; tries < kTries && !finding && !step(session, random, name, finding);) ++tries;
        } catch (const InternalError& bug) {
            finding = Finding{Finding::Kind::Pass, name, bug.what(), {}};
        }
        for (const rewrite::Applied& applied : session.trace()) test.recipe.push_back(to_string(applied.application()));
        report_.applications += session.trace().size();
        after = session.program();
        if (finding && !attempted_.empty()) test.recipe.push_back(attempted_);
        return finding;
    }

    /// Asks for a certificate of the whole sequence, and holds it to what the interpreter found.
    void certify(const TestCase& test, const ir::Sdfg& after, std::optional<Finding>& finding) {
        if (test.recipe.empty() || fixed(test)) return;
        const driver::Certificate certificate =
            driver::certify_programs(test.sdfg, after, {.seconds = options_.certify_seconds, .operations = kCertifyOperations});
        switch (certificate.verdict) {
            case driver::Verdict::Equal:
                ++report_.certified.equal;
                if (finding) finding->message += "\nyet the certificate says equal";
                break;
            case driver::Verdict::Different:
                ++report_.certified.different;
                if (!finding) finding = Finding{Finding::Kind::Pass, "certificate", driver::to_string(certificate), {}};
                break;
            case driver::Verdict::Unknown:
                ++report_.certified.unknown;
                break;
        }
    }

    /// One transformation at some of its matches, until it is applied; true if it was.
    bool step(rewrite::Session& session, Random& random, std::string& name, std::optional<Finding>& finding) {
        const rewrite::Transformation& chosen = *random.pick(transformations_);
        name = chosen.descriptor.name;
        attempted_ = name;
        Tally& tally = report_.tallies.at(name);
        ++tally.asked;
        if (const auto found = kAfter.find(name); found != kAfter.end())
            for (const std::string_view first : found->second) prepare(session, random, first, finding);
        if (finding) return false;
        const std::vector<rewrite::Match> matches = find_matches(session.program(), chosen.descriptor);
        if (matches.empty()) return false;
        ++tally.matched;
        for (std::size_t left = std::min(kMatches, matches.size()); left > 0 && !finding; --left)
            if (apply(session, random, chosen, random.pick(matches), tally, finding)) return true;
        return false;
    }

    /// What a transformation needs before it, if it can be had.
    void prepare(rewrite::Session& session, Random& random, std::string_view name, std::optional<Finding>& finding) {
        const rewrite::Transformation* first = registry_.find(name);
        Tally uncounted;
        if (!first) return;
        for (std::size_t left = kMatches; left > 0 && !finding; --left) {
            const std::vector<rewrite::Match> matches = find_matches(session.program(), first->descriptor);
            if (matches.empty()) return;
            apply(session, random, *first, random.pick(matches), uncounted, finding);
        }
    }

    bool apply(rewrite::Session& session, Random& random, const rewrite::Transformation& chosen, const rewrite::Match& match,
               Tally& tally, std::optional<Finding>& finding) {
        const rewrite::Options options = chosen.descriptor.name == kFixesInput
                                             ? options_that_fix(random, session.program())
                                             : random_options(random, session.program(), chosen.descriptor, match);
        attempted_ = to_string(describe(session.program(), chosen.descriptor, match, options));
        const Result<rewrite::Outcome> outcome = session.apply(chosen.descriptor.name, match, options);
        // What would make an index that data guard one that is known to be out of bounds is left as it is, by pipelines too.
        if (!outcome && outcome.error().code == "E012") {
            ++tally.refused;
            ++tally.refusals["E012"];
            return false;
        }
        if (!outcome) {
            finding = Finding{Finding::Kind::Pass, chosen.descriptor.name, render(outcome.error()), {}};
            return false;
        }
        if (const auto* refusal = std::get_if<rewrite::Refusal>(&*outcome)) {
            ++tally.refused;
            ++tally.refusals[refusal->code];
            return false;
        }
        ++tally.applied;
        if (!options.empty()) ++tally.options;
        return true;
    }

    rewrite::Options options_that_fix(Random& random, const ir::Sdfg& program) const {
        std::vector<std::string> arguments;
        for (const auto& [name, container] : program.containers)
            if (!container.transient &&
                std::ranges::all_of(container.shape, [](const auto& size) { return size.constant().has_value(); }))
                arguments.push_back(name);
        if (arguments.empty()) return {};
        const std::string& name = random.pick(arguments);
        return {{"input", name}, {"values", elements_in_python(memory_, name)}};
    }
    /// An argument is part of the program now: that is the end of a sequence, and compiled code and certificates know nothing of
    /// its values.
    static bool fixed(const rewrite::Session& session) {
        return !session.trace().empty() && session.trace().back().application().transformation == kFixesInput;
    }
    static bool fixed(const TestCase& test) {
        return std::ranges::any_of(test.recipe, [](const std::string& line) { return line.starts_with(kFixesInput); });
    }

    Configuration configuration(std::uint64_t number) const {
        Configuration result;
        result.parallel = number % 4 != 0;
        result.optimisation = number % 8 == 1 ? 3 : 0;
        result.sanitizers = options_.sanitizers;
        return result;
    }

    void report(std::uint64_t seed, const TestCase& test, const CheckOptions& check, const Finding& finding) {
        TestCase smallest = test;
        std::string text = to_string(finding);
        if (options_.reduce_seconds > 0) {
            const auto still_fails = [&](const TestCase& candidate) {
                const std::optional<Finding> now = check_case(candidate, check, folder_.path());
                if (!now || !now->same_kind(finding)) return false;
                text = to_string(*now);
                return true;
            };
            ReduceOptions how;
            how.seconds = options_.reduce_seconds;
            if (still_fails(test)) smallest = reduce(test, still_fails, how);
        }
        const std::filesystem::path file = options_.folder / fmt::format("sequence-{}.txt", seed);
        driver::write_file(file, to_text(smallest, fmt::format("sequence {}: {}", seed, text)), "Z003");
        report_.findings.push_back({seed, text, file});
    }

    const SequenceOptions& options_;
    const rewrite::Registry& registry_;
    driver::PrivateFolder folder_;
    std::vector<const rewrite::Transformation*> transformations_;
    SequenceReport report_;
    Memory memory_;          ///< Of the case under way.
    std::string attempted_;  ///< The application under way, as a line of a recipe.
};

double percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::string table(const SequenceReport& report) {
    std::string text = fmt::format("{:<28} {:>8} {:>8} {:>8} {:>8} {:>6}  refusals\n", "transformation", "asked", "matched",
                                   "refused", "applied", "rate");
    std::string never, rare;
    const auto add = [](std::string& list, const std::string& name) { list += (list.empty() ? "" : ", ") + name; };
    for (const auto& [name, tally] : report.tallies) {
        std::string codes;
        for (const auto& [code, count] : tally.refusals) codes += fmt::format(" {}:{}", code, count);
        text += fmt::format("{:<28} {:>8} {:>8} {:>8} {:>8} {:>5.1f}% {}\n", name, tally.asked, tally.matched, tally.refused,
                            tally.applied, percent(tally.applied, tally.asked), codes);
        if (tally.applied == 0)
            add(never, name);
        else if (tally.applied * 100 < tally.asked)
            add(rare, name);
    }
    if (!rare.empty()) text += "applied in less than 1 % of the graphs where it was looked for: " + rare + "\n";
    return text + (never.empty() ? "every transformation was applied\n" : "never applied: " + never + "\n");
}

SequenceReport run_sequences(const SequenceOptions& options, const std::function<void(const SequenceReport&)>& progress) {
    return Sequences(options).run(progress);
}

}  // namespace sluice::fuzz
