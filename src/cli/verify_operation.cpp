// sluice verify-operation: runs all expansions of an operation on generated nodes against its reference.
#include "driver/verify_operation.h"

#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "driver/operations.h"

namespace sluice::cli {

namespace {

struct VerifySettings {
    std::vector<std::string> names;
    std::vector<std::filesystem::path> plugins;
    std::uint64_t seed = 1;
};

bool report_on(const std::string& name, std::uint64_t seed) {
    const driver::OperationDescription operation = driver::describe_operation(name);
    const driver::OperationReport report = driver::verify_operation(name, {}, seed).or_fail();
    fmt::print("{}: {}\n", operation.name, operation.summary);
    for (const std::string& form : operation.forms) fmt::print("  {}\n", form);
    if (report.checks.empty()) fmt::print("  ranks do it together: one process can check nothing of it\n");
    for (const driver::OperationCheck& check : report.checks) {
        fmt::print("  {:12} {:3} nodes{}\n", check.expansion, check.samples,
                   check.samples == 0          ? ": not checked"
                   : check.differences.empty() ? ", as the reference"
                                               : fmt::format(", {} differ", check.differences.size()));
        for (const std::string& why : check.passed_over) fmt::print("    not run on others: {}\n", why);
        for (const std::string& difference : check.differences) fmt::print("    {}\n", difference);
    }
    return report.ok();
}

void run_verification(const VerifySettings& settings) {
    std::vector<std::string> names = settings.names;
    for (const std::filesystem::path& plugin : settings.plugins)
        for (const std::string& added : driver::load_operations(plugin))
            if (settings.names.empty()) names.push_back(added);
    if (names.empty()) fail_usage("C001", "no operation is given", "name one, `all`, or a library of your own with --load");
    if (names == std::vector<std::string>{"all"}) names = driver::operation_names();
    bool good = true;
    for (const std::string& name : names) good = report_on(name, settings.seed) && good;
    if (!good)
        fail({.code = "B008",
              .message = "an expansion is not what the operation's reference says",
              .where = {},
              .path = {},
              .remedy = "correct the expansion or the reference",
              .notes = {}});
}

}  // namespace

void add_verify_operation(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("verify-operation", "Run all expansions of an operation on generated nodes against its reference");
    const auto settings = std::make_shared<VerifySettings>();
    command->add_option("NAME", settings->names, "Operations; `all`: every one");
    command->add_option("--load", settings->plugins, "A shared library with operations of your own; may be repeated");
    command->add_option("--seed", settings->seed, "Of the generated nodes");
    command->footer(
        "Sizes, element types, layouts and places (operands that lie in the output) are generated from the forms of the contract;\n"
        "all memory is compared with what the interpreter makes of the reference.\n\n"
        "Examples:\n"
        "  sluice verify-operation Gemm\n"
        "  sluice verify-operation --load my_operations.so");
    command->callback([settings] { run_verification(*settings); });
}

}  // namespace sluice::cli
