// Random sequences of transformations on random graphs: the interpreter before and after, and compiled code if asked for.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "fuzz/campaign.h"

namespace sluice::fuzz {

struct SequenceOptions {
    std::uint64_t seed = 1;
    std::uint64_t sequences = 1000, first = 0;
    double seconds = 0;                           ///< 0: until all have run.
    int longest = 10;                             ///< Applications in a sequence, at most.
    const rewrite::Registry* registry = nullptr;  ///< Null: the built-in transformations.
    /// Only these transformations; all if none is named.
    std::set<std::string> only = {};
    /// One sequence in so many is compiled as well; 0: none.
    std::uint64_t compiled = 0;
    /// Each sequence is certified (certify/certify.h): a graph that differs, or is equal where the interpreter disagrees, is a
    /// finding.
    bool certify = false;
    double certify_seconds = 1;  ///< Then the certificate is unknown.
    std::size_t most_findings = 10;
    GenerateOptions generate = {};
    std::vector<std::string> sanitizers = {};
    double reduce_seconds = 120;
    std::filesystem::path folder;
};

/// What became of one transformation.
struct Tally {
    std::uint64_t asked = 0;    ///< It was looked for in a graph.
    std::uint64_t matched = 0;  ///< Its pattern was there.
    std::uint64_t refused = 0, applied = 0;
    std::map<std::string, std::uint64_t> refusals = {};  ///< By code.
    std::uint64_t options = 0;                           ///< Applied with parameters that are not the defaults.
};

struct SequenceReport {
    std::uint64_t sequences = 0, applications = 0, compiled = 0;
    std::map<std::string, Tally> tallies;  ///< All transformations that may be picked, by name.
    std::vector<CampaignFinding> findings;
    struct Certified {
        std::uint64_t equal = 0, different = 0, unknown = 0;
    } certified;
};
/// A line for each transformation, with the part of the graphs where it was looked for in which it was applied; last those that
/// were applied in less than a hundredth, or never.
std::string table(const SequenceReport& report);

/// `progress` is called after each sequence.
SequenceReport run_sequences(const SequenceOptions& options, const std::function<void(const SequenceReport&)>& progress = {});

}  // namespace sluice::fuzz
