// Wrong results that users reported of another system (dace-compiler/dace on GitHub), rebuilt from their descriptions: here the
// transformation is refused with the reason, or the program computes the same as before.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "driver/compile.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "memory.h"
#include "rewrite/session.h"
#include "transform/registry.h"

namespace sluice::test {
namespace {

ir::Sdfg program(const std::string& source) {
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("sluice_reported_" + std::to_string(::getpid()) + ".py");
    std::ofstream(path) << "import numpy as np\nimport sluice\nN = sluice.symbol('N')\n\n@sluice.program\n" << source;
    auto programs = driver::read_programs(path);
    std::filesystem::remove(path);
    if (!programs) {
        ADD_FAILURE() << render(programs.error(), source);
        return {.name = "none"};
    }
    return programs->front();
}

void expect_same(const ir::Sdfg& before, const ir::Sdfg& after) {
    for (const Diagnostic& problem : ir::verify(after)) ADD_FAILURE() << render(problem) << ir::to_text(after);
    const auto symbols = symbol_values(before, {{"N", 6}});
    const auto expected = run(before, symbols, 0);
    ASSERT_TRUE(expected) << render(expected.error());
    for (const std::uint64_t seed : {0, 1, 2}) {
        const auto actual = run(after, symbols, seed);
        ASSERT_TRUE(actual) << render(actual.error()) << ir::to_text(after);
        EXPECT_EQ(actual->bytes, expected->bytes) << ir::to_text(after);
    }
}

std::vector<std::string> simplifying() {
    std::vector<std::string> names;
    for (const rewrite::Transformation* transformation : transform::builtin().all())
        if (transformation->descriptor.simplifies) names.push_back(transformation->descriptor.name);
    return names;
}

/// All of the named transformations, wherever they apply, until none does; in three orders.
void expect_same_in_every_order(const ir::Sdfg& before, std::vector<std::string> names, bool must_apply = true) {
    for (int turn = 0; turn < 3; ++turn) {
        rewrite::Session session(before, transform::builtin());
        const auto done = session.apply_repeated(names);
        ASSERT_TRUE(done) << render(done.error());
        if (must_apply) {
            EXPECT_GT(*done, 0U) << ir::to_text(before);
        }
        SCOPED_TRACE("first tried: " + names.front() + "\n" + session.recipe());
        expect_same(before, session.program());
        std::ranges::rotate(names, names.begin() + static_cast<std::ptrdiff_t>(names.size() / 3));
    }
}

std::string refusal(const ir::Sdfg& before, const std::string& line) {
    rewrite::Session session(before, transform::builtin());
    const auto done = session.replay(line);
    return done ? "applied" : done.error().message;
}

// Issue 2247: a loop whose iterations write one element in an order is made parallel; wrong in 6 of 10 runs with two threads.
TEST(Reported, LoopsThatWriteInAnOrderStayLoops) {
    const ir::Sdfg s2244 = program(
        "def s2244(a: sluice.float64[N], b: sluice.float64[N], c: sluice.float64[N], e: sluice.float64[N]):\n"
        "    for i in range(N - 1):\n"
        "        a[i + 1] = b[i] + e[i]\n"
        "        a[i] = b[i] + c[i]\n");
    EXPECT_EQ(
        refusal(s2244, "LoopToMap @ (loop=for_i)"),
        "LoopToMap refused (M2): two iterations touch one element: a[1]: written by assign at i=0, written by assign at i=1 (N=3)");
}

// Issue 1561: simplification drops the inputs of a small program of a matrix product and a sum.
TEST(Reported, SimplifyingAProductAndASumKeepsItsInputs) {
    const ir::Sdfg before = program(
        "def product(A: sluice.float64[N, N], B: sluice.float64[N, N], s: sluice.float64[1], C: sluice.float64[N, N]):\n"
        "    C[:] = A @ B\n"
        "    t = C + A\n"
        "    s[0] = np.sum(t @ B)\n");
    expect_same_in_every_order(before, simplifying());
}

// Issues 1694, 2182, 2005, 1538, 1595: simplification makes wrong or broken graphs of copies through temporaries, one of them
// depending on the order in which it works.
TEST(Reported, SimplifyingCopiesIsRightInEveryOrder) {
    for (const std::string body : {
             "    t = a + 1\n    u = t.copy()\n    a[:] = u * 2\n    b[:] = t\n",
             "    t = a.copy()\n    a[1:] = t[:-1]\n    b[:] = a\n",
             "    t = a.copy()\n    for i in range(3):\n        u = t.copy()\n        t[:] = b\n        b[:] = u + i\n    a[:] = "
             "t\n",
             "    t = b[1:]\n    u = t * 2\n    b[:-1] = u\n    a[:] = b\n",
             "    t = a[0]\n    a[0] = 5\n    b[0] = t\n    if t > 2:\n        b[1] = a[0]\n",
             "    k = 2\n    a[k] = b[k]\n    k = k + 1\n    a[k] = a[k - 1]\n    b[:] = a[::-1]\n",
         })
        expect_same_in_every_order(program("def copies(a: sluice.float64[N], b: sluice.float64[N]):\n" + body), simplifying(),
                                   false);
}

// Issues 1687, 1642, 1530, 1280: fusing as much as possible crashes or breaks graphs.
TEST(Reported, FusingAsMuchAsPossibleKeepsGraphsValid) {
    std::vector<std::string> names = simplifying();
    for (const char* fusion : {"MapFusion", "StateFusion", "TaskletFusion", "MapReduceFusion", "MapCollapse"})
        names.emplace_back(fusion);
    std::ranges::sort(names);
    names.erase(std::ranges::unique(names).begin(), names.end());
    for (const std::string body : {
             "    t = a * 2\n    u = t + b\n    v = t * u\n    a[:] = v\n    b[:] = u + v\n",
             "    t = a + b\n    u = np.sum(t)\n    a[:] = t / (u + 1)\n    b[:] = t - u\n",
             "    t = a[1:] - a[:-1]\n    u = t[1:] - t[:-1]\n    b[1:-1] = u\n",
             "    for i in range(3):\n        t = a * i\n        u = t + b\n        b[:] = u\n        a[:] = t + u\n",
         })
        expect_same_in_every_order(program("def chain(a: sluice.float64[N], b: sluice.float64[N]):\n" + body), names);
}

}  // namespace
}  // namespace sluice::test
