// Tables: ids stay valid, holes stay holes, copies are values.
#include "support/table.h"

#include <gtest/gtest.h>

#include <string>

#include "support/id.h"

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

}  // namespace
}  // namespace sluice
