// From a scop back to a graph.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/scop/scop.h"

namespace sluice::analysis {

/// Blocks that run the statements in a schedule's order.
struct Rebuilt {
    ir::Region region;
    std::vector<std::string> variables;  ///< Symbols of its loops and maps, declared in the SDFG.
};

/// Loops that no dependence crosses become maps, others loop regions; conditions that a schedule needs become conditional blocks; each instance is
/// a state with its tasklet, library node or copy. `sdfg` is the one that the scop was made of; it gets declarations of symbols and nothing else.
/// nullopt: not known within the budget.
std::optional<Rebuilt> rebuild(ir::Sdfg& sdfg, const Scop& scop, const poly::Schedule& schedule, const poly::UnionMap& dependences);

/// The whole program's scop in the place of its body: memlets are propagated, symbols that nobody needs any more are forgotten.
bool rebuild_program(ir::Sdfg& sdfg, const Scop& scop, const poly::Schedule& schedule, const poly::UnionMap& dependences);

}  // namespace sluice::analysis
