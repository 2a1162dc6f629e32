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

TEST(TeamLoops, AllThreadsBreakOnASymbolOrOnMemoryThatOneOfThemWrites) {
    const std::string leaves = "    conditional done {\n      when `CONDITION` {\n        break leave\n      }\n    }\n";
    const auto with = [&](std::string condition, const std::string& first, const std::string& then) {
        std::string text = leaves;
        text.replace(text.find("CONDITION"), 9, condition);
        return in_loop(first + text + sweep("back", "B", "A", "nosync") + "    " + then + " -> done\n    done -> back\n");
    };
    for (const ir::Sdfg& g : {with("t == 3", sweep("forth", "A", "B"), "forth"), with("s[0] > 40", kSingle, "single"),
                              with("B[2] > 2.5", sweep("forth", "A", "B", "nosync"), "forth")}) {
        EXPECT_EQ(count(in_loop_ir(g), "region thread"), 1) << in_loop_ir(g);
        for (const std::int64_t steps : {0, 1, 3, 4, 40}) run_both(g, arguments(200, steps));
    }
}

TEST(TeamLoops, AllThreadsContinueTogether) {
    const ir::Sdfg g =
        in_loop(sweep("forth", "A", "B", "nosync") +
                "    conditional skip {\n      when `(t % 3 == 1) or (B[1] > 30)` {\n        continue again\n      }\n"
                "    }\n" +
                sweep("back", "B", "A") + "    forth -> skip\n    skip -> back\n");
    EXPECT_EQ(count(in_loop_ir(g), "region thread"), 1) << in_loop_ir(g);
    for (const std::int64_t steps : {0, 1, 2, 30}) run_both(g, arguments(200, steps));
}

TEST(TeamLoops, ThreadsReadMemoryForAConditionBetweenTwoMeetings) {
    const ir::Sdfg g = in_loop("    conditional odd {\n      when `A[1] > 2` {\n" + sweep("back", "B", "A", "nosync") +
                               "      }\n      when `B[1] > A[2]` {\n" + kSingle + "      }\n    }\n" +
                               sweep("forth", "A", "B", "nosync") + "    odd -> forth\n");
    const std::string text = in_loop_ir(g);
    EXPECT_EQ(count(text, "region thread"), 1) << text;
    run_both(g, arguments(150, 30));
}

TEST(TeamLoops, SymbolsThatTheLoopAssignsAreEachThreadsOwn) {
    // `k` starts with what the caller says, is read from memory, and is used after the loop.
    const auto g = [](const std::string& value, const std::string& before) {
        return graph(
            "sdfg stepped(A, B, s) {\n  symbol N: int64\n  symbol T: int64\n  symbol t: int64\n  symbol k: int64\n"
            "  array A: float64[N]\n  array B: float64[N]\n  array s: float64[1]\n  state start {\n  }\n"
            "  loop steps [t: `t = 0`; `t < T`; `t = t + 1`] schedule=CPU_Persistent {\n" +
            sweep("forth", "A", "B", "", "k + 1:N - 1") + sweep("back", "B", "A", "nosync", "k + 1:N - 1") +
            "    forth -> back set k=`" + value +
            "`\n  }\n  state after {\n    n0 = tasklet keep () -> (o) { o = k }\n"
            "    n1 = access s\n    n0.o -> n1 : s[0]\n  }\n  start -> steps set k=`" +
            before + "`\n  steps -> after\n}\n");
    };
    for (const std::string value : {"(k + t) % 5", "int64(A[3]) % 7", "int64(s[0]) + t % 2"})
        for (const std::int64_t steps : {0, 1, 2, 25}) {
            const ir::Sdfg one = g(value, "2");
            EXPECT_EQ(count(in_loop_ir(one), "region thread"), 1) << in_loop_ir(one);
            run_both(one, arguments(120, steps));
        }
}

TEST(TeamLoops, LoopsUntilMemorySaysSo) {
    for (const std::string header :
         {"`t = 0`; `(A[1] < 20) or (t < T - 5)`; `t = t + 1`", "`t = 0`; `(A[1] < 20) and (t < T)`; `t = t + 1 + t % 2`"}) {
        const ir::Sdfg g =
            in_loop(sweep("forth", "A", "B", "nosync") + sweep("back", "B", "A", "nosync") + "    forth -> back\n", header);
        const std::string text = in_loop_ir(g);
        EXPECT_EQ(count(text, "region thread"), 1) << text;
        EXPECT_LT(text.find("region thread"), text.find("while")) << text;
        for (const std::int64_t steps : {0, 1, 9}) run_both(g, arguments(100, steps));
    }
}

