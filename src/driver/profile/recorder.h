// What a loaded library's timers and counters say, run by run.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driver/profile/counters.h"
#include "driver/profile/profile.h"
#include "driver/signature.h"

namespace sluice::driver {

/// The numbers in the library grow for as long as it is loaded, for all programs that share it; a recorder adds up what they grew
/// by during the runs between begin() and end().
class Recorder {
public:
    /// The addresses of `_profile`, `_counts` and `_count_with` (codegen/cpu/print.h); the last two only where something is
    /// counted.
    struct Library {
        void *profile, *counts, *count_with;
    };
    /// Throws Failure as of counters_in_use().
    Recorder(std::vector<Prediction> predictions, bool counts, Library library);

    void begin();
    /// `arguments` as of CompiledProgram::run: what is predicted depends on their sizes.
    void end(const Signature& signature, std::span<void* const> arguments);
    /// Without the name of the program.
    const Report& report() const { return report_; }

private:
    struct Numbers {
        std::int64_t nanoseconds = 0, executions = 0;
        std::vector<std::int64_t> counts;
    };
    std::vector<Numbers> read() const;

    std::vector<Prediction> predictions_;  ///< Of each entry of the library.
    std::size_t entries_ = 0;
    Library library_;
    std::unique_ptr<CounterSource> source_;  ///< Its address is the library's.
    std::vector<Numbers> before_, sums_;
    std::vector<std::optional<double>> operations_, bytes_;
    Report report_;
};

}  // namespace sluice::driver
