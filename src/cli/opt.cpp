// sluice opt: transformations, by recipe or by hand.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <optional>

#include "cli/branches.h"
#include "cli/command.h"
#include "cli/steps.h"
#include "driver/advice.h"
#include "driver/certificate.h"
#include "driver/operations.h"
#include "driver/purposes.h"
#include "driver/session.h"
#include "ir/text.h"
#include "support/activity.h"

namespace sluice::cli {

namespace {

struct OptSettings {
    std::filesystem::path source, target, save;
    std::string program, describe;
    PipelineSettings pipeline;
    std::vector<std::filesystem::path> recipes, plugins;
    std::vector<std::string> lines, repeated, why_not, disabled, branches, arguments;
    std::size_t limit = 0;
    int runs = 5;
    bool simplify = false, expand = false, list = false, certify = false;
};

void print_description(const driver::Descriptor& descriptor) {
    fmt::print("{} ({}{}): {}\n  {}\n", descriptor.name, descriptor.group, descriptor.simplifies ? ", simplifies" : "",
               descriptor.summary, descriptor.drawing);
    for (const driver::Condition& condition : descriptor.conditions) fmt::print("  {}  {}\n", condition.code, condition.sentence);
    const auto& decision = descriptor.decided_by;
    if (!decision.predicates.empty()) fmt::print("  decided by exact sets: {}\n", fmt::join(decision.predicates, ", "));
    if (!decision.structural.empty()) fmt::print("  decided by structure: {}\n", decision.structural);
    for (const driver::Parameter& parameter : descriptor.parameters)
        fmt::print("  {}={}  {}\n", parameter.name, driver::to_string(parameter.default_value), parameter.help);
}

/// `MapTiling prefix="block"`, or several.
std::string meaning_of(const driver::OtherName& other) {
    std::string text;
    for (const driver::Meaning& meaning : other.meanings) {
        text += (text.empty() ? "" : ", or ") + meaning.transformation;
        for (const auto& [option, value] : meaning.options) text += " " + option + "=" + value;
    }
    return text;
}

/// What serves a purpose; with a program, where each applies: first what does, last what has no place.
void describe_purpose(const std::vector<const driver::Descriptor*>& found, driver::Session* session) {
    std::array<std::string, 3> texts;
    std::optional<Activity> activity("looking for what applies");  // Over when something is printed.
    for (const driver::Descriptor* descriptor : found) {
        const std::string summary = fmt::format("{:24} {}\n", descriptor->name, descriptor->summary);
        std::vector<driver::Proposal> places = session ? session->matches(descriptor->name) : std::vector<driver::Proposal>();
        const std::size_t fitting = places.size();
        std::erase_if(places, [](const driver::Proposal& one) { return one.refusal.has_value(); });
        const auto count = [](std::size_t number) { return fmt::format("{} place{}", number, number == 1 ? "" : "s"); };
        if (!session)
            texts[0] += summary;
        else if (!places.empty())
            texts[0] += fmt::format("{}    applies in {}, such as  {}\n", summary, count(places.size()),
                                    driver::to_string(places.front().application));
        else if (fitting > 0)
            texts[1] += fmt::format("{}    is refused in {}: --why-not {}\n", summary, count(fitting), descriptor->name);
        else
            texts[2] += fmt::format("{}    has no place in this program\n", summary);
    }
    activity.reset();
    fmt::print("{}", fmt::join(texts, ""));
}

void describe(const driver::Transformations& transformations, const std::string& name, driver::Session* session) {
    if (name == "names") {
        for (const driver::OtherName& other : transformations.other_names())
            fmt::print("{:24} {}\n", other.name, meaning_of(other));
        return;
    }
    const auto& others = transformations.other_names();
    const auto is_called = [&](const auto& one) { return one.name == name; };
    const bool is_name = std::ranges::any_of(others, is_called) ||
                         std::ranges::any_of(transformations.all(), [&](const auto* one) { return is_called(*one); });
    if (name != "all" && !is_name)
        if (const auto found = driver::transformations_for(transformations, name); !found.empty())
            return describe_purpose(found, session);
    if (name != "all" && !is_name && name.find(' ') != std::string::npos) {
        std::string all;
        for (const driver::Purpose& purpose : driver::purposes()) all += (all.empty() ? "" : "; ") + std::string(purpose.sentence);
        fail_usage("E001", "there is no transformation named or for `" + name + "`", "what they are for: " + all);
    }
    if (name != "all") {
        for (const driver::Descriptor* descriptor : transformations.meant_by(name)) print_description(*descriptor);
        return;
    }
    for (const driver::Descriptor* descriptor : transformations.all())
        fmt::print("{:24} {}\n", descriptor->name, descriptor->summary);
}

void print_line(const driver::Proposal& proposal) {
    fmt::print("{}{}{}\n", driver::to_string(proposal.application), proposal.reason.empty() ? "" : "  # ", proposal.reason);
}

/// Every match that may be applied, as the line that would apply it.
void list_matches(driver::Session& session, const driver::Transformations& transformations) {
    std::vector<driver::Proposal> all;
    std::optional<Activity> activity("looking for what applies");  // Over when something is printed.
    for (const driver::Descriptor* descriptor : transformations.all())
        for (driver::Proposal& proposal : session.matches(descriptor->name))
            if (!proposal.refusal) all.push_back(std::move(proposal));
    activity.reset();
    for (const driver::Proposal& proposal : all) print_line(proposal);
}

/// Which of the three it is: no place, places that refuse it, each with the reason, places where it applies.
void list_refusals(driver::Session& session, const driver::Transformations& transformations, const std::string& name) {
    const std::vector<driver::Proposal> places = session.matches(name);
    const auto advise = [&](const char* outcome) {
        const driver::Advice ways = driver::ways_to(session, name, places);
        if (!ways.applications.empty()) fmt::print("after any of these {}:\n", outcome);
        for (const driver::Application& way : ways.applications) fmt::print("{}\n", driver::to_string(way));
        if (!ways.complete) fmt::print("# the budget ended before everything was tried that might bring {} about\n", name);
    };
    const auto refused = std::ranges::count_if(places, [](const driver::Proposal& one) { return one.refusal.has_value(); });
    if (places.empty()) {
        fmt::print("{}: no place fits its pattern\n", name);
        for (const driver::Descriptor* descriptor : transformations.meant_by(name))
            if (!descriptor->drawing.empty()) fmt::print("  {}\n", descriptor->drawing);
        return advise("it has a place");
    }
    fmt::print("{}: refused in {} of {} places that fit its pattern\n", name, refused, places.size());
    std::vector<driver::Application> asked;
    for (const driver::Proposal& proposal : places)
        if (proposal.refusal) asked.push_back(proposal.application);
    const std::vector<driver::Advice> instead = driver::instead_of(session, asked);
    auto advice = instead.begin();
    for (const driver::Proposal& proposal : places) {
        if (!proposal.refusal) continue;
        print_line(proposal);
        fmt::print("{}", render(*proposal.refusal));
        for (const driver::Application& other : (advice++)->applications) fmt::print("instead: {}\n", driver::to_string(other));
    }
    if (std::ranges::any_of(instead, [](const driver::Advice& one) { return !one.complete; }))
        fmt::print("# the budget ended before everything was asked that might stand instead\n");
    if (refused == std::ssize(places)) return advise("it applies");
    if (refused < std::ssize(places)) fmt::print("it applies:\n");
    for (const driver::Proposal& proposal : places)
        if (!proposal.refusal) print_line(proposal);
}

/// As comments, so that the list stays a recipe.
void list_costs(const driver::Session& session) {
    for (const driver::NodeCost& cost : driver::node_costs(session.program()))
        fmt::print("# {} {} in {}: {} operations, {} bytes\n", cost.operation, cost.label, cost.sdfg, cost.flops, cost.bytes);
}

bool times_steps(const OptSettings& settings) {
    return settings.pipeline.time && !settings.arguments.empty();
}

/// `steps`: filled with the program behind the pipelines, and then after each application.
void apply_all(driver::Session& session, const OptSettings& settings, std::vector<Step>& steps) {
    if (settings.simplify) session.simplify().or_fail();
    if (!settings.pipeline.level.empty()) session.run(driver::pipeline(driver::parse_level(settings.pipeline.level))).or_fail();
    if (times_steps(settings)) {
        steps.push_back({"(before)", session.program()});
        session.on_change = [&steps, watched = session.on_change](const driver::Application& applied, double milliseconds,
                                                                  const ir::Sdfg& before, const ir::Sdfg& after) {
            watched(applied, milliseconds, before, after);
            steps.push_back({driver::to_string(applied), after});
        };
    }
    for (const std::filesystem::path& recipe : settings.recipes) {
        if (!std::filesystem::is_regular_file(recipe))
            fail_usage("C001", "there is no recipe " + recipe.string(), "name a text file with one application per line");
        session.replay(read_text_file(recipe), recipe.string()).or_fail();
    }
    for (const std::string& line : settings.lines) session.replay(line).or_fail();
    if (!settings.repeated.empty()) session.apply_repeated(settings.repeated, {}, settings.limit).or_fail();
    if (settings.expand) session.expand_library_nodes(compile_options(settings.pipeline).expansions).or_fail();
}

/// After each application, beside what watches already: do the graphs before and after it compute the same? A line each; failure
/// C015 where they do not.
void certify_each(driver::Session& session) {
    session.on_change = [watched = session.on_change](const driver::Application& applied, double milliseconds,
                                                      const ir::Sdfg& before, const ir::Sdfg& after) {
        watched(applied, milliseconds, before, after);
        if (before == after) return;
        const driver::Certificate certificate = driver::certify_programs(before, after);
        const std::string line = driver::to_string(applied), answer = driver::to_string(certificate);
        fmt::print(stderr, "{}: {}", line, answer);
        if (certificate.verdict == driver::Verdict::Different)
            fail_usage("C015", "`" + line + "` changes what the program computes",
                       "report it with the program; nothing is written");
    };
}

/// Nothing that is given has no effect.
void check_branches(const OptSettings& settings) {
    if (settings.branches.empty() && !settings.arguments.empty() && !settings.pipeline.time)
        fail_usage("C016", "arguments are for the branches or steps that are run on them, and there are none",
                   "add --branch RECIPE or --time");
    if (!settings.branches.empty() && settings.arguments.empty() && !(settings.target.empty() && settings.save.empty()))
        fail_usage("C016", "without arguments no branch is the fastest, which would be written", "give sizes, such as N=1000");
}

void run_opt(const OptSettings& settings) {
    driver::Transformations transformations;
    for (const std::filesystem::path& plugin : settings.plugins) transformations.load(plugin);
    if (!settings.describe.empty() && settings.source.empty()) return describe(transformations, settings.describe, nullptr);
    if (settings.source.empty()) fail_usage("C001", "no program is given", "name a source, or use --describe all");
    check_branches(settings);
    driver::Session session = driver::Session::read_one(settings.source, settings.program, transformations).or_fail();
    session.disabled.insert(settings.disabled.begin(), settings.disabled.end());
    watch(session, settings.pipeline);
    if (settings.certify) certify_each(session);
    std::vector<Step> steps;
    const auto watched = session.on_change;
    apply_all(session, settings, steps);
    session.on_change = watched;
    if (settings.pipeline.time) print_times(session);
    if (times_steps(settings)) print_step_times(steps, settings.arguments, compile_options(settings.pipeline), settings.runs);
    if (!settings.describe.empty()) return describe(transformations, settings.describe, &session);
    if (!settings.branches.empty())
        session =
            compare_branches(session, {settings.branches, settings.arguments, compile_options(settings.pipeline), settings.runs});
    if (settings.list) {
        list_matches(session, transformations);
        list_costs(session);
    }
    for (const std::string& name : settings.why_not) list_refusals(session, transformations, name);
    if (!settings.target.empty()) write_file(settings.target, graph_bytes(session.program(), settings.target));
    if (!settings.save.empty()) write_file(settings.save, session.recipe());
    if (settings.target.empty() && settings.save.empty() && !settings.list && settings.why_not.empty() &&
        settings.branches.empty() && steps.empty())
        fmt::print("{}", ir::to_text(session.program()));
}

}  // namespace

void add_opt(CLI::App& app) {
    CLI::App* command = app.add_subcommand("opt", "Transform a program: list what applies, apply it, replay recipes");
    const auto settings = std::make_shared<OptSettings>();
    command->add_option("SRC", settings->source, "A .py, .sdfg, .sdfgz or textual graph");
    command
        ->add_option("ARGUMENT", settings->arguments,
                     "With --branch or --time: name=value, as of `sluice run`: each branch, or the program after each "
                     "application of a recipe, is run on them")
        ->take_all();
    command->add_option("--program", settings->program, "The program, if the source holds several");
    command->add_option("--load", settings->plugins, "A shared library with transformations of your own; may be repeated");
    add_operations(*command);
    command->add_flag("--list", settings->list,
                      "Print what can be applied where, as lines of a recipe, and what library nodes cost");
    command->add_option("--why-not", settings->why_not,
                        "Print in which places the transformation is refused, and why, where it applies, or that no place fits");
    command->add_option("--describe", settings->describe,
                        "Print a transformation's conditions and parameters; `all`: what there is; `names`: what the papers call "
                        "otherwise; words of "
                        "a purpose (\"tile\", \"less memory\"): what serves it, and with SRC where it applies");
    add_pipeline(*command, settings->pipeline, "0");
    command->add_flag("--simplify", settings->simplify, "The same as -O1");
    command->add_option("--recipe", settings->recipes, "Replay a recipe; several are replayed in order");
    command->add_option("--apply", settings->lines, "Apply one line of a recipe; may be repeated");
    command->add_option("--repeat", settings->repeated, "Apply these transformations until none of them applies");
    command->add_option("--limit", settings->limit, "With --repeat: at most so many applications");
    command
        ->add_option(
            "--branch", settings->branches,
            "Compare: a recipe file or one line of a recipe, applied to a copy of the program; may be repeated. The fastest is "
            "what -o and --save-recipe write")
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--runs", settings->runs, "With --branch or --time: so many runs of each")
        ->check(at_least_one())
        ->capture_default_str();
    command->add_flag("--expand", settings->expand, "Expand every library node, as compiling does");
    command->add_flag("--certify", settings->certify,
                      "After each application print whether both graphs compute the same, as `sluice certify` says; end where not");
    command->add_option("--disable", settings->disabled, "Never apply the transformation");
    command->add_option("-o,--output", settings->target, "The file to write: .sdfg, .sdfgz, or .txt/.sluice for text");
    command->add_option("--save-recipe", settings->save, "Write what was applied as a recipe");
    command->footer(
        "A recipe has one application per line: transformation, place, parameters. If a line does not fit nothing is written.\n"
        "Without -o, --save-recipe, --list, --why-not or --branch the graph is printed as text.\n"
        "The pipeline of -O runs first, then recipes, then --apply, --repeat, --expand, then branches.\n\n"
        "Examples:\n"
        "  sluice opt examples/jacobi_2d.py --list\n"
        "  sluice opt examples/jacobi_2d.py --describe 'less memory'\n"
        "  sluice opt examples/jacobi_2d.py --why-not MapFusion\n"
        "  sluice opt examples/axpy.py --apply 'MapTiling tile_sizes=[1024]' --save-recipe axpy.recipe\n"
        "  sluice opt examples/axpy.py --recipe axpy.recipe --trace -o axpy.sdfg\n"
        "  sluice opt examples/jacobi_2d.py --repeat MapTiling --limit 2\n"
        "  sluice opt examples/axpy.py --branch axpy.recipe --branch 'Vectorization' N=100000 a=2\n"
        "  sluice opt examples/gemm.py --simplify --certify -o gemm.sdfg");
    command->callback([settings] { run_opt(*settings); });
}

}  // namespace sluice::cli
