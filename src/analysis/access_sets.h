// What a state or an SDFG reads and writes, per container.
#pragma once

#include <map>
#include <string>

#include "ir/sdfg.h"

namespace sluice::analysis {

struct AccessSet {
    symbolic::Subset subset;  ///< Hull of everything accessed.
    bool exact = true;        ///< The subset is exactly what is accessed, on every run.
    bool must = true;         ///< False: the access may not happen (guard, dynamic).
};
struct Accesses {
    std::map<std::string, AccessSet> reads, writes;
};
Accesses accesses_of(const ir::Sdfg& sdfg, const ir::State& state);
/// Over the whole SDFG, loops and branches included; subsets only in terms of symbols free in the SDFG.
Accesses accesses_of(const ir::Sdfg& sdfg);
/// Where `known` holds everywhere in it: of a nested SDFG, assumptions_inside (nesting.h).
Accesses accesses_of(const ir::Sdfg& sdfg, const symbolic::Assumptions& known);

}  // namespace sluice::analysis
