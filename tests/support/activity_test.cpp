// What is shown of long work: nothing at first, then the outermost and the innermost activity, and nothing again at the end.
#include "support/activity.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sluice {
namespace {

std::vector<std::string>& shown() {
    static std::vector<std::string> lines;
    return lines;
}

/// Ticks until one more line is there; the line.
std::string next_line() {
    const std::size_t before = shown().size();
    while (shown().size() == before) tick();
    return shown().back();
}

TEST(Activity, ShowsTheOutermostAndTheInnermost) {
    set_activity_hooks({.show = [](const std::string& line) { shown().push_back(line); }, .end_if_interrupted = {}});
    {
        Activity outer("tuning f, 3 of 80");
        tick();
        EXPECT_TRUE(shown().empty());
        {
            const Activity inner("compiling f");
            EXPECT_TRUE(next_line().starts_with("sluice: tuning f, 3 of 80: compiling f (")) << shown().back();
        }
        outer.rename("tuning f, 4 of 80");
        EXPECT_TRUE(next_line().starts_with("sluice: tuning f, 4 of 80 (")) << shown().back();
        const Activity inner("compiling f");
        EXPECT_TRUE(next_line().starts_with("sluice: tuning f, 4 of 80: compiling f (")) << shown().back();
    }
    EXPECT_EQ(shown().back(), "");
    {
        const Activity quick("nothing");
        tick();
    }
    EXPECT_EQ(shown().back(), "");
    set_activity_hooks({});
}

}  // namespace
}  // namespace sluice
