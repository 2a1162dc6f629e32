// Rules stream and consume-entry: pushes, pops, quiescence, bounded buffers, deadlock.
#include "run.h"

namespace sluice::interpret {
namespace {

// Elements of x above 1 go to S; S drains into y.
ir::Sdfg filter() {
    ir::Sdfg g = with_arrays("filter", {{"x", {symbol("N")}}, {"y", {symbol("N")}}});
    ir::add_stream(g, "S", Scalar::Float64).transient = true;
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto [entry, exit] = s.map("m", {{"i", "0:N"}});
    const auto t = s.tasklet("t", {{"a", {}}}, {{"c", {}}}, "if a > 1:\n    c = a\n    c = -a");
    const auto stream = s.access("S");
    s.memlet_path({s.access("x"), entry, t}, "", "a", ir::memlet("x[i]"));
    s.memlet_path({t, exit, stream}, "c", "", ir::memlet("S[0]", {.dynamic = true}));
    s.edge(stream, "", s.access("y"), "", ir::memlet("S[0]", {.dynamic = true, .other_subset = "0:N"}));
    return g;
}

TEST(Stream, PushesEachAssignmentAndDrainsInOrder) {
    Call call{.doubles = {{"x", {1, 2, 3}}, {"y", {0, 0, 0, 0}}}, .symbols = {{"N", 3}}};
    call.doubles["y"] = {9, 9, 9};
    Result<Report> report = call(filter());
    ASSERT_TRUE(report.ok()) << render(report.error());
    EXPECT_EQ(call.doubles["y"], (Doubles{2, -2, 3}));
}

// Producer and consumer share nothing but the stream.
ir::Sdfg pipe(const std::string& pushes, const std::string& pops, symbolic::Expr buffer) {
    ir::Sdfg g = with_arrays("pipe", {{"x", {symbol("N")}}, {"y", {symbol("N")}}});
    ir::add_stream(g, "S", Scalar::Float64, buffer).transient = true;
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto [entry, exit] = s.map("consumer", {{"i", pops}}, ir::Schedule::Sequential);
    const auto t = s.tasklet("take", {{"a", {}}}, {{"c", {}}}, "c = a");
    s.memlet_path({s.access("S"), entry, t}, "", "a", ir::memlet("S[0]"));
    s.memlet_path({t, exit, s.access("y")}, "c", "", ir::memlet("y[i]"));
    const auto [from, to] = s.map("producer", {{"j", pushes}}, ir::Schedule::Sequential);
    const auto give = s.tasklet("give", {{"a", {}}}, {{"c", {}}}, "c = 2 * a");
    s.memlet_path({s.access("x"), from, give}, "", "a", ir::memlet("x[j]"));
    s.memlet_path({give, to, s.access("S")}, "c", "", ir::memlet("S[0]"));
    return g;
}

TEST(Stream, PopsWaitForPushesOfAnotherComponent) {
    for (const int buffer : {0, 1})
        for (const std::uint64_t seed : {0, 3}) {
            Call call{.doubles = {{"x", Doubles(100, 1)}, {"y", Doubles(100)}}, .symbols = {{"N", 100}}};
            call.options.seed = seed;
            call.clean(pipe("0:N", "0:N", buffer));
            EXPECT_EQ(call.doubles["y"], Doubles(100, 2));
        }
}

// Writer, stream, reader: only the elements order what lies before and behind the access node of a bounded stream.
ir::Sdfg line(symbolic::Expr buffer) {
    ir::Sdfg g = with_arrays("line", {{"x", {symbol("N")}}, {"y", {symbol("N")}}});
    ir::add_stream(g, "S", Scalar::Float64, buffer).transient = true;
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto stream = s.access("S");
    const auto [from, to] = s.map("producer", {{"j", "0:N"}}, ir::Schedule::Sequential);
    const auto give = s.tasklet("give", {{"a", {}}}, {{"c", {}}}, "c = 2 * a");
    s.memlet_path({s.access("x"), from, give}, "", "a", ir::memlet("x[j]"));
    s.memlet_path({give, to, stream}, "c", "", ir::memlet("S[0]"));
    const auto [entry, exit] = s.map("consumer", {{"i", "0:N"}}, ir::Schedule::Sequential);
    const auto take = s.tasklet("take", {{"a", {}}}, {{"c", {}}}, "c = a + 1");
    s.memlet_path({stream, entry, take}, "", "a", ir::memlet("S[0]"));
    s.memlet_path({take, exit, s.access("y")}, "c", "", ir::memlet("y[i]"));
    return g;
}

TEST(Stream, BothSidesOfABoundedStreamRunAtTheSameTimeThroughOneNode) {
    for (const int buffer : {1, 3})
        for (const std::uint64_t seed : {0, 3}) {
            Call call{.doubles = {{"x", Doubles(100, 1)}, {"y", Doubles(100)}}, .symbols = {{"N", 100}}};
            call.options.seed = seed;
            call.clean(line(buffer));
            EXPECT_EQ(call.doubles["y"], Doubles(100, 3));
        }
}

// A copy of several elements takes what has come: it begins when the writer is done.
TEST(Stream, ACopyOutOfABoundedStreamFollowsItsWriter) {
    ir::Sdfg g = with_arrays("drained", {{"x", {8}}, {"y", {8}}});
    ir::add_stream(g, "S", Scalar::Float64, 8).transient = true;
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto stream = s.access("S");
    const auto [entry, exit] = s.map("m", {{"i", "0:8"}}, ir::Schedule::Sequential);
    const auto t = s.tasklet("t", {{"a", {}}}, {{"c", {}}}, "c = 2 * a");
    s.memlet_path({s.access("x"), entry, t}, "", "a", ir::memlet("x[i]"));
    s.memlet_path({t, exit, stream}, "c", "", ir::memlet("S[0]"));
    s.edge(stream, "", s.access("y"), "", ir::memlet("S[0]", {.other_subset = "0:8"}));
    for (const std::uint64_t seed : {0, 1, 2, 3}) {
        Call call{.doubles = {{"x", Doubles(8, 1)}, {"y", Doubles(8)}}, .symbols = {{"N", 8}}};
        call.options.seed = seed;
        call.clean(g);
        EXPECT_EQ(call.doubles["y"], Doubles(8, 2));
    }
}

TEST(Stream, TooManyPopsAreADeadlock) {
    Call call{.doubles = {{"x", {1, 2}}, {"y", {0, 0}}}, .symbols = {{"N", 2}}};
    const Result<Report> report = call(pipe("0:1", "0:N", 0));
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().code, "I005");
    EXPECT_EQ(report.error().message, "nothing is left to pop from `S` and nobody is left to push");
    EXPECT_EQ(report.error().path, "pipe/main/n2");
}

TEST(Stream, TooManyPushesIntoABoundedStreamAreADeadlock) {
    Call call{.doubles = {{"x", {1, 2, 3}}, {"y", {0, 0, 0}}}, .symbols = {{"N", 3}}};
    const Result<Report> report = call(pipe("0:N", "0:1", 1));
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().code, "I005");
    EXPECT_EQ(report.error().message, "stream `S` is full and nobody is left to pop from it");
}

