#include "analysis/legality/parallel.h"

#include <gtest/gtest.h>

#include "analysis/symbols.h"
#include "program.h"

namespace sluice::analysis {
namespace {

/// The verdict on the first loop of a program.
Verdict verdict_on(const std::string& body, const std::string& parameters = "a: float64[N], b: float64[N]") {
    const ir::Sdfg sdfg = program(parameters, body);
    return loop_parallel(sdfg, sdfg.body, first_loop(sdfg), assumptions_of(sdfg));
}

TEST(LoopParallel, IndependentIterationsAre) {
    const Verdict verdict = verdict_on("    for i in range(N):\n        a[i] = b[i] + 1\n");
    EXPECT_TRUE(verdict.yes()) << verdict.why;
}

TEST(LoopParallel, ARecurrenceIsNotAndShowsAWitness) {
    const Verdict verdict = verdict_on("    for i in range(1, N):\n        a[i] = a[i - 1] + b[i]\n");
    ASSERT_TRUE(verdict.no());
    ASSERT_TRUE(verdict.witness);
    EXPECT_EQ(verdict.witness->container, "a");
    EXPECT_EQ(verdict.witness->element, std::vector<std::int64_t>{1});
    EXPECT_EQ(verdict.why, "two iterations touch one element: a[1]: written by assign at i=1, read by assign at i=2 (N=3)");
}

TEST(LoopParallel, EvenAndOddElementsDoNotMeet) {
    EXPECT_TRUE(verdict_on("    for i in range(N // 2 - 1):\n        a[2 * i] = a[2 * i + 1]\n").yes());
}

TEST(LoopParallel, AnIndexReadFromMemoryIsUnknown) {
    const Verdict verdict =
        verdict_on("    for i in range(N):\n        a[ip[i]] = b[i]\n", "a: float64[N], b: float64[N], ip: int64[N]");
    EXPECT_EQ(verdict.answer, Answer::Unknown) << verdict.why;
}

TEST(LoopParallel, ATemporaryIsPrivateToEachIteration) {
    const Verdict verdict = verdict_on("    for i in range(N):\n        t = b[i] * 2\n        a[i] = t + t\n");
    EXPECT_TRUE(verdict.yes()) << verdict.why;
    EXPECT_EQ(verdict.privatised, std::vector<std::string>{"t"});
}

TEST(LoopParallel, ATemporaryThatIsUsedAfterwardsIsNot) {
    const Verdict verdict =
        verdict_on("    t = 0.0\n    for i in range(N):\n        t = b[i] * 2\n        a[i] = t + t\n    a[0] = t\n");
    EXPECT_TRUE(verdict.no()) << verdict.why;
}

TEST(LoopParallel, ATemporaryOfBothBranchesIsPrivate) {
    const Verdict verdict = verdict_on(
        "    for i in range(N):\n        if b[i] > 0:\n            t = b[i] * 2\n        else:\n            t = "
        "1.0\n        a[i] = t\n");
    EXPECT_TRUE(verdict.yes()) << verdict.why;
}

TEST(LoopParallel, AnInductionSymbolIsCarried) {
    const Verdict verdict = verdict_on("    k = -1\n    for i in range(N // 2):\n        k = k + 2\n        a[k] = b[i]\n");
    EXPECT_TRUE(verdict.no()) << verdict.why;
}

TEST(LoopParallel, OuterLoopsAreParameters) {
    const ir::Sdfg sdfg = program("c: float64[N, N]",
                                  "    for i in range(1, N):\n        for j in range(N):\n            c[i, j] = c[i - 1, j] * 2\n");
    const ir::BlockId outer = first_loop(sdfg);
    EXPECT_TRUE(loop_parallel(sdfg, sdfg.body, outer, assumptions_of(sdfg)).no());
    const ir::Region& body = std::get<ir::LoopRegion>(sdfg.body.blocks[outer].kind).body;
    for (auto [inner, nested] : body.blocks)
        if (std::holds_alternative<ir::LoopRegion>(nested.kind)) {
            const Verdict verdict = loop_parallel(sdfg, body, inner, assumptions_of(sdfg));
            EXPECT_TRUE(verdict.yes()) << verdict.why;
        }
}

}  // namespace
}  // namespace sluice::analysis
