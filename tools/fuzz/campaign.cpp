#include "fuzz/campaign.h"

#include <fmt/format.h>

#include <chrono>

#include "driver/cache.h"
#include "driver/targets/target.h"
#include "fuzz/loops.h"
#include "fuzz/random.h"
#include "fuzz/reduce.h"
#include "fuzz/workers.h"

namespace sluice::fuzz {

namespace {

using Clock = std::chrono::steady_clock;

class Worker {
public:
    Worker(const CampaignOptions& options, std::size_t number, Clock::time_point end)
        : options_(options), number_(number), end_(end), folder_(driver::temporary_folder() / "sluice-fuzz") {}

    void run(const std::function<void(const CampaignReport&)>& publish) {
        for (std::size_t batch = options_.first_batch + number_; !is_over(batch);
             batch += static_cast<std::size_t>(options_.jobs)) {
            report_ = {};
            run_batch(batch);
            found_ += report_.findings.size();
            publish(report_);
        }
    }

private:
    bool is_over(std::size_t batch) const {
        return Clock::now() >= end_ || found_ >= options_.most_findings ||
               (options_.graphs > 0 && (batch - options_.first_batch) * options_.batch >= options_.graphs);
    }

    struct Graph {
        std::uint64_t seed;
        TestCase test;
        CheckOptions check;
        Interpreted interpreted;
    };

    void run_batch(std::size_t batch) {
        const Configuration configuration = configuration_of_batch(options_, batch);
        std::vector<Graph> graphs;
        graphs.reserve(options_.batch);
        for (std::size_t k = 0; k < options_.batch; ++k) {
            Graph graph = make(batch * options_.batch + k);
            graph.check.configurations = {configuration};
            graph.check.loops = options_.loops;
            ++report_.graphs;
            graph.interpreted = interpret_case(graph.test, graph.check);
            std::optional<Finding> finding = graph.interpreted.finding;
            if (!finding && options_.loops) {
                LoopOutcome loops = check_loops(graph.interpreted, configuration, graph.check.pass_seed | 1);
                if (loops.ran) ++report_.runs["two orders of loops"];
                finding = std::move(loops.finding);
            }
            if (finding)
                report(graph, *finding);
            else
                graphs.push_back(std::move(graph));
        }
        if (!options_.compile) return;
        std::vector<Job> jobs;
        for (const Graph& graph : graphs) jobs.push_back({&graph.interpreted.sdfg, &graph.interpreted.before});
        const std::vector<Outcome> outcomes = run_unit(jobs, configuration, folder_.path());
        for (std::size_t at = 0; at < graphs.size(); ++at) {
            if (lacks(outcomes[at], configuration)) ++report_.runs["nothing, which " + options_.target + " refuses"];
            if (outcomes[at].kind == Outcome::Kind::Ran) ++report_.runs[to_string(configuration)];
            if (const auto finding = judge(graphs[at].interpreted, outcomes[at], configuration)) report(graphs[at], *finding);
        }
    }

    Graph make(std::size_t index) {
        Graph graph{derived_seed(options_.seed, index), {}, {}, {}};
        graph.test = generate(graph.seed, options_.generate);
        Random random(derived_seed(graph.seed, 1));
        graph.check.orders = {1 + random.below(1000)};
        graph.check.pass_seed = random.next();
        for (int k = random.between(0, 2); k > 0 && !options_.passes.empty(); --k)
            graph.check.passes.push_back(random.pick(options_.passes));
        report_.passes += graph.check.passes.size();
        return graph;
    }

    void report(const Graph& graph, const Finding& finding) {
        TestCase smallest = graph.test;
        std::string text = to_string(finding);
        if (options_.reduce_seconds > 0) {
            const auto still_fails = [&](const TestCase& candidate) {
                const std::optional<Finding> now = check_case(candidate, graph.check, folder_.path());
                if (!now || !now->same_kind(finding)) return false;
                text = to_string(*now);
                return true;
            };
            ReduceOptions how;
            how.seconds = options_.reduce_seconds;
            smallest = reduce(graph.test, still_fails, how);
        }
        std::string note = fmt::format("graph {}: {}", graph.seed, text);
        if (!graph.check.passes.empty())
            note += fmt::format("\npasses {} with seed {}", fmt::join(graph.check.passes, ", "), graph.check.pass_seed);
        const std::filesystem::path file = options_.folder / fmt::format("graph-{}.txt", graph.seed);
        driver::write_file(file, to_text(smallest, note), "Z003");
        report_.findings.push_back({graph.seed, text, file});
    }

    const CampaignOptions& options_;
    std::size_t number_;
    Clock::time_point end_;
    driver::PrivateFolder folder_;
    CampaignReport report_;
    std::size_t found_ = 0;
};

}  // namespace

void CampaignReport::add(const CampaignReport& other) {
    graphs += other.graphs;
    passes += other.passes;
    for (const auto& [name, count] : other.runs) runs[name] += count;
    findings.insert(findings.end(), other.findings.begin(), other.findings.end());
}

void aim_at(CampaignOptions& options, const std::string& target) {
    const target::Target& has = *driver::tools_of(target).target;
    options.target = target;
    // The types of a kernel are those of C.
    options.generate.types = has.device ? target::named("c99").types : has.types;
    if (!has.streams || has.device) options.generate.features.erase(Feature::Streams);
}

Configuration configuration_of_batch(const CampaignOptions& options, std::size_t batch) {
    Configuration configuration;
    const std::size_t turn = (batch + batch / 16) % 16;  // another one of sixteen each time, so that processes share the long ones
    const bool odd_round = batch / 16 % 2 != 0;
    configuration.optimisation = turn == 3 ? 3 : 0;
    configuration.parallel = turn % 8 != 1 && !(turn == 3 && odd_round);
    configuration.threads = options.threads;
    if (turn == 5) configuration.sanitizers = options.sanitizers;
    configuration.lowering = options.lowering;
    configuration.target = options.target;
    if (!driver::tools_of(options.target).target->threads) configuration.parallel = false;
    return configuration;
}

CampaignReport run_campaign(const CampaignOptions& options, const std::function<void(const CampaignReport&)>& progress) {
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.seconds));
    CampaignReport total;
    const auto publish = [&](const CampaignReport& part) {
        total.add(part);
        if (progress) progress(total);
    };
    if (options.jobs <= 1) {
        Worker(options, 0, end).run(publish);
        return total;
    }
    run_workers(
        static_cast<std::size_t>(options.jobs),
        [&](std::size_t number, const std::function<void(const CampaignReport&)>& send) { Worker(options, number, end).run(send); },
        publish);
    return total;
}

}  // namespace sluice::fuzz
