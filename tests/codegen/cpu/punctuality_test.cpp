// Which runs of a parallel region have a team: by what is known of earlier ones, not by the time that the test itself takes.
#include "runtime/punctuality.h"

#include <gtest/gtest.h>

#include <limits>

namespace sluice {
namespace {

/// A run whose thread sleeps for a millisecond of it.
void late_run(TeamRecord& record) {
    TeamRun run(record, false);
    const TeamRun::Member one(run);
    const timespec nap{0, 1'000'000};
    nanosleep(&nap, nullptr);
}

TEST(Punctuality, ALateTeamLeavesTheRegionAloneForLongerEachTime) {
    TeamRecord record;
    late_run(record);
    EXPECT_GT(record.alone_until, 0);
    EXPECT_GE(record.team_took, 1'000'000);
    EXPECT_EQ(record.pause, 2 * kShortestPause);
    for (int times = 0; times < 20; ++times) {
        record.alone_until = 0;
        late_run(record);
    }
    EXPECT_EQ(record.pause, kLongestPause);
}

TEST(Punctuality, WithinThePauseItRunsAlone) {
    TeamRecord record;
    EXPECT_TRUE(TeamRun(record, false).team);
    record.alone_until = std::numeric_limits<std::int64_t>::max();
    record.team_took = std::numeric_limits<std::int64_t>::max();
    EXPECT_FALSE(TeamRun(record, false).team);
    EXPECT_EQ(record.alone_until, std::numeric_limits<std::int64_t>::max());
}

TEST(Punctuality, TheTeamComesBackWhereItWasFaster) {
    TeamRecord record{.alone_until = std::numeric_limits<std::int64_t>::max(), .team_took = -1};
    EXPECT_FALSE(TeamRun(record, false).team);
    EXPECT_EQ(record.alone_until, 0);
    for (std::int64_t left = kTrustedRuns; left > 0; --left) {
        EXPECT_EQ(record.trusted, left);
        late_run(record);
        EXPECT_EQ(record.alone_until, 0) << "it is trusted";
    }
    late_run(record);
    EXPECT_GT(record.alone_until, 0);
}

}  // namespace
}  // namespace sluice
