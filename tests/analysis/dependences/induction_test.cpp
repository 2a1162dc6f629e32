// Symbols that a loop changes by the same amount in each iteration, seen through what LoopToMap asks.
#include <gtest/gtest.h>

#include "analysis/legality/parallel.h"
#include "analysis/symbols.h"
#include "program.h"

namespace sluice::analysis {
namespace {

/// The verdict on the outer loop around a body.
Verdict judged(const std::string& body) {
    const ir::Sdfg sdfg = program("a: float64[16 * N], b: float64[16 * N]", "    for i in range(N):\n" + body);
    return loop_parallel(sdfg, sdfg.body, first_loop(sdfg), assumptions_of(sdfg));
}

/// `k = begin`, then `for j in range: a[k] = ...; k = k + change`.
std::string inner(const std::string& begin, const std::string& range, const std::string& change) {
    return "        k = " + begin + "\n        for j in " + range + ":\n            a[k] = b[k] + 1.0\n            k = k + (" +
           change + ")\n";
}

TEST(Induction, AsCountingShows) {
    // Iterations of the outer loop meet unless its stride is as long as what the inner one walks, gaps aside.
    for (const int stride : {1, 3, 4, 6, 8})
        for (const int change : {1, 2, -1, -2})
            for (const std::string range : {"range(4)", "range(3, -1, -1)", "range(0, 8, 2)"}) {
                bool meet = false;
                for (int apart = 1; apart < 8; ++apart)
                    for (int p = 0; p < 4; ++p)
                        for (int q = 0; q < 4; ++q) meet = meet || p * change == apart * stride + q * change;
                const Verdict verdict = judged(inner(std::to_string(stride) + " * i + 8", range, std::to_string(change)));
                EXPECT_EQ(verdict.answer, meet ? Answer::No : Answer::Yes)
                    << stride << ", " << change << ", " << range << ": " << verdict.why;
            }
}

TEST(Induction, TheValueAfterALoopIsKnown) {
    const std::string again = "        for l in range(4):\n            a[k] = b[k]\n            k = k + 1\n";
    const Verdict apart = judged(inner("8 * i", "range(4)", "1") + again);
    EXPECT_TRUE(apart.yes()) << apart.why;
    EXPECT_TRUE(judged(inner("7 * i", "range(4)", "1") + again).no());
}

TEST(Induction, ALoopThatDoesNotRunChangesNothing) {
    // 0, 8, 16, 24, 40, 56, ...: k = 8 * i where the inner loop is empty.
    const std::string body = "        k = 8 * i\n        for j in range(3, i):\n            k = k + 8\n        a[k] = b[i]\n";
    EXPECT_TRUE(judged(body).yes()) << judged(body).why;
    // 24, 24, 24, 24, 32, ...
    const std::string small = "        k = 8 * i\n        for j in range(i, 3):\n            k = k + 8\n        a[k] = b[i]\n";
    const Verdict verdict = judged(small);
    ASSERT_TRUE(verdict.no()) << verdict.why;
    EXPECT_EQ(verdict.witness->element, std::vector<std::int64_t>{24});
}

TEST(Induction, AChangeUnderAConditionIsNone) {
    const Verdict verdict = judged(
        "        k = 8 * i\n        for j in range(4):\n            a[k] = b[k]\n            if b[j] > 0:\n                k = k + "
        "1\n");
    EXPECT_EQ(verdict.answer, Answer::Unknown) << verdict.why;
}

TEST(Induction, AChangeThatIsSkippedIsNone) {
    EXPECT_EQ(
        judged("        k = 8 * i\n        for j in range(4):\n            a[k] = b[k]\n            if b[j] > 0:\n             "
               "   continue\n            k = k + 1\n")
            .answer,
        Answer::Unknown);
}

TEST(Induction, AChangeThatGrowsWithTheVariable) {
    // k = j * (j + 1) / 2 + i for i <= j: the triangle, row by row.
    const std::string rows =
        "        k = (i + 1) * i // 2 + i\n        for j in range(i, N):\n            a[k] = b[j]\n            k = k + j + 1\n";
    EXPECT_TRUE(judged(rows).yes()) << judged(rows).why;
    const std::string over =
        "        k = (i + 1) * i // 2 + i\n        for j in range(i, N):\n            a[k] = b[j]\n            k = k + j\n";
    EXPECT_FALSE(judged(over).yes());
}

}  // namespace
}  // namespace sluice::analysis
