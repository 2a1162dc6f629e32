// A pure algorithm and its schedule, which become an SDFG.
//
//     Function f("gemm");
//     f.constant("N");
//     f.input("A", {"N", "N"}), f.input("B", {"N", "N"});
//     Computation C = f.computation("C", {{"i", "0", "N"}, {"j", "0", "N"}}, "0.0");
//     Computation sum = f.update("sum", {{"i", "0", "N"}, {"j", "0", "N"}, {"k", "0", "N"}}, C, {"i", "j"}, "+",
//                                "A[i, k] * B[k, j]");
//     sum.tile("i", "j", 32, 32, "i0", "j0", "i1", "j1");
//     ir::Sdfg graph = f.build({C}).or_fail();
//
// Each instance of a computation has one value, whatever the order in which they run and wherever they lie. Commands only record;
// build() proves with exact sets that every value is computed before it is read and still there when it is, and refuses with two
// instances otherwise. Bounds and indices are affine expressions in text; values are expressions of Python that read computations
// and inputs by subscripts. Functions throw Failure, M001 to M017 of docs/diagnostics.md; build() returns it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/sdfg.h"

namespace sluice::schedule {

struct Program;  // program.h, private to the room
struct Layer;    // layers.h

/// An iterator: `lower <= name < upper`. Bounds may name constants and the iterators before.
struct Var {
    std::string name;
    std::string lower = {}, upper = {};
};

/// The level of no loop.
inline constexpr const char* kRoot = "root";
/// In bounds of the iterators of messages: how many ranks there are.
inline constexpr const char* kRankCount = "comm_size";

/// What the read of a computation names.
enum class Reads : std::uint8_t {
    Values,  ///< The value of an instance.
    Memory,  ///< The place of an instance, which need not exist: what is there is what is read.
};

class Computation;

/// Names memory of a function, which must outlive it.
class Buffer {
public:
    Buffer(Program& program, std::string name) : program_(&program), name_(std::move(name)) {}

    const std::string& name() const { return name_; }
    Buffer& set_size(const std::vector<std::string>& shape);
    /// New memory in each iteration of the loops of `other` down to `level`, in which all of its users run.
    Buffer& allocate_at(const Computation& other, const std::string& level);
    /// Where a device keeps it: GPU_Global, GPU_Shared (of a block that allocates it) or Register (of a thread that does).
    Buffer& tag_gpu(ir::Storage memory);
    /// The device keeps its copy in the memory of constants: an input of constant size, which kernels alone read.
    Buffer& tag_gpu_constant();

private:
    Program* program_;
    std::string name_;
};

/// When a message leaves its statement: Asynchronous begins it; a receive of another kind has the elements behind it; a send that
/// is Blocking may wait for its receive, a Synchronous one does.
enum class Delivery : std::uint8_t { Synchronous, Asynchronous, Blocking };

/// What ranks do beside computing: a message or a barrier, outside of all loops. Where it runs must be said.
class Operation {
public:
    Operation(Program& program, std::size_t number) : program_(&program), number_(number) {}

    const std::string& name() const;
    Operation& before(const Computation& other);
    Operation& after(const Computation& other);
    Operation& before(const Operation& other);
    Operation& after(const Operation& other);
    /// Each value of a message's iterator is the rank that runs it.
    Operation& distribute(const std::string& iterator);

private:
    friend class Function;
    Program* program_;
    std::size_t number_;
};

/// Names one computation of a function, which must outlive it. Levels are the names of its loops, outermost first; at first its
/// iterators.
class Computation {
public:
    Computation(Program& program, std::size_t number) : program_(&program), number_(number) {}

    const std::string& name() const;
    std::vector<std::string> levels() const;
    std::vector<std::string> iterators() const;

