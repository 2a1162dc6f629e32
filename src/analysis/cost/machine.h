// What decisions know of the machine that a program will run on: data, not code.
//
// The defaults describe one core of a current x86 server in round numbers, so that the same program gives the same decisions
// everywhere; `parse_machine` reads what was measured on a particular one.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "support/result.h"

namespace sluice::analysis {

/// Times in picoseconds of one thread, sizes in bytes.
struct Machine {
    /// Threads of a team; 1: no scope gets one.
    std::int64_t threads = 8;
    /// One operation of straight-line code: a 3 GHz core that starts four a cycle, not all of them useful.
    std::int64_t operation = 100;
    /// One elementary function: exp, sin, pow.
    std::int64_t call = 5'000;
    /// One byte brought to the core or back, from wherever it usually lies: 50 GB/s.
    std::int64_t byte = 20;
    /// A piece of work of which nothing is known: text in another language, a loop that ends by itself.
    std::int64_t unknown = 1'000'000;
    /// Work of one thread from which on a team gains more than it costs. Starting the threads and waiting for the last takes 1 to
    /// 5 microseconds where every core is free, and ten times that where one is not. Vector lanes do what the numbers above charge
    /// in a quarter to a tenth of the time, so that this is some 50 microseconds by the clock: beside other work on every core of a
    /// two-core machine, 8 programs of NPBench that have regions in loops are twice as fast as with a quarter of it.
    std::int64_t team = 200'000'000;
    /// The same of a map in a loop that one team runs: its threads are there, and wait for the last of them alone.
    std::int64_t meeting = 100'000'000;
    /// Threads keep private copies of arrays up to this size rather than update one array atomically.
    std::int64_t largest_private_array = 256 * 1024;
    /// Transients of at most this size live on the stack.
    std::int64_t largest_on_stack = 64 * 1024;
    /// Iterations that keep every core busy although some take longer than others.
    std::int64_t busy_team = 256;

    bool operator==(const Machine&) const = default;
    /// Name in the text, member.
    static constexpr auto fields() {
        return std::array{std::pair(std::string_view("threads"), &Machine::threads),
                          std::pair(std::string_view("operation"), &Machine::operation),
                          std::pair(std::string_view("call"), &Machine::call),
                          std::pair(std::string_view("byte"), &Machine::byte),
                          std::pair(std::string_view("unknown"), &Machine::unknown),
                          std::pair(std::string_view("team"), &Machine::team),
                          std::pair(std::string_view("meeting"), &Machine::meeting),
                          std::pair(std::string_view("largest_private_array"), &Machine::largest_private_array),
                          std::pair(std::string_view("largest_on_stack"), &Machine::largest_on_stack),
                          std::pair(std::string_view("busy_team"), &Machine::busy_team)};
    }
};

/// One `name = value` on a line; what is not named keeps its default; `#` begins a comment. Error D020: a line that is none.
Result<Machine> parse_machine(std::string_view text);
/// parse_machine(to_text(m)) == m.
std::string to_text(const Machine& machine);

}  // namespace sluice::analysis
