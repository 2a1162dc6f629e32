// The two halves of the printer.
#pragma once

#include "ir/text/values.h"

namespace sluice::ir::text {

/// `sdfg name(arguments) { ... }`, without the end of the last line.
void write_sdfg(Writer& out, const Sdfg& sdfg);
/// The lines of a state's block.
void write_state(Writer& out, const State& state);

}  // namespace sluice::ir::text
