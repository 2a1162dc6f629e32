// Where the numbers of hardware and system counters come from: Linux's perf events, or a source of somebody's own.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace sluice::driver {

/// Counters that only grow. A program reads them where an instrumented part begins and ends.
struct CounterSource {
    std::vector<std::string> names;
    /// What each shows now: of the calling thread (`alone`), or of all threads of the process. Threads may call it at once.
    std::function<void(bool alone, std::span<std::int64_t> values)> read;
};

inline constexpr std::size_t kMostCounters = 8;  ///< Of runtime/timer.h.

/// The events that perf_counters() knows by name.
std::vector<std::string> counter_names();
/// Linux's perf events of these names. Error D039: there is no such event,
/// they are more than kMostCounters, or the machine or the system does not count one.
Result<CounterSource> perf_counters(std::span<const std::string> names);

/// What programs that are loaded from now on count by, in place of the perf events that the setting `counters` names; an empty
/// source: those again.
void use_counters(CounterSource source);
/// That source. Errors as of perf_counters().
Result<CounterSource> counters_in_use();

}  // namespace sluice::driver
