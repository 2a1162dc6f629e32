// sluice interpret: what a graph means, without compiling it.
#include <fmt/format.h>

#include <cstring>

#include "cli/arguments.h"
#include "cli/command.h"
#include "driver/loop_interpreter.h"
#include "driver/session.h"
#include "fuzz/compare.h"
#include "fuzz/foreign_tasklet.h"

namespace sluice::cli {

namespace {

struct InterpretSettings {
    std::filesystem::path source;
    std::string program, target = "cpu";
    std::vector<std::string> assignments;
    std::uint64_t inputs = 1, seed = 0, orders = 0;
    bool trace = false, loops = false;
    std::int64_t threads = 3;
};

fuzz::Memory memory_of(const driver::Signature& signature, const std::vector<Value>& values) {
    fuzz::Memory memory{signature, {}};
    for (const Value& value : values) {
        memory.blocks.emplace_back(value.initial.size());
        if (value.initial.size()) std::memcpy(memory.blocks.back().data(), value.initial.data(), value.initial.size());
    }
    return memory;
}

/// One run on fresh copies of the values.
fuzz::Memory interpreted(const ir::Sdfg& sdfg, const driver::Signature& signature, const std::vector<Value>& values,
                         const driver::InterpreterOptions& options, driver::InterpreterReport& report) {
    fuzz::Memory memory = memory_of(signature, values);
    fuzz::TestCase test{sdfg, {}, 0};
    for (const Value& value : values)
        if (value.argument->kind == driver::Argument::Kind::Symbol)
            std::memcpy(&test.symbols[value.argument->name], value.initial.data(), sizeof(std::int64_t));
    report = driver::Session(sdfg).interpret(fuzz::arguments_of(test, memory), options).or_fail();
    return memory;
}

/// One run of the loops on fresh copies of the values.
fuzz::Memory interpreted_loops(const driver::Session& session, const std::string& target, const fuzz::Memory& before,
                               const driver::LoopOptions& options, driver::LoopReport& report) {
    fuzz::Memory memory = before;
    driver::LoopArguments arguments;
    for (fuzz::Block& block : memory.blocks) arguments.parameters.push_back({block.data(), block.size()});
    report = (target == "cpu" ? session.interpret_loops(arguments, options)
                              : driver::interpret_for_target(session.program(), target, arguments, options))
                 .or_fail();
    return memory;
}

/// Runs in each further order; how many leave other values.
template <class Run> std::size_t compare_orders(const InterpretSettings& settings, const fuzz::Expectation& expected, Run run) {
    std::size_t differing = 0;
    for (std::uint64_t k = 1; k <= settings.orders; ++k) {
        const std::uint64_t seed = settings.seed + k;
        const std::optional<fuzz::Difference> difference = fuzz::first_difference(expected, run(seed));
        if (!difference) continue;
        ++differing;
        fmt::print("  order {}: {}\n", seed, fuzz::to_string(*difference));
    }
    return differing;
}

void run_interpreter(const InterpretSettings& settings) {
    const std::map<std::string, std::string> given = by_name(settings.assignments);
    const ir::Sdfg sdfg = driver::Session::read_one(settings.source, settings.program).or_fail().program();
    driver::Signature signature = driver::signature_of(sdfg);
    for (driver::Argument& argument : signature.arguments) argument.on_device = false;  // The interpreters have one memory.
    std::vector<Value> values = make_values(signature, driver::ShapeSolver(signature), given, settings.inputs);
    const driver::Session session(sdfg);
    fuzz::Expectation expected;
    std::vector<Diagnostic> findings;
    std::string steps;
    const auto run_graph = [&](std::uint64_t seed, bool first) {
        driver::InterpreterOptions options;
        options.seed = seed;
        options.compile_tasklet = fuzz::compile_tasklet;
        options.detect_conflicts = options.detect_uninitialised = first;
        if (settings.trace && first) options.trace = [](std::string_view line) { fmt::print("{}\n", line); };
        driver::InterpreterReport report;
        fuzz::Memory memory = interpreted(sdfg, signature, values, options, report);
        if (first) findings = report.findings, steps = fmt::format("{} rules fired", report.steps);
        return memory;
    };
    const auto run_loops = [&](std::uint64_t seed, bool first) {
        driver::LoopOptions options;
        options.seed = seed;
        options.threads = settings.threads;
        options.detect_races = options.detect_uninitialised = first;
        driver::LoopReport report;
        fuzz::Memory memory = interpreted_loops(session, settings.target, memory_of(signature, values), options, report);
        if (first) findings = report.findings, steps = fmt::format("{} statements of its loops ran", report.steps);
        return memory;
    };
    const auto run = [&](std::uint64_t seed, bool first) {
        return settings.loops ? run_loops(seed, first) : run_graph(seed, first);
    };
    expected.memory = run(settings.seed, true);
    expected.exactness = fuzz::exactness_of(sdfg);
    fmt::print("{}: {}\n", sdfg.name, steps);
    for (std::size_t at = 0; at < values.size(); ++at) {
        const driver::Argument& argument = *values[at].argument;
        if (!argument.written && !argument.is_return) continue;
        if (values[at].working.size())
            std::memcpy(values[at].working.data(), expected.memory.blocks[at].data(), values[at].working.size());
        fmt::print("  {} {}\n", argument.name, summary(values[at]));
    }
    for (const Diagnostic& finding : findings) fmt::print("{}", render(finding));
    if (settings.orders == 0) return;
    const std::size_t differing = compare_orders(settings, expected, [&](std::uint64_t seed) { return run(seed, false); });
    if (differing > 0)
        fail_usage("Z005",
                   fmt::format("{} of {} orders leave other values than order {}", differing, settings.orders, settings.seed),
                   "order the accesses by a path, or resolve the conflict with `wcr`");
    fmt::print("  {} further orders agree\n", settings.orders);
}

}  // namespace

void add_interpret(CLI::App& app) {
    CLI::App* command = app.add_subcommand("interpret", "Run a graph by its operational semantics, without compiling it");
    const auto settings = std::make_shared<InterpretSettings>();
    command->add_option("SRC", settings->source, "A .py, .sdfg, .sdfgz or textual graph")->required();
    command
        ->add_option("ARGUMENT", settings->assignments,
                     "name=value: a size or number (N=10), an array from a .npy file, `random`, `zeros`, `ones` or one number")
        ->take_all();
    command->add_option("--program", settings->program, "The program, if the source holds several");
    add_operations(*command);
    CLI::Option* trace = command->add_flag("--trace", settings->trace, "Print each rule as it fires");
    CLI::Option* loops =
        command->add_flag("--loop", settings->loops,
                          "Run the loops that the graph is lowered to instead, with threads that take turns: another oracle");
    loops->excludes(trace);
    add_target(*command, settings->target);
    command->get_option("--target")->needs(loops);
    command->add_option("--threads", settings->threads, "With --loop: threads of parallel loops")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    command->add_option("--inputs", settings->inputs, "Seed of the random arrays")->capture_default_str();
    command
        ->add_option(
            "--seed", settings->seed,
            "The order in which ready elements, or threads, run; 0: topological, map points or threads one after the other")
        ->capture_default_str();
    command->add_option("--orders", settings->orders, "Compare as many further orders with it")->capture_default_str();
    command->footer(
        "Reports reads of elements that nobody wrote and accesses whose order the graph leaves open (docs/semantics.md); with "
        "--loop\n"
        "races, deadlocks and elements out of bounds, by statement (docs/fuzzing.md).\n"
        "Exit status 1 if orders disagree: floating-point sums may differ by rounding, everything else must be the same.\n\n"
        "Example:\n"
        "  sluice interpret examples/histogram.py H=8 W=8 --orders 5");
    command->callback([settings] { run_interpreter(*settings); });
}

}  // namespace sluice::cli
