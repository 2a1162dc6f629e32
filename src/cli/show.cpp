// sluice show: the graph as text or as Graphviz DOT.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/dot.h"
#include "ir/text.h"

namespace sluice::cli {

void add_show(CLI::App& app) {
    struct Settings {
        std::filesystem::path source;
        std::string program;
        bool dot = false;
    };
    CLI::App* command = app.add_subcommand("show", "Print the dataflow graph");
    const auto settings = std::make_shared<Settings>();
    command->add_option("SRC", settings->source, "A .py, .sdfg, .sdfgz or textual graph")->required();
    command->add_option("--program", settings->program, "Only this program of the file");
    command->add_flag("--dot", settings->dot, "Graphviz DOT instead of the textual form");
    command->footer(
        "The textual form is explained in docs/text-form.md and is a source itself.\n\n"
        "Example:\n"
        "  sluice show examples/jacobi_2d.py --dot | dot -Tsvg -o jacobi_2d.svg");
    command->callback([settings] {
        std::vector<ir::Sdfg> programs;
        if (settings->program.empty())
            programs = read_all(settings->source);
        else
            programs.push_back(read_one(settings->source, settings->program));
        for (const ir::Sdfg& program : programs) fmt::print("{}", settings->dot ? to_dot(program) : ir::to_text(program));
    });
}

}  // namespace sluice::cli
