// Runs a program without a shell and collects what it says.
#pragma once

#include <string>
#include <vector>

namespace sluice::driver {

struct ProcessResult {
    bool started = false;
    int status = -1;     ///< Exit status; 128 + n if signal n ended it.
    int signal = 0;      ///< The signal that ended it.
    std::string output;  ///< Standard output and standard error, in order.
};
/// `arguments[0]` is looked up in PATH. Standard input is empty; `environment` holds variables for it beside those of this process,
/// `NAME=value`. An interrupted activity ends the program and what it has started.
ProcessResult run_process(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {});

}  // namespace sluice::driver
