// Graphviz DOT of an SDFG: states and regions as boxes, dataflow nodes in the paper's shapes.
#pragma once

#include <string>

#include "ir/sdfg.h"

namespace sluice::cli {

std::string to_dot(const ir::Sdfg& sdfg);

}  // namespace sluice::cli
