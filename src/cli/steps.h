// How fast a program is after each step of a recipe.
#pragma once

#include <string>
#include <vector>

#include "driver/session.h"

namespace sluice::cli {

/// What was applied, and the program then.
struct Step {
    std::string line;
    ir::Sdfg program;
};

/// Compiles the program of each step, runs all of them in turn on the same arguments (as of `sluice run`), and prints the median
/// time of each, how many times as fast it is as the step before it, and whether the results are those of the first. Failures:
/// those of compile() and make_values().
void print_step_times(const std::vector<Step>& steps, const std::vector<std::string>& arguments,
                      const driver::CompileOptions& options, int runs);

}  // namespace sluice::cli
