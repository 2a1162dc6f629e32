// The grammar of the SDFG (Ben-Nun et al., "Stateful Dataflow Multigraphs", SC'19, section 3 and appendix A), in three headers:
// container.h (containers), dataflow.h (memlets, nodes, edges), and here states, control flow and the graph.
//
// An Sdfg is a value: plain structs in tables, named by typed ids. Copying one is cheap (states and nested SDFGs are shared
// until written). Structs carry no algorithms; builder.h, verify.h and text.h hold functions that take the graph.
// Each struct lists its properties once in fields(); equality, the text form, JSON and property panels derive from that list.
// A property that equals its default is not written anywhere.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "ir/dataflow.h"

namespace sluice::ir {

// ---- control flow -------------------------------------------------------------------------------------------------------
/// An acyclic dataflow multigraph.
struct State {
    Table<NodeId, Node> nodes;
    Table<EdgeId, Edge> edges;
    bool nosync = false;
    /// CPU_Multicore: parts that only bounded streams join run at the same time.
    Schedule schedule = Schedule::Default;
    Instrumentation instrument = Instrumentation::No_Instrumentation;
    bool operator==(const State&) const = default;
    static constexpr auto fields() {
        return std::tuple(Field{"nosync", &State::nosync}, Field{"schedule", &State::schedule},
                          Field{"instrument", &State::instrument});
    }
};
/// Interstate edge. Among the transitions out of a block the first (in id order) whose condition holds is taken; its
/// assignments are evaluated together, before any takes effect.
struct Transition {
    BlockId src, dst;
    CodeBlock condition;                                           ///< Python expression; empty text: always.
    std::vector<std::pair<std::string, std::string>> assignments;  ///< Symbol <- Python expression; may read data (`A[i]`).
    Metadata metadata;
    bool operator==(const Transition&) const = default;
};
struct Block;
/// Blocks joined by transitions. Control enters at `start` and leaves when no transition is taken.
struct Region {
    Table<BlockId, Block> blocks;
    Table<TransitionId, Transition> transitions;
    BlockId start;
    bool operator==(const Region&) const = default;
};
/// `init; while (condition) { body; update }`, or with `inverted` the test at the end.
struct LoopRegion {
    std::string variable;                ///< Empty for a while loop.
    std::optional<CodeBlock> init;       ///< Python assignment, `i = 0`.
    std::optional<CodeBlock> condition;  ///< Python expression.
    std::optional<CodeBlock> update;     ///< Python assignment, `i = i + 1`.
    bool inverted = false;
    bool update_before_condition = true;  ///< Only with `inverted`; false: test, maybe leave, then update.
    bool unroll = false;
    std::int64_t unroll_factor = 0;
    /// CPU_Persistent: one team of threads runs the whole loop. Its threads share the maps in it that are CPU_Multicore; one of
    /// them runs everything else.
    Schedule schedule = Schedule::Default;
    Region body;
    bool operator==(const LoopRegion&) const = default;
    static constexpr auto fields() {
        return std::tuple(Field{"loop_variable", &LoopRegion::variable}, Field{"init_statement", &LoopRegion::init},
                          Field{"loop_condition", &LoopRegion::condition}, Field{"update_statement", &LoopRegion::update},
                          Field{"inverted", &LoopRegion::inverted},
                          Field{"update_before_condition", &LoopRegion::update_before_condition},
                          Field{"unroll", &LoopRegion::unroll}, Field{"unroll_factor", &LoopRegion::unroll_factor},
                          Field{"schedule", &LoopRegion::schedule});
    }
};
struct Branch {
    std::optional<CodeBlock> condition;  ///< Missing: else.
    Region body;
    bool operator==(const Branch&) const = default;
};
/// The first branch whose condition holds; the branch without one if none does.
struct ConditionalBlock {
    std::vector<Branch> branches;
    bool operator==(const ConditionalBlock&) const = default;
};
struct BreakBlock {
    bool operator==(const BreakBlock&) const = default;
};
struct ContinueBlock {
    bool operator==(const ContinueBlock&) const = default;
};
/// Ends the SDFG that directly holds it (a nested SDFG returns to its caller).
struct ReturnBlock {
    bool operator==(const ReturnBlock&) const = default;
};
/// Blocks grouped under a name; no meaning of its own.
struct NamedRegion {
    RegionKind kind = RegionKind::ControlFlowRegion;
    std::map<std::string, std::string> arguments;  ///< FunctionCallRegion only.
    Region body;
    bool operator==(const NamedRegion&) const = default;
    static constexpr auto fields() {
        return std::tuple(Field{"kind", &NamedRegion::kind}, Field{"arguments", &NamedRegion::arguments});
    }
};
struct Block {
    std::string label;  ///< Identifier, unique among siblings.
    std::variant<Cow<State>, LoopRegion, ConditionalBlock, BreakBlock, ContinueBlock, ReturnBlock, NamedRegion> kind;
    Metadata metadata;
    bool operator==(const Block&) const = default;
};

// ---- the graph ----------------------------------------------------------------------------------------------------------
/// A compile-time constant: row-major elements as numbers (real, imaginary), of the container's dtype and constant shape.
struct Constant {
    Container container;
    std::vector<std::pair<double, double>> values;
    std::vector<std::int64_t> integers;  ///< Used instead of `values` for integer and bool types: exact.
    /// By bit pattern: a NaN equals itself, and the zeros differ.
    bool operator==(const Constant& other) const {
        const auto bits = [](const std::pair<double, double>& value) {
            return std::pair(std::bit_cast<std::uint64_t>(value.first), std::bit_cast<std::uint64_t>(value.second));
        };
        return container == other.container && integers == other.integers &&
               std::ranges::equal(values, other.values, {}, bits, bits);
    }
};
struct Sdfg {  // Every member has an initialiser: `Sdfg{.name = "axpy"}` is complete.
    std::string name;
    std::vector<std::string> arg_names = {};  ///< Positional order of the call; arguments not listed follow by name.
    OrderedMap<Container> containers = {};
    std::map<std::string, DType> symbols = {};
    OrderedMap<Constant> constants = {};
    std::map<std::string, CodeBlock> global_code = {}, init_code = {}, exit_code = {};  ///< By location: `frame`, `cuda`, ...
    Instrumentation instrument = Instrumentation::No_Instrumentation;
    bool openmp_sections = false;
    Region body = {};
    Metadata metadata = {};
    bool operator==(const Sdfg&) const = default;
    /// What is not a table of its own.
    static constexpr auto fields() {
        return std::tuple(Field{"instrument", &Sdfg::instrument}, Field{"openmp_sections", &Sdfg::openmp_sections});
    }
};

/// The state in a block, or null.
const State* as_state(const Block& block);
State* as_state(Block& block);

/// Name of the node's kind: `access`, `tasklet`, `map_entry`, ...
std::string_view kind_name(const Node& node);
/// Text for people: the data name, the label with its range.
std::string label_of(const State& state, NodeId node);

}  // namespace sluice::ir
