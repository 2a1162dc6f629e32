// What is said of programs that are valid.
#pragma once

#include <string>
#include <vector>

#include "ir/sdfg.h"
#include "support/diagnostic.h"

namespace sluice::driver {

/// As an error is rendered, with the word `warning`.
std::string warning_text(const Diagnostic& diagnostic);

/// A warning L043 for each map without an order of which two points touch one element, one of them to write it, and not both by a
/// conflict resolution: what it gives depends on who comes first. Only what holds whatever the data and sizes are is a
/// warning, and of a called graph only where its symbols are the caller's.
std::vector<Diagnostic> racing_maps(const ir::Sdfg& given);

}  // namespace sluice::driver
