// What transformations that put streams in place of memory share: accesses that walk over an array in the order of a nest of maps.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "rewrite/transformation.h"

namespace sluice::transform {

/// One element in each point of a nest of maps that run in order (FPGA_Device), between a container at the top level of a state and
/// a tasklet.
struct Walk {
    ir::EdgeId leaf;                  ///< At the tasklet.
    std::vector<ir::EdgeId> path;     ///< From the source to the destination, as it was found.
    std::vector<ir::NodeId> entries;  ///< Outer first.
    std::vector<std::string> params;  ///< Of all of them.
    std::vector<symbolic::Range> ranges;
    symbolic::Subset place;  ///< Of the container.
};
/// The walk whose end at the tasklet the edge is, or why it is none.
std::variant<Walk, std::string> walk_at(const ir::State& state, const rewrite::StateView& view, ir::EdgeId leaf);
/// Is the container an array in off-chip memory that no other name reaches, and the state a kernel?
bool is_off_chip(const ir::Sdfg& sdfg, const ir::State& state, const std::string& data);

/// A stream on the chip for elements of the container.
std::string add_pipe(ir::Sdfg& sdfg, const std::string& data, const std::string& prefix, const symbolic::Expr& depth);
/// In place of memory the walk's tasklet takes its elements from the stream, or gives them to it.
void walk_through(ir::State& state, const Walk& walk, const std::string& stream, bool reads);

}  // namespace sluice::transform
