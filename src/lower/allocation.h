// Memory of transients: where each is allocated, and as what.
#pragma once

#include "lower/layout.h"

namespace sluice::lower {

/// Fills the allocation tables of the function: what is allocated in which state and scope, which scalars need an address.
void plan_allocation(FunctionContext& function);
/// Transients that live as long as the function and whose size is known at its start.
std::vector<std::string> allocated_at_start(const FunctionContext& function);
/// Transients of the whole SDFG whose size depends on a symbol that the SDFG assigns, by the block before which they are allocated:
/// each time control comes to it, or when it comes to the loop of transitions that begins there.
struct BlockAllocations {
    std::map<const ir::Block*, std::vector<std::string>> before_block, before_loop;
};
BlockAllocations allocated_at_blocks(FunctionContext& function);

/// Declares the container's memory and binds its name; in `bindings` if given, else for the rest of the function.
void allocate(FunctionContext& function, const std::string& name, ScopedBindings* bindings, Body& body);
/// Zeroes the container of an access node with `setzero`.
void clear_at_start(StateContext& state, NodeId node, Body& body);

}  // namespace sluice::lower
