// Programs run as native code and agree with plain C++ loops.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "driver/compile.h"
#include "frontend/python/frontend.h"

namespace sluice::frontend {
namespace {

const std::string kPreamble =
    "import numpy as np\nimport sluice\nN = sluice.symbol('N')\nM = sluice.symbol('M')\nK = sluice.symbol('K')\n"
    "float64 = sluice.float64\nint64 = sluice.int64\n@sluice.program\n";

/// Compiles the program and runs it on arguments by name; scalars and symbols as arrays of one element.
struct Arguments {
    std::map<std::string, std::vector<double>> reals;
    std::map<std::string, std::vector<std::int64_t>> integers;
};
void run(const std::string& source, Arguments& arguments) {
    const auto programs = find_programs(kPreamble + source, "run.py");
    ASSERT_TRUE(programs.ok()) << programs.error().message;
    const auto sdfg = build(programs->back());
    ASSERT_TRUE(sdfg.ok()) << sdfg.error().message;
    auto compiled = driver::compile(*sdfg);
    ASSERT_TRUE(compiled.ok()) << compiled.error().message;
    std::vector<void*> addresses;
    for (const driver::Argument& argument : compiled->signature().arguments) {
        if (const auto real = arguments.reals.find(argument.name); real != arguments.reals.end())
            addresses.push_back(real->second.data());
        else if (const auto integer = arguments.integers.find(argument.name); integer != arguments.integers.end())
            addresses.push_back(integer->second.data());
        else
            FAIL() << "no value for " << argument.name;
    }
    const auto done = compiled->run(addresses);
    ASSERT_TRUE(done.ok()) << done.error().message;
}

std::vector<double> values(std::size_t n, double seed = 0.3) {
    std::vector<double> result(n);
    for (std::size_t at = 0; at < n; ++at) result[at] = std::sin(seed + 1.7 * static_cast<double>(at));
    return result;
}

void expect_near(const std::vector<double>& actual, const std::vector<double>& expected) {
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t at = 0; at < actual.size(); ++at) EXPECT_NEAR(actual[at], expected[at], 1e-12) << "element " << at;
}

TEST(Run, SlicesReadBeforeTheyAreWritten) {
    Arguments a{{{"A", values(9)}}, {{"N", {9}}}};
    std::vector<double> expected = a.reals["A"];
    for (std::size_t at = 8; at > 0; --at) expected[at] = a.reals["A"][at - 1] + 1;
    std::swap(expected[0], expected[8]);
    run("def f(A: float64[N]):\n    A[1:] = A[:-1] + 1\n    A[0], A[-1] = A[-1], A[0]\n", a);
    expect_near(a.reals["A"], expected);
}

TEST(Run, NamesOfViewsSeeAndMakeChanges) {
    Arguments a{{{"A", values(6)}, {"B", std::vector<double>(2)}}, {{"N", {6}}}};
    std::vector<double> expected = a.reals["A"];
    for (double& v : expected) v += 1;
    expected[2] = expected[3] = 5;
    run("def f(A: float64[N], B: float64[2]):\n    x = A\n    y = A[2:4]\n    x += 1\n    y[:] = 5\n    B[:] = y\n", a);
    expect_near(a.reals["A"], expected);
    expect_near(a.reals["B"], {5, 5});
}

TEST(Run, NegativeIndicesThatOnlyTheRunKnows) {
    Arguments a{{{"A", values(6)}, {"B", std::vector<double>(3)}}, {{"N", {6}}, {"c", {-1, 0, -6}}, {"k", {-2}}}};
    const auto& A = a.reals["A"];
    const std::vector<double> expected{A[5] + A[4], A[0] + A[4], A[0] + A[4]};
    run("def f(A: float64[N], B: float64[3], c: int64[3], k: int64):\n    for i in range(3):\n        B[i] = A[c[i]] + A[k]\n", a);
    expect_near(a.reals["B"], expected);
}

TEST(Run, ReductionsProductsAndReturnValues) {
    const std::size_t n = 5, m = 4;
    Arguments a{{{"A", values(n * m)},
                 {"x", values(m, 1)},
                 {"__return_0", std::vector<double>(n)},
                 {"__return_1", {0}},
                 {"__return_2", std::vector<double>(m)}},
                {{"N", {5}}, {"M", {4}}}};
    std::vector<double> product(n), sums(m);
    double largest = -INFINITY;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < m; ++j) {
            product[i] += a.reals["A"][i * m + j] * a.reals["x"][j];
            sums[j] += 2 * a.reals["A"][i * m + j] + 1;
            largest = std::max(largest, a.reals["A"][i * m + j]);
        }
    run("def f(A: float64[N, M], x: float64[M]):\n    return A @ x, A.max(), np.sum(2 * A + 1, axis=0)\n", a);
    expect_near(a.reals["__return_0"], product);
    expect_near(a.reals["__return_1"], {largest});
    expect_near(a.reals["__return_2"], sums);
}

