#include "driver/tuning/moves.h"

#include <algorithm>

#include "support/result.h"

namespace sluice::driver {

namespace {

using Options = std::map<std::string, std::string>;

/// Transformations of -O3 that may make a program slower.
const std::vector<std::string> kMayBeLeftOut = {"ChooseLoopOrder", "MapFusion", "LoopToMap"};

struct Attempt {
    std::string transformation;
    Options options;
};

/// What is tried at each place where its pattern occurs. Sizes are powers of two from a few vectors to half of a first cache's row
/// of blocks; two values of a kind stand for small and large tiles.
const std::vector<Attempt> kAttempts = {
    {"SetSchedule", {{"schedule", "\"Sequential\""}}},
    {"SetSchedule", {{"schedule", "\"CPU_Multicore\""}}},
    {"ChooseLoopSchedule", {{"schedule", "\"Sequential\""}}},
    {"ChooseLoopSchedule", {{"schedule", "\"CPU_Persistent\""}}},
    {"ChooseImplementation", {{"implementation", "\"native\""}}},
    {"MapInterchange", {}},
    {"MapTiling", {{"tile_sizes", "[64]"}}},
    {"MapTiling", {{"tile_sizes", "[16]"}}},
    {"MapTiling", {{"tile_sizes", "[256]"}}},
    {"MapTiling", {{"tile_sizes", "[8, 256]"}}},
    {"MapFusion", {{"strided", "True"}}},
    {"MapHorizontalFusion", {}},
    {"LoopUnroll", {}},
};

/// The steps of -O3 but the last, which decides; then the changes that are lines.
void prepare(Session& session, const std::vector<Change>& changes) {
    for (const Change& change : changes)
        if (!change.left_out.empty()) session.disabled.insert(change.left_out);
    const Pipeline& all = pipeline(Level::O3);
    Pipeline before = all;
    before.steps.pop_back();
    session.run(before).or_fail();
    session.disabled.clear();
    for (const Change& change : changes)
        if (!change.line.empty()) session.replay(change.line).or_fail();
}

}  // namespace

std::string to_string(const Change& change) {
    return change.left_out.empty() ? change.line : "without " + change.left_out;
}

Result<Session> with_changes(const Session& given, const std::vector<Change>& changes) {
    return capture([&] {
        Session session = given;
        prepare(session, changes);
        const Pipeline& all = pipeline(Level::O3);
        session.run({.name = all.name, .summary = all.summary, .steps = {all.steps.back()}}).or_fail();
        return session;
    });
}

std::vector<Change> further_changes(const Session& given, const std::vector<Change>& changes) {
    std::vector<Change> found;
    const auto add = [&](Change change) {
        if (std::ranges::find(changes, change) == changes.end()) found.push_back(std::move(change));
    };
    Session session = given;
    prepare(session, changes);
    for (const Attempt& attempt : kAttempts)
        for (const Proposal& proposal : session.matches(attempt.transformation, attempt.options))
            if (!proposal.refusal) add({.left_out = {}, .line = to_string(proposal.application)});
    for (const std::string& name : kMayBeLeftOut) {
        const auto used = [&](const std::string& recipe) { return recipe.find(name + " @") != std::string::npos; };
        if (used(session.recipe())) add({.left_out = name, .line = {}});
    }
    return found;
}

}  // namespace sluice::driver
