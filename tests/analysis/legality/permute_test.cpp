#include "analysis/legality/permute.h"

#include <gtest/gtest.h>

#include <array>

#include "analysis/symbols.h"
#include "program.h"

namespace sluice::analysis {
namespace {

ir::Sdfg on_matrices(const std::string& body) {
    return program("a: float64[N, N], b: float64[N, N], n: int64[N]", body);
}

/// The verdict on the nest that begins with the first loop of the program's body.
Verdict nest(const ir::Sdfg& sdfg, std::size_t depth = 2) {
    return loops_permutable(sdfg, sdfg.body, first_loop(sdfg), depth, assumptions_of(sdfg));
}

/// Do the iterations of `a[i, j] = a[i + di, j + dj]` over 2 <= i, j < 6 (j falling if `down`) keep their order under any order of
/// the loops? By looking at all pairs.
bool in_any_order(int di, int dj, bool down) {
    std::vector<std::array<int, 2>> all;
    for (int i = 2; i < 6; ++i)
        for (int k = 2; k < 6; ++k) all.push_back({i, down ? 7 - k : k});
    for (std::size_t p = 0; p < all.size(); ++p)
        for (std::size_t q = p + 1; q < all.size(); ++q) {
            const auto [i, j] = all[p];
            const auto [k, l] = all[q];
            const bool meet = (i == k + di && j == l + dj) || (k == i + di && l == j + dj);
            if (meet && (down ? l > j : l < j)) return false;  // the outer loop never runs backwards here
        }
    return true;
}

TEST(LoopsPermutable, AsLookingAtAllPairsShows) {
    for (const bool down : {false, true})
        for (int di = -2; di <= 2; ++di)
            for (int dj = -2; dj <= 2; ++dj) {
                const std::string range = down ? "range(5, 1, -1)" : "range(2, 6)";
                const Verdict verdict =
                    nest(on_matrices("    for i in range(2, 6):\n        for j in " + range + ":\n            a[i, j] = a[i + (" +
                                     std::to_string(di) + "), j + (" + std::to_string(dj) + ")] + b[i, j]\n"));
                EXPECT_EQ(verdict.answer, in_any_order(di, dj, down) ? Answer::Yes : Answer::No)
                    << di << ", " << dj << (down ? " down: " : ": ") << verdict.why;
                EXPECT_EQ(verdict.no(), verdict.witness.has_value());
            }
}

TEST(LoopsPermutable, AWitnessNamesBothIterations) {
    const Verdict verdict =
        nest(on_matrices("    for i in range(1, N):\n        for j in range(N - 1):\n            a[i, j] = a[i - 1, j + 1]\n"));
    ASSERT_TRUE(verdict.no());
    EXPECT_EQ(verdict.why,
              "an iteration and a later one that another order puts first touch one element: a[1, 1]: written by assign at i=1, "
              "j=1, read by assign at i=2, j=0 (N=3)");
}

TEST(LoopsPermutable, ATemporaryOfEachIterationDoesNotCount) {
    const Verdict verdict = nest(
        on_matrices("    for i in range(N):\n        for j in range(N):\n            t = b[i, j]\n            a[i, j] = t * t\n"));
    EXPECT_TRUE(verdict.yes()) << verdict.why;
    EXPECT_EQ(verdict.privatised, std::vector<std::string>{"t"});
}

TEST(LoopsPermutable, SumsMayBeAddedInAnyOrder) {
    EXPECT_TRUE(nest(on_matrices("    for i in range(N):\n        for j in range(i, N):\n            a[i, i] += b[j, i]\n")).yes());
}

TEST(LoopsPermutable, ThreeLoops) {
    const std::string text =
        "    for i in range(1, N):\n        for j in range(N):\n            for k in range(N - 1):\n                a[i, k] = a[i "
        "- 1, "
        "k + 1] + b[i, j]\n";
    EXPECT_TRUE(nest(on_matrices(text), 3).no());
    EXPECT_EQ(nest(on_matrices(text), 3).witness->container, "a");
}

TEST(LoopsPermutable, ANestThatIsNotPerfectIsNone) {
    const Verdict verdict = nest(on_matrices(
        "    for i in range(N):\n        a[i, 0] = 1.0\n        for j in range(N):\n            a[i, j] = a[i, j] + b[i, j]\n"));
    ASSERT_TRUE(verdict.no());
    EXPECT_EQ(verdict.why, "a body in the nest holds more than the next loop");
}

TEST(LoopsPermutable, AnIndexReadFromMemoryIsUnknown) {
    const Verdict verdict =
        nest(on_matrices("    for i in range(N):\n        for j in range(N):\n            a[n[i], j] = a[n[j], i] + 1.0\n"));
    EXPECT_EQ(verdict.answer, Answer::Unknown) << verdict.why;
    EXPECT_FALSE(verdict.why.empty());
}

}  // namespace
}  // namespace sluice::analysis
