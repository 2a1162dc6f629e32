#include "cli/steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/arguments.h"
#include "cli/command.h"

namespace sluice::cli {

namespace {

struct Runner {
    driver::CompiledProgram program;
    std::vector<Value> values = {};
    std::vector<double> seconds = {};
};

}  // namespace

void print_step_times(const std::vector<Step>& steps, const std::vector<std::string>& arguments,
                      const driver::CompileOptions& options, int runs) {
    const auto given = by_name(arguments);
    std::vector<Runner> runners;
    for (const Step& step : steps) {
        runners.push_back({driver::compile(step.program, options).or_fail()});
        Runner& runner = runners.back();
        runner.values = make_values(runner.program.signature(), runner.program.shape_solver(), given, 1);
    }
    // In turn, so that what else the machine does meets all of them; the first round warms up.
    for (int round = 0; round <= runs; ++round)
        for (Runner& runner : runners) {
            const double one = run_repeatedly(runner.program, runner.values, 1).front();
            if (round > 0) runner.seconds.push_back(one);
        }
    fmt::print("{:>12}  {:>10}  {:16}  step\n", fmt::format("median of {}", runs), "times", "results");
    double before = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        std::ranges::sort(runners[i].seconds);
        const double median = runners[i].seconds[runners[i].seconds.size() / 2];
        const char* results = i == 0 ? "" : same_results(runners[i].values, runners[0].values) ? "the same" : "not the same bits";
        fmt::print("{:>9.3f} ms  {:>10}  {:16}  {}\n", median * 1e3, i == 0 ? "" : fmt::format("{:.2f}", before / median), results,
                   steps[i].line);
        before = median;
    }
}

}  // namespace sluice::cli