TEST(Consume, RunsUntilTheStreamIsQuiescent) {
    // Each n > 0 pushes n - 1: the sum over all is 1 + 2 + ... + N.
    ir::Sdfg g = with_arrays("count", {{"x", {1}}, {"sum", {1}}});
    ir::add_stream(g, "S", Scalar::Float64).transient = true;
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto in = s.access("S"), out = s.access("S");
    s.edge(s.access("x"), "", in, "", ir::memlet("x[0]"));
    const auto [entry, exit] = s.consume("c", "p", 4);
    const auto t = s.tasklet("t", {{"n", {}}}, {{"total", {}}, {"next", {}}}, "total = n\nif n > 0:\n    next = n - 1");
    s.memlet_path({in, entry, t}, "", "n", ir::memlet("S[0]"));
    s.memlet_path({t, exit, s.access("sum")}, "total", "", ir::memlet("sum[0]", {.wcr = "lambda a, b: a + b"}));
    s.memlet_path({t, exit, out}, "next", "", ir::memlet("S[0]", {.dynamic = true}));
    for (const std::uint64_t seed : {0, 1, 2}) {
        Call call{.doubles = {{"x", {10}}, {"sum", {0}}}, .symbols = {{"N", 1}}};
        call.options.seed = seed;
        call.clean(g);
        EXPECT_EQ(call.doubles["sum"][0], 55);
    }
}

}  // namespace
}  // namespace sluice::interpret
