// Where transients live: the smallest piece of the program that holds every access, so that lowering allocates there.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/sdfg.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

struct AllocationScope {
    enum class Level { Sdfg, State, Scope } level = Level::Sdfg;
    ir::BlockId block;  ///< Level State and Scope: the state's block. Only blocks of the SDFG's own regions, at any depth.
    const ir::State* state = nullptr;
    ir::NodeId entry;      ///< Level Scope: the map or consume entry.
    bool repeats = false;  ///< Level State: the state lies in a loop, and what it writes it does not read in the next iteration.
};
/// For every transient of the SDFG (not of nested ones), where `known` holds everywhere in it. A transient that is read in a state
/// before that state writes it, or that is used by two states or by an interstate edge, lives in the SDFG; Lifetime properties
/// other than Scope raise the level.
std::map<std::string, AllocationScope> allocation_scopes(const ir::Sdfg& sdfg, const symbolic::Assumptions& known);
/// Where nothing is known of what the SDFG is called with. The levels Scope are the same.
std::map<std::string, AllocationScope> allocation_scopes(const ir::Sdfg& sdfg);

/// Transients that are live (written before, read later on some path) at the start of each state, by block id path. Backward
/// dataflow over the control flow; a partial write does not kill.
using LiveSets = std::map<const ir::State*, std::vector<std::string>>;
LiveSets live_in(const ir::Sdfg& sdfg, const symbolic::Assumptions& known);
/// The same at the end of each state.
LiveSets live_out(const ir::Sdfg& sdfg, const symbolic::Assumptions& known);

/// Containers of which something may be read, or take part in an update, as it was before the SDFG began: arguments too.
std::set<std::string> needed_at_start(const ir::Sdfg& sdfg, const symbolic::Assumptions& known);

}  // namespace sluice::analysis
