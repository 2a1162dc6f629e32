// Rows of a matrix that lie one after the other in one dimension, seen through what LoopToMap asks about the loop over rows.
#include <gtest/gtest.h>

#include <functional>

#include "analysis/legality/parallel.h"
#include "analysis/symbols.h"
#include "program.h"

namespace sluice::analysis {
namespace {

struct Packing {
    std::string columns;  ///< Range of j.
    std::string written, read;
    std::function<std::pair<int, int>(int i, int n)> range;
    std::function<int(int i, int j, int n)> write, look;
};

Verdict judged(const Packing& packing) {
    const ir::Sdfg sdfg = program("a: float64[4 * N * N], b: float64[N, N]",
                                  "    for i in range(N):\n        for j in range(" + packing.columns + "):\n            a[" +
                                      packing.written + "] = a[" + packing.read + "] + b[i, 0]\n");
    return loop_parallel(sdfg, sdfg.body, first_loop(sdfg), assumptions_of(sdfg));
}

/// Do two rows touch one element, one of them writing, for some small N?
bool meets(const Packing& packing) {
    for (int n = 1; n <= 5; ++n)
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < n; ++k) {
                if (i == k) continue;
                for (int j = packing.range(i, n).first; j < packing.range(i, n).second; ++j)
                    for (int l = packing.range(k, n).first; l < packing.range(k, n).second; ++l)
                        if (packing.write(i, j, n) == packing.write(k, l, n) || packing.write(i, j, n) == packing.look(k, l, n))
                            return true;
            }
    return false;
}

TEST(PackedRows, OfOneLength) {
    const auto all = [](int, int n) { return std::pair(0, n); };
    const auto at = [](int i, int j, int n) { return n * i + j; };
    const Packing same{"N", "N * i + j", "i * N + j", all, at, at};
    EXPECT_FALSE(meets(same));
    EXPECT_TRUE(judged(same).yes()) << judged(same).why;
    const Packing mirrored{"N", "N * i + j", "N * i + N - 1 - j", all, at, [](int i, int j, int n) { return n * i + n - 1 - j; }};
    EXPECT_FALSE(meets(mirrored));
    EXPECT_TRUE(judged(mirrored).yes()) << judged(mirrored).why;
    const Packing apart{"N",
                        "2 * N * i + j",
                        "2 * N * i + N + j",
                        all,
                        [](int i, int j, int n) { return 2 * n * i + j; },
                        [](int i, int j, int n) { return 2 * n * i + n + j; }};
    EXPECT_FALSE(meets(apart));
    EXPECT_TRUE(judged(apart).yes()) << judged(apart).why;
}

TEST(PackedRows, ThatOverlapAreNotApart) {
    const auto at = [](int i, int j, int n) { return n * i + j; };
    const auto longer = [](int, int n) { return std::pair(0, n + 1); };
    const auto all = [](int, int n) { return std::pair(0, n); };
    for (const Packing& packing :
         {Packing{"N + 1", "N * i + j", "N * i + j", longer, at, at},
          Packing{"N", "N * i + j", "N * i + j + 1", all, at, [](int i, int j, int n) { return n * i + j + 1; }},
          Packing{"N", "N * i + j", "N * i + j + N", all, at, [](int i, int j, int n) { return n * i + j + n; }},
          Packing{"N", "N * i + j", "(N + 1) * i + j", all, at, [](int i, int j, int n) { return (n + 1) * i + j; }},
          Packing{"N", "(N - 2) * i + j", "(N - 2) * i + j", all, [](int i, int j, int n) { return (n - 2) * i + j; },
                  [](int i, int j, int n) { return (n - 2) * i + j; }}}) {
        EXPECT_TRUE(meets(packing)) << packing.read;
        EXPECT_FALSE(judged(packing).yes()) << packing.written << ", " << packing.read << ", " << packing.columns;
    }
}

TEST(PackedRows, OfATriangle) {
    const auto below = [](int i, int) { return std::pair(0, i + 1); };
    const auto at = [](int i, int j, int) { return i * (i + 1) / 2 + j; };
    const Packing triangle{"i + 1", "i * (i + 1) // 2 + j", "i * (i + 1) // 2 + j", below, at, at};
    EXPECT_FALSE(meets(triangle));
    EXPECT_TRUE(judged(triangle).yes()) << judged(triangle).why;
    const auto more = [](int i, int) { return std::pair(0, i + 2); };
    const Packing wider{"i + 2", "i * (i + 1) // 2 + j", "i * (i + 1) // 2 + j", more, at, at};
    EXPECT_TRUE(meets(wider));
    EXPECT_FALSE(judged(wider).yes());
}

}  // namespace
}  // namespace sluice::analysis
