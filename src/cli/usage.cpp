#include "cli/usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/command.h"
#include "support/nearest.h"

namespace sluice::cli {

namespace {

/// Refuses a first word that is no command; the parser would only say that it wants one.
void check_command(const CLI::App& app, const char* word) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    if (names.empty() || *word == '-' || std::ranges::find(names, word) != names.end()) return;
    fail_usage("C017", fmt::format("there is no command {}", word),
               fmt::format("perhaps you mean {}; `sluice --help` lists all", nearest(word, names, 1).front()));
}

/// The options of a command as they are typed.
std::vector<std::string> options_of(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    }
    return names;
}

[[noreturn]] void refuse(const CLI::App& app, const CLI::ParseError& error) {
    const std::vector<const CLI::App*> given = app.get_subcommands([](const CLI::App* command) { return command->parsed(); });
    const CLI::App& command = given.empty() ? app : *given.front();
    const std::string name = given.empty() ? app.get_name() : app.get_name() + " " + command.get_name();
    const std::vector<std::string> unknown = app.remaining(true);
    const std::string help = fmt::format("`{} --help`", name);
    // What is unknown may be why something else is missing.
    const std::string word = unknown.empty() ? "" : unknown.front().substr(0, unknown.front().find('='));
    if (word.starts_with("--"))
        fail_usage("C027", fmt::format("{} has no option {}", name, word),
                   fmt::format("perhaps you mean {}; {} lists all", nearest(word, options_of(command), 1).front(), help));
    if (word.starts_with('-')) fail_usage("C027", fmt::format("{} has no option {}", name, word), help + " lists all");
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !word.empty())
        fail_usage("C027", fmt::format("{} takes no further word, and `{}` is one", name, unknown.front()),
                   help + " says what it takes");
    fail_usage("C028", error.what(), help + " says what it takes");
}

}  // namespace

void parse(CLI::App& app, int argc, char** argv) {
    if (argc > 1) check_command(app, argv[1]);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success&) {
        throw;
    } catch (const CLI::RuntimeError&) {
        throw;
    } catch (const CLI::ParseError& error) {
        refuse(app, error);
    }
}

}  // namespace sluice::cli
