#include "analysis/legality/privatise.h"

#include <gtest/gtest.h>

#include "analysis/symbols.h"
#include "program.h"

namespace sluice::analysis {
namespace {

/// The verdict on a name in the first loop of a program with this body.
Verdict in_first_loop(const std::string& body, const std::string& name) {
    const ir::Sdfg sdfg = program("a: float64[N], b: float64[N], n: int64[N]", body);
    return privatisable(sdfg, sdfg.body, first_loop(sdfg), name, assumptions_of(sdfg));
}

TEST(Privatisable, ATemporaryOfEachIteration) {
    const Verdict verdict = in_first_loop("    for i in range(N):\n        t = b[i] * 2\n        a[i] = t + t\n", "t");
    EXPECT_TRUE(verdict.yes()) << verdict.why;
}

TEST(Privatisable, AnArrayFilledBeforeItIsRead) {
    const std::string body =
        "    t = np.zeros((N,))\n    for i in range(N):\n        for j in range(N):\n            t[j] = b[j] * i\n        for j in "
        "range(N):\n            a[i] = a[i] + t[N - 1 - j]\n";
    const Verdict verdict = in_first_loop(body, "t");
    EXPECT_TRUE(verdict.yes()) << verdict.why;
}

TEST(Privatisable, AValueOfTheIterationBefore) {
    const Verdict verdict = in_first_loop("    t = 0.0\n    for i in range(N):\n        a[i] = t\n        t = b[i] * 2\n", "t");
    ASSERT_TRUE(verdict.no()) << verdict.why;
    ASSERT_TRUE(verdict.witness) << verdict.why;
    EXPECT_TRUE(verdict.why.starts_with("`t` carries a value from one iteration to another: t")) << verdict.why;
}

TEST(Privatisable, AValueFromBeforeTheLoopThatNothingChanges) {
    const Verdict verdict = in_first_loop("    t = np.zeros((N,))\n    for i in range(N):\n        a[i] = t[i]\n", "t");
    EXPECT_TRUE(verdict.no());
    EXPECT_EQ(verdict.why, "an iteration reads `t` from before the loop");
}

TEST(Privatisable, WhatIsUsedAfterwardsIsNot) {
    const Verdict verdict =
        in_first_loop("    t = 0.0\n    for i in range(N):\n        t = b[i]\n        a[i] = t + t\n    a[0] = t\n", "t");
    ASSERT_TRUE(verdict.no());
    EXPECT_EQ(verdict.why, "what `t` holds after the loop is used");
}

TEST(Privatisable, AnArgumentIsNot) {
    const Verdict verdict = in_first_loop("    for i in range(N):\n        a[0] = b[i]\n        b[i] = a[0]\n", "a");
    ASSERT_TRUE(verdict.no());
    EXPECT_EQ(verdict.why, "`a` is no transient of the SDFG");
}

}  // namespace
}  // namespace sluice::analysis
