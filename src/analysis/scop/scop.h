// Static control parts: statements with exact domains and accesses under a schedule tree.
//
// A statement is a tasklet, a library node or a copy of the graph; its instances are the points of its iterators, and its memlets
// and code are functions of these and of parameters. Accesses name the containers as they lie in memory: a transient that each
// execution of a scope has for itself in the graph is one container here, so that what shares memory is ordered by dependences.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "analysis/dependences/access_model.h"
#include "analysis/scop/loop_tree.h"
#include "poly/schedule.h"

namespace sluice::analysis {

struct ScopAccess {
    std::string container;
    std::string connector;  ///< Of a tasklet or library node; empty for copies.
    StatementAccess::Kind kind = StatementAccess::Kind::Read;
    code::ReductionType reduction = code::ReductionType::Custom;
    poly::Map elements;  ///< `S0[iterators] -> container[indices]`; contains what is touched.
    bool exact = true;   ///< Every instance touches all of them.
};

/// What an instance does, in the symbols of the graph.
struct Operation {
    struct Wire {
        std::string connector;
        std::string container;
        bool output = false;
        ir::Memlet memlet;
    };
    ir::Node node;  ///< A tasklet or library node.
    std::vector<Wire> wires;
};
struct Copy {
    std::string from, to;
    ir::Memlet memlet;
};

/// What a loop becomes: unrolled or in lanes only if it has a constant number of iterations, and threads or lanes only if no
/// dependence crosses it.
/// Blocks and the threads of a block are those of a device; loops of one of these kinds directly inside each other are one map.
enum class LoopKind : std::uint8_t { Plain, Unrolled, Vector, Threads, Blocks, BlockThreads };

struct ScopStatement {
    std::string name;   ///< `S0`, `S1`, ... in the order of the graph: the tuple of its instances.
    std::string label;  ///< For people.
    std::string place;  ///< Path of blocks.
    std::vector<std::string> iterators = {};
    poly::Set domain = {};
    std::vector<ScopAccess> accesses = {};
    std::variant<Operation, Copy> body = {};
    /// What the symbols in the body stand for, in terms of iterators and parameters; those that are missing are parameters.
    symbolic::Substitution values = {};
    Span where = {};
    /// Of loops by their dimension in the schedule, if all statements in them say so; threads and blocks, if one does.
    std::map<unsigned, LoopKind> loops = {};
};

struct Scop {
    std::vector<ScopStatement> statements;
    poly::Set context;        ///< What is known of the parameters.
    poly::Schedule schedule;  ///< The order of the graph: one that it may run in.
    /// Symbols that the part of the graph gives a value: variables of loops, targets of assignments. Who drops it must know that
    /// nobody reads them.
    std::set<std::string> assigned;
    /// Transients of which each iteration of the first so many dimensions of the schedule has its own. In `elements` these stand
    /// before the indices.
    std::map<std::string, unsigned> allocated = {};
    /// The same order as `schedule`, where the scop was extracted.
    LoopTree order = {};

    poly::UnionSet domain() const;
    const ScopStatement* find(const std::string& name) const;
};

/// A scop, or the construct that makes it none, in one sentence: `the condition x[i] > 0 depends on data`.
struct Extracted {
    std::optional<Scop> scop;
    std::string construct;
    Span where;
    bool ok() const { return scop.has_value(); }
};

/// WholeProgram or BlocksRoot. `known` holds where the root stands. What is not affine in a subset is over-approximated by the
/// whole dimension; a condition, bound or symbol that is not is refused. Not within the budget: refused, which says so.
Extracted extract(const ir::Sdfg& sdfg, const ModelRoot& root, const symbolic::Assumptions& known);

/// `S1 update: [N] -> { S1[i, j] : ... }`, its accesses, the tree: for people and tests.
std::string to_string(const Scop& scop);

}  // namespace sluice::analysis
