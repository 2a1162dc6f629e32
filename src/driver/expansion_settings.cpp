#include "driver/expansion_settings.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driver/settings.h"
#include "library/environment.h"
#include "library/registry.h"

namespace sluice::driver {

namespace {

struct Listed {
    std::string scope;  ///< `Gemm`, `cpu`, `cpu/Gemm`, or empty.
    std::vector<std::string> names;
};

std::optional<std::vector<Listed>> parse_lists(const std::string& text) {
    std::vector<Listed> lists;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ';');) {
        const std::size_t colon = part.find(':');
        Listed one;
        if (colon != std::string::npos) {
            const std::vector<std::string> scope = library::names_in(part.substr(0, colon));
            if (scope.size() != 1) return std::nullopt;
            one.scope = scope[0];
        }
        one.names = library::names_in(colon == std::string::npos ? part : part.substr(colon + 1));
        const auto is_word = [](const std::string& name) {
            return !name.empty() &&
                   std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; });
        };
        std::string scope = one.scope;
        std::ranges::replace(scope, '/', '_');
        if (one.names.empty() || !std::ranges::all_of(one.names, is_word) || (colon != std::string::npos && !is_word(scope)))
            return std::nullopt;
        lists.push_back(std::move(one));
    }
    return lists;
}

bool is_target(const std::string& name) {
    for (const library::Operation* operation : library::operations().all())
        for (const library::Expansion& expansion : operation->expansions)
            if (expansion.target == name) return true;
    return false;
}

library::Preference preference_of(Listed list, const std::string& origin) {
    library::Preference one{.names = std::move(list.names), .origin = "the setting expansions (" + origin + ")"};
    const std::size_t slash = list.scope.find('/');
    if (slash != std::string::npos) {
        one.target = list.scope.substr(0, slash);
        one.operation = list.scope.substr(slash + 1);
    } else {
        (is_target(list.scope) ? one.target : one.operation) = list.scope;
    }
    const bool known = (one.target.empty() || is_target(one.target)) &&
                       (one.operation.empty() || library::operations().find(one.operation) != nullptr);
    if (!known)
        fail({.code = "B001",
              .message = fmt::format("{} has a list for {}, which is neither an operation nor a target", one.origin, list.scope),
              .where = {},
              .path = {},
              .remedy = "correct the setting, or load the library that brings the operation (--operations)",
              .notes = {}});
    return one;
}

}  // namespace

bool is_preference_list(std::string_view text) {
    return text.empty() || parse_lists(std::string(text)).has_value();
}

library::ExpandOptions with_settings(library::ExpandOptions options) {
    const SettingValue lists = setting("expansions"), without = setting("without_libraries");
    std::vector<library::Preference> preferences;
    for (Listed& list : parse_lists(lists.text).value_or(std::vector<Listed>()))
        preferences.push_back(preference_of(std::move(list), lists.origin));
    std::ranges::stable_partition(preferences, [](const library::Preference& one) { return !one.operation.empty(); });
    options.preferences.insert(options.preferences.end(), preferences.begin(), preferences.end());
    const std::vector<std::string> known = library::environment_names();
    for (const std::string& name : library::names_in(without.text)) {
        const library::Environment* environment = library::find_environment(name);
        if (name == "all") {
            options.missing.insert(known.begin(), known.end());
        } else if (environment) {
            options.missing.insert(environment->name);
        } else {
            fail({.code = "D012",
                  .message = fmt::format("the setting without_libraries ({}) names `{}`, which nobody knows", without.origin, name),
                  .where = {},
                  .path = {},
                  .remedy = fmt::format("name some of {}, or all", fmt::join(known, ", ")),
                  .notes = {}});
        }
    }
    return options;
}

}  // namespace sluice::driver
