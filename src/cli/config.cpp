// sluice config: what can be set, what stands, and who said so.
#include <fmt/format.h>

#include <algorithm>

#include "cli/command.h"
#include "driver/settings.h"

namespace sluice::cli {

namespace {

struct ConfigSettings {
    std::string key, value, removed;
    bool project = false;
};

void list_settings() {
    for (const driver::Setting& one : driver::settings()) {
        const driver::SettingValue value = driver::setting(one.key);
        fmt::print("{} = {}  ({})\n    {} Environment: {}.\n", one.key, value.text, value.origin, one.sentence, one.environment);
    }
}

void run_config(const ConfigSettings& settings, bool has_value) {
    const std::filesystem::path file = settings.project ? std::filesystem::path("sluice.config") : driver::settings_file();
    if (!settings.removed.empty()) return driver::erase_setting(file, settings.removed);
    if (settings.key.empty()) return list_settings();
    if (has_value) return driver::write_setting(file, settings.key, settings.value);
    fmt::print("{}\n", driver::setting(settings.key).text);
}

/// The table, for --help.
std::string table() {
    std::string text = "Settings:\n";
    for (const driver::Setting& one : driver::settings())
        text += fmt::format("  {:12} {} Environment: {}. Default: {}.\n", one.key, one.sentence, one.environment,
                            one.standard.empty() ? "empty" : one.standard);
    return text;
}

}  // namespace

void add_setting_arguments(CLI::App& app) {
    const auto set = [](const std::vector<std::string>& given) {
        for (const std::string& text : given) {
            const std::size_t equals = text.find('=');
            if (equals == std::string::npos)
                fail_usage("D013", "`" + text + "` is no setting", "write --config KEY=VALUE; `sluice config` lists the keys");
            driver::set_by_argument(text.substr(0, equals), text.substr(equals + 1));
        }
    };
    app.add_option_function<std::vector<std::string>>("--config", set,
                                                      "KEY=VALUE: a setting for this run, before the command; may be repeated")
        ->allow_extra_args(false);
}

void add_config(CLI::App& app) {
    CLI::App* command = app.add_subcommand("config", "List settings, print one, or set it in a file");
    const auto settings = std::make_shared<ConfigSettings>();
    command->add_option("KEY", settings->key, "Print this setting's value");
    CLI::Option* value = command->add_option("VALUE", settings->value, "Set it in the user's file");
    command->add_option("--unset", settings->removed, "Take the key out of the file");
    command->add_flag("--project", settings->project, "The file is sluice.config in the current folder, not the user's");
    command->footer(
        table() +
        "\nWithout a key: every setting with its value, who set it, and what it is for. The user's file is\n"
        "$XDG_CONFIG_HOME/sluice/config, else ~/.config/sluice/config; its lines are `key = value`. sluice.config in the current\n"
        "folder stands before it, the environment before that, and --config KEY=VALUE before the command before all.\n\n"
        "Examples:\n"
        "  sluice config cache_size 20G\n"
        "  sluice --config cxx=clang++ run examples/axpy.py N=1000 a=2");
    command->callback([settings, value] { run_config(*settings, value->count() > 0); });
}

}  // namespace sluice::cli
