// sluice opt: transformations, by recipe or by hand.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "cli/command.h"
#include "ir/text.h"
#include "rewrite/plugin.h"
#include "rewrite/session.h"
#include "transform/registry.h"

namespace sluice::cli {

namespace {

struct OptSettings {
    std::filesystem::path source, target, save;
    std::string program, describe;
    std::vector<std::filesystem::path> recipes, plugins;
    std::vector<std::string> lines, repeated, why_not, disabled;
    bool simplify = false, list = false, trace = false, print_changed = false;
};

void print_description(const rewrite::Descriptor& descriptor) {
    fmt::print("{} ({}{}): {}\n  {}\n", descriptor.name, descriptor.group, descriptor.simplifies ? ", simplifies" : "",
               descriptor.summary, descriptor.drawing);
    for (const rewrite::Condition& condition : descriptor.conditions) fmt::print("  {}  {}\n", condition.code, condition.sentence);
    for (const rewrite::Parameter& parameter : descriptor.parameters)
        fmt::print("  {}={}  {}\n", parameter.name, rewrite::to_string(parameter.default_value), parameter.help);
}

void describe(const rewrite::Registry& registry, const std::string& name) {
    if (name != "all") return print_description(registry.at(name).descriptor);
    for (const rewrite::Transformation* transformation : registry.all())
        fmt::print("{:24} {}\n", transformation->descriptor.name, transformation->descriptor.summary);
}

/// Every match as the line that would apply it: those that may be applied, or those that may not with the reason.
void list_matches(const ir::Sdfg& program, const rewrite::Transformation& transformation, bool refused) {
    std::size_t shown = 0;
    for (const rewrite::Match& match : rewrite::find_matches(program, transformation.descriptor)) {
        const auto refusal = rewrite::can_apply(program, transformation, match).or_fail();
        if (refusal.has_value() != refused) continue;
        ++shown;
        fmt::print("{}\n", rewrite::to_string(rewrite::describe(program, transformation.descriptor, match, {})));
        if (refusal) fmt::print("{}", render(rewrite::to_diagnostic(program, transformation.descriptor, match, *refusal)));
    }
    if (refused && shown == 0)
        fmt::print("{}: nothing refuses it: no place fits its pattern, or it applies wherever one does\n",
                   transformation.descriptor.name);
}

void run_opt(const OptSettings& settings) {
    rewrite::Registry registry = transform::builtin();
    for (const std::filesystem::path& plugin : settings.plugins) rewrite::load_plugin(registry, plugin);
    if (!settings.describe.empty()) return describe(registry, settings.describe);
    if (settings.source.empty()) fail_usage("C001", "no program is given", "name a source, or use --describe all");
    rewrite::Session session(read_one(settings.source, settings.program), registry);
    session.disabled.insert(settings.disabled.begin(), settings.disabled.end());
    session.on_change = [&](const rewrite::Applied& applied, const ir::Sdfg& before, const ir::Sdfg& after) {
        if (settings.trace) fmt::print(stderr, "{:8.2f} ms  {}\n", applied.milliseconds, rewrite::to_string(applied.application));
        if (settings.print_changed && !(before == after)) fmt::print(stderr, "{}", ir::to_text(after));
    };
    if (settings.simplify) session.simplify().or_fail();
    for (const std::filesystem::path& recipe : settings.recipes) {
        if (!std::filesystem::is_regular_file(recipe))
            fail_usage("C001", "there is no recipe " + recipe.string(), "name a text file with one application per line");
        session.replay(read_text_file(recipe), recipe.string()).or_fail();
    }
    for (const std::string& line : settings.lines) session.replay(line).or_fail();
    if (!settings.repeated.empty()) session.apply_repeated(settings.repeated).or_fail();

    if (settings.list)
        for (const rewrite::Transformation* transformation : registry.all())
            if (!session.disabled.contains(transformation->descriptor.name))
                list_matches(session.program(), *transformation, false);
    for (const std::string& name : settings.why_not) list_matches(session.program(), registry.at(name), true);
    if (!settings.target.empty()) write_file(settings.target, graph_bytes(session.program(), settings.target));
    if (!settings.save.empty()) write_file(settings.save, session.recipe());
    if (settings.target.empty() && settings.save.empty() && !settings.list && settings.why_not.empty())
        fmt::print("{}", ir::to_text(session.program()));
}

}  // namespace

void add_opt(CLI::App& app) {
    CLI::App* command = app.add_subcommand("opt", "Transform a program: list what applies, apply it, replay recipes");
    const auto settings = std::make_shared<OptSettings>();
    command->add_option("SRC", settings->source, "A .py, .sdfg, .sdfgz or textual graph");
    command->add_option("--program", settings->program, "The program, if the source holds several");
    command->add_option("--load", settings->plugins, "A shared library with transformations of your own; may be repeated");
    command->add_flag("--list", settings->list, "Print what can be applied where, as lines of a recipe");
    command->add_option("--why-not", settings->why_not, "Print where the transformation fits but is refused, and why");
    command->add_option("--describe", settings->describe, "Print a transformation's conditions and parameters; `all`: the names");
    command->add_flag("--simplify", settings->simplify,
                      "First apply what makes every program simpler (`simplifies` in --describe) until nothing does");
    command->add_option("--recipe", settings->recipes, "Replay a recipe; several are replayed in order");
    command->add_option("--apply", settings->lines, "Apply one line of a recipe; may be repeated");
    command->add_option("--repeat", settings->repeated, "Apply these transformations until none of them applies");
    command->add_option("--disable", settings->disabled, "Never apply the transformation");
    command->add_flag("--trace", settings->trace, "Print each application and its time to stderr");
    command->add_flag("--print-changed", settings->print_changed,
                      "Print the graph to stderr after each application that changed it");
    command->add_option("-o,--output", settings->target, "The file to write: .sdfg, .sdfgz, or .txt/.sluice for text");
    command->add_option("--save-recipe", settings->save, "Write what was applied as a recipe");
    command->footer(
        "A recipe has one application per line: transformation, place, parameters. If a line does not fit nothing is written.\n"
        "Without -o, --save-recipe, --list or --why-not the graph is printed as text.\n\n"
        "Examples:\n"
        "  sluice opt examples/jacobi_2d.py --list\n"
        "  sluice opt examples/axpy.py --apply 'MapTiling @ state_1(map=axpy_6) tile_sizes=[1024]' -o axpy.sdfg\n"
        "  sluice opt examples/axpy.py --recipe axpy.recipe --trace");
    command->callback([settings] { run_opt(*settings); });
}

}  // namespace sluice::cli
