// Two memories of one program side by side.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "fuzz/memory.h"
#include "fuzz/tolerance.h"

namespace sluice::fuzz {

struct Difference {
    std::string argument;
    std::size_t element = 0;  ///< Counted in memory.
    std::string expected, actual;
    double bound = 0;  ///< 0: had to be the same.
};

/// What the interpreter says a program leaves in memory, and how closely others must agree.
struct Expectation {
    Memory memory;
    std::map<std::string, Exactness> exactness;
    std::optional<Memory> magnitudes;  ///< Of the magnitude twin; there if anything is not exact.
    std::uint64_t operations = 0;      ///< At least as many as went into any element.
    bool complex_numbers = false;      ///< Among those that the program computes with.
    bool beyond_range = false;         ///< Holds what C leaves open: compilers that fold it may make something else of it.
};

/// What may differ though nothing is wrong.
struct Allowance {
    /// 0.0 and -0.0 are the same: the larger of the two is the one that came first, where the order of updates is free, and GCC
    /// makes `-x` of `0.0 - x` where x was an integer, whose zero has no sign.
    bool zeros = false;
    /// Numbers with fractions agree as those do that are computed from reassociated sums: GCC 12 fuses the products and sums of
    /// complex multiplications when it vectorises them, -ffp-contract=off or not (vfmaddsub).
    bool fused = false;
};

/// The elements of an argument, in the order of its memory, as Python writes them.
std::vector<std::string> elements_in_python(const Memory& memory, const std::string& argument);

/// The first element that differs. NaN equals NaN.
std::optional<Difference> first_difference(const Expectation& expected, const Memory& actual, const Allowance& allowance = {});

/// `y[3]: 4 instead of 5`
std::string to_string(const Difference& difference);

}  // namespace sluice::fuzz
