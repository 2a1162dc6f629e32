#include "analysis/legality/tile.h"

#include <gtest/gtest.h>

namespace sluice::analysis {
namespace {

using symbolic::Expr;
using symbolic::Range;
using symbolic::symbol;

TEST(TilesFull, OfConstantRangesAsCountingShows) {
    for (int begin : {0, -3, 2})
        for (int points = 0; points <= 9; ++points)
            for (int step : {1, 3})
                for (int size = 1; size <= 5; ++size) {
                    const Range range{begin, begin + (points - 1) * step + 1, step, 1};
                    const Verdict verdict = tiles_full(range, size, {});
                    EXPECT_EQ(verdict.answer, points % size == 0 ? Answer::Yes : Answer::No)
                        << symbolic::to_string(range) << " by " << size << ": " << verdict.why;
                }
}

TEST(TilesFull, ANoNamesATileThatLeavesTheRange) {
    EXPECT_EQ(tiles_full({0, 10, 1, 1}, 4, {}).why,
              "4 does not divide the number of points of 0:10: the tile that begins at 8 would hold 10");
    const Verdict verdict = tiles_full({0, symbol("N"), 1, 1}, 4, {});
    ASSERT_TRUE(verdict.no());
    EXPECT_EQ(verdict.why, "4 does not divide the number of points of 0:N: the tile that begins at 0 would hold 1 (N=1)");
}

TEST(TilesFull, WhatIsKnownOfSymbolsIsUsed) {
    const Expr n = symbol("N"), m = symbol("M");
    EXPECT_TRUE(tiles_full({0, 4 * n, 1, 1}, 4, {}).yes());
    EXPECT_TRUE(tiles_full({0, 4 * n, 1, 1}, 8, {}).no());
    symbolic::Assumptions known;
    known.assume(symbolic::equal(symbolic::modulo(n, 8), 0));
    EXPECT_TRUE(tiles_full({0, n, 1, 1}, 4, known).yes());
    // Not by cancelling: only because both bounds are of one residue.
    known.assume(symbolic::equal(symbolic::modulo(m, 4), 2));
    EXPECT_TRUE(tiles_full({m, n + 2, 1, 1}, 4, known).yes());
    EXPECT_TRUE(tiles_full({m, n, 1, 1}, 4, known).no());
}

TEST(TilesFull, ASymbolicSizeIsDecidedByCancellingOrNotKnown) {
    const Expr n = symbol("N"), t = symbol("T");
    EXPECT_TRUE(tiles_full({0, n * t, 1, 1}, t, {}).yes());
    const Verdict verdict = tiles_full({0, n, 1, 1}, t, {});
    EXPECT_EQ(verdict.answer, Answer::Unknown);
    EXPECT_EQ(verdict.why, "whether T divides the number of points of 0:N is not known: a size or a step is symbolic");
    EXPECT_EQ(tiles_full({0, n * t, 1, 1}, 4, {}).answer, Answer::Unknown);
}

}  // namespace
}  // namespace sluice::analysis