TEST(TeamLoops, LoopsThatAskWhenAnIterationIsOver) {
    for (const std::string order : {"inverted", "inverted update_before_condition=false"})
        for (const std::string condition : {"(A[1] < 20) or (t < T - 5)", "t < T"}) {
            const ir::Sdfg g = graph(
                "sdfg stepped(A, B, s) {\n  symbol N: int64\n  symbol T: int64\n  symbol t: int64\n  array A: float64[N]\n"
                "  array B: float64[N]\n  array s: float64[1]\n  loop steps [t: `t = 0`; `" +
                condition + "`; `t = t + 1`] " + order + " schedule=CPU_Persistent {\n" + sweep("forth", "A", "B", "nosync") +
                "    conditional skip {\n      when `t % 3 == 1` {\n        continue again\n      }\n    }\n" +
                sweep("back", "B", "A", "nosync") + "    forth -> skip\n    skip -> back\n  }\n}\n");
            EXPECT_EQ(count(in_loop_ir(g), "region thread"), 1) << in_loop_ir(g);
            for (const std::int64_t steps : {0, 1, 9}) run_both(g, arguments(100, steps));
        }
}

TEST(TeamLoops, BoundsAreReadFromMemoryBetweenTwoMeetings) {
    const ir::Sdfg g =
        in_loop(kSingle +
                ("    loop inner [k: `k = 0`; `k < s[0] - 3`; `k = k + 1`] {\n" + sweep("forth", "A", "B", "nosync") + "    }\n") +
                sweep("back", "B", "A", "nosync") + "    single -> inner\n    inner -> back\n");
    EXPECT_EQ(count(in_loop_ir(g), "region thread"), 1) << in_loop_ir(g);
    run_both(g, arguments(100, 4));
}

/// s[0] becomes s[0] + sum(A) or so; whole numbers, so that any order of sums gives the same.
std::string reduction(const std::string& wcr, const std::string& more) {
    return "    state sum {\n      n0 = access A\n      n1 = map_entry m [i=0:N] passing (A) schedule=CPU_Multicore " + more +
           "\n      n2 = tasklet one (a) -> (o) { o = a }\n      n3 = map_exit n1 passing (s)\n      n4 = access s\n"
           "      n0 -> n1.IN_A : A[0:N]\n      n1.OUT_A -> n2.a : A[i]\n      n2.o -> n3.IN_s : s[0] wcr=\"" +
           wcr + "\"\n      n3.OUT_s -> n4 : s[0] wcr=\"" + wcr + "\"\n    }\n";
}

TEST(TeamLoops, ThreadsCombineWhatEachHasFound) {
    const std::string count_up =
        "    state up {\n      n0 = access s\n      n1 = map_entry m [i=0:N] passing (s) schedule=CPU_Multicore\n"
        "      n2 = tasklet add (a) -> (o) { o = i % 7 + a % 3 }\n      n3 = map_exit n1 passing (A)\n      n4 = access A\n"
        "      n0 -> n1.IN_s : s[0]\n      n1.OUT_s -> n2.a : s[0]\n      n2.o -> n3.IN_A : A[i]\n      n3.OUT_A -> n4 : A[0:N]\n  "
        "  }\n";
    for (const std::string wcr : {"lambda a, b: a + b", "lambda a, b: max(a, b)"})
        for (const std::string more : {"private_updates=[s]", "private_updates=[s] omp_if=(50 <= N)", ""}) {
            const ir::Sdfg g = in_loop(count_up + reduction(wcr, more) + "    up -> sum\n");
            const std::string text = in_loop_ir(g);
            EXPECT_EQ(count(text, "region thread"), 1) << text;
            for (const std::int64_t n : {10, 1000}) run_both(g, arguments(n, 20));
        }
}

// The sums of one element are a local variable; a copy of the whole array for each thread would not fit a stack.
TEST(Teams, WhoseThreadsUpdateElementsOfTheirOwnCopyNoArray) {
    const ir::Sdfg g = graph(R"(sdfg product(A, C) {
  symbol N: int64
  array A: float64[N, N]
  array C: float64[N, N]
  state main {
    n0 = access A
    n1 = map_entry m [i=0:N, j=0:N, k=0:N] passing (A) schedule=CPU_Multicore private_updates=[C]
    n2 = tasklet t (a, b) -> (o) { o = a * b }
    n3 = map_exit n1 passing (C)
    n4 = access C
    n0 -> n1.IN_A : A[0:N, 0:N]
    n1.OUT_A -> n2.a : A[i, k]
    n1.OUT_A -> n2.b : A[k, j]
    n2.o -> n3.IN_C : C[i, j] wcr="lambda a, b: a + b" wcr_nonatomic
    n3.OUT_C -> n4 : C[0:N, 0:N] wcr="lambda a, b: a + b" wcr_nonatomic
  }
}
)");
    EXPECT_EQ(count(in_loop_ir(g), "reduce"), 0) << in_loop_ir(g);
    run_both(g, Arguments().array("A", std::vector<double>(900, 1.5)).array("C", std::vector<double>(900, 2)).symbol("N", 30));
}

