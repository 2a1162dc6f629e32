// The grammar of the SDFG on one page (Ben-Nun et al., "Stateful Dataflow Multigraphs", SC'19, section 3 and appendix A).
//
// An Sdfg is a value: plain structs in tables, named by typed ids. Copying one is cheap (states and nested SDFGs are shared
// until written). Structs carry no algorithms; builder.h, verify.h, text.h and json.h hold functions that take the graph.
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

#include "code/dtype.h"
#include "ir/enums.h"
#include "support/cow.h"
#include "support/diagnostic.h"
#include "support/id.h"
#include "support/ordered_map.h"
#include "support/table.h"
#include "symbolic/subset.h"

namespace sluice::ir {

using code::DType;
using symbolic::Expr;
using symbolic::Range;
using symbolic::Subset;

using NodeId = Id<struct NodeTag>;
using EdgeId = Id<struct EdgeTag>;
using BlockId = Id<struct BlockTag>;
using TransitionId = Id<struct TransitionTag>;

struct Sdfg;

/// One entry of a field list: the property's name in the .sdfg format and the member that holds it.
template <class Struct, class T> struct Field {
    std::string_view name;
    T Struct::*member;
};
template <class Struct, class T> Field(std::string_view, T Struct::*) -> Field<Struct, T>;

/// What tools attach to an element and the program's meaning does not depend on; never part of equality.
struct Metadata {
    Span where;         ///< Place in the user's source.
    std::string guid;   ///< UUID of the .sdfg format.
    std::string extra;  ///< JSON object text: attributes and keys that we do not know, written back as they came.
    bool operator==(const Metadata&) const { return true; }
};

/// Source text in a language. Python text is parsed where it is used (parsed_body, parsed_expr of code_block.h).
struct CodeBlock {
    std::string text;
    Language language = Language::Python;
    bool operator==(const CodeBlock&) const = default;
};

// ---- containers ---------------------------------------------------------------------------------------------------------
struct Container;

/// N-dimensional array. Element (i, j, ...) lies at start_offset + sum (i_d + offset_d) * strides_d elements from its base.
struct Array {
    std::vector<Expr> strides;  ///< In elements; empty: C order.
    std::vector<Expr> offset;   ///< Added to every index; empty: zeros.
    Expr total_size = 0;        ///< Elements to allocate; 0: product of the shape.
    Expr start_offset = 0;
    std::int64_t alignment = 0;  ///< Bytes; 0: the default of the storage.
    bool may_alias = false;      ///< The pointer may overlap another argument: not `restrict`.
    bool allow_conflicts = false;
    std::optional<bool> optional;  ///< The argument may be null.
    bool pool = false;
    bool operator==(const Array&) const = default;
    static constexpr auto fields() {
        return std::tuple(Field{"strides", &Array::strides}, Field{"total_size", &Array::total_size},
                          Field{"offset", &Array::offset}, Field{"start_offset", &Array::start_offset},
                          Field{"alignment", &Array::alignment}, Field{"may_alias", &Array::may_alias},
                          Field{"allow_conflicts", &Array::allow_conflicts}, Field{"optional", &Array::optional},
                          Field{"pool", &Array::pool});
    }
};
/// One element; shape is empty. Passed by value as an argument unless written.
struct Scalar {
    bool allow_conflicts = false;
    bool operator==(const Scalar&) const = default;
    static constexpr auto fields() { return std::tuple(Field{"allow_conflicts", &Scalar::allow_conflicts}); }
};
/// An array (of the container's shape) of multi-producer multi-consumer queues.
struct Stream {
    Expr buffer_size = 0;  ///< Capacity in elements; 0: unbounded.
    std::vector<Expr> offset;
    bool operator==(const Stream&) const = default;
    static constexpr auto fields() {
        return std::tuple(Field{"buffer_size", &Stream::buffer_size}, Field{"offset", &Stream::offset});
    }
};
struct Structure {
    std::string name;
    OrderedMap<Cow<Container>> members;
    bool operator==(const Structure&) const = default;
    static constexpr auto fields() { return std::tuple(Field{"name", &Structure::name}, Field{"members", &Structure::members}); }
};
/// An array whose elements are containers (structures or arrays): an array of pointers.
struct ContainerArray {
    Array layout;
    std::optional<Cow<Container>> element;
    bool operator==(const ContainerArray&) const = default;
    static constexpr auto fields() {
        return std::tuple(Field{"layout", &ContainerArray::layout}, Field{"stype", &ContainerArray::element});
    }
};
/// A descriptor that we keep but cannot compile (Tensor, ProcessGrid, SubArray, RedistrArray, unknown classes).
struct ForeignContainer {
    std::string type;  ///< Class name in the .sdfg format; everything else is in Metadata::extra.
    bool operator==(const ForeignContainer&) const = default;
    static constexpr auto fields() { return std::tuple(Field{"type", &ForeignContainer::type}); }
};
struct Container {
    DType dtype = code::Scalar::Int32;
    std::vector<Expr> shape;  ///< Empty for Scalar and Structure.
    bool transient = false;   ///< Allocated by the SDFG, not an argument.
    Binding binding = Binding::Own;
    Storage storage = Storage::Default;
    Lifetime lifetime = Lifetime::Scope;
    std::map<std::string, std::string> location;
    std::variant<Array, Scalar, Stream, Structure, ContainerArray, ForeignContainer> kind;
    Metadata metadata;
    bool operator==(const Container&) const = default;
    static constexpr auto fields() {
        return std::tuple(Field{"dtype", &Container::dtype}, Field{"shape", &Container::shape},
                          Field{"transient", &Container::transient}, Field{"storage", &Container::storage},
                          Field{"lifetime", &Container::lifetime}, Field{"location", &Container::location});
    }
};

// ---- memlets ------------------------------------------------------------------------------------------------------------
/// Data movement along an edge. `data` names the container of one end of the memlet path; `subset` is what moves of it and
/// `other_subset` where it lies at the other end (empty: the whole, from its origin). An empty `data` is pure ordering.
struct Memlet {
    std::string data;
    std::optional<Subset> subset;  ///< Missing: the whole container.
    std::optional<Subset> other_subset;
    Expr volume = 0;                 ///< Elements moved in one execution; with `dynamic` an upper bound, 0 meaning unbounded.
    bool dynamic = false;            ///< How many elements move, or whether any, depends on data.
    std::optional<std::string> wcr;  ///< Write-conflict resolution: text of a Python lambda (old, new) -> value.
    bool wcr_nonatomic = false;      ///< The user vouches that no two writes conflict.
    bool allow_oob = false;
    /// Copies between two access nodes of one container: is `subset` the source side? Otherwise derived.
    std::optional<bool> is_data_src;
    Metadata metadata;

