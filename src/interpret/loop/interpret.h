// The second oracle: runs a verified module of the loop IR over the caller's memory. Threads of parallel loops, teams, sections and
// consume scopes are tasks that take turns, in order or by a seed; what two of them do to one element without a barrier, an atomic
// update or the end of a region between is a race, whether or not the values show it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ir/meaning.h"
#include "loop/ir.h"
#include "support/result.h"

namespace sluice::interpret::loops {

/// Memory of the caller's.
struct Region {
    std::byte* data = nullptr;
    std::size_t bytes = 0;
};

struct Arguments {
    /// The address of each parameter of the program, in its order: a buffer's first element, or a value.
    std::vector<Region> parameters;
    /// What structures among them point to.
    std::vector<Region> reachable = {};
};

/// What a function of a library computes; null: nobody has defined it (library/extern_reference.h).
using FunctionOfLibrary = std::function<std::function<void(const std::vector<ir::CallValue>&)>(const std::string&)>;

struct Options {
    /// 0: each thread runs until it waits, in the order of their numbers. Otherwise the seed picks the thread that goes on, after
    /// any statement, and which iterations of a dynamic schedule are whose.
    std::uint64_t seed = 0;
    /// Of parallel loops and regions that name no number.
    std::int64_t threads = 3;
    bool detect_races = true;
    bool detect_uninitialised = true;
    /// Statements that may run before the run ends with I008; 0: no limit.
    std::uint64_t step_limit = 0;
    FunctionOfLibrary functions = {};
};

struct Report {
    /// Races (I004) and reads of uninitialised elements (I003), each pair of statements once, in the order in which they were
    /// found.
    std::vector<Diagnostic> findings;
    std::uint64_t steps = 0;  ///< Statements that ran.
    /// As of interpret::Report.
    bool beyond_range = false;
};

/// Errors, with the statement as loop text and its function: I001 element out of bounds, I002 missing argument, I005 threads that
/// wait for each other, I006 overflow of an index, I007 statement that only a target can carry out (C++, unknown functions of
/// libraries), before anything runs, I008 step limit, I010 a check of the program's does not hold, I009 no memory. What ran
/// before an error stays written.
Result<Report> interpret(const loop::Module& module, const Arguments& arguments, const Options& options = {});
/// The same on several ranks, which take turns: `ranks[r]` are the arguments of rank r. A send waits for its receive, as it may.
/// Further findings: I004 what a send holds changes before it has ended, I011 a message that nobody receives or a request for which
/// nobody waits. Further errors: I005 ranks that wait for each other, I011 a receive without a send, I012 ranks that come to
/// different collectives, a rank, tag, request or size that does not fit; each with the ranks and statements involved.
Result<Report> interpret_ranks(const loop::Module& module, const std::vector<Arguments>& ranks, const Options& options = {});

}  // namespace sluice::interpret::loops
