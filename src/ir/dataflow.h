// Dataflow: memlets, nodes and edges. The second third of the grammar; read sdfg.h for the whole.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "ir/container.h"
#include "ir/resolution.h"
#include "support/id.h"
#include "support/table.h"

namespace sluice::ir {

using NodeId = Id<struct NodeTag>;
using EdgeId = Id<struct EdgeTag>;
using BlockId = Id<struct BlockTag>;
using TransitionId = Id<struct TransitionTag>;

struct Sdfg;

// ---- memlets ------------------------------------------------------------------------------------------------------------
/// Data movement along an edge. `data` names the container of one end of the memlet path; `subset` is what moves of it and
/// `other_subset` where it lies at the other end (empty: the whole, from its origin). An empty `data` is pure ordering.
struct Memlet {
    std::string data;
    std::optional<Subset> subset;  ///< Missing: the whole container.
    std::optional<Subset> other_subset;
    Expr volume = 0;       ///< Elements moved in one execution; with `dynamic` an upper bound, 0 meaning unbounded.
    bool dynamic = false;  ///< How many elements move, or whether any, depends on data.
    std::optional<Resolution> wcr;
    bool wcr_nonatomic = false;  ///< No two updates conflict: the user vouches for it, or it was proven.
    bool allow_oob = false;
    /// Copies between two access nodes of one container: is `subset` the source side? Otherwise derived.
    std::optional<bool> is_data_src;
    /// Copies between two access nodes: CPU_Multicore lets a team of threads share those of at least `omp_min_elements` elements.
    Schedule schedule = Schedule::Default;
    std::int64_t omp_min_elements = 0;
    /// Of an edge into a tasklet: an element of `data` to bring near while this one is worked on, one that a later iteration reads.
    /// It changes nothing that is computed, and may lie outside of the container.
    std::optional<Subset> prefetch;
    Metadata metadata;

    bool empty() const { return data.empty(); }
    bool operator==(const Memlet&) const = default;
    static constexpr auto fields() {
        return std::tuple(Field{"data", &Memlet::data}, Field{"subset", &Memlet::subset},
                          Field{"other_subset", &Memlet::other_subset}, Field{"volume", &Memlet::volume},
                          Field{"dynamic", &Memlet::dynamic}, Field{"wcr", &Memlet::wcr},
                          Field{"wcr_nonatomic", &Memlet::wcr_nonatomic}, Field{"allow_oob", &Memlet::allow_oob},
                          Field{"is_data_src", &Memlet::is_data_src}, Field{"schedule", &Memlet::schedule},
                          Field{"omp_min_elements", &Memlet::omp_min_elements}, Field{"prefetch", &Memlet::prefetch});
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
    /// CPU_Multicore: where this does not hold one thread runs the map, as plain loops. Over symbols that have a value before it.
    Expr omp_if = symbolic::boolean(true);
    /// Containers that the map updates (`wcr`) in private copies, combined when it ends: an element that stays the same in the
    /// inner dimensions in a local variable, an array in a copy for each thread.
    std::vector<std::string> private_updates;
    /// The innermost dimension fills the lanes of vector registers; updates in private copies may be reordered for it.
    bool simd = false;
    /// In a loop that one team runs (LoopRegion::schedule): a thread that has done its share goes on without waiting for the
    /// others.
    bool nosync = false;
    std::vector<std::int64_t> gpu_block_size;
    Instrumentation instrument = Instrumentation::No_Instrumentation;
    bool operator==(const MapEntry&) const = default;
    static constexpr auto fields() {
        return std::tuple(Field{"label", &MapEntry::label}, Field{"params", &MapEntry::params}, Field{"range", &MapEntry::range},
                          Field{"schedule", &MapEntry::schedule}, Field{"unroll", &MapEntry::unroll},
                          Field{"unroll_factor", &MapEntry::unroll_factor}, Field{"collapse", &MapEntry::collapse},
                          Field{"omp_num_threads", &MapEntry::omp_num_threads}, Field{"omp_schedule", &MapEntry::omp_schedule},
                          Field{"omp_chunk_size", &MapEntry::omp_chunk_size}, Field{"omp_if", &MapEntry::omp_if},
                          Field{"private_updates", &MapEntry::private_updates}, Field{"simd", &MapEntry::simd},
                          Field{"nosync", &MapEntry::nosync}, Field{"gpu_block_size", &MapEntry::gpu_block_size},
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
/// Operation of a call of a library's function: what expansions end with.
inline constexpr const char* kExternCall = "Extern";
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

}  // namespace sluice::ir
