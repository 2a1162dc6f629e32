// Copy-on-write values, results, checks and ordered maps.
#include <gtest/gtest.h>

#include "support/cow.h"
#include "support/ordered_map.h"
#include "support/result.h"

namespace sluice {
namespace {

TEST(Cow, SharesUntilEdited) {
    Cow<std::string> original(std::string("text"));
    Cow<std::string> copy = original;
    EXPECT_EQ(&*copy, &*original);
    copy.edit() += "!";
    EXPECT_EQ(*original, "text");
    EXPECT_EQ(*copy, "text!");
    EXPECT_FALSE(copy == original);
    EXPECT_TRUE(copy == Cow<std::string>(std::string("text!")));
    const std::string* place = &*copy;
    copy.edit() += "?";
    EXPECT_EQ(&*copy, place);
}

TEST(Results, CarryAValueOrADiagnostic) {
    const Result<int> good = 3;
    EXPECT_TRUE(good.ok());
    EXPECT_EQ(*good, 3);
    EXPECT_THROW(good.error(), InternalError);
    const Result<int> bad = Diagnostic{.code = "X001", .message = "no"};
    EXPECT_FALSE(bad);
    EXPECT_EQ(bad.error().code, "X001");
    EXPECT_THROW(bad.value(), InternalError);
}

TEST(Results, CaptureTurnsFailureIntoADiagnostic) {
    const auto failed = capture([]() -> int { fail({.code = "X002", .message = "inside"}); });
    EXPECT_EQ(failed.error().code, "X002");
    EXPECT_EQ(*capture([] { return 5; }), 5);
    const auto passed_on = capture([] { return Result<int>(Diagnostic{.code = "X003", .message = "deep"}).or_fail() + 1; });
    EXPECT_EQ(passed_on.error().message, "deep");
    EXPECT_THROW((void)capture([]() -> int { throw InternalError("ours", std::source_location::current()); }), InternalError);
}

TEST(Checks, NameTheirPlace) {
    try {
        check(false, "count is ", 3, " not ", 4);
        FAIL();
    } catch (const InternalError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("count is 3 not 4"), std::string::npos) << text;
        EXPECT_NE(text.find("value_test.cpp:"), std::string::npos) << text;
    }
    check(true, "never formatted");
}

TEST(OrderedMaps, KeepInsertionOrder) {
    OrderedMap<int> map = {{"z", 1}, {"a", 2}, {"m", 3}};
    map.set("z", 9);
    map.erase("a");
    map.erase("absent");
    map.set("b", 4);
    std::string order;
    for (const auto& [key, value] : map) order += key + std::to_string(value);
    EXPECT_EQ(order, "z9m3b4");
    EXPECT_EQ(map.at("m"), 3);
    EXPECT_EQ(map.find("a"), nullptr);
    EXPECT_THROW(map.at("a"), InternalError);
    EXPECT_EQ(map.size(), 3u);
    EXPECT_FALSE(map == (OrderedMap<int>{{"m", 3}, {"z", 9}, {"b", 4}}));
}

}  // namespace
}  // namespace sluice
