#include "analysis/conflicts.h"

#include <gtest/gtest.h>

namespace sluice::analysis {
namespace {

struct Loop {
    const char* parameter;
    const char* range;
    bool shared;
};

bool apart(const char* subset, const std::vector<Loop>& loops) {
    std::vector<NestLoop> nest;
    for (const Loop& loop : loops)
        nest.push_back({loop.parameter, symbolic::parse_subset(loop.range).value().dims[0], loop.shared});
    return iterations_disjoint(symbolic::parse_subset(subset).value(), nest);
}

TEST(Conflicts, AffineIndices) {
    EXPECT_TRUE(apart("i", {{"i", "0:N", true}}));
    EXPECT_TRUE(apart("0, 2*i + 1", {{"i", "0:N", true}}));
    EXPECT_TRUE(apart("j, i", {{"i", "0:N", true}, {"j", "0:M", true}}));
    EXPECT_TRUE(apart("i", {{"i", "0:N", true}, {"j", "0:M", false}}));
    EXPECT_TRUE(apart("i, 0:K", {{"i", "0:N", true}}));
    EXPECT_FALSE(apart("0", {{"i", "0:N", true}}));
    EXPECT_FALSE(apart("j", {{"i", "0:N", true}, {"j", "0:M", false}}));
    EXPECT_FALSE(apart("i", {{"i", "0:N", true}, {"j", "0:M", true}}));
    EXPECT_FALSE(apart("i + j", {{"i", "0:N", true}, {"j", "0:M", false}}));
    EXPECT_FALSE(apart("i + j", {{"i", "0:N", true}, {"j", "0:M", true}}));
    EXPECT_FALSE(apart("i // 2", {{"i", "0:N", true}}));
}

// No dimension belongs to one parameter alone: exact sets.
TEST(Conflicts, DimensionsTogether) {
    EXPECT_TRUE(apart("4*i + j", {{"i", "0:N", true}, {"j", "0:4", true}}));
    EXPECT_FALSE(apart("4*i + j", {{"i", "0:N", true}, {"j", "0:5", true}}));
    EXPECT_TRUE(apart("i, i + j", {{"i", "0:N", true}, {"j", "0:M", true}}));
    EXPECT_TRUE(apart("i + j, i - j", {{"i", "0:N", true}, {"j", "0:M", true}}));
    EXPECT_TRUE(apart("i // 4, i % 4", {{"i", "0:N", true}}));
    EXPECT_FALSE(apart("i // 4, i % 3", {{"i", "0:N", true}}));
    EXPECT_TRUE(apart("j", {{"i", "0:N", true}, {"j", "3*i:3*i + 3", false}}));
    EXPECT_FALSE(apart("j", {{"i", "0:N", true}, {"j", "3*i:3*i + 4", false}}));
    EXPECT_TRUE(apart("-i:-i + 1", {{"i", "0:N", true}}));
    EXPECT_TRUE(apart("x[i], i // 2, i % 2", {{"i", "0:N", true}}));
    EXPECT_FALSE(apart("i*i", {{"i", "0:N", true}}));
    EXPECT_FALSE(apart("N*i + j", {{"i", "0:N", true}, {"j", "0:M", true}}));
}

TEST(Conflicts, TilesAndBlocks) {
    EXPECT_TRUE(apart("8*t + j", {{"t", "0:N", true}, {"j", "0:8", false}}));
    EXPECT_FALSE(apart("8*t + j", {{"t", "0:N", true}, {"j", "0:9", false}}));
    EXPECT_TRUE(apart("j", {{"t", "0:N:32", true}, {"j", "t:t + 32", false}}));
    EXPECT_TRUE(apart("4*i:4*i + 4", {{"i", "0:N", true}}));
    EXPECT_FALSE(apart("4*i:4*i + 5", {{"i", "0:N", true}}));
}

TEST(Conflicts, IndicesFromMemoryAreUnknown) {
    EXPECT_FALSE(apart("x[i]", {{"i", "0:N", true}}));
    EXPECT_FALSE(apart("i", {{"", "0:1", true}, {"i", "0:N", false}}));
}

}  // namespace
}  // namespace sluice::analysis