TEST(Run, MapsResolveTheirConflicts) {
    Arguments a{{{"A", std::vector<double>(3)}, {"x", values(100)}},
                {{"M", {100}}, {"N", {3}}, {"c", std::vector<std::int64_t>(100)}}};
    std::vector<double> expected(3);
    for (std::size_t at = 0; at < 100; ++at) {
        a.integers["c"][at] = static_cast<std::int64_t>(at * 7 % 3);
        expected[at * 7 % 3] += a.reals["x"][at];
    }
    run("def f(A: float64[N], c: int64[M], x: float64[M]):\n    for i in sluice.map[0:M]:\n        A[c[i]] += x[i]\n", a);
    expect_near(a.reals["A"], expected);
}

TEST(Run, LoopsInsideMaps) {
    Arguments a{{{"A", {0.5, 1.5, 0.1, 3}}}, {{"N", {4}}, {"B", std::vector<std::int64_t>(4)}}};
    std::vector<std::int64_t> expected;
    for (double z : a.reals["A"]) {
        std::int64_t k = 0;
        for (; z < 2.0 && k < 100; ++k) z = z * z + 0.3;
        expected.push_back(k);
    }
    run("def f(A: float64[N], B: int64[N]):\n    for i in sluice.map[0:N]:\n        z = A[i]\n        k = 0\n"
        "        while z < 2.0 and k < 100:\n            z = z * z + 0.3\n            k += 1\n        B[i] = k\n",
        a);
    EXPECT_EQ(a.integers["B"], expected);
}

TEST(Run, ConditionsAndScalars) {
    Arguments a{{{"A", values(20)}, {"__return", {0}}}, {{"N", {20}}}};
    double expected = 0;
    for (const double v : a.reals["A"]) expected += v < 0 ? -v : v > 0.5 ? 2 * v : 0;
    run("def f(A: float64[N]):\n    s = 0\n    for i in range(N):\n        if A[i] < 0:\n            w = -A[i]\n        elif A[i] "
        "> 0.5:\n"
        "            w = 2 * A[i]\n        else:\n            w = 0\n        s += w\n    return s\n",
        a);
    expect_near(a.reals["__return"], {expected});
}

TEST(Run, StreamsAndConsumeScopes) {
    Arguments a{{}, {{"n", {12}}, {"out", {0}}}};
    run("def f(n: int64[1], out: int64[1]):\n    S = sluice.define_stream(int64, 0)\n    with sluice.tasklet:\n        i << n[0]\n"
        "        s >> S\n        s = i\n    @sluice.consume(S, 4)\n    def scope(s, p):\n        again >> S(-1)\n"
        "        val >> out(-1, lambda a, b: a + b)[0]\n        if s == 1:\n            val = 1\n        elif s > 1:\n"
        "            again = s - 1\n            again = s - 2\n",
        a);
    EXPECT_EQ(a.integers["out"][0], 144);
}

}  // namespace
}  // namespace sluice::frontend
