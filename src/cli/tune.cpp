// sluice tune: search for what is faster than -O3, and keep it.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <memory>

#include "cli/arguments.h"
#include "cli/command.h"
#include "driver/tuning/store.h"

namespace sluice::cli {

namespace {

struct TuneSettings {
    std::filesystem::path source, saved;
    std::string program, budget = "60s";
    std::vector<std::string> assignments;
    std::uint64_t seed = 1;
};

double steady_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// `60s`, `2m` or `90`. Failure C016.
double budget_of(const std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    const std::string unit = end;
    if (end == text.c_str() || !(number > 0) || !(unit.empty() || unit == "s" || unit == "m"))
        fail_usage("C018", "`" + text + "` is no time to spend", "give seconds or minutes above 0, such as 60s or 2m");
    return unit == "m" ? 60 * number : number;
}

/// Runs the candidate on the arguments of the command line, from the same values each time.
struct CandidateRun {
    driver::CompiledProgram program;
    std::vector<Value> values;
    std::vector<void*> addresses;

    double run() {
        for (Value& value : values)
            if (value.initial.size()) std::memcpy(value.working.data(), value.initial.data(), value.initial.size());
        const double begin = steady_seconds();
        program.run(addresses).or_fail();
        return steady_seconds() - begin;
    }
};

void show_trial(const driver::Trial& trial) {
    const std::string outcome = trial.seconds > 0 ? fmt::format("{:.3f} ms", trial.seconds * 1e3) : "not run";
    if (::isatty(STDERR_FILENO) == 0)
        fmt::print(stderr, "{:6.1f} s  {:4}  {:>12}  {}\n", trial.elapsed, trial.number, outcome, trial.change);
    else
        fmt::print(stderr, "\r\033[K{:.0f} s, {} tried, fastest {:.3f} ms: {}", trial.elapsed, trial.number, trial.fastest * 1e3,
                   trial.change.substr(0, 60));
}

void tune_program(const TuneSettings& settings) {
    const std::map<std::string, std::string> given = by_name(settings.assignments);
    driver::TuningOptions options;
    options.budget = budget_of(settings.budget);
    const driver::Session session = driver::Session::read_one(settings.source, settings.program).or_fail();
    options.compile = [&](const ir::Sdfg& candidate) {
        return capture([&]() -> driver::MeasuredRun {
            const auto runner = std::make_shared<CandidateRun>(CandidateRun{driver::compile(candidate).or_fail(), {}, {}});
            const driver::Signature& signature = runner->program.signature();
            runner->values = make_values(signature, runner->program.shape_solver(), given, settings.seed);
            for (Value& value : runner->values) runner->addresses.push_back(value.working.data());
            runner->run();
            return [runner] { return runner->run(); };
        });
    };
    options.clock = steady_seconds;
    options.on_trial = show_trial;
    const driver::Tuned tuned = driver::tune(session, options).or_fail();
    if (::isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
    const std::string size_class = class_of_sizes(session.program(), given);
    if (!settings.saved.empty()) write_file(settings.saved, tuned.recipe);
    if (tuned.changes.empty()) {
        fmt::print("{}: of {} candidates none is faster than -O3 ({:.3f} ms)\n", session.program().name, tuned.tried,
                   tuned.untuned * 1e3);
        return;
    }
    const std::filesystem::path file = driver::keep_tuned(session.program(), size_class, tuned);
    fmt::print("{}: {:.3f} ms, {:.3f} ms by -O3: {:.2f} times as fast, {} candidates\n", session.program().name, tuned.tuned * 1e3,
               tuned.untuned * 1e3, tuned.untuned / tuned.tuned, tuned.tried);
    for (const driver::Change& change : tuned.changes) fmt::print("  {}\n", driver::to_string(change));
    fmt::print("kept in {}\n", file.string());
}

}  // namespace

void add_tune(CLI::App& app) {
    CLI::App* command = app.add_subcommand("tune", "Search for what is faster than -O3 on this machine, and keep it");
    const auto settings = std::make_shared<TuneSettings>();
    command->add_option("SRC", settings->source, "A .py, .sdfg, .sdfgz or textual graph")->required();
    command->add_option("ARGUMENT", settings->assignments, "name=value, as `sluice run` takes them: what is measured")->take_all();
    command->add_option("--program", settings->program, "The program, if the source holds several");
    add_operations(*command);
    command->add_option("--budget", settings->budget, "Time to spend: 60s, 2m")->capture_default_str();
    command->add_option("--seed", settings->seed, "Seed of the random arrays")->capture_default_str();
    command->add_option("--save-recipe", settings->saved, "Write the recipe of the fastest here as well");
    command->footer(
        "What is found is kept for this program, sizes of this class and this processor, and -O3 takes it from then on\n"
        "(docs/tuning.md). Nothing is kept unless it is faster than -O3 when both run in turns.\n\n"
        "Example:\n"
        "  sluice tune examples/jacobi_2d.py N=1000 TSTEPS=20 --budget 60s");
    command->callback([settings] { tune_program(*settings); });
}

}  // namespace sluice::cli