    // ---- when -----------------------------------------------------------------------------------------------------------
    Computation& split(const std::string& level, std::int64_t size, const std::string& outer, const std::string& inner);
    /// `inner` stands directly inside `outer`.
    Computation& tile(const std::string& outer, const std::string& inner, std::int64_t outer_size, std::int64_t inner_size,
                      const std::string& outer_tile, const std::string& inner_tile, const std::string& outer_point,
                      const std::string& inner_point);
    /// A size that is known when the function is called, affine in constants: a block for each rank, where `outer` is distributed.
    Computation& split(const std::string& level, const std::string& size, const std::string& outer, const std::string& inner);
    Computation& interchange(const std::string& a, const std::string& b);
    Computation& shift(const std::string& level, std::int64_t by);
    /// `inner` becomes inner + factor * outer.
    Computation& skew(const std::string& outer, const std::string& inner, std::int64_t factor, const std::string& new_outer,
                      const std::string& new_inner);
    Computation& reverse(const std::string& level, const std::string& renamed);
    /// The levels become a * outer + b * inner and c * outer + d * inner, with a * d - b * c = 1 or -1.
    struct Factors {
        std::int64_t a, b, c, d;
    };
    Computation& transform(const std::string& outer, const std::string& inner, const Factors& factors, const std::string& new_outer,
                           const std::string& new_inner);
    /// `{ C[i, j] -> [j, i] }` in isl's notation; the levels are called t0, t1, ...
    Computation& set_schedule(const std::string& times);
    /// In the loops of `other` down to `level`, behind what stands there; kRoot: behind all of its loops.
    Computation& after(const Computation& other, const std::string& level);
    Computation& before(const Computation& other, const std::string& level);
    /// `next.after(*this, level)`; returns next, for chains.
    Computation& then(Computation& next, const std::string& level);
    /// Behind `first`, before `second`, in the loops of each down to its level.
    Computation& between(const Computation& first, const std::string& first_level, Computation& second,
                         const std::string& second_level);
    /// In the loops of `consumer` down to `level`, before its readers there: each iteration computes the points that it reads,
    /// those outside of a domain given by bounds too, some perhaps several times (overlapped tiling).
    Computation& compute_at(const Computation& consumer, const std::string& level);
    /// It has no loops of its own: who reads it computes it.
    Computation& inline_into_readers();
    /// Extends a domain given by bounds to all points that are read; of a distributed computation, on each rank to those that it
    /// reads.
    Computation& infer_bounds();
    /// Splits first; full tiles run without a loop, the rest in one.
    Computation& unroll(const std::string& level, std::int64_t factor, const std::string& outer = {},
                        const std::string& inner = {});
    /// Splits first; full tiles run in the lanes of vectors, the rest in a loop. Demands that the inner loop is parallel.
    Computation& vectorize(const std::string& level, std::int64_t lanes, const std::string& outer = {},
                           const std::string& inner = {});
    /// The level itself runs without a loop, or in lanes, where it has all of its iterations: so many, or the most that it has.
    Computation& unroll_level(const std::string& level, std::optional<std::int64_t> iterations = {});
    Computation& vectorize_level(const std::string& level, std::optional<std::int64_t> iterations = {});
    /// How many iterations it has, where that is a constant.
    std::optional<std::int64_t> iterations(const std::string& level) const;
    /// Has it the same iterations whatever those around it are?
    bool is_uniform(const std::string& level) const;
    /// Demands that the loop is parallel: build() refuses with a witness where it is not.
    Computation& parallelize(const std::string& level);
    /// Brings near what the iteration of `level` that is `distance` later reads of an input or a computation.
    Computation& prefetch(const std::string& of, const std::string& level, std::int64_t distance);

    // ---- where ----------------------------------------------------------------------------------------------------------
    /// Its value at (i, j, ...) lies at these indices, affine in its iterators, `//` and `%` included.
    Computation& store_in(const std::string& buffer, const std::vector<std::string>& indices = {});
    /// In memory of its own, at these indices.
    Computation& store_in(const std::vector<std::string>& indices);
    /// Of a computation with compute_at: in memory that is new in each iteration of the loops of `consumer` down to `level`.
    Computation& store_at(const Computation& consumer, const std::string& level);
    /// Its memory.
    Buffer buffer();

    // ---- on a device ------------------------------------------------------------------------------------------------------
    /// The first half of these levels, two, four or six, one directly in the other, are blocks, the others the threads of a block.
    /// Demands that they are parallel.
    Computation& gpu(const std::vector<std::string>& levels);
    /// Tiles, and maps the tiles to blocks, their points to threads.
    Computation& tile_gpu(const std::string& outer, const std::string& inner, std::int64_t outer_size, std::int64_t inner_size,
                          const std::string& outer_tile, const std::string& inner_tile, const std::string& outer_point,
                          const std::string& inner_point);
    /// What the loops of `consumer` down to `level` read of it is in memory of the block: its own, if it is computed there.
    Computation cache_shared_at(const Computation& consumer, const std::string& level);
    Computation cache_local_at(const Computation& consumer, const std::string& level);
    /// The same in memory of whoever runs these loops.
    Computation copy_at(const Computation& consumer, const std::string& level);
    /// Results are copied back at the end. Once one copy is said, all are.
    Computation& device_to_host();

    // ---- on ranks ---------------------------------------------------------------------------------------------------------
    /// Each iteration of the outermost level runs on the rank of its number, in memory of that rank. What is not distributed runs
    /// on every rank. build() refuses reads of values that neither the same rank computes nor a message brings.
    Computation& distribute(const std::string& level);

