// What algorithm and commands amount to: the values behind schedule.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/scop/scop.h"
#include "code/reduction.h"
#include "ir/sdfg.h"
#include "poly/ast.h"
#include "schedule/schedule.h"

namespace sluice::schedule {

inline constexpr const char* kDataIndex = "e__";

struct Read {
    std::string of;                       ///< A computation or an input.
    std::vector<symbolic::Expr> indices;  ///< Affine, unless data decide.
    std::vector<std::string> texts;       ///< The same as code over connectors and iterators.
    /// Where data decide an index: what holds of each, in terms of kDataIndex0, kDataIndex1, ...; empty: they decide none.
    std::vector<symbolic::Expr> ranges = {};
    std::optional<poly::Set> where = {};  ///< The points that read; nullopt: all.
    /// Of a computation that runs at a loop of another: the iterations of that loop and those around it, by which the instance is
    /// found, as symbols; the reader's own first levels.
    std::vector<std::string> around = {};

    bool is_affine() const { return ranges.empty(); }
};

/// One way of computing a value: at some of the points.
struct Piece {
    std::optional<poly::Set> where = {};  ///< nullopt: all.
    std::string code;                     ///< Of a tasklet: `out = in0 * in1`.
    std::vector<std::size_t> reads = {};  ///< Of the definition's; connectors have their numbers.
};

/// A loop of a computation: its first `depth` levels.
struct Loop {
    std::size_t of;
    unsigned depth;
};

struct Storage {
    std::string name;
    std::vector<symbolic::Expr> shape;
    code::DType type;
    bool is_input = false;
    bool is_argument = false;  ///< The caller passes it, and computations store in it.
    ir::Storage memory = ir::Storage::Default;
    bool is_gpu_constant = false;  ///< Of an input: its copy on the device lies in the memory of constants.
    /// Of an input that ranks hold in parts: how much, with room for how much more, of how much along the first dimension.
    struct Part {
        symbolic::Expr rows;
        std::int64_t halo;
        symbolic::Expr all;
    };
    std::optional<Part> part = {};
    /// New memory in each iteration.
    std::optional<Loop> allocated = {};
    std::vector<std::string> around = {};  ///< Symbols of these iterations in layouts.
};

struct Order {
    std::size_t other;
    unsigned shared;  ///< Loops that both run in.
};

enum class Lanes : std::uint8_t { Unrolled, Vector };

struct Definition {
    std::string name;  ///< Also the tuple of its instances.
    std::vector<std::string> iterators;
    poly::Set domain;
    code::DType type;
    std::string value = {};  ///< Text in terms of computations, inputs, iterators and constants.
    std::string guard = {};  ///< Likewise: data leave out the points where it does not hold; empty: none.
    bool is_box = false;     ///< Its domain is given by bounds alone.
    std::vector<Read> reads = {};
    std::vector<Piece> pieces = {};
    /// Of an update.
    std::optional<std::size_t> target = {};
    std::string operation = {};
    /// The instance of the target (of itself, unless an update) whose value it makes.
    std::vector<symbolic::Expr> element_indices = {};

