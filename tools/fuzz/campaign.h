// Hours of fuzzing: graphs in batches, each batch one program, several batches at a time in processes of their own.
#pragma once

#include <functional>
#include <map>

#include "fuzz/check.h"
#include "fuzz/generate.h"

namespace sluice::fuzz {

struct CampaignOptions {
    std::uint64_t seed = 1;
    double seconds = 60;
    std::uint64_t graphs = 0;  ///< 0: until the time is over.
    int jobs = 1;
    std::size_t batch = 256;  ///< Graphs that share a program.
    std::size_t first_batch = 0;
    std::size_t most_findings = 10;  ///< Of one process; then it stops.
    GenerateOptions generate = {};
    std::vector<std::string> passes = {};      ///< Each graph goes through a random sequence of these.
    std::vector<std::string> sanitizers = {};  ///< Of one batch in sixteen.
    int threads = 4;
    bool loops = false;  ///< The loop IR is interpreted too.
    std::string target = "cpu";
    bool compile = true;  ///< False: no native code, only the two interpreters.
    lower::LowerOptions lowering = {};
    double reduce_seconds = 120;   ///< For each finding; 0: findings stay as large as they are.
    std::filesystem::path folder;  ///< Where findings are written.
};

struct CampaignFinding {
    std::uint64_t graph = 0;     ///< Its seed.
    std::string text;            ///< The finding.
    std::filesystem::path file;  ///< The graph, the smallest that still fails if it was reduced.
};

struct CampaignReport {
    std::uint64_t graphs = 0;
    std::map<std::string, std::uint64_t> runs;  ///< By configuration: compiled graphs that ran.
    std::uint64_t passes = 0;                   ///< That changed a graph.
    std::vector<CampaignFinding> findings;
    void add(const CampaignReport& other);
};

/// `progress` is called now and then with the counts so far.
CampaignReport run_campaign(const CampaignOptions& options, const std::function<void(const CampaignReport&)>& progress = {});

/// Graphs are made, compiled and run for a target: of the types and constructs that it has. Throws Failure D023.
void aim_at(CampaignOptions& options, const std::string& target);

/// How the graphs of a batch are compiled: threads or not, -O0 or -O3 (one batch in sixteen: it takes six times as long),
/// sanitizers (one in sixteen).
Configuration configuration_of_batch(const CampaignOptions& options, std::size_t batch);

}  // namespace sluice::fuzz