    bool empty() const { return data.empty(); }
    bool operator==(const Memlet&) const = default;
    static constexpr auto fields() {
        return std::tuple(Field{"data", &Memlet::data}, Field{"subset", &Memlet::subset},
                          Field{"other_subset", &Memlet::other_subset}, Field{"volume", &Memlet::volume},
                          Field{"dynamic", &Memlet::dynamic}, Field{"wcr", &Memlet::wcr},
                          Field{"wcr_nonatomic", &Memlet::wcr_nonatomic}, Field{"allow_oob", &Memlet::allow_oob},
                          Field{"is_data_src", &Memlet::is_data_src});
    }
};

// ---- nodes --------------------------------------------------------------------------------------------------------------
struct Access {
    std::string data;  ///< A container, or a dotted member of a structure: `csr.indptr`.
    bool setzero = false;
    DataInstrumentation instrument = DataInstrumentation::No_Instrumentation;
    bool operator==(const Access&) const = default;
    static constexpr auto fields() {
        return std::tuple(Field{"data", &Access::data}, Field{"setzero", &Access::setzero},
                          Field{"instrument", &Access::instrument});
    }
};
/// Computation over its connectors and the symbols in scope; it touches no other memory.
struct Tasklet {
    std::string label;
    CodeBlock code;
    CodeBlock code_global{"", Language::CPP}, code_init{"", Language::CPP}, code_exit{"", Language::CPP};
    std::vector<std::string> state_fields;
    std::optional<bool> side_effects;
    std::vector<std::string> ignored_symbols;
    std::vector<std::string> environments;
    Instrumentation instrument = Instrumentation::No_Instrumentation;
    bool operator==(const Tasklet&) const = default;
    static constexpr auto fields() {
        return std::tuple(Field{"label", &Tasklet::label}, Field{"code", &Tasklet::code},
                          Field{"code_global", &Tasklet::code_global}, Field{"code_init", &Tasklet::code_init},
                          Field{"code_exit", &Tasklet::code_exit}, Field{"state_fields", &Tasklet::state_fields},
                          Field{"side_effects", &Tasklet::side_effects}, Field{"ignored_symbols", &Tasklet::ignored_symbols},
                          Field{"environments", &Tasklet::environments}, Field{"instrument", &Tasklet::instrument});
    }
};
/// Opens a map scope: its contents run once for every point of `range`, in any order or at the same time. Connectors pair
/// IN_x / OUT_x; an input connector without the prefix is a symbol of the (dynamic) range.
struct MapEntry {
    std::string label;
    std::vector<std::string> params;
    Subset range;  ///< One dimension per parameter; a later range may use earlier parameters.
    Schedule schedule = Schedule::Default;
    bool unroll = false;
    std::int64_t unroll_factor = 0;
    std::int64_t collapse = 1;  ///< Leading dimensions that share one parallel loop.
    std::int64_t omp_num_threads = 0;
    OmpSchedule omp_schedule = OmpSchedule::Default;
    std::int64_t omp_chunk_size = 0;
    std::vector<std::int64_t> gpu_block_size;
    Instrumentation instrument = Instrumentation::No_Instrumentation;
    bool operator==(const MapEntry&) const = default;
    static constexpr auto fields() {
        return std::tuple(Field{"label", &MapEntry::label}, Field{"params", &MapEntry::params}, Field{"range", &MapEntry::range},
                          Field{"schedule", &MapEntry::schedule}, Field{"unroll", &MapEntry::unroll},
                          Field{"unroll_factor", &MapEntry::unroll_factor}, Field{"collapse", &MapEntry::collapse},
                          Field{"omp_num_threads", &MapEntry::omp_num_threads}, Field{"omp_schedule", &MapEntry::omp_schedule},
                          Field{"omp_chunk_size", &MapEntry::omp_chunk_size}, Field{"gpu_block_size", &MapEntry::gpu_block_size},
                          Field{"instrument", &MapEntry::instrument});
    }
};
struct MapExit {
    NodeId entry;
    bool operator==(const MapExit&) const = default;
};
/// Opens a consume scope: `num_pes` processing elements pop from the stream at IN_stream until it is quiescent (empty and
/// nobody can push) or `condition` holds.
struct ConsumeEntry {
    std::string label;
    std::string pe_index;
    Expr num_pes = 1;
    std::optional<CodeBlock> condition;
    Schedule schedule = Schedule::Default;
    std::int64_t chunksize = 1;
    Instrumentation instrument = Instrumentation::No_Instrumentation;
    bool operator==(const ConsumeEntry&) const = default;
    static constexpr auto fields() {
        return std::tuple(Field{"label", &ConsumeEntry::label}, Field{"pe_index", &ConsumeEntry::pe_index},
                          Field{"num_pes", &ConsumeEntry::num_pes}, Field{"condition", &ConsumeEntry::condition},
                          Field{"schedule", &ConsumeEntry::schedule}, Field{"chunksize", &ConsumeEntry::chunksize},
                          Field{"instrument", &ConsumeEntry::instrument});
    }
};
struct ConsumeExit {
    NodeId entry;
    bool operator==(const ConsumeExit&) const = default;
};
/// Calls an SDFG. Connectors name its non-transient containers; every free symbol of it is mapped.
struct NestedSdfg {
    std::string label;
    Cow<Sdfg> sdfg;
    std::map<std::string, Expr> symbol_mapping;  ///< Inner symbol -> outer expression.
    bool no_inline = false;
    std::string unique_name;
    Instrumentation instrument = Instrumentation::No_Instrumentation;
    bool operator==(const NestedSdfg&) const = default;
    static constexpr auto fields() {
        return std::tuple(Field{"label", &NestedSdfg::label}, Field{"symbol_mapping", &NestedSdfg::symbol_mapping},
                          Field{"no_inline", &NestedSdfg::no_inline}, Field{"unique_name", &NestedSdfg::unique_name},
                          Field{"instrument", &NestedSdfg::instrument});
    }
};
/// A property of a library node: the open part of the grammar. monostate is null.
using Property = std::variant<std::monostate, bool, std::int64_t, double, std::string, Expr, std::vector<std::int64_t>>;
/// An operation by name, with an expansion in library/<operation>/. Unknown operations are kept and written back.
struct LibraryNode {
    std::string operation;  ///< `Reduce`, `MatMul`, ...: the class name; `classpath` tells two classes of one name apart.
    std::string classpath;  ///< The .sdfg discriminator, `dace.libraries.standard.nodes.reduce.Reduce`.
    std::string label;
    std::optional<std::string> implementation;  ///< Expansion to use; missing: the library's default.
    Schedule schedule = Schedule::Default;
    std::map<std::string, Property> properties;
    bool operator==(const LibraryNode&) const = default;
    static constexpr auto fields() {
        return std::tuple(Field{"label", &LibraryNode::label}, Field{"implementation", &LibraryNode::implementation},
                          Field{"schedule", &LibraryNode::schedule});
    }
};

/// Connector name -> type; a Void type is inferred from the memlet.
using Connectors = std::map<std::string, DType>;

struct Node {
    std::variant<Access, Tasklet, MapEntry, MapExit, ConsumeEntry, ConsumeExit, NestedSdfg, LibraryNode> kind;
    Connectors in, out;
    Metadata metadata;
    bool operator==(const Node&) const = default;
};
struct Edge {
    NodeId src;
    std::string src_connector;  ///< Empty: none.
    NodeId dst;
    std::string dst_connector;
    Memlet memlet;
    bool operator==(const Edge&) const = default;
};

// ---- control flow -------------------------------------------------------------------------------------------------------
/// An acyclic dataflow multigraph.
struct State {
    Table<NodeId, Node> nodes;
    Table<EdgeId, Edge> edges;
    bool nosync = false;
    Instrumentation instrument = Instrumentation::No_Instrumentation;
    bool operator==(const State&) const = default;
    static constexpr auto fields() { return std::tuple(Field{"nosync", &State::nosync}, Field{"instrument", &State::instrument}); }
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
    Region body;
    bool operator==(const LoopRegion&) const = default;
    static constexpr auto fields() {
        return std::tuple(Field{"loop_variable", &LoopRegion::variable}, Field{"init_statement", &LoopRegion::init},
                          Field{"loop_condition", &LoopRegion::condition}, Field{"update_statement", &LoopRegion::update},
                          Field{"inverted", &LoopRegion::inverted},
                          Field{"update_before_condition", &LoopRegion::update_before_condition},
                          Field{"unroll", &LoopRegion::unroll}, Field{"unroll_factor", &LoopRegion::unroll_factor});
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
