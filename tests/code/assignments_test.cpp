#include "code/assignments.h"

#include <gtest/gtest.h>

#include "code/parse.h"

namespace sluice::code {
namespace {

bool assigned(const std::string& source) {
    const Result<Body> body = parse_body(source);
    EXPECT_TRUE(body.ok()) << source;
    return body.ok() && assigned_on_every_path(*body, "o");
}

TEST(AssignedOnEveryPath, CountsTargetsAndBothBranches) {
    EXPECT_TRUE(assigned("o = 1"));
    EXPECT_TRUE(assigned("p, o = 1, 2"));
    EXPECT_TRUE(assigned("o: float64 = 1"));
    EXPECT_TRUE(assigned("if x:\n    o = 1\nelse:\n    o = 2"));
    EXPECT_TRUE(assigned("if x:\n    o = 1\no = 2"));
}

TEST(AssignedOnEveryPath, LeavesOutWhatMayNotRunOrReadsFirst) {
    EXPECT_FALSE(assigned("p = 1"));
    EXPECT_FALSE(assigned("o[0] = 1"));
    EXPECT_FALSE(assigned("if x:\n    o = 1"));
    EXPECT_FALSE(assigned("for i in range(3):\n    o = 1"));
    EXPECT_FALSE(assigned("while x:\n    o = 1"));
    EXPECT_FALSE(assigned("o += 1"));
}

}  // namespace
}  // namespace sluice::code
