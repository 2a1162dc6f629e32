// What the graph says of a stream beyond its declaration.
#pragma once

#include <string>

#include "ir/sdfg.h"

namespace sluice::ir {

/// A consume scope of this SDFG pops from the stream. Such a stream grows as needed whatever its `buffer_size`: the scope, its only
/// consumer, also pushes to it, and would wait for itself.
bool feeds_consume_scope(const Sdfg& sdfg, const std::string& stream);

}  // namespace sluice::ir
