// Loops that one team of threads runs, against the interpreter.
#include <numeric>

#include "oracle.h"

namespace sluice {
namespace {

using test::Arguments;
using test::graph;
using test::run_both;

/// The loop IR of the graph as it is, with no further decisions.
std::string in_loop_ir(const ir::Sdfg& sdfg) {
    const auto module = lower::lower(sdfg, {});
    return module ? loop::to_text(*module) : render(module.error());
}

/// A loop over `t` with the blocks, in a program over A and B of N elements, and a scalar s.
ir::Sdfg in_loop(const std::string& blocks, const std::string& range = "`t = 0`; `t < T`; `t = t + 1`") {
    const bool counts = blocks.find("k = 0") != std::string::npos || blocks.find("set k") != std::string::npos;
    return graph("sdfg stepped(A, B, s) {\n  symbol N: int64\n  symbol T: int64\n  symbol t: int64\n" +
                 std::string(counts ? "  symbol k: int64\n" : "") +
                 "  array A: float64[N]\n  array B: float64[N]\n  array s: float64[1]\n  loop steps [t: " + range +
                 "] schedule=CPU_Persistent {\n" + blocks + "  }\n}\n");
}

/// to[i] = from[i - 1] + from[i + 1] + t, shared by the team.
std::string sweep(const std::string& state, const std::string& from, const std::string& to, const std::string& more = "",
                  const std::string& range = "1:N - 1") {
    return "    state " + state + " {\n      n0 = access " + from + "\n      n1 = map_entry m [i=" + range + "] passing (" + from +
           ") schedule=CPU_Multicore " + more + "\n      n2 = tasklet add (a, b) -> (o) { o = 0.5 * a + 0.25 * b + t }\n" +
           "      n3 = map_exit n1 passing (" + to + ")\n      n4 = access " + to + "\n      n0 -> n1.IN_" + from + " : " + from +
           "[0:N]\n      n1.OUT_" + from + " -> n2.a : " + from + "[i - 1]\n      n1.OUT_" + from + " -> n2.b : " + from +
           "[i + 1]\n      n2.o -> n3.IN_" + to + " : " + to + "[i]\n      n3.OUT_" + to + " -> n4 : " + to + "[0:N]\n    }\n";
}

/// to[i] = from[i] * 0.5 + t, so that each thread needs its own elements alone.
std::string pointwise(const std::string& state, const std::string& from, const std::string& to, const std::string& more = "") {
    return "    state " + state + " {\n      n0 = access " + from + "\n      n1 = map_entry m [i=0:N] passing (" + from +
           ") schedule=CPU_Multicore " + more + "\n      n2 = tasklet half (a) -> (o) { o = a * 0.5 + t }\n" +
           "      n3 = map_exit n1 passing (" + to + ")\n      n4 = access " + to + "\n      n0 -> n1.IN_" + from + " : " + from +
           "[0:N]\n      n1.OUT_" + from + " -> n2.a : " + from + "[i]\n      n2.o -> n3.IN_" + to + " : " + to +
           "[i]\n      n3.OUT_" + to + " -> n4 : " + to + "[0:N]\n    }\n";
}

/// `code` from A[0] and s[0] to s[0] and A[0].
const char* const kSingle = R"(    state single {
      n0 = access A
      n1 = access s
      n2 = tasklet one (a, b) -> (o) { o = a + b }
      n3 = access s
      n4 = tasklet other (a) -> (p) { p = a * 0.5 + 1 }
      n5 = access A
      n0 -> n2.a : A[0]
      n1 -> n2.b : s[0]
      n2.o -> n3 : s[0]
      n3 -> n4.a : s[0]
      n4.p -> n5 : A[0]
    }
)";

Arguments arguments(std::int64_t n, std::int64_t steps) {
    std::vector<double> a(static_cast<std::size_t>(n)), b(a.size(), 2);
    std::iota(a.begin(), a.end(), 0);
    return Arguments().array("A", a).array("B", b).array<double>("s", {3}).symbol("N", n).symbol("T", steps);
}

std::size_t count(const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
}

TEST(TeamLoops, OneRegionHoldsTheLoopAndItsMapsAreShared) {
    const ir::Sdfg g = in_loop(sweep("forth", "A", "B") + sweep("back", "B", "A") + "    forth -> back\n");
    const std::string text = in_loop_ir(g);
    EXPECT_EQ(count(text, "region thread"), 1) << text;
    EXPECT_LT(text.find("region thread"), text.find("for t in")) << text;
    EXPECT_EQ(count(text, "parallel i in"), 2) << text;
    EXPECT_EQ(count(text, "barrier"), 0) << text;
    for (const std::int64_t steps : {0, 1, 7}) run_both(g, arguments(100, steps));
}

