// Statements of the loop IR: the middle of its grammar, between values (value.h) and modules (ir.h).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "code/reduction.h"
#include "loop/messages.h"
#include "loop/queued.h"
#include "loop/value.h"
#include "support/diagnostic.h"

namespace sluice::loop {

// ---- statements ---------------------------------------------------------------------------------------------------------
struct Statement;
using Body = std::vector<Statement>;
/// A place in Module::origins, from 1 on; 0: none is known.
using OriginId = std::uint32_t;

/// A scalar variable, optionally initialised; uninitialised ones are assigned before they are read.
struct Declare {
    std::string name;
    DType type;
    ValuePtr value;  ///< May be null.
    bool constant = false;
};
/// variable = value
struct Assign {
    std::string name;
    ValuePtr value;
};
/// buffer[index] = value
struct Store {
    std::string buffer;
    ValuePtr index;
    ValuePtr value;
};
/// How a write conflict is resolved.
enum class Conflict : std::uint8_t {
    None,             // no two writes meet: a plain read-modify-write
    Atomic,           // one atomic instruction (`omp atomic` or its equal)
    CompareExchange,  // retry loop, for operators and types without an atomic instruction
    Critical,         // values wider than an atomic: a lock
};
/// target = combine(target, value), where target is buffer[index] or, if `index` is null, the variable `buffer`.
struct Update {
    std::string buffer;
    ValuePtr index;
    ReductionType op;
    ValuePtr value;
    Conflict conflict = Conflict::None;
    /// Custom: the combination, over the variables `old_name` and `new_name` of the element type.
    std::string old_name, new_name;
    ValuePtr combine;
    /// A declared variable that gets what the element held before, atomically with the update; empty: none. In a launch alone.
    std::string before = {};
};
enum class Place : std::uint8_t {
    Stack,        // size is a constant
    Heap,         // aligned to 64 bytes, freed at the end of the enclosing body however it is left
    ThreadLocal,  // one per OpenMP thread, reused between iterations
    Persistent,   // in the handle: allocated by init, freed by finalise
    Reserved,     // as Heap, but only the pages that are touched take memory
    Registers,    // as Stack, on an FPGA: every element at hand in each cycle
    Pinned,       // as Heap, page-locked, for copies to and from a device
    Mapped,       // as Heap, in the pages of a file, which keeps what is written last
};
/// Whose memory a buffer lies in.
enum class Space : std::uint8_t {
    Own,       // of whoever runs the statement: the host, or a thread of a launch
    Global,    // the device's: every thread of a launch reaches it, the host copies to it and from it
    Shared,    // of a block of a launch: its threads reach it
    Constant,  // the device's memory of constants: every thread reads it, no thread writes it, the host copies to it and from it
};
/// A buffer of `size` elements, visible to the end of the enclosing body. In a launch and in functions of the device: on the stack.
/// In Space::Constant it has a constant size, and a name that is unique in the module.
struct Allocate {
    std::string name;
    DType type;
    Expr size;
    Place place = Place::Heap;
    std::int64_t alignment = 0;  ///< Bytes; 0: natural for Stack, 64 for the rest.
    bool zero = false;
    Space space = Space::Own;
    std::string bank = {};  ///< Of the device's memory in which it lies, `HBM[3]`; empty: any. Space::Global only.
    std::string file = {};  ///< Place::Mapped: its path.
};
/// From here on a buffer of the device has at least `size` elements; it keeps what it holds. Addresses of it that were taken before
/// are none any more.
struct Grow {
    std::string buffer;
    Expr size;
};
/// A stream (or `count` of them) of elements; capacity 0 is unbounded.
struct AllocateStream {
    std::string name;
    DType type;
    Expr count = 1;
    Expr capacity = 0;
};
struct Prefetch {
    ValuePtr address;  ///< Of an element of the host's to bring near, which need not exist.
};
/// A pointer to element `index` of another buffer, under a new name: views, references, nested arguments. It lies in that one's
/// space.
struct Alias {
    std::string name;
    DType type;
    ValuePtr address;
    bool restricted = false;  ///< No other name in scope reaches the same memory.
};
/// Rebinds an Alias (references).
struct Rebind {
    std::string name;
    ValuePtr address;
};
/// `count` elements from one contiguous place to another; the two do not overlap. On the host each may lie on the device.
struct CopyContiguous {
    ValuePtr destination, source;  ///< Addresses.
    Expr count;
    DType type;
    Queued queued = {};
};
/// An event, which has not happened; visible to the end of the enclosing body.
struct Event {
    std::string name;
};
/// Waits until the launch or copy with this event has ended.
struct Await {
    std::string event;
};
/// Sets `count` contiguous elements to zero bytes.
struct ZeroFill {
    ValuePtr destination;
    Expr count;
    DType type;
};
enum class LoopMode : std::uint8_t { Sequential, Parallel, Simd, Unroll, Axis, Pipeline };
/// Who of a launch takes the iterations of an axis loop, in turn: unit u of U runs iterations u, u + U, u + 2U, ...
enum class AxisLevel : std::uint8_t {
    Grid,    // each thread, of all blocks
    Block,   // each block, all of its threads the same iterations
    Thread,  // each thread of a block
};
enum class OmpSchedule : std::uint8_t { Default, Static, Dynamic, Guided };
/// A scalar variable or a buffer of constant size combined over the iterations of a parallel loop.
struct Reduction {
    std::string name;
    ReductionType op;
    Expr elements = 0;  ///< 0: a scalar variable.
};
struct For {
    std::string variable;  ///< 64-bit; visible in the body only, and not assigned in it.
    Expr begin, end;       ///< Half-open; a negative step counts down while variable > end.
    Expr step = 1;
    LoopMode mode = LoopMode::Sequential;
    // Parallel only:
    std::int64_t collapse = 1;  ///< This loop and the next collapse - 1, perfectly nested and rectangular, share the iterations.
    OmpSchedule schedule = OmpSchedule::Default;
    std::int64_t chunk = 0;
    std::int64_t num_threads = 0;
    bool simd = false;                  ///< Each thread runs its iterations in vector lanes; not with collapse.
    bool nowait = false;                ///< In a ParallelRegion: threads go on without waiting for the others.
    std::vector<Reduction> reductions;  ///< Simd loops too.
    // Unroll only: 0 unrolls fully.
    std::int64_t unroll_factor = 0;
    // Axis only:
    AxisLevel level = AxisLevel::Grid;
    std::size_t axis = 0;  ///< x, y, z.
    bool covered = false;  ///< There are as many units as iterations: none takes a second one.
    /// Pipeline only: cycles between the beginnings of two iterations; 0: as few as what they hand on allows.
    std::int64_t interval = 0;
    Body body;
};
struct While {
    ValuePtr condition;
    bool test_at_end = false;
    Body body;
};
struct If {
    ValuePtr condition;
    Body then_body, else_body;
};
/// Bodies that run concurrently.
struct ParallelSections {
    std::vector<Body> sections;
    std::vector<std::string> names = {};  ///< Of processing elements, one each, unique in the module; elsewhere none.
};
/// Every thread of a team runs the body once (CPU_Persistent); parallel loops inside, which all threads come to in the same order,
/// share their iterations in the team.
struct ParallelRegion {
    std::int64_t num_threads = 0;
    std::string thread_variable;  ///< May be empty.
    std::string count_variable;   ///< Number of threads; may be empty.
    Body body;
};
/// All threads of the team, or of the block of a launch, wait.
struct Barrier {};
/// Runs the body once for each thread of a grid of blocks on the device, all at the same time, and comes back when they have ended.
/// What the body names of the host's is in Space::Global or a variable, which it only reads.
struct Launch {
    std::string kernel;                  ///< Its name; unique in the module.
    std::array<Expr, 3> grid{1, 1, 1};   ///< Blocks along x, y and z; without a positive number of each nothing runs.
    std::array<Expr, 3> block{1, 1, 1};  ///< Threads of each.
    bool dataflow = false;               ///< One unit of an FPGA: streams and processing elements that run concurrently (D9).
    Body body;
    Queued queued = {};
};
/// A name scope with a comment: a state, a map's body.
struct Block {
    std::string comment;
    Body body;
};
struct Push {
    std::string stream;
    ValuePtr index;
    ValuePtr value;
};
/// Pops into a declared variable; waits for an element (bounded streams between concurrent sections) and fails the run
/// (status 3) when none can come.
struct Pop {
    std::string stream;
    ValuePtr index;
    std::string variable;
};
/// Moves everything that waits in a stream to consecutive elements from `destination` on; at most `limit` elements.
struct Drain {
    std::string stream;
    ValuePtr index;
    ValuePtr destination;
    ValuePtr limit;  ///< May be null: unlimited.
};
/// `pes` workers pop from the stream and run the body for every element until the stream is quiescent (empty and no worker busy) or
/// `stop` holds.
struct Consume {
    std::string stream;
    ValuePtr index;
    std::string pe_variable;
    std::string element_variable;
    DType element_type;
    Expr pes;
    std::int64_t chunk = 1;
    ValuePtr stop;  ///< May be null.
    bool parallel = true;
    Body body;
};
/// Calls a Function of the module; it returns nothing.
struct Invoke {
    std::string function;
    std::vector<ValuePtr> arguments;
};
/// Calls a function of one of the module's libraries, by the name that the library's headers give it: `cblas_dgemm`,
/// `sluice::blas::multiply`. It returns nothing that anybody reads.
struct Extern {
    std::string library;
    std::string function;
    std::vector<ValuePtr> arguments;
    std::vector<std::size_t> read = {};  ///< Arguments that are addresses of what it does not change, where its library is `apart`.
};
/// Text in the target's language, printed as it is in a scope of its own: C++ tasklets.
struct Verbatim {
    std::string text;
};
/// Ends the program: a check of the user's or of the front end's does not hold.
struct Fail {
    std::string message;              ///< `{}` stands for an argument.
    std::string error = {};           ///< Python's exception for it; empty: ValueError.
    std::vector<ValuePtr> arguments;  ///< Integers, at most kFailArguments.
};
inline constexpr std::size_t kFailArguments = 8;  ///< That a failure carries out of a library (runtime/abi.h).
/// Wall time of the body, and what counters count in it, added to the profile under `name`.
struct Timed {
    std::string name;
    bool counts = false;
    Body body;
};
struct Break {};
struct Continue {};
struct Return {};
/// Only for irreducible state machines; no declaration lies between a Goto and its Label.
struct Label {
    std::string name;
};
struct Goto {
    std::string label;
};
struct Statement {
    std::variant<Declare, Assign, Store, Update, Allocate, Grow, AllocateStream, Alias, Rebind, CopyContiguous, ZeroFill, Prefetch,
                 Event, Await, For, While, If, ParallelSections, ParallelRegion, Barrier, Launch, Block, Push, Pop, Drain, Consume,
                 Invoke, Extern, Message, WaitFor, Collective, Verbatim, Fail, Timed, Break, Continue, Return, Label, Goto>
        node;
    Span where;            ///< Place in the user's source.
    OriginId origin = {};  ///< Of Module::origins: the node, block or graph that it came from.
};

}  // namespace sluice::loop
