// From a scop back to a graph.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/scop/scop.h"
#include "poly/ast.h"

namespace sluice::analysis {

/// Loops, conditions and calls that run the statements in the schedule's order; loops that no dependence crosses are parallel.
/// nullopt: not known within the budget.
std::optional<poly::AstNode> loops_of(const Scop& scop, const poly::Schedule& schedule, const poly::UnionMap& dependences);

/// Do all that use memory which iterations allocate stand in the same loops? isl runs what comes last in loops of its own.
bool allocates_in_loops(const Scop& scop, const poly::AstNode& loops);

/// What a loop becomes: what all statements in it say, if that can be.
LoopKind kind_of(const Scop& scop, const poly::AstNode& loop);

/// Blocks that run the statements.
struct Rebuilt {
    ir::Region region;
    std::vector<std::string> variables;  ///< Symbols of its loops and maps, declared in the SDFG.
};

/// Parallel loops become maps (those in lanes one for each statement), others loop regions; conditions become conditional blocks;
/// each instance is a state with its tasklet, library node or copy. `sdfg` is the one that the scop was made of; it gets
/// declarations of symbols and nothing else.
Rebuilt rebuild(ir::Sdfg& sdfg, const Scop& scop, const poly::AstNode& loops);

/// Once the blocks stand in their place: transients that would now be allocated anew in a scope or loop are allocated with the
/// SDFG, as the scop has them.
void keep_memory(ir::Sdfg& sdfg, const Scop& scop);

/// In the place of the program's body: memlets are propagated, symbols that nobody needs any more are forgotten.
void rebuild_program(ir::Sdfg& sdfg, const Scop& scop, const poly::AstNode& loops);

}  // namespace sluice::analysis