    // ---- what -----------------------------------------------------------------------------------------------------------
    /// Another value, which may read itself and all computations, those that were defined later too.
    Computation& set_expression(const std::string& value);
    /// Leaves points out: affine.
    Computation& add_predicate(const std::string& condition);

private:
    Computation cached(const Computation& consumer, const std::string& level, ir::Storage memory);

    friend class Buffer;
    friend class Function;
    friend class Operation;
    Program* program_;
    std::size_t number_;
};

struct BuildOptions {
    bool suggest = true;  ///< A refusal of an illegal schedule says which commands near to it make it legal.
};

class Function {
public:
    /// Of Reads::Memory, legal are schedules in which each read finds the value of the instance that it names, or what it finds
    /// where computations run whole, one after the other in the order of definitions and commands; what the caller passed ends as
    /// it does there. It has arguments in place of inputs, and no updates.
    explicit Function(const std::string& name, Reads reads = Reads::Values);
    Function(const Function&) = delete;
    Function& operator=(const Function&) = delete;
    ~Function();

    /// A positive integer that is known when the function is called, and does not change.
    void constant(const std::string& name);
    void input(const std::string& name, const std::vector<std::string>& shape, code::DType type = code::Scalar::Float64);
    /// The input is copied to the device at the beginning. Once one copy is said, all are.
    void host_to_device(const std::string& input);
    /// `consumer` reads a copy of the input, which each iteration of its loops down to `level` makes in memory of a block, or of a
    /// thread.
    Computation cache_at(const std::string& input, const Computation& consumer, const std::string& level, ir::Storage memory);
    /// Rank r is passed the elements from r * rows to (r + 1) * rows along the first dimension, at index 0, with room for `halo`
    /// more behind them, which the last rank, and no other, is passed as well.
    void distribute(const std::string& input, const std::string& rows, std::int64_t halo);
    /// Holds whenever the function is called, which looks: a condition that is affine in constants.
    void assume(const std::string& condition);
    /// The ranks of `rank` send `size` contiguous elements from `start` on to another: `lin[0, 0, 0]` of a distributed input, in
    /// indices of the rank's own memory, or a point of a distributed computation.
    Operation send(const Var& rank, const std::string& start, const std::string& size, const std::string& to, Delivery how);
    /// The ranks of `rank` receive what `sent` sends, at the same points.
    Operation receive(const Var& rank, const std::string& start, const std::string& size, const std::string& from, Delivery how,
                      const Operation& sent);
    /// All ranks meet before `other` runs.
    Operation barrier_at(const Computation& other, const std::string& level);
    /// Memory that the caller passes, which computations read by subscripts and are stored in. Of Reads::Memory.
    Buffer argument(const std::string& name, const std::vector<std::string>& shape, code::DType type);
    /// Of an input.
    Buffer memory_of(const std::string& input);
    /// Memory for computations that are stored in it.
    Buffer buffer(const std::string& name, const std::vector<std::string>& shape, code::DType type = code::Scalar::Float64);

    /// One value for each point; `predicate`, affine, leaves points out.
    Computation computation(const std::string& name, const std::vector<Var>& vars, const std::string& value,
                            const std::string& predicate = {}, code::DType type = code::Scalar::Float64);
    /// Over any set: `[N] -> { C[i, j] : 0 <= j <= i < N }`. It needs store_in.
    Computation computation_over(const std::string& domain, const std::string& value, code::DType type = code::Scalar::Float64);
    /// Combines a value with that of `target` at `indices`, by `+`, `*`, `min` or `max`, in any order. Who reads the target reads
    /// it behind all updates.
    Computation update(const std::string& name, const std::vector<Var>& vars, const Computation& target,
                       const std::vector<std::string>& indices, const std::string& operation, const std::string& value,
                       const std::string& predicate = {});

    /// Are levels mapped to blocks and threads of a device?
    bool on_device() const;
    /// The graph: inputs, then the memory of the outputs, are its arguments; of Reads::Memory all that is passed, without outputs.
    Result<ir::Sdfg> build(const std::vector<Computation>& outputs, const BuildOptions& options = {}) const;
    /// The proof of build() without the graph; whether levels are parallel is not asked.
    Result<Done> check(const std::vector<Computation>& outputs) const;
    /// Gives the nearest commands that make an illegal schedule legal, which a refusal of build() names, and returns their text;
    /// nullopt: none was found.
    std::optional<std::string> repair(const std::vector<Computation>& outputs);
    /// One of the four layers of algorithm and commands; layers.h has its text and reads it.
    Result<Layer> layer(int number, const std::vector<Computation>& outputs) const;

private:
    std::vector<std::size_t> numbers(const std::vector<Computation>& computations) const;

    std::unique_ptr<Program> program_;
};

}  // namespace sluice::schedule
