// What the interpreter notices: races, unwritten elements, subsets out of bounds, overflow, missing arguments; and its speed.
#include <chrono>
#include <set>

#include "run.h"

namespace sluice::interpret {
namespace {

std::vector<std::string> codes(const Result<Report>& report) {
    std::vector<std::string> result;
    if (!report.ok()) return {report.error().code};
    for (const Diagnostic& finding : report->findings) result.push_back(finding.code);
    return result;
}

TEST(Assertion, EndsTheRunWhereItDoesNotHold) {
    ir::Sdfg g = with_arrays("checked", {{"y", {1}}});
    ir::StateBuilder s = ir::add_state(g, "main");
    s.edge(s.tasklet("t", {}, {{"c", {}}}, "assert N > 2, 'too few'\nc = N"), "c", s.access("y"), "", ir::memlet("y[0]"));
    Call few{.doubles = {{"y", {0}}}, .symbols = {{"N", 2}}}, enough{.doubles = {{"y", {0}}}, .symbols = {{"N", 3}}};
    EXPECT_EQ(codes(few(g)), (std::vector<std::string>{"I010"}));
    EXPECT_TRUE(codes(enough(g)).empty());
}

TEST(Race, DiffersBetweenSeedsAndIsFound) {
    ir::Sdfg g = with_arrays("race", {{"y", {1}}});
    ir::add_state(g, "main").mapped_tasklet("last", {{"i", "0:N"}}, {}, "c = i", {{"c", "y[0]"}});
    std::set<double> outcomes;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        Call call{.doubles = {{"y", {0}}}, .symbols = {{"N", 8}}};
        call.options.seed = seed;
        EXPECT_EQ(codes(call(g)), (std::vector<std::string>{"I004"}));
        outcomes.insert(call.doubles["y"][0]);
    }
    EXPECT_GT(outcomes.size(), 2u);
}

TEST(Race, BetweenComponentsOfAState) {
    ir::Sdfg g = with_arrays("components", {{"x", {1}}, {"y", {1}}});
    ir::StateBuilder s = ir::add_state(g, "main");
    for (const std::string value : {"1", "2"})
        s.edge(s.tasklet("t" + value, {}, {{"c", {}}}, "c = " + value), "c", s.access("y"), "", ir::memlet("y[0]"));
    Call call{.doubles = {{"x", {0}}, {"y", {0}}}, .symbols = {{"N", 8}}};
    const auto report = call(g);
    ASSERT_EQ(codes(report), (std::vector<std::string>{"I004"}));
    EXPECT_EQ(report->findings[0].message, "an element of `y` is written twice in no order");
}

TEST(Race, ReadOfWhatAnotherPointWrites) {
    ir::Sdfg g = with_arrays("shift", {{"y", {symbol("N")}}});
    ir::add_state(g, "main").mapped_tasklet("shift", {{"i", "1:N"}}, {{"a", "y[i - 1]"}}, "c = a", {{"c", "y[i]"}});
    Call call{.doubles = {{"y", {1, 0, 0}}}, .symbols = {{"N", 3}}};
    EXPECT_EQ(codes(call(g)), (std::vector<std::string>{"I004"}));
    call.options.strict = true;
    const auto report = call(g);
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().message, "an element of `y` is read and written in no order");
}

// States of a callee follow each other, but what the caller does beside it is not over.
TEST(Race, IsLookedForAfterACallOfSeveralStates) {
    ir::Sdfg callee{.name = "callee"};
    ir::add_array(callee, "p", Scalar::Float64, {2});
    ir::BlockId last;
    for (const int at : {0, 1}) {
        ir::BlockId id;
        ir::StateBuilder s = ir::add_state(callee.body, "state" + std::to_string(at), &id);
        s.edge(s.tasklet("t", {}, {{"c", {}}}, "c = 1"), "c", s.access("p"), "", ir::memlet("p[" + std::to_string(at) + "]"));
        if (last.valid()) ir::add_transition(callee.body, last, id);
        last = id;
    }
    ir::Sdfg g = with_arrays("caller", {{"y", {2}}, {"z", {2}}});
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto call = s.nested("call", callee, {}, {"p"});
    const auto y = s.access("y");
    s.edge(call, "p", y, "", ir::memlet("y[0:2]"));
    s.edge(y, "", s.access("z"), "", ir::memlet("y[0:2]"));
    Call run{.doubles = {{"y", {0, 0}}, {"z", {0, 0}}}, .symbols = {{"N", 2}}};
    run.clean(g);
    EXPECT_EQ(run.doubles["z"], (Doubles{1, 1}));
}

TEST(Uninitialised, ReadsAreFoundCopiesAreNot) {
    ir::Sdfg g = with_arrays("unwritten", {{"y", {2}}});
    ir::add_transient(g, "t", Scalar::Float64, {2});
    ir::add_transient(g, "u", Scalar::Float64, {2});
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto t = s.access("t"), u = s.access("u");
    s.edge(s.tasklet("one", {}, {{"c", {}}}, "c = 1"), "c", t, "", ir::memlet("t[0]"));
    s.edge(t, "", u, "", ir::memlet("t[0:2]"));
    for (const std::string at : {"0", "1"}) {
        const auto take = s.tasklet("take" + at, {{"a", {}}}, {{"c", {}}}, "c = a");
        s.edge(u, "", take, "a", ir::memlet("u[" + at + "]"));
        s.edge(take, "c", s.access("y"), "", ir::memlet("y[" + at + "]"));
    }
    Call call{.doubles = {{"y", {0, 0}}}, .symbols = {{"N", 8}}};
    const auto report = call(g);
    ASSERT_EQ(codes(report), (std::vector<std::string>{"I003"}));
    EXPECT_EQ(report->findings[0].message, "an element of `u` is read that nobody wrote");
    EXPECT_EQ(call.doubles["y"][0], 1);
}

