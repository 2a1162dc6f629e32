// The grammar of the graph, whose names the readers and writers use as their own.
#pragma once

#include "ir/sdfg.h"

namespace sluice::interchange {

using namespace ir;

}  // namespace sluice::interchange
