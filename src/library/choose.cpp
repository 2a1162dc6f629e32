#include "library/choose.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "library/contract.h"
#include "library/environment.h"
#include "library/registry.h"

namespace sluice::library {

std::vector<std::string> names_in(const std::string& list) {
    std::vector<std::string> names;
    std::istringstream parts(list);
    for (std::string name; std::getline(parts, name, ',');) {
        name.erase(0, name.find_first_not_of(' '));
        name.erase(name.find_last_not_of(' ') + 1);
        if (!name.empty()) names.push_back(name);
    }
    return names;
}

std::string to_string(const Expanded& step) {
    std::string text = fmt::format("{}: {} -> {}, by {}", step.path, step.operation, step.expansion, step.rule);
    for (const auto& [name, why] : step.passed_over) text += fmt::format("; not {}: {}", name, why);
    return text;
}

namespace {

const Expansion* expansion_named(const Operation& operation, const std::string& name, const std::string& target) {
    for (const Expansion& one : operation.expansions)
        if (one.target == target && (one.name == name || std::ranges::find(one.aliases, name) != one.aliases.end())) return &one;
    return nullptr;
}

std::string names_of_expansions(const Operation& operation) {
    std::vector<std::string> names;
    for (const Expansion& one : operation.expansions) names.push_back(one.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

/// Headers of the runtime are no library.
bool calls_library(const Expansion& expansion) {
    const Environment* environment = find_environment(expansion.requirement.environment);
    return environment && !environment->library_files.empty();
}

}  // namespace

std::string why_not(const NodeContext& context, const Expansion& expansion, const ExpandOptions& options) {
    if (!expansion.requirement.environment.empty()) {
        if (!options.libraries) return "the target calls no library";
        const Environment* environment = find_environment(expansion.requirement.environment);
        if (!environment) return fmt::format("nobody has registered its environment {}", expansion.requirement.environment);
        if (options.missing.contains(environment->name) || options.missing.contains(environment->part_of))
            return "it counts as not installed";
        if (!link_words(*environment)) return fmt::format("it is not installed: {}", environment->remedy);
    }
    if (expansion.requirement.one_at_a_time && !options.parallel) return "it has threads of its own, and the program has one";
    if (expansion.requirement.one_at_a_time && context.around.parallel)
        return "it has threads of its own, and a parallel scope is around";
    return expansion.why_not ? expansion.why_not(context) : std::string();
}

Choice choose_expansion(const NodeContext& context, const ExpandOptions& options) {
    const Operation& operation = *context.operation;
    bind(context);  // refuses a node that does not fit its contract
    Choice choice;
    std::set<const Expansion*> seen;
    const auto consider = [&](const Expansion& expansion, const std::string& rule, bool asked) {
        if (choice.expansion || !seen.insert(&expansion).second) return;
        std::string why = why_not(context, expansion, options);
        if (why.empty() && !asked && options.only_asked && calls_library(expansion))
            why = "it calls a library, and the node does not ask for one";
        if (why.empty() && !asked && expansion.why_rather_not) why = expansion.why_rather_not(context);
        if (!why.empty()) return choice.passed_over.emplace_back(expansion.name, why), void();
        choice.expansion = &expansion;
        choice.rule = rule;
    };
    const auto ask = [&](const std::vector<std::string>& names, const std::string& rule) {
        for (const std::string& name : names) {
            if (const Expansion* own = expansion_named(operation, name, options.target))
                consider(*own, rule, true);
            else if (!operations().knows_expansion(name))
                context.refuse("B004", fmt::format("{} has no implementation {}, which {} names", operation.name, name, rule),
                               "use one of " + names_of_expansions(operation));
        }
    };
    ask(names_in(options.implementation.value_or("")), "the caller");
    ask(names_in(context.library().implementation.value_or("")), "the node");
    for (const Preference& one : options.preferences)
        if ((one.target.empty() || one.target == options.target) && (one.operation.empty() || one.operation == operation.name))
            ask(one.names, one.origin);
    if (options.loops_first)
        for (const Expansion& expansion : operation.expansions)
            if (expansion.target == options.target && expansion.requirement.environment.empty())
                consider(expansion, "the target, which calls no functions", false);
    for (const Expansion& expansion : operation.expansions)
        if (expansion.target == options.target) consider(expansion, "the operation's own order", false);
    return choice;
}

}  // namespace sluice::library
