// sluice check: read and verify, compile nothing.
#include <fmt/format.h>

#include "cli/command.h"
#include "driver/warnings.h"

namespace sluice::cli {

namespace {

std::string counted(std::size_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

void add_check(CLI::App& app) {
    CLI::App* command = app.add_subcommand("check", "Read and verify a source without compiling it");
    const auto source = std::make_shared<std::filesystem::path>();
    command->add_option("SRC", *source, "A .py, .sdfg, .sdfgz or textual graph")->required();
    command->footer(
        "Prints one line per program, or the first error with its place and what to do; exit status 1 if there is one. A map whose "
        "points touch one element without an order is valid, and a warning on the standard error.\n\n"
        "Example:\n"
        "  sluice check examples/spmv.py");
    command->callback([source] {
        for (const driver::Session& session : driver::Session::read(*source).or_fail()) {
            fmt::print("{}: valid, {}, {}\n", session.program().name, counted(session.program().containers.size(), "container"),
                       counted(session.program().body.blocks.size(), "block"));
            for (const Diagnostic& one : driver::racing_maps(session.program()))
                fmt::print(stderr, "{}", driver::warning_text(one));
        }
    });
}

}  // namespace sluice::cli
