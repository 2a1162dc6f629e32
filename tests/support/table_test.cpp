// Tables: ids stay valid, holes stay holes, copies are values.
#include "support/table.h"

#include <gtest/gtest.h>

#include <string>

#include "support/id.h"
#include "support/ordered_map.h"

namespace sluice {
namespace {

struct Tag;
using TestId = Id<Tag>;
using Names = Table<TestId, std::string>;

TEST(Ids, CompareAndKnowWhetherTheyName) {
    EXPECT_FALSE(TestId().valid());
    EXPECT_TRUE(TestId(0).valid());
    EXPECT_LT(TestId(1), TestId(2));
    EXPECT_EQ(std::hash<TestId>{}(TestId(7)), std::hash<TestId>{}(TestId(7)));
}

TEST(Tables, KeepIdsAcrossErasure) {
    Names names;
    const TestId a = names.add("a"), b = names.add("b"), c = names.add("c");
    names.erase(b);
    EXPECT_EQ(names.size(), 2u);
    EXPECT_EQ(names.id_bound(), 3u);
    EXPECT_FALSE(names.contains(b));
    EXPECT_EQ(names[a] + names[c], "ac");
    EXPECT_EQ(names.add("d").value, 3u);
    EXPECT_THROW(names[b], InternalError);
    EXPECT_THROW(names.erase(b), InternalError);
    EXPECT_THROW(names[TestId()], InternalError);
}

TEST(Tables, IterateInIdOrderOverHoles) {
    Names names;
    const TestId first = names.add("a");
    names.add("b");
    names.add("c");
    names.erase(first);
    std::string seen;
    for (auto [id, name] : names) {
        seen += std::to_string(id.value) + name;
        name += "!";
    }
    EXPECT_EQ(seen, "1b2c");
    EXPECT_EQ(names[TestId(2)], "c!");
}

TEST(Tables, CopyAsValues) {
    Names names;
    const TestId a = names.add("a");
    Names copy = names;
    EXPECT_EQ(copy, names);
    copy[a] = "changed";
    EXPECT_EQ(names[a], "a");
    EXPECT_NE(copy, names);
}

TEST(Tables, ShareWhatNobodyWrote) {
    Names names;
    for (int k = 0; k < 100; ++k) names.add(std::to_string(k));
    Names copy = names;
    EXPECT_EQ(&std::as_const(copy)[TestId(50)], &std::as_const(names)[TestId(50)]);
    copy[TestId(50)] = "changed";
    EXPECT_EQ(names[TestId(50)], "50");
    EXPECT_EQ(&std::as_const(copy)[TestId(0)], &std::as_const(names)[TestId(0)]);
    EXPECT_NE(&std::as_const(copy)[TestId(50)], &std::as_const(names)[TestId(50)]);
}

TEST(Tables, DifferencesAreFoundWhereTheyAre) {
    Names before;
    for (int k = 0; k < 100; ++k) before.add(std::to_string(k));
    Names after = before;
    after[TestId(50)] = "changed";
    after.erase(TestId(70));
    after.add("new");
    std::size_t looked_at = 0;
    std::string seen;
    Names::for_each_difference(before, after, [&](TestId id, const std::string* was, const std::string* is) {
        ++looked_at;
        if (was && is && *was == *is) return;
        seen += std::to_string(id.value) + ":" + (was ? *was : "-") + ">" + (is ? *is : "-") + " ";
    });
    EXPECT_EQ(seen, "50:50>changed 70:70>- 100:->new ");
    EXPECT_LT(looked_at, 60u) << "what is shared is skipped";
}

TEST(Tables, AreEmptyAfterAMove) {
    Names names;
    const TestId a = names.add("a");
    const Names moved = std::move(names);
    EXPECT_EQ(moved[a], "a");
    EXPECT_EQ(names.id_bound(), 0u);  // NOLINT: a table that was moved from is empty
    EXPECT_TRUE(names.empty());
}

TEST(OrderedMaps, CopyAsValues) {
    OrderedMap<std::string> names{{"b", "1"}, {"a", "2"}};
    OrderedMap<std::string> copy = names;
    EXPECT_TRUE(copy.shares(names));
    copy.at("a") = "changed";
    EXPECT_EQ(names.at("a"), "2");
    EXPECT_NE(copy, names);
    copy.erase("b");
    EXPECT_EQ(copy.size(), 1u);
    EXPECT_TRUE(names.contains("b"));
}

}  // namespace
}  // namespace sluice
