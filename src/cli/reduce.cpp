// sluice reduce: the smallest graph that still fails.
#include <fmt/format.h>

#include <sstream>

#include "cli/command.h"
#include "driver/cache.h"
#include "driver/process.h"
#include "fuzz/check.h"
#include "fuzz/reduce.h"

namespace sluice::cli {

namespace {

struct ReduceSettings {
    std::filesystem::path source, output;
    std::string command;
    bool differs = false;
    double seconds = 600;
    std::vector<std::string> passes, symbols;
    std::uint64_t pass_seed = 0;
    int threads = 4;
};

fuzz::TestCase read_case(const ReduceSettings& settings) {
    const std::string text = read_text_file(settings.source);
    fuzz::TestCase test;
    if (text.starts_with("# case:"))
        test = fuzz::parse_case(text, settings.source.string()).or_fail();
    else
        test.sdfg = driver::Session::read_one(settings.source).or_fail().program();
    for (const std::string& word : settings.symbols) {
        const fuzz::TestCase named = fuzz::parse_case("# case: " + word + "\nsdfg g() {\n}\n", "--set").or_fail();
        test.symbols.insert(named.symbols.begin(), named.symbols.end());
    }
    fuzz::complete_symbols(test);
    return test;
}

/// `{}` stands for the file; without it the file follows.
std::vector<std::string> words_for(const std::string& command, const std::filesystem::path& file) {
    std::vector<std::string> words;
    std::istringstream stream(command);
    bool named = false;
    for (std::string word; stream >> word; words.push_back(word))
        if (const std::size_t at = word.find("{}"); at != std::string::npos) {
            word.replace(at, 2, file.string());
            named = true;
        }
    if (!named) words.push_back(file.string());
    return words;
}

fuzz::CheckOptions checks(const ReduceSettings& settings) {
    fuzz::CheckOptions options;
    options.passes = settings.passes;
    options.pass_seed = settings.pass_seed;
    for (const int optimisation : {0, 3})
        for (const bool parallel : {true, false}) {
            fuzz::Configuration configuration;
            configuration.optimisation = optimisation;
            configuration.parallel = parallel;
            configuration.threads = settings.threads;
            options.configurations.push_back(configuration);
        }
    return options;
}

void run_reduce(const ReduceSettings& settings) {
    if (settings.command.empty() != settings.differs)
        fail_usage("C011", "what the graph must keep doing is not said", "give either --while COMMAND or --differs");
    const fuzz::TestCase test = read_case(settings);
    const driver::PrivateFolder folder(driver::temporary_folder() / "sluice-reduce");
    fuzz::StillFails still_fails;
    std::string note;
    if (settings.differs) {
        fuzz::CheckOptions options = checks(settings);
        const std::optional<fuzz::Finding> first = fuzz::check_case(test, options, folder.path());
        if (!first) fail_usage("C012", "nothing differs: the graph does not fail as it is", "check its arguments and the passes");
        note = fuzz::to_string(*first);
        fmt::print("{}\n", note);
        std::erase_if(options.configurations, [&](const fuzz::Configuration& each) {
            return !first->where.empty() && fuzz::to_string(each) != first->where;
        });
        still_fails = [&, options, first](const fuzz::TestCase& candidate) {
            const std::optional<fuzz::Finding> now = fuzz::check_case(candidate, options, folder.path());
            if (!now || !now->same_kind(*first)) return false;
            note = fuzz::to_string(*now);
            return true;
        };
    } else {
        still_fails = [&](const fuzz::TestCase& candidate) {
            const std::filesystem::path file = folder.path() / "candidate.txt";
            write_file(file, fuzz::to_text(candidate));
            const driver::ProcessResult result = driver::run_process(words_for(settings.command, file));
            return result.started && result.status == 0;
        };
        if (!still_fails(test))
            fail_usage("C012", "the command fails on the graph as it is",
                       "give a command that succeeds while the graph is of interest");
    }
    fuzz::ReduceOptions options;
    options.seconds = settings.seconds;
    std::size_t attempts = 0;
    options.progress = [&](const fuzz::TestCase&, std::size_t sofar) { attempts = sofar; };
    const fuzz::TestCase smallest = fuzz::reduce(test, still_fails, options);
    const std::string text = fuzz::to_text(smallest, note);
    write_file(settings.output, text);
    fmt::print("{}: {} of {} bytes are left after {} attempts\n", settings.output.string(), text.size(), fuzz::to_text(test).size(),
               attempts);
}

}  // namespace

void add_reduce(CLI::App& app) {
    CLI::App* command = app.add_subcommand("reduce", "Make a graph that fails smaller while it still fails");
    const auto settings = std::make_shared<ReduceSettings>();
    command->add_option("SRC", settings->source, "A test case of the fuzzer, or any graph")->required();
    command->add_option("--while", settings->command, "Succeeds (status 0) on a graph that still fails; {} stands for the file");
    command->add_flag("--differs", settings->differs, "While the interpreter and compiled code disagree in the same way");
    command->add_option("--set", settings->symbols, "Values of symbols, N=3; 4 for those without")->delimiter(',');
    command->add_option("--passes", settings->passes, "What the graph goes through first")->delimiter(',');
    command->add_option("--pass-seed", settings->pass_seed, "Seed of the passes");
    command->add_option("--threads", settings->threads, "Threads of parallel code")->capture_default_str();
    command->add_option("--time", settings->seconds, "Seconds after which the smallest so far is taken")->capture_default_str();
    command->add_option("-o,--output", settings->output, "The reduced case, as text")->default_val("reduced.txt");
    command->footer(
        "Drops blocks, nodes and edges, lifts nested graphs, shrinks ranges and shapes, simplifies code. The same input gives the "
        "same result.\n\n"
        "Example:\n"
        "  sluice reduce fuzz-findings/graph-17.txt --differs -o tests/regress/sum_of_view.txt");
    command->callback([settings] { run_reduce(*settings); });
}

}  // namespace sluice::cli
