// Operations of relations and sets, compared with what enumeration finds.
#include <gtest/gtest.h>

#include <algorithm>

#include "poly/relation.h"

namespace sluice::poly {
namespace {

using Points = std::vector<std::vector<std::int64_t>>;

TEST(Set, PointsAreAllForTheseParameters) {
    const Set triangle = Set::parse("[N, M] -> { S[i, j] : 0 <= i < N and 0 <= j <= i and M > 0 }");
    Points expected;
    for (std::int64_t i = 0; i < 4; ++i)
        for (std::int64_t j = 0; j <= i; ++j) expected.push_back({i, j});
    auto found = triangle.points({{"N", 4}, {"M", 1}}, 10);
    ASSERT_TRUE(found);
    std::ranges::sort(*found);
    EXPECT_EQ(*found, expected);
    EXPECT_FALSE(triangle.points({{"N", 4}, {"M", 1}}, 9)) << "more than the limit";
    EXPECT_EQ(triangle.points({{"N", 4}, {"M", 0}}, 9), Points());
}

TEST(Map, PairsLeadToTheirPoints) {
    const Map shift = Map::parse("{ S[i] -> T[i + 1] : 0 <= i < 3 }");
    const Map both = shift.to_first().reverse().then(shift.to_second());
    EXPECT_EQ(both.is_equal(shift), Answer::Yes);
    EXPECT_EQ(Map::identity(shift.domain()).is_equal(Map::parse("{ S[i] -> S[i] : 0 <= i < 3 }")), Answer::Yes);
}

TEST(Map, TheAffineHullHoldsTheEquationsOfAllPairs) {
    const Map two = Map::parse("[T] -> { S[t, i] -> S[t, i] : t = T - 1 and i < 3; S[t, i] -> S[t, i] : t = T - 2 }");
    EXPECT_EQ(two.affine_hull().is_equal(Map::parse("[T] -> { S[t, i] -> S[t, i] }")), Answer::Yes);
}

}  // namespace
}  // namespace sluice::poly
