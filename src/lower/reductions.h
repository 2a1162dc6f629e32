// Accumulators: where all iterations of the inner loops of a map update one element, they update a local and the element once.
#pragma once

#include <string>
#include <vector>

#include "lower/writes.h"

namespace sluice::lower {

/// A reduction at the exit of a map.
struct PlannedAccumulator {
    std::string connector;  ///< After IN_.
    ir::EdgeId leaf;        ///< The edge that carries the update inside.
    code::ReductionType op;
    DType type;
    ValuePtr identity;
    std::size_t level = 0;  ///< Number of leading map parameters that the element depends on: loops outside of the accumulator.
    bool combines_in_parallel = false;  ///< OpenMP can reduce a variable of this type with this operator.
    std::string variable;               ///< Once open.
};
/// Those of the map's private updates whose element is one, invariant over the loops from `level` on and over everything inside.
std::vector<PlannedAccumulator> plan_accumulators(const StateContext& state, NodeId entry);
/// Declares the local and redirects the updates.
void open_accumulator(StateContext& state, NodeId exit, PlannedAccumulator& plan, std::size_t depth, Body& body);
/// Updates the element.
void close_accumulator(StateContext& state, NodeId exit, const PlannedAccumulator& plan, Body& body);

/// Those of the map's private updates that are whole buffers, a copy for each thread: histograms.
struct PlannedArrayReduction {
    std::string data;
    loop::Reduction reduction;
};
std::vector<PlannedArrayReduction> plan_array_reductions(const StateContext& state, NodeId entry);

}  // namespace sluice::lower