TEST(Bounds, SubsetOutsideItsContainer) {
    ir::Sdfg g = with_arrays("beyond", {{"y", {symbol("N")}}});
    ir::add_symbol(g, "M");
    ir::add_state(g, "main").mapped_tasklet("mark", {{"i", "0:M"}}, {}, "c = i", {{"c", "y[i]"}});
    Call call{.doubles = {{"y", {0, 0, 0}}}, .symbols = {{"N", 2}, {"M", 3}}};
    const auto report = call(g);
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().code, "I001");
    EXPECT_EQ(report.error().message, "index 2 of dimension 0 lies outside `y`, whose extent is 2");
    EXPECT_EQ(report.error().path, "beyond/main/n2");
}

TEST(Overflow, OfASymbolicExpression) {
    ir::Sdfg g = with_arrays("big", {{"y", {1}}});
    ir::add_state(g, "main").mapped_tasklet("mark", {{"i", "0:N * N * N"}}, {}, "c = 1", {{"c", "y[0]"}}, "lambda a, b: a + b");
    Call call{.doubles = {{"y", {0}}}, .symbols = {{"N", std::int64_t{1} << 40}}};
    EXPECT_EQ(codes(call(g)), (std::vector<std::string>{"I006"}));
}

TEST(Arguments, MustBeThere) {
    ir::Sdfg g = with_arrays("missing", {{"y", {symbol("N")}}});
    ir::add_state(g, "main").mapped_tasklet("mark", {{"i", "0:N"}}, {}, "c = i", {{"c", "y[i]"}});
    Call without_symbol{.doubles = {{"y", {0}}}};
    EXPECT_EQ(codes(without_symbol(g)), (std::vector<std::string>{"I002"}));
    Call without_memory{.symbols = {{"N", 1}}};
    EXPECT_EQ(codes(without_memory(g)), (std::vector<std::string>{"I002"}));
}

TEST(Foreign, TaskletsNeedACompiler) {
    ir::Sdfg g = with_arrays("foreign", {{"x", {1}}, {"y", {1}}});
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto t = s.tasklet("cpp", {{"a", {}}}, {{"c", {}}}, "c = a + 1;", ir::Language::CPP);
    s.edge(s.access("x"), "", t, "a", ir::memlet("x[0]"));
    s.edge(t, "c", s.access("y"), "", ir::memlet("y[0]"));
    Call call{.doubles = {{"x", {4}}, {"y", {0}}}, .symbols = {{"N", 1}}};
    EXPECT_EQ(codes(call(g)), (std::vector<std::string>{"I007"}));
    call.options.compile_tasklet = [](const ForeignTasklet& tasklet) -> Result<TaskletFunction> {
        EXPECT_EQ(tasklet.names.size(), 2u);
        return TaskletFunction([](void* const* at) { *static_cast<double*>(at[1]) = *static_cast<double*>(at[0]) + 1; });
    };
    call.clean(g);
    EXPECT_EQ(call.doubles["y"][0], 5);
}

TEST(Trace, NamesEachRuleAsItFires) {
    ir::Sdfg g = with_arrays("trace", {{"y", {symbol("N")}}});
    ir::add_state(g, "main").mapped_tasklet("mark", {{"i", "0:N"}}, {}, "c = i", {{"c", "y[i]"}});
    Call call{.doubles = {{"y", {0, 0}}}, .symbols = {{"N", 2}}};
    std::vector<std::string> lines;
    call.options.trace = [&](std::string_view line) { lines.emplace_back(line); };
    call.clean(g);
    EXPECT_EQ(lines, (std::vector<std::string>{"state main", "mapentry trace/main/n0 mark[i=0:N]", "tasklet trace/main/n2 mark",
                                               "tasklet trace/main/n2 mark", "data trace/main/n3 y"}));
}

TEST(Speed, MillionsOfTasklets) {
    ir::Sdfg g = with_arrays("speed", {{"x", {symbol("N")}}, {"y", {symbol("N")}}});
    ir::add_state(g, "main").mapped_tasklet("axpy", {{"i", "0:N"}}, {{"a", "x[i]"}, {"b", "y[i]"}}, "c = 2 * a + b",
                                            {{"c", "y[i]"}});
    constexpr std::size_t kCount = 400'000;
    Call call{.doubles = {{"x", Doubles(kCount, 1)}, {"y", Doubles(kCount, 1)}},
              .symbols = {{"N", static_cast<std::int64_t>(kCount)}}};
    const auto begin = std::chrono::steady_clock::now();
    call.clean(g);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    RecordProperty("tasklets_per_second", std::to_string(kCount / seconds));
    std::printf("%.2f million tasklets a second\n", kCount / seconds / 1e6);
    EXPECT_EQ(call.doubles["y"], Doubles(kCount, 3));
}

}  // namespace
}  // namespace sluice::interpret
