// What iterations may have copies of their own of, as the verdict on the loop lists it.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/legality/parallel.h"
#include "analysis/symbols.h"
#include "program.h"

namespace sluice::analysis {
namespace {

/// Is the name private to each iteration of the first loop of a program with this body?
bool privatised(const std::string& body, const std::string& name) {
    const ir::Sdfg sdfg = program("a: float64[N], b: float64[N], n: int64[N]", body);
    const Verdict verdict = loop_parallel(sdfg, sdfg.body, first_loop(sdfg), assumptions_of(sdfg));
    return std::ranges::find(verdict.privatised, name) != verdict.privatised.end();
}

TEST(Privatised, ATemporaryOfEachIteration) {
    EXPECT_TRUE(privatised("    for i in range(N):\n        t = b[i] * 2\n        a[i] = t + t\n", "t"));
}

TEST(Privatised, AnArrayFilledBeforeItIsRead) {
    EXPECT_TRUE(
        privatised("    t = np.zeros((N,))\n    for i in range(N):\n        for j in range(N):\n            t[j] = b[j] * i\n"
                   "        for j in range(N):\n            a[i] = a[i] + t[N - 1 - j]\n",
                   "t"));
}

TEST(Privatised, NotAValueOfTheIterationBefore) {
    EXPECT_FALSE(privatised("    t = 0.0\n    for i in range(N):\n        a[i] = t\n        t = b[i] * 2\n", "t"));
}

TEST(Privatised, NotWhatIsUsedAfterwards) {
    EXPECT_FALSE(privatised("    t = 0.0\n    for i in range(N):\n        t = b[i]\n        a[i] = t + t\n    a[0] = t\n", "t"));
}

TEST(Privatised, NotAnArgument) {
    EXPECT_FALSE(privatised("    for i in range(N):\n        a[0] = b[i]\n        b[i] = a[0]\n", "a"));
}

}  // namespace
}  // namespace sluice::analysis
