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
    std::optional<Memory> magnitudes;  ///< Of the magnitude twin; there if anything is reassociated.
    std::uint64_t operations = 0;      ///< At least as many as went into any element.
    bool beyond_range = false;         ///< Holds what C leaves open: compilers that fold it may make something else of it.
};

/// Are 0.0 and -0.0 the same? GCC makes `-x` of `0.0 - x` where x was an integer, whose zero has no sign: right for all but zero.
/// And the larger of the two is the one that came first, where the order of updates is free.
enum class Zeros : std::uint8_t { Signed, Equal };

/// The first element that differs. NaN equals NaN.
std::optional<Difference> first_difference(const Expectation& expected, const Memory& actual, Zeros zeros = Zeros::Signed);

/// `y[3]: 4 instead of 5`
std::string to_string(const Difference& difference);

}  // namespace sluice::fuzz
