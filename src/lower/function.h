// One SDFG as one function.
#pragma once

#include <map>
#include <set>
#include <string>

#include "lower/context.h"

namespace sluice::lower {

/// What the caller knows of a nested SDFG's arguments.
struct CallFacts {
    bool nested = false;
    bool parallel_caller = false;
    std::vector<std::string> containers;  ///< In parameter order.
    std::vector<std::string> symbols;
    std::set<std::string> positive;  ///< Symbols whose value is positive in every call.
    std::set<std::string> written;
    std::set<std::string> overlapping;          ///< Another argument reaches the same memory.
    std::set<std::string> shared;               ///< Other threads may write the same elements.
    bool on_device = false;                     ///< Threads of a launch call it.
    std::map<std::string, loop::Space> spaces;  ///< Where arguments lie, if not in memory of the caller.
};
/// Facts of a program: all its arguments, nobody else around.
CallFacts program_facts(const ir::Sdfg& sdfg);

struct LoweredFunction {
    loop::Function function;
    /// What the last parameters point to: persistent buffers, their sizes in the names of the function's other parameters.
    std::vector<loop::Allocate> kept;
};
/// Lowers the SDFG under a name of the module; functions of its nested SDFGs are appended to the module.
LoweredFunction lower_function(ModuleContext& module, const ir::Sdfg& sdfg, const std::string& name, const std::string& path,
                               const CallFacts& facts);

}  // namespace sluice::lower
