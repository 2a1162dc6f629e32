// What the fuzzer asks of a graph, one question after the other.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/compare.h"
#include "fuzz/passes.h"
#include "fuzz/unit.h"
#include "rewrite/registry.h"

namespace sluice::fuzz {

/// A disagreement. Its kind is what stays the same while a graph is reduced.
struct Finding {
    enum class Kind : std::uint8_t {
        Invalid,      ///< The verifier refuses the graph (of the generator).
        Interpreter,  ///< The interpreter fails, or finds a race or a read of what nobody wrote.
        Orders,       ///< Two orders of the interpreter differ.
        Pass,         ///< A pass fails, makes an invalid graph, or changes what the graph means.
        Loops,        ///< The interpreted loops race, fail or leave other values.
        Refused,      ///< The target cannot carry out what the interpreter can.
        Internal,     ///< An InternalError before there is code.
        Compiler,     ///< The C++ compiler refuses the generated code.
        Crashed,      ///< The compiled program dies.
        Failed,       ///< The compiled program returns a status.
        Different,    ///< The compiled program leaves other values.
    } kind = Kind::Different;
    std::string detail;  ///< A code, the name of a pass or of an argument.
    std::string message;
    std::string where;  ///< The configuration, or the seed of the order.
    bool same_kind(const Finding& other) const { return kind == other.kind && (kind == Kind::Different || detail == other.detail); }
};
std::string_view to_string(Finding::Kind kind);
std::string to_string(const Finding& finding);

struct CheckOptions {
    std::vector<std::uint64_t> orders = {1};  ///< Seeds of further runs of the interpreter.
    std::vector<std::string> passes = {};     ///< Applied one after the other.
    std::uint64_t pass_seed = 0;
    std::vector<Configuration> configurations = {};
    bool loops = false;  ///< What each configuration lowers the graph to is interpreted too (loops.h).
    bool detect = true;  ///< Races and reads of what nobody wrote are findings.
    std::uint64_t step_limit = 2000000;
    const rewrite::Registry* transformations = nullptr;  ///< That recipes name; null: the built-in ones.
};

/// Everything before there is code: the expectation, and the graph after the passes.
struct Interpreted {
    std::optional<Finding> finding;
    ir::Sdfg sdfg;
    Memory before;
    Expectation expected;
    bool reordered = false;  ///< A pass or a recipe changed the graph, and with it perhaps the order of updates.
};
Interpreted interpret_case(const TestCase& test, const CheckOptions& options);

/// Did the target refuse what it says that it does not have? The CPU has everything that the generator makes.
bool lacks(const Outcome& outcome, const Configuration& configuration);

/// What the outcome of a compiled run has to do with the expectation.
std::optional<Finding> judge(const Interpreted& interpreted, const Outcome& outcome, const Configuration& configuration);

/// All of it for one graph: the first finding.
std::optional<Finding> check_case(const TestCase& test, const CheckOptions& options, const std::filesystem::path& folder);

}  // namespace sluice::fuzz
