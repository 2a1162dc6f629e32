// A search for what is faster than -O3 on this machine, by measurement. It touches neither clock nor compiler itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "driver/tuning/moves.h"

namespace sluice::driver {

/// One run of a compiled candidate, always from the same arguments; its seconds.
using MeasuredRun = std::function<double()>;

/// A candidate that was measured, or could not be.
struct Trial {
    std::size_t number = 0;  ///< From 1.
    std::string change;      ///< The last one, on top of those of the fastest so far.
    double seconds = 0;      ///< Of one run; 0: it could not be compiled or run.
    double fastest = 0;      ///< So far, this one included.
    double elapsed = 0;      ///< Since the search began.
};

struct TuningOptions {
    /// Seconds of the whole search. What is being compiled or run then is not cut off.
    double budget = 60;
    /// Makes a candidate ready to run. An error: it is passed over.
    std::function<Result<MeasuredRun>(const ir::Sdfg&)> compile;
    /// Seconds since some moment.
    std::function<double()> clock;
    std::function<void(const Trial&)> on_trial = {};
};

struct Tuned {
    double untuned = 0, tuned = 0;  ///< Seconds of a run: medians of runs of both in turns.
    std::vector<Change> changes;    ///< To -O3; empty: nothing was faster.
    std::string recipe;             ///< All that makes the program that was measured of the one that was given.
    std::size_t tried = 0;
};

/// Hill climbing over further_changes: the first that is faster is kept and the search goes on from there. The untuned program is
/// a candidate, and stands unless the winner is faster when both run in turns. Errors: the untuned program cannot be compiled; as
/// of Session::run.
Result<Tuned> tune(const Session& given, const TuningOptions& options);

}  // namespace sluice::driver
