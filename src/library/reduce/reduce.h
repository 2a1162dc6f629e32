// What others need to know of Reduce nodes.
#pragma once

#include <cstdint>
#include <string>

#include "ir/sdfg.h"

namespace sluice::library {

/// Elements of the output that a thread keeps in its first cache while it folds the rows of an input whose last dimension is kept.
inline constexpr std::int64_t kRowBlock = 512;
/// Rows shorter than this are not worth loops of their own.
inline constexpr std::int64_t kShortRow = 8;

/// The identity as Python text; empty if the node has none.
std::string reduce_identity(const ir::LibraryNode& node);

}  // namespace sluice::library
