// sluice run: compile, call, time.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/npy.h"
#include "driver/profile/profile.h"
#include "driver/settings.h"

namespace sluice::cli {

namespace {

struct RunSettings {
    std::filesystem::path source;
    std::string program;
    PipelineSettings pipeline;
    std::vector<std::string> assignments, outputs;
    std::uint64_t seed = 1;
    int repeat = 1;
    std::string measured, counters;
    std::vector<std::string> reports;
};

struct Output {
    const Value* value = nullptr;
    std::filesystem::path file;
};

/// `name=file.npy`, or `file.npy` for the only result.
Output output_of(const std::vector<Value>& values, const std::string& text) {
    const std::size_t at = text.find('=');
    const std::string name = at == std::string::npos ? "" : text.substr(0, at);
    const std::string file = at == std::string::npos ? text : text.substr(at + 1);
    const Value* chosen = nullptr;
    std::string names;
    for (const Value& value : values) {
        if (name.empty() ? !is_result(value) : value.argument->name != name) continue;
        names += (names.empty() ? "" : ", ") + value.argument->name;
        if (chosen && !(value.argument->is_return && !chosen->argument->is_return))
            fail_usage("C006", "the program has several results", "name one: -o " + names.substr(0, names.find(',')) + "=" + file);
        chosen = &value;
    }
    if (!chosen && name.empty()) fail_usage("C006", "the program has no result", "name an argument that it writes: -o y=" + file);
    if (!chosen) {
        for (const Value& value : values) names += (names.empty() ? "" : ", ") + value.argument->name;
        fail_usage("C006", "there is no argument named " + name, "use one of: " + names);
    }
    return {chosen, file};
}

void print_stages(const driver::CompileTimes& times) {
    for (const auto& [stage, seconds] : {std::pair("verify", times.verify), std::pair("lower", times.lower),
                                         std::pair("print", times.print), std::pair("compiler", times.compiler)})
        fmt::print(stderr, "{:8.2f} ms  {}\n", seconds * 1e3, stage);
}

/// What --instrument and --counters ask for. Failure C026: a word that is none.
void instrument(ir::Sdfg& program, const RunSettings& settings) {
    std::set<driver::Part> parts;
    std::stringstream words(settings.measured);
    for (std::string word; std::getline(words, word, ',');) {
        const auto found = std::ranges::find(driver::kPartNames, word);
        if (found == driver::kPartNames.end())
            fail_usage("C026", "`" + word + "` is no part of a program that can be measured",
                       "name program, state, map or tasklet");
        parts.insert(static_cast<driver::Part>(found - driver::kPartNames.begin()));
    }
    if (!settings.counters.empty()) driver::set_by_argument("counters", settings.counters);
    driver::instrument(program, settings.counters.empty() ? ir::Instrumentation::Timer : ir::Instrumentation::PAPI_Counters, parts);
}

void write_reports(const driver::Report& report, const std::vector<std::string>& files) {
    if (files.empty()) fmt::print("{}", to_table(report));
    for (const std::string& file : files) write_file(file, driver::report_text(report, file).or_fail());
}

void run_program(const RunSettings& settings) {
    if (settings.measured.empty() && !(settings.counters.empty() && settings.reports.empty()))
        fail_usage("C026", "nothing is measured that could be counted or reported", "add --instrument program,state,map");
    const std::map<std::string, std::string> given = by_name(settings.assignments);
    driver::Session session = driver::Session::read_one(settings.source, settings.program).or_fail();
    run_pipeline(session, settings.pipeline, driver::level_for(settings.source), class_of_sizes(session.program(), given));
    ir::Sdfg measured = session.program();
    if (!settings.measured.empty()) instrument(measured, settings);
    driver::CompiledProgram program = driver::compile(measured, compile_options(settings.pipeline)).or_fail();
    for (const std::string& one : program.warnings()) fmt::print(stderr, "{}", one);
    if (settings.pipeline.time) print_stages(program.times());
    std::vector<Value> values = make_values(program.signature(), program.shape_solver(), given, settings.seed);
    const bool reports = program.world().rank == 0;  // Ranks run the same; one is enough to say what came of it.
    std::vector<Output> outputs;
    for (const std::string& text : settings.outputs) outputs.push_back(output_of(values, text));
    const std::vector<double> seconds = run_repeatedly(program, values, settings.repeat);
    if (!reports) return;
    fmt::print("{}: {:.3f} ms", session.program().name, seconds[seconds.size() / 2] * 1e3);
    if (settings.repeat > 1)
        fmt::print(" (median of {}; {:.3f} to {:.3f})", settings.repeat, seconds.front() * 1e3, seconds.back() * 1e3);
    fmt::print(", compiled in {:.0f} ms{}\n", (program.times().own() + program.times().compiler) * 1e3,
               program.times().cached ? " (cached)" : "");
    if (program.world().ranks > 1) fmt::print("  on {} ranks, of which rank 0 reports\n", program.world().ranks);
    if (const auto traffic = program.traffic())
        fmt::print(
            "  {} launches, {} bytes to the device, {} back\n{}", traffic->launches, traffic->to_device, traffic->from_device,
            traffic->elements == 0
                ? ""
                : fmt::format("  {} processing elements, {} elements of off-chip memory read, {} written, in the simulation\n",
                              traffic->elements, traffic->off_chip_reads, traffic->off_chip_writes));
    for (const driver::PartOnHost& part : program.on_host())
        fmt::print("  on the host: {}{}: {}\n", part.what, part.place.empty() ? "" : " (" + part.place + ")", part.reason);
    for (const Value& value : values)
        if (is_result(value)) fmt::print("  {} {}\n", value.argument->name, summary(value));
    if (!settings.measured.empty()) write_reports(program.report().or_fail(), settings.reports);
    for (const Output& output : outputs)
        write_file(output.file, npy_bytes(output.value->argument->dtype, output.value->shape, output.value->working.data()));
}

}  // namespace

void add_run(CLI::App& app) {
    CLI::App* command = app.add_subcommand("run", "Compile and run on given or random arguments");
    const auto settings = std::make_shared<RunSettings>();
    command->add_option("SRC", settings->source, "A .py, .sdfg, .sdfgz or textual graph")->required();
    command
        ->add_option("ARGUMENT", settings->assignments,
                     "name=value: a size or number (N=1000), an array from a .npy file, `random`, `zeros`, `ones` or one number")
        ->take_all();
    command->add_option("--program", settings->program, "The program, if the source holds several");
    add_pipeline(*command, settings->pipeline);
    add_target(*command, settings->pipeline.target);
    add_operations(*command);
    command->add_option("--seed", settings->seed, "Seed of the random arrays")->capture_default_str();
    command->add_option("--repeat", settings->repeat, "Runs, each from the same arguments; the median time is printed")
        ->check(at_least_one())
        ->capture_default_str();
    command->add_option("-o,--output", settings->outputs, "Write a result: file.npy, or name=file.npy where there are several")
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--instrument", settings->measured,
                        "Measure these parts and print a report: program, state, map, tasklet, with commas between "
                        "(docs/instrumentation.md)");
    command->add_option("--counters", settings->counters,
                        "With --instrument: count these events as well, by perf(1)'s names, such as cycles,instructions");
    command
        ->add_option("--report", settings->reports,
                     "With --instrument: write the report to a file that ends in .txt, .json, .svg (a roofline) or .html instead")
        ->take_all()
        ->allow_extra_args(false);
    command->footer(
        "Arrays that are not given are random: floats in [0, 1), integers in [0, 100). Sizes follow from .npy files where they "
        "can.\n\n"
        "Example:\n"
        "  sluice run examples/gemm.py M=500 N=500 K=500 alpha=1.5 beta=1.2 --repeat 5 -o C=c.npy");
    command->callback([settings] { run_program(*settings); });
}

}  // namespace sluice::cli
