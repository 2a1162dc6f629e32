// What others need to know of Reduce nodes.
#pragma once

#include <string>

#include "ir/sdfg.h"

namespace sluice::library {

/// The identity as Python text; empty if the node has none.
std::string reduce_identity(const ir::LibraryNode& node);

}  // namespace sluice::library
