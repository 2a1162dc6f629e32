// What control_flow.cpp and state_machine.cpp share while the regions of one function are lowered.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lower/allocation.h"

namespace sluice::lower {

/// A loop region around the place, innermost last.
struct OpenLoop {
    std::function<void(Body&)> before_continue;  ///< What a `continue` must do first: update the variable.
    bool through_raw_loop = false;  ///< A loop recovered from a state machine lies in between: its `break` would catch ours.
};
struct Regions {
    FunctionContext& function;
    BlockAllocations allocations;
    std::vector<OpenLoop> loops;
    int labels = 0;
};

void lower_region(Regions& regions, const ir::Region& region, Body& body);
void lower_block(Regions& regions, const ir::Block& block, Body& body);
/// All right-hand sides are evaluated before the first symbol changes.
void assign_symbols(Regions& regions, const ir::Transition& transition, Body& body);
ValuePtr condition_of(const Regions& regions, const ir::CodeBlock& condition);
bool is_unconditional(const ir::Transition& transition);

/// Blocks joined by transitions, with loops and branches recovered; labels and jumps where the machine is irreducible.
void lower_state_machine(Regions& regions, const ir::Region& region, Body& body);

}  // namespace sluice::lower
