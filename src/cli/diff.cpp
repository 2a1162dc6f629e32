// sluice diff: what differs between two graphs, in words.
#include <fmt/format.h>

#include "cli/command.h"
#include "driver/session.h"

namespace sluice::cli {

void add_diff(CLI::App& app) {
    struct Settings {
        std::filesystem::path before, after;
        std::string program;
        bool quiet = false;
    };
    CLI::App* command = app.add_subcommand("diff", "Say what differs between two graphs");
    const auto settings = std::make_shared<Settings>();
    command->add_option("BEFORE", settings->before, "A .py, .sdfg, .sdfgz or textual graph")->required();
    command->add_option("AFTER", settings->after, "The graph to compare with it, in any of these forms")->required();
    command->add_option("--program", settings->program, "The program, if a source holds several");
    command->add_flag("-q,--quiet", settings->quiet, "Print nothing, only set the exit status");
    command->footer(
        "Elements are paired by what they are and what they are joined to, not by their ids. One line for each difference: its "
        "path\n"
        "in the graph and a sentence. Exit status 0 if there is none, 1 if there is one or a source cannot be read.\n\n"
        "Example:\n"
        "  sluice diff examples/gemm.py gemm.sdfg");
    command->callback([settings] {
        const driver::Session before = driver::Session::read_one(settings->before, settings->program).or_fail(),
                              after = driver::Session::read_one(settings->after, settings->program).or_fail();
        const std::vector<ir::Difference> found = before.differences(after);
        if (!settings->quiet)
            for (const ir::Difference& one : found) fmt::print("{}: {}\n", one.path, one.sentence);
        if (!found.empty()) throw CLI::RuntimeError(1);
    });
}

}  // namespace sluice::cli
