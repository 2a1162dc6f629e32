// Random sequences of scheduling commands on random pure algorithms: what schedule/ makes of them, by the interpreter in two
// orders, against what the algorithm computes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace sluice::fuzz {

struct ScheduleOptions {
    std::uint64_t seed = 1;
    std::uint64_t programs = 1000, first = 0;
    double seconds = 0;  ///< 0: until all have run.
    int longest = 7;     ///< Commands of a program, at most.
    std::size_t most_findings = 10;
};

struct ScheduleTally {
    std::uint64_t given = 0, refused = 0;
    std::uint64_t built = 0;  ///< In schedules that were legal.
};

struct ScheduleFinding {
    std::uint64_t program = 0;  ///< Its seed.
    std::string text;           ///< What is wrong, and the program in Python, as few commands as it takes.
};

struct ScheduleReport {
    std::uint64_t programs = 0, legal = 0, commands = 0;
    std::uint64_t illegal = 0, mended = 0;  ///< Of some: schedules with an illegal command, and those that have a legal one near.
    std::map<std::string, ScheduleTally> tallies;   ///< By command.
    std::map<std::string, std::uint64_t> refusals;  ///< Of whole schedules, by code.
    std::vector<ScheduleFinding> findings;
};
/// A line for each command.
std::string table(const ScheduleReport& report);

/// `progress` is called after each program.
ScheduleReport run_schedules(const ScheduleOptions& options, const std::function<void(const ScheduleReport&)>& progress = {});

}  // namespace sluice::fuzz
