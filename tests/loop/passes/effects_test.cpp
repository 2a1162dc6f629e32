// What bodies may do, also through functions that they call.
#include "loop/passes/effects.h"

#include <gtest/gtest.h>

namespace sluice::loop {
namespace {

Statement call(const std::string& function) {
    return {Invoke{function, {}}, {}};
}
Function function(const std::string& name, Body body) {
    Function result;
    result.name = name;
    result.body = std::move(body);
    return result;
}

TEST(Effects, GoThroughCalls) {
    Module module;
    module.functions = {function("pops", {{Pop{"s", nullptr, "x"}, {}}}), function("asserts", {{Fail{"no", {}, {}}, {}}}),
                        function("relays", {call("pops")}), function("quiet", {{Return{}, {}}})};
    const Effects effects(module);
    EXPECT_TRUE(effects.may_fail({call("relays")}));
    EXPECT_TRUE(effects.may_wait({call("relays")}));
    EXPECT_TRUE(effects.may_fail({call("asserts")}));
    EXPECT_FALSE(effects.may_wait({call("asserts")}));
    EXPECT_FALSE(effects.may_fail({call("quiet")}));
    EXPECT_FALSE(effects.may_wait({call("quiet")}));
}

TEST(Effects, MemoryMayBeMissingExceptOnTheStack) {
    const Effects effects{Module()};
    Allocate buffer{"t", code::Scalar::Float64, 4};
    EXPECT_TRUE(effects.may_fail({{buffer, {}}}));
    buffer.place = Place::Stack;
    EXPECT_FALSE(effects.may_fail({{buffer, {}}}));
}

TEST(Effects, TeamsMeetAtBarriersAndSharedLoops) {
    For loop;
    EXPECT_FALSE(meets_team({{loop, {}}}));
    loop.mode = LoopMode::Parallel;
    EXPECT_TRUE(meets_team({{Block{"map", {{loop, {}}}}, {}}}));
    loop.mode = LoopMode::Sequential;
    loop.body = {{Barrier{}, {}}};
    EXPECT_TRUE(meets_team({{loop, {}}}));
}

TEST(Effects, PushesAreCollectedWhereNobodyWaitsAndTheQueueIsOne) {
    Module module;
    module.functions = {function("pops", {{Pop{"s", nullptr, "x"}, {}}})};
    const Effects effects(module);
    const Statement push{Push{"s", index_value(0), index_value(7)}, {}}, other{Push{"s", index_value(1), index_value(7)}, {}};
    EXPECT_TRUE(effects.collectable_pushes({push, push}).contains("s"));
    EXPECT_TRUE(effects.collectable_pushes({push, other}).empty());
    EXPECT_TRUE(effects.collectable_pushes({push, call("pops")}).empty());
}

}  // namespace
}  // namespace sluice::loop