    // The schedule.
    poly::Map times = {};  ///< Instance -> levels, of the domain's points and perhaps of others.
    std::vector<std::string> levels = {};
    std::optional<Order> order = {};
    std::set<std::string> parallel = {};
    std::map<std::string, analysis::LoopKind> device = {};  ///< Levels that are blocks, or threads of a block, of a device.
    std::map<std::string, std::pair<Lanes, std::int64_t>> lanes = {};  ///< Levels of so many iterations in full tiles.
    std::string distributed = {};  ///< The outermost level, whose iterations are ranks; empty: every rank runs it.
    /// A level that was split into blocks of a size that the call decides, one for each rank.
    struct Blocks {
        std::string level;  ///< Their number.
        symbolic::Expr size;
        poly::Map split = {};  ///< Instance -> iteration of the level that was split.
    };
    std::optional<Blocks> blocks = {};
    poly::Set on_all_ranks = {};             ///< With blocks: the domain before it became one rank's.
    std::optional<poly::Set> received = {};  ///< On this rank: points that messages bring, outside of the domain.
    struct Prefetch {
        std::string of, level;
        std::int64_t distance;
    };
    std::vector<Prefetch> prefetches = {};
    bool is_inlined = false, bounds_inferred = false;
    /// Of one that is distributed, whose bounds are inferred: the points that ranks share among each other; what else a rank reads
    /// it computes as well.
    std::optional<poly::Set> shared = {};
    std::optional<Loop> computed_at = {};
    // The memory; of an update that of its target.
    std::string buffer = {};
    std::optional<Loop> stored_at = {};
    std::vector<symbolic::Expr> layout = {};   ///< In terms of its iterators.
    std::vector<symbolic::Expr> extents = {};  ///< Of memory in which each instance has its own element; empty: not known.
};

/// What was said of the memory that a computation gets by itself.
struct Wish {
    std::vector<symbolic::Expr> shape = {};
    std::optional<ir::Storage> memory = {};
    std::optional<Loop> allocated = {};
};

/// What was said of copies to a device and back; if anything, then all.
struct Copies {
    std::set<std::string> in = {}, out = {};  ///< Inputs; memory of results.
    bool explicitly() const { return !in.empty() || !out.empty(); }
};

/// A message or a barrier.
struct RankOperation {
    enum class Kind : std::uint8_t { Send, Receive, Barrier };
    Kind kind = Kind::Barrier;
    std::string name;       ///< Also the tuple of its instances.
    std::string rank = {};  ///< Its iterator.
    poly::Set domain = {};
    std::string of = {};  ///< A computation, or an input that ranks hold in parts.
    std::vector<symbolic::Expr> start = {};
    symbolic::Expr size = 0;
    symbolic::Expr peer = 0;
    Delivery how = Delivery::Blocking;
    std::size_t sent = 0;  ///< Of a receive: its send.
    bool is_distributed = false;
    struct Order {
        bool before, is_operation;
        std::size_t other;
    };
    std::vector<Order> orders = {};
};

struct Program {
    std::string name;
    Reads semantics = Reads::Values;
    std::set<std::string> constants;
    std::map<std::string, Storage> storage;
    std::vector<Definition> definitions;
    std::map<std::string, Wish> wishes;
    Copies copies = {};
    std::vector<RankOperation> operations = {};
    std::vector<symbolic::Expr> assumptions = {};  ///< Conditions on constants, which hold when the function is called.

