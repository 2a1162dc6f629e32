// Commands on random algorithms keep what these compute, or are refused.
#include "fuzz/schedules.h"

#include <gtest/gtest.h>

namespace sluice::fuzz {
namespace {

TEST(Schedules, KeepWhatAlgorithmsCompute) {
    const ScheduleReport report = run_schedules({.seed = 11, .programs = 80, .longest = 5});
    for (const ScheduleFinding& finding : report.findings) ADD_FAILURE() << finding.program << ": " << finding.text;
    EXPECT_EQ(report.programs, 80u);
    EXPECT_EQ(report.legal, 80u) << "without commands every algorithm is legal";
    std::uint64_t built = 0;
    for (const auto& [name, tally] : report.tallies) built += tally.built;
    EXPECT_GT(built, 80u) << table(report);
    EXPECT_GT(report.mended, 0u) << "commands near to an illegal one that make it legal, which run with the others\n"
                                 << table(report);
}

TEST(Schedules, FollowFromTheSeed) {
    EXPECT_EQ(table(run_schedules({.seed = 3, .programs = 5})), table(run_schedules({.seed = 3, .programs = 5})));
}

}  // namespace
}  // namespace sluice::fuzz