TEST(TeamLoops, ThreadsCombineArrays) {
    const ir::Sdfg g = graph(R"(sdfg histogram(A, H) {
  symbol N: int64
  symbol T: int64
  symbol t: int64
  array A: float64[N]
  array H: float64[8]
  loop steps [t: `t = 0`; `t < T`; `t = t + 1`] schedule=CPU_Persistent {
    state up {
      n0 = access H
      n1 = map_entry m [i=0:N] passing (H) schedule=CPU_Multicore
      n2 = tasklet add (a) -> (o) { o = i % 7 + a % 3 }
      n3 = map_exit n1 passing (A)
      n4 = access A
      n0 -> n1.IN_H : H[0:8]
      n1.OUT_H -> n2.a : H[i % 8]
      n2.o -> n3.IN_A : A[i]
      n3.OUT_A -> n4 : A[0:N]
    }
    state fill {
      n0 = access A
      n1 = map_entry m [i=0:N] passing (A) schedule=CPU_Multicore private_updates=[H]
      n2 = tasklet one (a) -> (o) { o = a }
      n3 = map_exit n1 passing (H)
      n4 = access H
      n0 -> n1.IN_A : A[0:N]
      n1.OUT_A -> n2.a : A[i]
      n2.o -> n3.IN_H : H[i * i % 8] wcr="lambda a, b: a + b"
      n3.OUT_H -> n4 : H[0:8] wcr="lambda a, b: a + b"
    }
    up -> fill
  }
}
)");
    EXPECT_EQ(count(in_loop_ir(g), "region thread"), 1) << in_loop_ir(g);
    for (const std::int64_t steps : {0, 1, 20})
        run_both(g, Arguments()
                        .array("A", std::vector<double>(1000, 1))
                        .array("H", std::vector<double>(8, 2))
                        .symbol("N", 1000)
                        .symbol("T", steps));
}

/// B[0] = B[0] / 2 + A[0], by a call that has a scratch array in `storage`.
std::string call(const std::string& storage) {
    return "    state call {\n      n0 = access A\n      n1 = access B\n      n2 = nested scaled (a, b) -> (b) symbol_mapping={t: "
           "t} sdfg scaled() {\n"
           "  symbol t: int64\n  array a: float64[2]\n  array b: float64[2]\n  transient array h: float64[2] storage=" +
           storage +
           "\n  state first {\n    n0 = access a\n    n1 = access h\n    n0 -> n1 : a[0:2]\n  }\n  state second {\n"
           "    n0 = access h\n    n1 = access b\n    n2 = tasklet scale (p, q) -> (o) { o = 0.5 * q + p + t }\n    n3 = access b\n"
           "    n0 -> n2.p : h[0]\n    n1 -> n2.q : b[0]\n    n2.o -> n3 : b[0]\n  }\n  first -> second\n}\n      n3 = access B\n"
           "      n0 -> n2.a : A[0:2]\n      n1 -> n2.b : B[0:2]\n      n2.b -> n3 : B[0:2]\n    }\n";
}

TEST(TeamLoops, OneThreadCallsWhatCannotFail) {
    const ir::Sdfg g = in_loop(sweep("forth", "A", "B", "nosync") + call("Register") + sweep("back", "B", "A", "nosync") +
                               "    forth -> call\n    call -> back\n");
    EXPECT_EQ(count(in_loop_ir(g), "region thread"), 1) << in_loop_ir(g);
    run_both(g, arguments(100, 30));
}

TEST(TeamLoops, LoopsThatThreadsCannotRunTogetherHaveTheirTeamsInside) {
    const auto expect_none = [&](const ir::Sdfg& g, const std::string& what) {
        EXPECT_EQ(count(in_loop_ir(g), "region thread"), 0) << what << "\n" << in_loop_ir(g);
        run_both(g, arguments(40, 6));
    };
    expect_none(in_loop(sweep("forth", "A", "B") +
                        "    break leave\n    state on {\n    }\n    forth -> leave if `t == 3`\n    forth -> on\n"),
                "transitions with conditions");
    expect_none(in_loop(sweep("forth", "A", "B") +
                        "    conditional done {\n      when `t == 3` {\n        return away\n      }\n    }\n    forth -> done\n"),
                "return");
    expect_none(in_loop(sweep("forth", "A", "B") + call("CPU_Heap") + "    forth -> call\n"), "memory that may be missing");
}

}  // namespace
}  // namespace sluice
