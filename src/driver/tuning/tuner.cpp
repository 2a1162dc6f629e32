#include "driver/tuning/tuner.h"

#include <algorithm>
#include <set>

#include "ir/text.h"
#include "support/activity.h"

namespace sluice::driver {

namespace {

/// A candidate counts as faster from here on: less is noise.
constexpr double kFaster = 0.97;
/// Of the budget, for measuring the winner again.
constexpr double kKeptForTheEnd = 0.15;
constexpr std::size_t kRuns = 5, kMostTurns = 25, kLeastTurns = 5;

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

class Search {
public:
    Search(const Session& given, const TuningOptions& options) : given_(given), options_(options), begin_(options.clock()) {}

    Tuned run() {
        const Session untuned = with_changes(given_, {}).or_fail();
        const MeasuredRun run_untuned = options_.compile(untuned.program()).or_fail();
        seen_.insert(ir::to_text(untuned.program()));
        fastest_ = shortest(run_untuned, 0);
        MeasuredRun run_fastest = run_untuned;
        while (try_further(run_fastest)) {
        }
        Tuned tuned;
        tuned.tried = tried_;
        measure_in_turns(run_untuned, run_fastest, tuned);
        const bool is_faster = !changes_.empty() && tuned.tuned < kFaster * tuned.untuned;
        if (is_faster)
            tuned.changes = changes_;
        else
            tuned.tuned = tuned.untuned;
        tuned.recipe = is_faster ? with_changes(given_, changes_).or_fail().recipe() : untuned.recipe();
        return tuned;
    }

private:
    double elapsed() const { return options_.clock() - begin_; }
    bool has_time() const { return elapsed() < (1 - kKeptForTheEnd) * options_.budget; }

    /// The shortest of some runs; of what is far slower than `enough` only one.
    static double shortest(const MeasuredRun& run, double enough) {
        double best = run();
        for (std::size_t k = 1; k < kRuns && (enough == 0 || best < 2 * enough); ++k) best = std::min(best, run());
        return best;
    }

    /// Until a change makes the program faster, which is kept: true; false where there is no time or nothing left to try.
    bool try_further(MeasuredRun& run_fastest) {
        for (const Change& change : further_changes(given_, changes_)) {
            if (!has_time()) return false;
            tick();
            std::vector<Change> changes = changes_;
            changes.push_back(change);
            const Result<Session> candidate = with_changes(given_, changes);
            if (!candidate || !seen_.insert(ir::to_text(candidate->program())).second) continue;
            const Result<MeasuredRun> run = options_.compile(candidate->program());
            const double seconds = run ? shortest(*run, fastest_) : 0;
            const bool is_faster = run && seconds < kFaster * fastest_;
            if (is_faster) fastest_ = seconds;
            ++tried_;
            if (options_.on_trial) options_.on_trial({tried_, to_string(change), seconds, fastest_, elapsed()});
            if (!is_faster) continue;
            changes_ = std::move(changes);
            run_fastest = *run;
            return true;
        }
        return false;
    }

    void measure_in_turns(const MeasuredRun& untuned, const MeasuredRun& tuned, Tuned& result) const {
        std::vector<double> of_untuned, of_tuned;
        while (of_tuned.size() < kLeastTurns || (of_tuned.size() < kMostTurns && elapsed() < options_.budget)) {
            of_untuned.push_back(untuned());
            of_tuned.push_back(tuned());
        }
        result.untuned = median(std::move(of_untuned));
        result.tuned = median(std::move(of_tuned));
    }

    const Session& given_;
    const TuningOptions& options_;
    double begin_;
    double fastest_ = 0;
    std::vector<Change> changes_;
    std::set<std::string> seen_;
    std::size_t tried_ = 0;
};

}  // namespace

Result<Tuned> tune(const Session& given, const TuningOptions& options) {
    return capture([&] { return Search(given, options).run(); });
}

}  // namespace sluice::driver
