// One exact description of every statement of a piece of a program: when it runs (domain), what it reads and writes (access
// relations), and its place in the order of execution. Dependences and legality are questions about this table and about nothing
// else.
//
// A statement is a tasklet, a copy, a library node, a condition or an assignment of the control flow; nested SDFGs are entered. Its
// instances are the points of its iterators, outermost first: loops and map parameters between the root of the model and the
// statement; those around the root are parameters. Elements are those of the root SDFG's containers: connectors of
// nested SDFGs and views are followed to what they stand for. A transient that is new for each execution of a scope or of a
// nested SDFG carries that execution's iterators before its own indices, so that executions do not share elements. A symbol
// that the control flow assigns is a container without dimensions, as is `$order`, which statements with side effects write.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "code/reduction.h"
#include "ir/code_block.h"
#include "ir/sdfg.h"
#include "poly/relation.h"
#include "symbolic/assumptions.h"

namespace sluice::analysis {

struct Iterator {
    enum class Kind : std::uint8_t {
        Loop,  ///< Ordered.
        Map,   ///< Points in no order.
        Turn,  ///< Counts the rounds of a while loop or of a cycle of transitions; ordered.
    };
    std::string name = {};  ///< Of the dimension; unique within the model.
    Kind kind = Kind::Loop;
    std::int64_t direction = 1;  ///< Of a loop: -1 if values fall.
    std::size_t owner = 0;       ///< Iterators of one loop or one map scope share a number.
};

/// How sure it is that an instance touches the elements that its relation gives.
enum class Certainty : std::uint8_t {
    Must,         ///< Every instance of the domain touches all of them.
    Guarded,      ///< Those, or none: a condition on data decides, or when an earlier `break` does.
    Approximate,  ///< Elements among them: an index read from memory, a subset that is not affine.
};

struct StatementAccess {
    enum class Kind : std::uint8_t { Read, Write, Reduce };
    std::string container = {};  ///< Name in the root SDFG, or `nested/name` of a container of a nested one.
    Kind kind = Kind::Read;
    code::ReductionType reduction = code::ReductionType::Custom;  ///< Of a Reduce; one that commutes with itself.
    poly::Map elements = {};                                      ///< `S[iterators] -> container[indices]`, within the domain.
    Certainty certainty = Certainty::Must;
    std::string why = {};        ///< Unless Must: the construct that made it so.
    std::string connector = {};  ///< Of a tasklet or library node: where the value goes in or comes out.
    /// Of a container with one dimension, where the element is known but not affine: over iterators and parameters.
    std::optional<symbolic::Expr> index = {};
    bool unconditional = false;  ///< Nothing but the statement's own guards keeps it from being Must.

    bool writes() const { return kind != Kind::Read; }
};

/// The way from the root of the model to a statement: what it comes after at each level.
struct OrderStep {
    enum class Kind : std::uint8_t {
        Sequence,  ///< `position` among the parts of a region: smaller comes first.
        Iterate,   ///< `position` is an iterator.
        Dataflow,  ///< `node` of `state`: a path of edges comes first; `position` is topological.
    };
    Kind kind = Kind::Sequence;
    std::int64_t position = 0;
    const ir::State* state = nullptr;
    ir::NodeId node = {};
};

struct Statement {
    std::string tuple = {};  ///< `S3`
    std::string label = {};  ///< For people: `update`, `copy A -> B`, `condition b[i] > 0`.
    std::string place = {};  ///< Path of blocks: `for_i/if/update`.
    const ir::State* state = nullptr;
    ir::NodeId node = {};  ///< A tasklet, a library node, or the access node that a copy fills; invalid in control flow.
    ir::EdgeId edge = {};  ///< Of a copy: its edge at `node`.
    ir::NodeId top = {};  ///< The node of the root's state that holds it (itself, a map entry, a nested SDFG); invalid without one.
    Span where = {};
    std::vector<std::size_t> iterators = {};  ///< Into AccessModel::iterators.
    poly::Set domain = {};                    ///< Contains every instance that runs; exact but for `guards`.
    std::vector<std::size_t> guards = {};     ///< Into AccessModel::guards.
    std::vector<StatementAccess> accesses = {};
    std::vector<OrderStep> order = {};
    /// What symbols stand for here, in terms of iterators and parameters; those that are missing are parameters.
    symbolic::Substitution values = {};
    /// Stands for what all branches of a conditional before it write for certain; runs no code and conflicts with nothing.
    bool summary = false;
    /// A break or a return: what comes after it, in the innermost loop or in the SDFG, may not run.
    enum class Leaves : std::uint8_t { Nothing, Loop, Sdfg } leaves = Leaves::Nothing;
};

/// A condition on data, with the iterators that it may depend on: one outcome for each value of the first `depth` of them.
struct Guard {
    std::string text;
    std::size_t depth = 0;
};

struct AccessModel {
    std::vector<Iterator> iterators;
    std::vector<Guard> guards;
    std::vector<Statement> statements;
    poly::Set context;  ///< What is known of the parameters.
    /// Constructs under which nothing can be said, for example a reference that may point anywhere.
    std::vector<std::string> obstacles;
};

/// What a model describes, all of one SDFG and found in it by address.
struct WholeProgram {
    bool operator==(const WholeProgram&) const = default;
};
struct LoopRoot {
    const ir::Region* region;
    ir::BlockId loop;
    bool operator==(const LoopRoot&) const = default;
};
struct BlocksRoot {
    const ir::Region* region;
    std::vector<ir::BlockId> blocks;  ///< In their order of execution.
    /// Of blocks that are states, at the same positions: the nodes at the top to be described; none given: all.
    std::vector<std::set<ir::NodeId>> nodes = {};
    bool operator==(const BlocksRoot&) const = default;
};
struct StateRoot {
    const ir::State* state;
    bool operator==(const StateRoot&) const = default;
};
struct ScopesRoot {
    const ir::State* state;
    std::vector<ir::NodeId> entries;  ///< Of one scope.
    bool operator==(const ScopesRoot&) const = default;
};
struct NodesRoot {
    const ir::State* state;
    std::set<ir::NodeId> nodes;  ///< Of one scope.
    bool operator==(const NodesRoot&) const = default;
};
using ModelRoot = std::variant<WholeProgram, LoopRoot, BlocksRoot, StateRoot, ScopesRoot, NodesRoot>;

/// `known` holds at the root's place; ranges of loops and scopes around the root are added. The SDFG must be verified. Linear in
/// the size of the root's part of the graph. Answers to the latest questions are kept for as long as the graph does not change.
AccessModel access_model(const ir::Sdfg& sdfg, const ModelRoot& root, const symbolic::Assumptions& known);
/// Does a value of Statement::values hold nothing but iterators and parameters?
bool is_known(const symbolic::Expr& e);
/// How many of this thread's questions were not answered by what was kept.
std::size_t access_models_built();

}  // namespace sluice::analysis
