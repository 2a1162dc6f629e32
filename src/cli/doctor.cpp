// sluice doctor: what this machine has of all that Sluice uses, and the command that brings what is missing.
#include "driver/doctor.h"

#include <fmt/format.h>

#include "cli/command.h"

namespace sluice::cli {

namespace {

void print_findings(const driver::Examination& examination) {
    for (const driver::Finding& finding : examination.findings) {
        fmt::print("{:3} {:10} {}\n", finding.found ? "ok" : "--", finding.subject, finding.sentence);
        if (!finding.remedy.empty()) fmt::print("{:15}{}: {}\n", "", finding.found ? "better" : "to have it", finding.remedy);
    }
    fmt::print("{}\n", examination.compiles ? "Programs can be compiled." : "Programs cannot be compiled.");
}

}  // namespace

void add_doctor(CLI::App& app) {
    CLI::App* command = app.add_subcommand("doctor", "Say whether programs can be compiled here, and what is missing");
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json,
                      "Print one JSON object: `compiles`, and for each line `found`, `sentence`, `remedy` and values");
    command->footer(
        "Compiles and runs a small program with a team of threads, measures the bandwidth of memory and looks for libraries: some\n"
        "five seconds. Exit status 0: programs can be compiled; 1: they cannot. Nothing is changed.\n\n"
        "Example:\n"
        "  sluice doctor");
    command->callback([json] {
        const driver::Examination examination = driver::examine();
        if (*json)
            fmt::print("{}\n", to_json(examination));
        else
            print_findings(examination);
        if (!examination.compiles) throw CLI::RuntimeError(1);
    });
}

}  // namespace sluice::cli