    bool is_on_ranks() const;
    const Definition* find(const std::string& computation) const;
    /// The definition whose values and memory it shares: an update's target.
    const Definition& original(const Definition& definition) const;
    poly::Set context() const;
    /// Name[iterators] -> the point of its original whose value it makes.
    poly::Map element(const Definition& definition) const;
    /// Name[iterators] -> its first levels.
    poly::Map iterations(const Definition& definition, unsigned depth) const;
    /// Point of a computation -> buffer[indices], behind the iteration in which the buffer is allocated.
    poly::Map place(const Definition& original) const;
    /// Name[iterators] -> buffer[indices] of what is read, whatever iteration allocates it.
    poly::Map accessed(const Definition& reader, const Read& read) const;
    /// Name[iterators] -> elements as `place` has them.
    poly::Map elements(const Definition& definition) const;
    poly::Map elements(const Definition& reader, const Read& read) const;
    /// Name[iterators] -> producer[indices]; of an input: -> input[indices]. Where data decide the index: any.
    poly::Map points(const Definition& reader, const Read& read) const;
};

/// The relation from the points of a computation to `tuple[indices]`. Failure M002.
poly::Map affine_map(const Definition& from, const std::vector<symbolic::Expr>& indices, const std::string& tuple);
symbolic::Expr parse_affine(const std::string& text, const std::string& what);
/// Every symbol is a constant or an iterator. Failure M001.
void expect_known(const Program& program, const Definition& definition, const symbolic::Expr& e, const std::string& what);
/// The dimension of a level in the times of all.
unsigned dimension(const Definition& definition, const std::string& level);
poly::Set affine_set(const Program& program, const Definition& definition, const symbolic::Expr& condition,
                     const std::string& what);
std::vector<symbolic::Expr> own_point(const Definition& definition);
/// Where a point of it lies, by its layout.
std::vector<symbolic::Expr> indices_in(const Definition& stored, const std::vector<symbolic::Expr>& point);
/// The point of the producer that is read.
std::vector<symbolic::Expr> point_of(const Read& read);
/// All elements of the memory. Failure M002.
poly::Set elements_of(const Storage& storage);
/// Its reads and pieces, from the text of its value. Failure M001, M002.
void read_value(const Program& program, Definition& definition);
/// Is it a condition that computations and inputs decide?
bool reads_data(const std::string& condition);
/// The text of a value with each read of the producer replaced by what the producer computes.
std::string inlined(const std::string& value, const Definition& producer);
/// The text of a value with reads of one name as reads of another.
std::string reading(const std::string& value, const Definition& reader, const std::string& from, const std::string& to);
[[noreturn]] void refuse(const std::string& code, const std::string& message, const std::string& remedy);

/// Failure M001 unless both are one function's.
void expect_same(const Program& a, const Program& b);

/// Commands that need the whole algorithm, in the definitions: inline, infer_bounds, compute_at; then every computation has memory.
void resolve(Program& program, const std::set<std::string>& outputs);

/// The domain and all points that are read.
poly::Set with_points_read(const Program& program, const Definition& of);

/// Failure M003 where the reader reads outside of the producer's domain.
void check_domain(const Program& program, const Definition& reader, const Definition& producer);

/// Times of all instances in one space: statics and levels in turn. Failure M004.
poly::UnionMap full_times(const Program& program);
/// Throws Failure M003, M005, M006 or M007 unless every value is there when it is read; `outputs` are there at the end.
void check_values(const Program& program, const std::set<std::string>& outputs, const poly::UnionMap& times);
/// The same of Reads::Memory, whose accesses lie within memory. Throws Failure M016 or M017.
void check_memory(const Program& program, const poly::UnionMap& times);
/// Failure M005: loops that were to be parallel and are not. `dependences` of the memory.
void check_parallel(const Program& program, const poly::UnionMap& times, const poly::UnionMap& dependences);

/// `size` times the number of this rank.
symbolic::Expr first_on_rank(const symbolic::Expr& size);
/// Computations in blocks of sizes that the call decides keep those of one rank. Failure M004, M011.
void keep_blocks(Program& program);
/// Are these the ranks' blocks of a size that the call decides?
bool is_in_blocks(const Program& program, const Definition& of);

/// What each rank runs, whose place is a parameter (ir::kRankPlace); `program` has every computation in memory. Failure M003, M004.
Program on_one_rank(Program program);
/// Statements of operations, in order with those of definitions, whose times are moved. Failure M004.
struct Operations {
    poly::UnionMap times;  ///< Of definitions and operations.
    std::vector<analysis::ScopStatement> statements = {};
    std::vector<std::string> requests = {};  ///< Containers of one int64.
};
/// Of the program of all ranks. Throws Failure M003, M004 or M005 unless each send meets its receive and nobody waits in a circle.
void check_meetings(const Program& program, const poly::UnionMap& times);
/// Of one rank: what comes by messages is read as what is computed.
void receive_points(Program& program);
Operations place_operations(const Program& program, const poly::UnionMap& times);
/// Of one rank. Throws Failure M003, M005 or M006 unless messages bring what is computed elsewhere, in time.
void check_messages(const Program& program, const Operations& placed);
/// How many ranks it takes.
std::int64_t ranks_of(const Program& program);

/// The scop of a program whose values arrive, and what its loops are.
struct Nest {
    analysis::Scop scop;
    std::optional<poly::AstNode> loops;
    bool tiles_apart = true;  ///< Full tiles are statements of their own.
};
/// What a computation prefetches of each of its reads: the element that another iteration reads; nullopt: none. Failure M009.
std::vector<std::optional<symbolic::Subset>> prefetched(const Program& program, const Definition& of);
/// M009: a level that was to run in threads, in lanes or without a loop, and does not in these loops.
std::optional<Diagnostic> command_without_effect(const Program& program, const Nest& nest);
/// Memory that kernels use lies on the device, and is copied there and back. Failure M010.
void place_on_device(ir::Sdfg& sdfg, const Program& program, const std::set<std::string>& results);
/// Updates that no two iterations of a parallel loop make of one element are none that compete.
void mark_apart(ir::Sdfg& sdfg, const Program& program, const Nest& nest);
/// Failure M009 where a map in lanes does what no lanes can.
void expect_lanes(const Program& program, const ir::Sdfg& sdfg);

}  // namespace sluice::schedule
