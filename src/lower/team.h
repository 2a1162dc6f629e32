// Loops that one team of threads runs from the first iteration to the last (LoopRegion::schedule CPU_Persistent).
//
// Every thread goes through the control flow with symbols of its own; maps at the top of states are shared, one thread runs
// everything else, and the threads meet after a map unless it is `nosync`, and around what one of them runs or all of them ask.
#pragma once

#include <functional>

#include "lower/layout.h"

namespace sluice::lower {

/// Does a team run the loop here? Not where the loop holds what threads cannot run together (analysis/team_loop.h), or where there
/// is a team already.
bool runs_by_team(const FunctionContext& function, const ir::LoopRegion& region);
/// `write` lowers the loop. Where no condition of a shared map (`omp_if`) holds, one thread runs it.
void lower_by_team(FunctionContext& function, const ir::LoopRegion& region, const std::function<void(Body&)>& write, Body& body);

/// Threads wait for each other if anything may still be running. Without a team, nothing.
void meet(FunctionContext& function, Body& body);
/// All threads evaluate what asks `names` (of the graph): where memory is among them, after all have met, and they meet again
/// before anybody may write it.
void ask_together(FunctionContext& function, const std::set<std::string>& names, const std::function<void(Body&)>& evaluate,
                  Body& body);
/// A condition, as a value that all threads have found.
ValuePtr agreed(FunctionContext& function, const std::set<std::string>& names, const ValuePtr& condition, Body& body);

/// The body of a loop begins (returns what to give to `end_iteration`) and ends: the next iteration may follow.
std::optional<Team> begin_iteration(FunctionContext& function, Body& before);
void end_iteration(FunctionContext& function, const std::optional<Team>& outer, Body& body);

/// What lies at the top of a state, `children`, in their order.
void lower_for_team(StateContext& state, std::span<const NodeId> children, bool alone, Body& body);
/// One thread of the team runs `statements`.
void run_by_one(FunctionContext& function, Body statements, Body& body);

}  // namespace sluice::lower
