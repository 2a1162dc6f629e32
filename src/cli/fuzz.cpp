// sluice fuzz: random graphs, the interpreter against compiled code.
#include <fmt/format.h>

#include <cstdio>

#include "cli/command.h"
#include "driver/targets/target.h"
#include "driver/transformations.h"
#include "support/activity.h"

#include "fuzz/campaign.h"
#include "fuzz/random.h"
#include "fuzz/schedules.h"
#include "fuzz/sequences.h"

namespace sluice::cli {

namespace {

struct FuzzSettings {
    fuzz::CampaignOptions campaign;
    std::vector<std::string> features, without;
    bool fixed_features = false;
    std::filesystem::path output = "fuzz-findings";
    int print = 0;
    std::string target = "cpu";
    bool timed = false;  ///< `--time` was given.
    fuzz::SequenceOptions sequences = {.sequences = 0, .folder = {}};
    std::vector<std::string> transformations;
    fuzz::ScheduleOptions schedules = {.programs = 0};
};

std::set<fuzz::Feature> parse_features(const std::vector<std::string>& names) {
    std::set<fuzz::Feature> features;
    for (const std::string& name : names) {
        const std::optional<fuzz::Feature> feature = fuzz::parse_feature(name);
        std::string known;
        for (const fuzz::Feature each : fuzz::all_features())
            known += (known.empty() ? "" : ", ") + std::string(fuzz::to_string(each));
        if (!feature) fail_usage("C010", "`" + name + "` is no feature of random graphs", "choose among " + known);
        features.insert(*feature);
    }
    return features;
}

std::vector<std::string> parse_passes(const std::vector<std::string>& names) {
    std::vector<std::string> all;
    for (const fuzz::Pass& pass : fuzz::passes()) all.push_back(pass.name);
    if (names == std::vector<std::string>{"all"}) return all;
    if (names == std::vector<std::string>{"none"}) return {};
    for (const std::string& name : names)
        if (!fuzz::find_pass(name))
            fail_usage("C010", "`" + name + "` is no pass",
                       fmt::format("choose `all`, `none` or some of {}", fmt::join(all, ", ")));
    return names;
}

std::string counts(const fuzz::CampaignReport& report) {
    std::string text = fmt::format("{} graphs, {} findings", report.graphs, report.findings.size());
    for (const auto& [name, count] : report.runs) text += fmt::format(", {} at {}", count, name);
    return text;
}

template <class Report> void tell_findings(const Report& report, std::size_t& printed) {
    for (; printed < report.findings.size(); ++printed)
        fmt::print("graph {}: {}\n  {}\n", report.findings[printed].graph, report.findings[printed].text,
                   report.findings[printed].file.string());
    std::fflush(stdout);
}

void run_sequences(FuzzSettings& settings) {
    fuzz::SequenceOptions& options = settings.sequences;
    const fuzz::CampaignOptions& campaign = settings.campaign;
    options.seed = campaign.seed, options.generate = campaign.generate, options.sanitizers = campaign.sanitizers;
    options.most_findings = campaign.most_findings, options.reduce_seconds = campaign.reduce_seconds;
    options.seconds = settings.timed ? campaign.seconds : 0;
    options.folder = settings.output;
    for (const std::string& name : settings.transformations) {
        driver::Transformations().describe(name);
        options.only.insert(name);
    }
    const Activity activity(fmt::format("fuzzing transformations with seed {}", options.seed));
    std::size_t printed = 0;
    const fuzz::SequenceReport report = fuzz::run_sequences(options, [&](const fuzz::SequenceReport& sofar) {
        tick();
        tell_findings(sofar, printed);
        if (sofar.sequences % 10000 != 0) return;
        fmt::print("{} sequences, {} applications\n", sofar.sequences, sofar.applications);
        std::fflush(stdout);
    });
    fmt::print("{}{} sequences of {} applications, {} compiled, {} findings\n", fuzz::table(report), report.sequences,
               report.applications, report.compiled, report.findings.size());
    const auto& certified = report.certified;
    if (options.certify)
        fmt::print("certificates: {} equal, {} different, {} unknown\n", certified.equal, certified.different, certified.unknown);
    if (!report.findings.empty())
        fail_usage("Z004", fmt::format("{} of {} sequences change what a graph means", report.findings.size(), report.sequences),
                   "look at the files in " + options.folder.string() + "; each says what to compare");
}

void run_schedules(FuzzSettings& settings) {
    fuzz::ScheduleOptions& options = settings.schedules;
    options.seed = settings.campaign.seed, options.first = settings.sequences.first;
    options.seconds = settings.timed ? settings.campaign.seconds : 0;
    options.most_findings = settings.campaign.most_findings;
    const Activity activity(fmt::format("fuzzing schedules with seed {}", options.seed));
    std::size_t printed = 0;
    const fuzz::ScheduleReport report = fuzz::run_schedules(options, [&](const fuzz::ScheduleReport& sofar) {
        tick();
        for (; printed < sofar.findings.size(); ++printed)
            fmt::print("program {}: {}\n", sofar.findings[printed].program, sofar.findings[printed].text);
        if (sofar.programs % 1000 == 0) fmt::print("{} programs, {} legal\n", sofar.programs, sofar.legal);
        std::fflush(stdout);
    });
    fmt::print("{}{} programs, {} commands, {} legal schedules, {} findings\n", fuzz::table(report), report.programs,
               report.commands, report.legal, report.findings.size());
    if (!report.findings.empty())
        fail_usage("Z004",
                   fmt::format("{} of {} schedules change what an algorithm computes", report.findings.size(), report.programs),
                   "run what is printed above, which says the rest");
}

void run_fuzz(FuzzSettings& settings) {
    if (settings.schedules.programs > 0) return run_schedules(settings);
    fuzz::CampaignOptions& options = settings.campaign;
    if (!settings.features.empty()) options.generate.features = parse_features(settings.features);
    for (const fuzz::Feature feature : parse_features(settings.without)) options.generate.features.erase(feature);
    options.generate.swarm = !settings.fixed_features;
    fuzz::aim_at(options, settings.target);
    if (settings.print > 0) {
        for (int k = 0; k < settings.print; ++k)
            fmt::print("{}\n", fuzz::to_text(fuzz::generate(fuzz::derived_seed(options.seed, static_cast<std::uint64_t>(k)),
                                                            options.generate)));
        return;
    }
    options.passes = parse_passes(options.passes);
    driver::tools_of(options.target).toolchain().or_fail();
    std::erase(options.sanitizers, "none");
    options.folder = settings.output;
    std::error_code error;
    std::filesystem::create_directories(options.folder, error);
    fmt::print("seed {}\n", options.seed);
    std::fflush(stdout);
    if (settings.sequences.sequences > 0) return run_sequences(settings);
    const Activity activity(fmt::format("fuzzing with seed {}", options.seed));
    std::uint64_t next = 10000;
    std::size_t printed = 0;
    const fuzz::CampaignReport report = fuzz::run_campaign(options, [&](const fuzz::CampaignReport& sofar) {
        tick();
        tell_findings(sofar, printed);
        if (sofar.graphs >= next) {
            fmt::print("{}\n", counts(sofar));
            next += 10000;
        }
        std::fflush(stdout);
    });
    fmt::print("{}\n", counts(report));
    if (!report.findings.empty())
        fail_usage("Z004", fmt::format("{} of {} graphs disagree", report.findings.size(), report.graphs),
                   "look at the files in " + options.folder.string() + "; each says what to compare");
}

}  // namespace

void add_fuzz(CLI::App& app) {
    CLI::App* command = app.add_subcommand("fuzz", "Compare the interpreter with compiled code on random graphs");
    const auto settings = std::make_shared<FuzzSettings>();
    fuzz::CampaignOptions& campaign = settings->campaign;
    campaign.passes = {"all"};
    campaign.jobs = 2;
    campaign.sanitizers = {"address", "undefined"};
    command->add_option("--seed", campaign.seed, "What all graphs follow from")->capture_default_str();
    CLI::Option* time = command->add_option("--time", campaign.seconds, "Seconds; with --sequences there is no limit unless given");
    time->capture_default_str();
    command->add_option("--graphs", campaign.graphs, "Stop after as many; 0: when the time is over")->capture_default_str();
    add_target(*command, settings->target);
    command->add_option("--jobs", campaign.jobs, "Processes")->check(at_least_one())->capture_default_str();
    command->add_option("--batch", campaign.batch, "Graphs that share one run of the C++ compiler")
        ->check(at_least_one())
        ->capture_default_str();
    command->add_option("--size", campaign.generate.size, "Statements of a graph, at most")
        ->check(at_least_one())
        ->capture_default_str();
    command->add_option("--depth", campaign.generate.depth, "Nesting of control flow and calls, at most")->capture_default_str();
    command->add_option("--features", settings->features, "Only these features of graphs; all if none is named")->delimiter(',');
    command->add_option("--without", settings->without, "All features but these")->delimiter(',');
    command->add_flag("--all-features", settings->fixed_features, "Every graph may have all features, not a random part of them");
    command->add_option("--passes", campaign.passes, "`all`, `none`, or names: what graphs go through on the way")->delimiter(',');
    command->add_option("--threads", campaign.threads, "Threads of parallel code")->capture_default_str();
    command->add_flag("--loop", campaign.loops,
                      "Interpret the loops that each graph is lowered to as well, in two orders of threads");
    command->add_flag("!--no-compile", campaign.compile, "Compile nothing: only the interpreters are compared");
    command->add_option("--sanitize", campaign.sanitizers, "Sanitizers of one batch in sixteen; `none`: of no batch")
        ->delimiter(',')
        ->capture_default_str();
    command->add_option("--findings", campaign.most_findings, "A process stops after as many")->capture_default_str();
    command->add_option("--reduce", campaign.reduce_seconds, "Seconds for making each finding small; 0: not at all")
        ->capture_default_str();
    command->add_option("-o,--output", settings->output, "Folder for the graphs that disagree")->capture_default_str();
    command->add_option("--sequences", settings->sequences.sequences,
                        "Apply so many random sequences of transformations and interpret each graph before and after");
    command->add_option("--transformations", settings->transformations, "With --sequences: only these")->delimiter(',');
    command->add_option("--longest", settings->sequences.longest, "With --sequences: applications of one, at most")
        ->check(at_least_one())
        ->capture_default_str();
    command->add_option("--first", settings->sequences.first, "With --sequences or --schedules: number of the first");
    command
        ->add_option("--compile", settings->sequences.compiled,
                     "With --sequences: compile the outcome of one in so many as well; 0: of none")
        ->capture_default_str();
    command->add_flag("--certify", settings->sequences.certify,
                      "With --sequences: certify the outcome of each as well, in addition to the interpreter");
    command->add_option("--schedules", settings->schedules.programs,
                        "Give random commands to so many random algorithms (docs/schedule.md) and interpret what comes out");
    command->add_option("--print", settings->print, "Print so many graphs and run none");
    command->footer(
        "Each graph is run by the interpreter in two orders, sent through passes, and compiled: 1 thread or many, -O0 or -O3.\n"
        "Exit status 1 if anything disagrees. docs/fuzzing.md has more.\n\n"
        "Example:\n"
        "  sluice fuzz --seed 7 --time 600\n"
        "  sluice fuzz --seed 7 --sequences 1000 --transformations MapFusion,MapTiling");
    command->callback([settings, time] {
        settings->timed = time->count() > 0;
        run_fuzz(*settings);
    });
}

}  // namespace sluice::cli
