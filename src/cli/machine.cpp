// sluice machine: what decisions know of the machine that programs will run on.
#include <fmt/format.h>

#include "cli/command.h"
#include "driver/measure_machine.h"
#include "driver/settings.h"

namespace sluice::cli {

namespace {

struct MachineSettings {
    std::filesystem::path target;
    bool measure = false;
};

void run_machine(const MachineSettings& settings) {
    if (!settings.measure) {
        const std::string text = to_text(driver::machine_in_use().or_fail());
        if (settings.target.empty()) {
            const driver::SettingValue file = driver::setting("machine");
            fmt::print("# {}\n{}", file.text.empty() ? "the default" : file.text + " (" + file.origin + ")", text);
        } else {
            write_file(settings.target, text);
        }
        return;
    }
    const std::string text = to_text(driver::measure_machine().or_fail());
    const std::filesystem::path target =
        settings.target.empty() ? driver::settings_file().parent_path() / "machine" : settings.target;
    if (settings.target.empty()) {
        std::error_code error;
        std::filesystem::create_directories(target.parent_path(), error);
    }
    write_file(target, "# Measured by sluice machine --measure; docs/decisions.md explains the names.\n" + text);
    fmt::print("{}", text);
    if (settings.target.empty()) {
        driver::write_setting(driver::settings_file(), "machine", target.string());
        fmt::print("# {} describes this machine; the setting `machine` names it\n", target.string());
    }
}

}  // namespace

void add_machine(CLI::App& app) {
    CLI::App* command = app.add_subcommand("machine", "Print or measure what decisions know of the machine");
    const auto settings = std::make_shared<MachineSettings>();
    command->add_flag("--measure", settings->measure,
                      "Measure this machine (some two seconds), write the description and use it from now on");
    command->add_option("-o,--output", settings->target,
                        "The file to write; the setting `machine` then stays as it is. Without it, --measure writes `machine` "
                        "into the folder of the user's settings and names it there");
    command->footer(
        "A description is text with a line `name = value` for each number; docs/decisions.md says what they are. Without one\n"
        "decisions are taken for a current x86 core in round numbers, so that one program gives the same code everywhere.\n"
        "`sluice config --unset machine` goes back to that.\n\n"
        "Examples:\n"
        "  sluice machine --measure\n"
        "  sluice machine --measure -o server.machine && sluice --config machine=server.machine compile examples/axpy.py");
    command->callback([settings] { run_machine(*settings); });
}

}  // namespace sluice::cli
