// Where the results of a tasklet, nested SDFG or copy go: the memlet path through scope exits, accumulators on it, and how
// conflicting writes are resolved.
#pragma once

#include "code/reduction.h"
#include "ir/code_block.h"
#include "lower/layout.h"

namespace sluice::lower {

/// The other end of the memlet path that `edge` begins or ends, through any number of scope nodes.
struct PathEnd {
    NodeId node;
    ir::EdgeId edge;
};
PathEnd path_source(const StateContext& state, ir::EdgeId edge);
PathEnd path_target(const StateContext& state, ir::EdgeId edge);

/// The container at an access node that a memlet means: the node's, or the member of it that the memlet names.
std::string data_at(const ir::Access& access, const ir::Memlet& memlet);

/// The value that changes nothing, if the operator has one over the type.
ValuePtr identity_value(code::ReductionType operation, const DType& type);

/// How two updates of the location by iterations of the open parallel loops are kept apart: not at all where the graph says that
/// they do not meet or the location was declared inside of these loops.
loop::Conflict conflict_of(const StateContext& state, const Location& location, code::ReductionType op, bool nonatomic);

/// Emits location[index] = value, or its update under the memlet's wcr. `index` is null for the location's first element.
void write(StateContext& state, const Location& location, const ir::Memlet& memlet, ValuePtr index, const ValuePtr& value,
           NodeId at, Body& body);

/// Writes a value along an output edge of `node`: to its container, stream or wire, or to an accumulator on the way.
void write_edge(StateContext& state, ir::EdgeId edge, ValuePtr index, const ValuePtr& value, Body& body);
/// The same from a scope exit on, for the final value of an accumulator, with the subset of the edge that fed it.
void write_beyond(StateContext& state, NodeId exit, const std::string& name, const ir::Memlet& memlet, const ValuePtr& value,
                  Body& body);

}  // namespace sluice::lower
