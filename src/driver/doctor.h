// What this machine has of all that Sluice uses, tried rather than looked up where that is possible.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sluice::driver {

using Fact = std::variant<bool, std::int64_t, double, std::string>;

struct Finding {
    std::string subject;                                   ///< `compiler`
    bool found = true;                                     ///< It is there and works.
    std::string sentence;                                  ///< What was found, or what is wrong.
    std::string remedy;                                    ///< The command that brings what is missing; empty where nothing is.
    std::vector<std::pair<std::string, Fact>> facts = {};  ///< The same as values: `{"cores", 8}`.
};

struct Examination {
    std::vector<Finding> findings;
    bool compiles = false;  ///< A program was compiled, loaded and run by a team of threads, and the cache can hold it.
};

/// Compiles and runs a small program, starts Python, and measures the machine: some five seconds. Nothing that is missing is a
/// failure. Throws Failure D011 to D013: a mistake in the settings.
Examination examine();

/// One object: `compiles`, and the findings by subject with `found`, `sentence`, `remedy` and their facts.
std::string to_json(const Examination& examination);

}  // namespace sluice::driver
