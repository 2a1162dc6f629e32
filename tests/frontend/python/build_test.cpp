// Programs of the subset become graphs that verify; build() checks that itself.
#include <gtest/gtest.h>

#include "frontend/python/frontend.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace sluice::frontend {
namespace {

const std::string kHead =
    "import numpy as np\nimport sluice\nN = sluice.symbol('N')\nM = sluice.symbol('M')\nK = sluice.symbol('K')\n"
    "float64 = sluice.float64\nint64 = sluice.int64\n";

ir::Sdfg last_of(const std::string& source) {
    auto programs = find_programs(kHead + source, "test.py");
    EXPECT_TRUE(programs.ok()) << (programs.ok() ? "" : programs.error().message);
    if (!programs.ok() || programs->empty()) return {};
    auto sdfg = build(programs->back());
    EXPECT_TRUE(sdfg.ok()) << (sdfg.ok() ? "" : sdfg.error().code + " " + sdfg.error().message) << "\n" << source;
    return sdfg.ok() ? *sdfg : ir::Sdfg{};
}

int maps_in(const ir::Region& region) {
    int count = 0;
    for (const auto& [id, block] : region.blocks) {
        if (const ir::State* state = ir::as_state(block))
            for (const auto& [node_id, node] : state->nodes) count += std::holds_alternative<ir::MapEntry>(node.kind);
        if (const auto* loop = std::get_if<ir::LoopRegion>(&block.kind)) count += maps_in(loop->body);
    }
    return count;
}

TEST(Build, OneStatementIsOneMapWithoutTemporaries) {
    const ir::Sdfg g = last_of(
        "@sluice.program\n"
        "def jacobi(A: float64[N, N], B: float64[N, N], T: int64):\n"
        "    for t in range(1, T):\n"
        "        B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])\n"
        "        A[1:-1, 1:-1] = 0.2 * (B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1])\n");
    EXPECT_EQ(maps_in(g.body), 2);
    for (const auto& [name, container] : g.containers) EXPECT_FALSE(container.transient) << name;
}

TEST(Build, AnOverlappingUpdateGoesThroughATemporary) {
    const ir::Sdfg g = last_of("@sluice.program\ndef f(A: float64[N]):\n    A[1:] = A[:-1] + 1\n");
    EXPECT_EQ(maps_in(g.body), 2);
    EXPECT_EQ(maps_in(last_of("@sluice.program\ndef f(A: float64[N]):\n    A[:] = A * 2\n").body), 1);
}

TEST(Build, EverySubsetProgramVerifies) {
    const std::vector<std::string> bodies{
        "def f(A: float64[N], x: float64):\n    A[:] = x * A + np.sqrt(A)\n",
        "def f(A: float64[N, M]):\n    return A.T @ A\n",
        "def f(A: float64[N, M], x: float64[M]):\n    y = A @ x\n    return y\n",
        "def f(A: float64[N, M]):\n    return np.sum(A, axis=1), A.max(), np.mean(A, axis=0)\n",
        "def f(A: float64[N]):\n    s = 0\n    for i in range(N):\n        s += A[i]\n    return s\n",
        "def f(A: float64[N]):\n    k = 0\n    while A[k] > 0 and k < N - 1:\n        k += 1\n    return k\n",
        "def f(A: float64[N]):\n    for i in range(N):\n        if A[i] < 0:\n            A[i] = 0\n        elif A[i] > 1:\n"
        "            A[i] = 1\n        else:\n            A[i] *= 2\n",
        "def f(A: float64[N]):\n    B = np.zeros(N)\n    B[:] = A[::-1]\n    a, b = A[0], A[-1]\n    a, b = b, a\n    A[0] = a\n   "
        " A[-1] = b\n"
        "    return B\n",
        "def f(A: float64[N], c: int64[M], x: float64[M]):\n    for i in sluice.map[0:M]:\n        A[c[i]] += x[i]\n",
        "def f(A: float64[N, M]):\n    for i, j in sluice.map[0:N, 0:M]:\n        s = A[i, j] * 2\n        A[i, j] = s + i\n",
        "def f(p: int64[N + 1], c: int64[K], v: float64[K], x: float64[M], b: float64[N]):\n    b[:] = 0\n"
        "    for i in sluice.map[0:N]:\n        for j in sluice.map[p[i]:p[i + 1]]:\n            b[i] += v[j] * x[c[j]]\n",
        "def f(A: float64[N], B: int64[N]):\n    for i in sluice.map[0:N]:\n        z = A[i]\n        k = 0\n        while z < 2.0 "
        "and k < 100:\n"
        "            z = z * z + 1.0\n            k += 1\n        B[i] = k\n",
        "def f(A: float64[N], B: float64[N]):\n    for i in sluice.map[0:N]:\n        with sluice.tasklet:\n            a << A[i]\n"
        "            b >> B[i]\n            b = a + 1\n",
        "def f(A: float64[N], B: float64[1]):\n    @sluice.map(_[0:N])\n    def add(i):\n        a << A[i]\n"
        "        b >> B(1, lambda x, y: x + y)[0]\n        b = a\n",
        "def f(n: int64[1], out: int64[1]):\n    S = sluice.define_stream(int64, 0)\n    with sluice.tasklet:\n        i << n[0]\n"
        "        s >> S\n        s = i\n    @sluice.consume(S, 4)\n    def scope(s, p):\n        again >> S(-1)\n"
        "        val >> out(-1, lambda a, b: a + b)[0]\n        if s == 1:\n            val = 1\n        elif s > 1:\n            "
        "again = s - 1\n"
        "            again = s - 2\n",
        "def f(A: float64[N], out: float64[N], count: int64[1]):\n    S = sluice.define_stream(float64, N)\n    "
        "@sluice.map(_[0:N])\n"
        "    def filter(i):\n        a << A[i]\n        o >> S(-1)\n        n >> count(-1, lambda x, y: x + y)[0]\n        if a > "
        "0:\n"
        "            o = a\n            n = 1\n    with sluice.tasklet:\n        s << S(-1)\n        o >> out(-1)[0]\n        o = "
        "s\n",
        "def f(A: float64[N, M], B: float64[N]):\n    sluice.reduce(lambda a, b: a + b, A, B, axis=1, identity=0)\n",
        "def f(A: float64[N, M]):\n    return np.argmax(A, axis=1), np.where(A > 0, A, -A), A.reshape((M, N))\n",
        "def f(A: float64[N, N]):\n    for i in range(N - 1, -1, -1):\n        A[i, :i] = A[i, :i] - A[:i, i] @ A[:i, :i]\n",
        "def f(A: float64[N]):\n    e = np.exp(A - np.max(A))\n    return e / np.sum(e)\n",
        "def f(A: float64[N], B: float64[M]):\n    return A[:, None] * B + np.outer(A, B)\n",
        "def f(A: float64[N], i: int64):\n    A[i] = A[-i] if i > 2 else A[0]\n    A[i:] = 1\n",
    };
    for (const std::string& body : bodies) last_of("@sluice.program\n" + body);
}

TEST(Build, ProgramsCallPrograms) {
    last_of(
        "@sluice.program\ndef scale(X: float64[N], a: float64):\n    X[:] = X * a\n"
        "@sluice.program\ndef norm(X: float64[N]):\n    return np.sqrt(X @ X)\n"
        "@sluice.program\ndef f(A: float64[M, K]):\n    for i in range(M):\n        scale(A[i], 2.0)\n        scale(A[i, 1:-1], "
        "norm(A[0]))\n");
}

TEST(Bindings, SymbolsNamedByLettersAndWordsOfAText) {
    for (const char* symbols : {"(sluice.symbol(s) for s in 'NM')", "(sluice.symbol(s) for s in ' N\\tM '.split())",
                                "[sluice.symbol(s) for s in ['N', 'M']]", "sluice.symbols('N M')", "sluice.symbols('N, M')"}) {
        const auto programs = find_programs(
            "import sluice\nN, M = " + std::string(symbols) + "\n@sluice.program\ndef f(A: sluice.float64[N, M]):\n    A[:] = 1\n",
            "t.py");
        ASSERT_TRUE(programs.ok()) << symbols;
        const auto list = parameters(programs->front());
        ASSERT_TRUE(list.ok()) << symbols;
        EXPECT_EQ((*list)[0].type->shape->at(0), symbolic::symbol("N")) << symbols;
        EXPECT_EQ((*list)[0].type->shape->at(1), symbolic::symbol("M")) << symbols;
    }
}

TEST(Bindings, ModuleNamesSymbolsAndConstants) {
    const auto programs = find_programs(
        "import dace as dc\nfrom numpy import sqrt\nN, M = (dc.symbol(s, dtype=dc.int32) for s in ('N', 'M'))\nP, Q = "
        "dc.symbol('P'), 3\n"
        "R = Q * 2 + 1\ndtype = dc.float32\n@dc.program\ndef f(A: dtype[N, M], B: dtype[P, R]):\n    A[:] = sqrt(A)\n",
        "t.py");
    ASSERT_TRUE(programs.ok());
    ASSERT_EQ(programs->size(), 1u);
    const auto list = parameters(programs->front());
    ASSERT_TRUE(list.ok());
    EXPECT_EQ((*list)[0].type->shape->at(1), symbolic::symbol("M"));
    EXPECT_EQ((*list)[1].type->shape->at(1), symbolic::integer(7));
    EXPECT_EQ((*list)[0].type->dtype, code::DType(code::Scalar::Float32));
    EXPECT_TRUE(build(programs->front()).ok());
}

}  // namespace
}  // namespace sluice::frontend
