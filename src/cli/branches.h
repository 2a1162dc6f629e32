// Several ways to go on from one program, side by side.
#pragma once

#include <string>
#include <vector>

#include "driver/session.h"

namespace sluice::cli {

/// How branches are compared: with arguments each is compiled and run on the same ones.
struct Comparison {
    std::vector<std::string> branches;   ///< Each a recipe file, or one line of a recipe.
    std::vector<std::string> arguments;  ///< As of `sluice run`.
    driver::CompileOptions options;
    int repeat = 5;
};

/// Applies each branch to a copy of the session and prints what became of it: how large its graph is, or, with arguments, the
/// median time, and whether the results are those of the program without any branch. Returns the fastest of all; without arguments
/// the session as it is. Failures: those of replay(), compile() and make_values().
driver::Session compare_branches(const driver::Session& session, const Comparison& comparison);

}  // namespace sluice::cli
