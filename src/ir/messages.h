// Messages between the ranks of a program that runs in several processes, as the graph says them.
#pragma once

#include "ir/dataflow.h"

namespace sluice::ir {

/// Operations of this name and more are messages between ranks: `MPI_Send`. They keep their order, whatever they touch.
inline constexpr const char* kMessagePrefix = "MPI_";
/// A message among some ranks has the properties `first`, `count0`, `step0`, `count1`, ...: the ranks first + i0 * step0 + ...,
/// each i below its count, numbered in the order of nested loops. Without `count0`, or with 0, it is among all.
inline constexpr std::size_t kMostGroupDimensions = 3;
inline bool is_message(const LibraryNode& node) {
    return node.operation.starts_with(kMessagePrefix);
}
/// The place of a rank, counted from 1 because symbols are positive, and the count of all are free symbols of these names, to which
/// whoever runs a program gives values: the number of a rank is `comm_place - 1`.
inline constexpr const char* kRankPlace = "comm_place";
inline constexpr const char* kRanks = "comm_size";

}  // namespace sluice::ir
