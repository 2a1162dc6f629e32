// What of a graph a target cannot carry out.
#pragma once

#include <vector>

#include "ir/sdfg.h"
#include "support/diagnostic.h"
#include "target/target.h"

namespace sluice::target {

/// Every schedule (L001), storage (L002) and language of a tasklet (L005) that the target does not have, and every type, stream,
/// library, timer or code around the program (L024), nested SDFGs included, each with its place in the graph and what would help;
/// empty: it carries the graph. Library nodes have been expanded.
std::vector<Diagnostic> violations(const ir::Sdfg& sdfg, const Target& target);

/// Does the graph, or one nested in it, exchange messages between ranks or ask which rank it is?
bool has_messages(const ir::Sdfg& sdfg);
/// Do ranks share a map of it, or of one nested in it (schedule MPI)?
bool has_maps_for_ranks(const ir::Sdfg& sdfg);

}  // namespace sluice::target