TEST(TeamLoops, OneThreadRunsWhatIsNoSharedMapAndTheOthersWait) {
    const ir::Sdfg g =
        in_loop(sweep("forth", "A", "B") + kSingle + sweep("back", "B", "A") + "    forth -> single\n    single -> back\n");
    const std::string text = in_loop_ir(g);
    EXPECT_EQ(count(text, "if (thread == 0)"), 1) << text;
    EXPECT_EQ(count(text, "barrier"), 1) << text;
    for (const std::int64_t steps : {0, 1, 9}) run_both(g, arguments(64, steps));
}

TEST(TeamLoops, WhatOneThreadDoesAtTheEndIsOverBeforeTheNextIteration) {
    const ir::Sdfg g = in_loop(sweep("forth", "A", "B") + kSingle + "    forth -> single\n");
    EXPECT_EQ(count(in_loop_ir(g), "barrier"), 1) << in_loop_ir(g);
    run_both(g, arguments(64, 9));
}

TEST(TeamLoops, AMapThatIsTooSmallIsRunByOneThread) {
    const ir::Sdfg g = in_loop(sweep("forth", "A", "B", "omp_if=(50 <= N)") + sweep("back", "B", "A", "omp_if=(200 <= N)") +
                               "    forth -> back\n");
    EXPECT_NE(in_loop_ir(g).find("if ((N >= 50) or (N >= 200))"), std::string::npos) << in_loop_ir(g);
    for (const std::int64_t n : {10, 100, 300}) run_both(g, arguments(n, 5));
}

TEST(TeamLoops, LoopsAndBranchesInside) {
    const ir::Sdfg g =
        in_loop("    loop inner [k: `k = 0`; `k < t`; `k = k + 1`] {\n" + sweep("forth", "A", "B", "", "k + 1:N - 1") +
                "    }\n    conditional odd {\n      when `t % 2 == 1` {\n" + sweep("back", "B", "A") + "      }\n      else {\n" +
                kSingle + "      }\n    }\n    inner -> odd\n");
    EXPECT_EQ(count(in_loop_ir(g), "region thread"), 1) << in_loop_ir(g);
    for (const std::int64_t steps : {0, 1, 6}) run_both(g, arguments(40, steps));
}

TEST(TeamLoops, ThreadsGoOnWhereTheMapSaysSo) {
    const ir::Sdfg g =
        in_loop(pointwise("forth", "A", "B", "nosync") + pointwise("back", "B", "A", "nosync") + "    forth -> back\n");
    const std::string text = in_loop_ir(g);
    EXPECT_EQ(count(text, "schedule static nowait"), 2) << text;
    EXPECT_EQ(count(text, "barrier"), 0) << text;
    run_both(g, arguments(100, 50));
}

TEST(TeamLoops, ThreadsMeetBeforeOneOfThemRunsSomething) {
    const ir::Sdfg g = in_loop(pointwise("forth", "A", "B", "nosync") + kSingle + pointwise("back", "B", "A", "nosync") +
                               "    forth -> single\n    single -> back\n");
    EXPECT_EQ(count(in_loop_ir(g), "barrier"), 2) << in_loop_ir(g);
    run_both(g, arguments(100, 50));
}

TEST(TeamLoops, ThreadsMeetAfterALoopWhoseLastMapLetsThemGoOn) {
    const ir::Sdfg g = in_loop("    loop inner [k: `k = 0`; `k < 3`; `k = k + 1`] {\n" + pointwise("forth", "A", "A", "nosync") +
                               "    }\n" + sweep("back", "A", "B") + "    inner -> back\n");
    EXPECT_EQ(count(in_loop_ir(g), "barrier"), 1) << in_loop_ir(g);
    run_both(g, arguments(100, 9));
}

TEST(TeamLoops, LoopsThatThreadsCannotRunTogetherHaveTheirTeamsInside) {
    const std::string ends = "    forth -> back\n";
    const auto expect_none = [&](const ir::Sdfg& g, const std::string& what) {
        EXPECT_EQ(count(in_loop_ir(g), "region thread"), 0) << what << "\n" << in_loop_ir(g);
        run_both(g, arguments(40, 6));
    };
    // A jump, a condition and a bound on data, a symbol that is assigned.
    expect_none(in_loop(sweep("forth", "A", "B") +
                        "    break leave\n    state on {\n    }\n    forth -> leave if `t == 3`\n    forth -> on\n"),
                "break");
    expect_none(in_loop("    conditional odd {\n      when `A[1] > 2` {\n" + sweep("back", "B", "A") + "      }\n    }\n" +
                        sweep("forth", "A", "B") + "    odd -> forth\n"),
                "condition on data");
    expect_none(
        in_loop(sweep("forth", "A", "B") + sweep("back", "B", "A", "", "k + 1:N - 1") + "    forth -> back set k=`t + 1`\n"),
        "assigned symbol");
}

}  // namespace
}  // namespace sluice
