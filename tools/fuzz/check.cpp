#include "fuzz/check.h"

#include <algorithm>
#include <array>

#include "fuzz/foreign_tasklet.h"
#include "fuzz/loops.h"
#include "ir/verify.h"
#include "library/reference.h"
#include "rewrite/session.h"
#include "transform/registry.h"

namespace sluice::fuzz {

std::string_view to_string(Finding::Kind kind) {
    constexpr std::array<std::string_view, 11> kNames = {"invalid",  "interpreter", "orders",  "pass",   "loops",    "refused",
                                                         "internal", "compiler",    "crashed", "failed", "different"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string to_string(const Finding& finding) {
    std::string text(to_string(finding.kind));
    if (!finding.detail.empty()) text += " (" + finding.detail + ")";
    if (!finding.where.empty()) text += ", " + finding.where;
    return text + ": " + finding.message;
}

namespace {

using Kind = Finding::Kind;

/// Runs on a copy of `before`.
Result<Memory> run(const TestCase& test, const ir::Sdfg& sdfg, const Memory& before, const CheckOptions& options,
                   std::uint64_t seed, interpret::Report& report) {
    return capture([&] {
        Memory memory = before;
        interpret::Options how;
        how.seed = seed;
        how.step_limit = options.step_limit;
        how.compile_tasklet = compile_tasklet;
        how.library = library::meaning_of;
        how.detect_conflicts = how.detect_uninitialised = options.detect && seed == 0;
        report = interpret::interpret(sdfg, arguments_of(test, memory), how).or_fail();
        return memory;
    });
}

class Interpretation {
public:
    Interpretation(const TestCase& test, const CheckOptions& options) : test_(test), options_(options) { result_.sdfg = test.sdfg; }

    Interpreted run() {
        verify() && prepare() && oracle() && orders() && recipe() && passes();
        return std::move(result_);
    }

private:
    bool found(Kind kind, std::string detail, std::string message, std::string where = {}) {
        result_.finding = Finding{kind, std::move(detail), std::move(message), std::move(where)};
        return false;
    }
    bool found(Kind kind, const Diagnostic& problem, std::string where = {}) {
        return found(kind, problem.code, render(problem), std::move(where));
    }

    bool verify() {
        const std::vector<Diagnostic> violations = ir::verify(result_.sdfg);
        return violations.empty() || found(Kind::Invalid, violations.front());
    }
    bool prepare() {
        Result<Memory> made = make_memory(test_);
        if (!made) return found(Kind::Invalid, made.error());
        result_.before = std::move(made).value();
        return true;
    }
    bool oracle() {
        interpret::Report report;
        Result<Memory> after = fuzz::run(test_, test_.sdfg, result_.before, options_, 0, report);
        if (!after) return found(Kind::Interpreter, after.error());
        if (!report.findings.empty()) return found(Kind::Interpreter, report.findings.front());
        Expectation& expected = result_.expected;
        expected.memory = std::move(after).value();
        expected.exactness = exactness_of(test_.sdfg);
        expected.operations = report.steps;
        expected.beyond_range = report.beyond_range;
        expected.complex_numbers = has_complex(test_.sdfg);
        if (!expected.exactness.empty()) {
            interpret::Report ignored;
            Result<Memory> twin = fuzz::run(test_, magnitude_twin(test_.sdfg), result_.before, options_, 0, ignored);
            if (twin) expected.magnitudes = std::move(twin).value();
        }
        return true;
    }
    bool orders() {
        for (const std::uint64_t seed : options_.orders) {
            interpret::Report report;
            const std::string where = "order " + std::to_string(seed);
            const Result<Memory> after = fuzz::run(test_, test_.sdfg, result_.before, options_, seed, report);
            if (!after) return found(Kind::Orders, after.error(), where);
            if (const auto difference = first_difference(result_.expected, *after, {.zeros = true}))
                return found(Kind::Orders, difference->argument, to_string(*difference), where);
        }
        return true;
    }
    /// The transformations of the case, one after the other; then all that they did is compared.
    bool recipe() {
        if (test_.recipe.empty()) return true;
        rewrite::Session session(result_.sdfg, options_.transformations ? *options_.transformations : transform::builtin());
        session.verify_everything(true);
        for (const std::string& line : test_.recipe) {
            const auto application = rewrite::parse_application(line);
            if (!application) continue;
            try {
                const Result<Done> done = session.apply(*application);
                if (!done && !is_no(done.error())) return found(Kind::Pass, application->transformation, render(done.error()));
            } catch (const InternalError& bug) {
                return found(Kind::Pass, application->transformation, bug.what());
            }
        }
        if (session.trace().empty()) return true;
        result_.sdfg = session.program();
        const std::vector<Diagnostic> violations = ir::verify(result_.sdfg);
        if (!violations.empty()) return found(Kind::Pass, "recipe", "made an invalid graph: " + render(violations.front()));
        loosen();
        return unchanged("recipe", 0) && unchanged("recipe", 1);
    }
    /// The true answer to a question, or a place that is not there any more.
    static bool is_no(const Diagnostic& problem) {
        constexpr std::array<std::string_view, 6> kAnswers = {"E001", "E002", "E004", "E005", "E006", "E007"};
        return std::ranges::find(kAnswers, problem.code) != kAnswers.end();
    }
    /// What the transformed graph may round otherwise is compared loosely.
    void loosen() {
        for (const auto& [name, after] : exactness_of(result_.sdfg)) {
            const auto [at, added] = result_.expected.exactness.try_emplace(name, Exactness::Derived);
            if (!added) at->second = std::max(at->second, after);
        }
    }
    bool unchanged(const std::string& detail, std::uint64_t order) {
        interpret::Report report;
        const Result<Memory> after = fuzz::run(test_, result_.sdfg, result_.before, options_, order, report);
        if (!after) return found(Kind::Pass, detail, render(after.error()));
        if (!report.findings.empty()) return found(Kind::Pass, detail, render(report.findings.front()));
        result_.reordered = true;
        const auto difference = first_difference(result_.expected, *after, {.zeros = true});
        return !difference || found(Kind::Pass, detail, to_string(*difference));
    }
    bool passes() {
        bool changed = false;
        for (const std::string& name : options_.passes) {
            const Pass* pass = find_pass(name);
            check(pass != nullptr, "no pass is named ", name);
            try {
                changed = pass->apply(result_.sdfg, options_.pass_seed) || changed;
            } catch (const Failure& failure) {
                return found(Kind::Pass, name, render(failure.diagnostic));
            } catch (const InternalError& bug) {
                return found(Kind::Pass, name, bug.what());
            }
            const std::vector<Diagnostic> violations = ir::verify(result_.sdfg);
            if (!violations.empty()) return found(Kind::Pass, name, "made an invalid graph: " + render(violations.front()));
        }
        return !changed || unchanged(options_.passes.back(), 0);
    }

    const TestCase& test_;
    const CheckOptions& options_;
    Interpreted result_;
};

}  // namespace

Interpreted interpret_case(const TestCase& test, const CheckOptions& options) {
    try {
        return Interpretation(test, options).run();
    } catch (const InternalError& bug) {
        Interpreted result;
        result.finding = Finding{Kind::Internal, "interpreter", bug.what(), {}};
        return result;
    }
}

bool lacks(const Outcome& outcome, const Configuration& configuration) {
    // L026 is not among them: what lies where, the transformation to the device decides.
    constexpr std::array<std::string_view, 8> kLacking = {"L001", "L002", "L005", "L023", "L024", "L025", "E007", "B004"};
    return configuration.target != "cpu" && outcome.kind == Outcome::Kind::Refused &&
           std::ranges::find(kLacking, outcome.code) != kLacking.end();
}

std::optional<Finding> judge(const Interpreted& interpreted, const Outcome& outcome, const Configuration& configuration) {
    const std::string where = to_string(configuration);
    const auto found = [&](Kind kind) { return Finding{kind, outcome.code, outcome.message, where}; };
    switch (outcome.kind) {
        case Outcome::Kind::Refused:
            if (lacks(outcome, configuration)) return std::nullopt;
            return found(Kind::Refused);
        case Outcome::Kind::Internal:
            return found(Kind::Internal);
        case Outcome::Kind::Compiler:
            return found(Kind::Compiler);
        case Outcome::Kind::Crashed:
            return found(Kind::Crashed);
        case Outcome::Kind::Failed:
            return found(Kind::Failed);
        case Outcome::Kind::Ran:
            break;
    }
    const bool folds = configuration.optimisation > 0;
    const Allowance allowance{.zeros = folds || configuration.parallel || interpreted.reordered,
                              .fused = folds && interpreted.expected.complex_numbers};
    const std::optional<Difference> difference = first_difference(interpreted.expected, outcome.memory, allowance);
    if (!difference || (folds && interpreted.expected.beyond_range)) return std::nullopt;
    return Finding{Kind::Different, difference->argument, to_string(*difference), where};
}

std::optional<Finding> check_case(const TestCase& test, const CheckOptions& options, const std::filesystem::path& folder) {
    Interpreted interpreted = interpret_case(test, options);
    if (interpreted.finding) return interpreted.finding;
    for (const Configuration& configuration : options.configurations) {
        if (options.loops)
            if (LoopOutcome loops = check_loops(interpreted, configuration, options.pass_seed | 1, options.detect); loops.finding)
                return loops.finding;
        const std::vector<Outcome> outcomes = run_unit({{&interpreted.sdfg, &interpreted.before}}, configuration, folder);
        if (std::optional<Finding> finding = judge(interpreted, outcomes[0], configuration)) return finding;
    }
    return std::nullopt;
}

}  // namespace sluice::fuzz
