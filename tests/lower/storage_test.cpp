// Element types, memory, schedules, references and concurrency end to end.
#include <complex>
#include <cstdint>
#include <numeric>

#include "analysis/propagate.h"
#include "oracle.h"

namespace sluice {
namespace {

using code::Scalar;
using symbolic::symbol;
using test::lowered;
using test::run_program;

TEST(Types, ComplexSumsAndProducts) {
    ir::Sdfg g{.name = "complex_dot"};
    ir::add_symbol(g, "N");
    ir::add_array(g, "x", Scalar::Complex128, {symbol("N")});
    ir::add_array(g, "s", Scalar::Complex128, {1});
    ir::add_state(g, "main").mapped_tasklet("dot", {{"i", "0:N"}}, {{"a", "x[i]"}}, "o = a * a + 1j", {{"o", "s[0]"}},
                                            "lambda a, b: a + b");
    std::int64_t n = 5000;
    std::vector<std::complex<double>> x(n, {1, 2}), s(1);
    run_program(g, {s.data(), x.data(), &n});
    EXPECT_EQ(s[0], std::complex<double>(-3 * 5000.0, 5 * 5000.0));
}

TEST(Types, NarrowIntegersKeepTheirWidth) {
    ir::Sdfg g{.name = "narrow"};
    ir::add_array(g, "x", Scalar::UInt8, {4});
    ir::add_array(g, "y", Scalar::UInt8, {4});
    ir::add_state(g, "main").mapped_tasklet("t", {{"i", "0:4"}}, {{"a", "x[i]"}}, "o = a + 10", {{"o", "y[i]"}});
    std::vector<std::uint8_t> x{0, 100, 250, 255}, y(4);
    run_program(g, {x.data(), y.data()});
    EXPECT_EQ(y, (std::vector<std::uint8_t>{10, 110, 4, 9}));
}

// One of two branches runs: each has memory of the size that it has computed, not one of a size from before.
TEST(Storage, BranchesThatComputeASizeHaveMemoryOfTheirOwn) {
    const ir::Sdfg g = test::graph(R"(sdfg sizes(x, y, N) {
  symbol M: int64
  symbol N: int64
  array x: float64[N]
  array y: float64[N]
  transient array t: float64[M]
  state start {
  }
  conditional which {
    when `N > 4` {
      state count {
      }
      state fill {
        n0 = access x
        n1 = access t
        n2 = access y
        n0 -> n1 : x[0:M]
        n1 -> n2 : t[0:M]
      }
      count -> fill set M = `N`
    }
    else {
      state count_less {
      }
      state fill_less {
        n0 = access x
        n1 = access t
        n2 = access y
        n0 -> n1 : x[0:M]
        n1 -> n2 : t[0:M]
      }
      count_less -> fill_less set M = `N - 1`
    }
  }
  start -> which
}
)");
    for (std::int64_t n : {3, 200000}) {
        std::vector<double> x(static_cast<std::size_t>(n), 2.0), y(static_cast<std::size_t>(n));
        run_program(g, {x.data(), y.data(), &n});
        EXPECT_EQ(y.front(), 2.0);
        EXPECT_EQ(y.back(), n > 4 ? 2.0 : 0.0);
    }
}

TEST(Storage, EachPlaceIsUsed) {
    ir::Sdfg g{.name = "places"};
    ir::add_symbol(g, "N");
    ir::add_array(g, "x", Scalar::Float64, {symbol("N")});
    ir::add_transient(g, "heap", Scalar::Float64, {symbol("N")});
    ir::add_transient(g, "stack", Scalar::Float64, {16});
    ir::add_transient(g, "kept", Scalar::Float64, {symbol("N")}).lifetime = ir::Lifetime::Persistent;
    ir::BlockId last;
    ir::add_state(g.body, "start", &last);
    for (const char* name : {"heap", "kept"}) {
        auto in = ir::add_state_after(g.body, last, std::string("in_") + name, &last);
        in.edge(in.access("x"), "", in.access(name), "", ir::memlet("x"));
        auto out = ir::add_state_after(g.body, last, std::string("out_") + name, &last);
        out.edge(out.access(name), "", out.access("x"), "", ir::memlet(name));
    }
    auto s = ir::add_state_after(g.body, last, "small");
    const auto small = s.access("stack");
    s.edge(s.access("x"), "", small, "", ir::memlet("x[0:16]"));
    s.edge(small, "", s.access("x"), "", ir::memlet("stack"));
    const std::string text = lowered(g);
    EXPECT_NE(text.find("allocate heap: float64 size N heap"), std::string::npos) << text;
    EXPECT_NE(text.find("allocate stack: float64 size 16 stack"), std::string::npos) << text;
    EXPECT_NE(text.find("kept: float64 size N persistent"), std::string::npos) << text;
    std::int64_t n = 100;
    std::vector<double> x(n);
    std::iota(x.begin(), x.end(), 0);
    const std::vector<double> before = x;
    run_program(g, {x.data(), &n});
    EXPECT_EQ(x, before);
}

TEST(Storage, SizesThatTheProgramComputes) {
    ir::Sdfg g{.name = "computed"};
    ir::add_symbol(g, "k");
    ir::add_array(g, "n", Scalar::Int64, {1});
    ir::add_array(g, "sum", Scalar::Float64, {1});
    ir::add_transient(g, "t", Scalar::Float64, {symbol("k")});
    ir::BlockId start, fill, use;
    ir::add_state(g.body, "start", &start);
    ir::add_state(g.body, "fill", &fill).mapped_tasklet("fill", {{"i", "0:k"}}, {}, "o = i", {{"o", "t[i]"}});
    ir::add_state(g.body, "use", &use)
        .mapped_tasklet("use", {{"i", "0:k"}}, {{"a", "t[i]"}}, "o = a", {{"o", "sum[0]"}}, "lambda a, b: a + b");
    ir::add_transition(g.body, start, fill, "", {{"k", "n[0] * 2"}});
    ir::add_transition(g.body, fill, use);
    std::int64_t n = 4;
    double sum = 0;
    run_program(g, {&n, &sum});
    EXPECT_EQ(sum, 28);
}

// What an iteration leaves there the next one reads, whichever way the loop is written.
TEST(Storage, SizesThatTheProgramComputesKeepTheirMemoryInLoops) {
    const std::string declared = R"(sdfg kept(n, x) {
  symbol k: int64
  symbol v: int64
  array n: int64[1]
  array x: int64[4]
  transient array t: int64[k]
  state start {
  }
)";
    const std::string body = R"(      state put {
        n0 = tasklet put () -> (o) { o = 10 + v }
        n1 = access t
        n0.o -> n1 : t[v]
      }
      state get {
        n0 = access t
        n1 = tasklet get (a) -> (o) { o = a }
        n2 = access x
        n0 -> n1.a : t[0]
        n1.o -> n2 : x[v]
      }
      put -> get
)";
    const std::string region =
        declared + "  loop all [v: `v = 0`; `v < 4`; `v = v + 1`] {\n" + body + "  }\n  start -> all set k=`n[0] * 2`\n}\n";
    const std::string machine = declared + "  region all {\n    state guard {\n    }\n" + body +
                                "    state end {\n    }\n    guard -> put if `v < 4`\n    guard -> end if `v >= 4`\n"
                                "    get -> guard set v=`v + 1`\n  }\n  start -> all set k=`n[0] * 2`, v=0\n}\n";
    for (const std::string& text : {region, machine}) {
        const ir::Sdfg g = test::graph(text);
        test::run_both(g, test::Arguments().array<std::int64_t>("n", {2}).array<std::int64_t>("x", {0, 0, 0, 0}));
    }
}

TEST(Storage, DeviceMemoryIsRefused) {
    ir::Sdfg g{.name = "device"};
    ir::add_array(g, "x", Scalar::Float64, {4});
    ir::add_transient(g, "t", Scalar::Float64, {4}).storage = ir::Storage::GPU_Global;
    auto s = ir::add_state(g, "main");
    s.edge(s.access("x"), "", s.access("t"), "", ir::memlet("x"));
    const auto module = lower::lower(g);
    ASSERT_FALSE(module);
    EXPECT_EQ(module.error().code, "L002");
    EXPECT_EQ(module.error().message, "container `t` lies in GPU_Global, which a CPU does not have");
    EXPECT_EQ(module.error().path, "device/t");
}

TEST(Schedules, PersistentTeamsUnrolledAndCollapsedLoops) {
    for (const char* kind : {"persistent", "unrolled", "collapsed", "sequential"}) {
        ir::Sdfg g{.name = std::string("schedule_") + kind};
        ir::add_symbol(g, "N");
        ir::add_array(g, "x", Scalar::Int64, {symbol("N"), 4});
        auto s = ir::add_state(g, "main");
        const auto mapped = s.mapped_tasklet("t", {{"i", "0:N"}, {"j", "0:4"}}, {}, "o = 10 * i + j", {{"o", "x[i, j]"}});
        auto& map = std::get<ir::MapEntry>(s.state().nodes[mapped.entry].kind);
        const std::string name = kind;
        if (name == "persistent") map.schedule = ir::Schedule::CPU_Persistent;
        if (name == "unrolled") map.unroll = true, map.unroll_factor = 4;
        if (name == "collapsed") map.collapse = 2, map.omp_schedule = ir::OmpSchedule::Dynamic;
        if (name == "sequential") map.schedule = ir::Schedule::Sequential;
        const std::string text = lowered(g);
        const char* expected = name == "persistent"  ? "region thread"
                               : name == "unrolled"  ? "unroll i"
                               : name == "collapsed" ? "collapse 2 schedule dynamic"
                                                     : "for i in 0:N from";
        EXPECT_NE(text.find(expected), std::string::npos) << text;
        std::int64_t n = 700;
        std::vector<std::int64_t> x(2800);
        run_program(g, {x.data(), &n});
        for (int i = 0; i < 700; ++i)
            for (int j = 0; j < 4; ++j) ASSERT_EQ(x[i * 4 + j], 10 * i + j) << kind;
    }
}

TEST(Sections, BoundedStreamJoinsProducerAndConsumer) {
    ir::Sdfg g{.name = "bounded"};
    ir::add_symbol(g, "N");
    ir::add_array(g, "x", Scalar::Float64, {symbol("N")});
    ir::add_array(g, "y", Scalar::Float64, {symbol("N")});
    ir::add_stream(g, "S", Scalar::Float64, 4).transient = true;
    auto s = ir::add_state(g, "main");
    const auto stream = s.access("S");
    const auto [write, write_exit] = s.map("produce", {{"i", "0:N"}}, ir::Schedule::Sequential);
    const auto [read, read_exit] = s.map("collect", {{"i", "0:N"}}, ir::Schedule::Sequential);
    const auto push = s.tasklet("push", {{"a", {}}}, {{"o", {}}}, "o = a * 2"),
               pop = s.tasklet("pop", {{"a", {}}}, {{"o", {}}}, "o = a + 1");
    s.memlet_path({s.access("x"), write, push}, "", "a", ir::memlet("x[i]"));
    s.memlet_path({push, write_exit, stream}, "o", "", ir::memlet("S[0]"));
    s.memlet_path({stream, read, pop}, "", "a", ir::memlet("S[0]"));
    s.memlet_path({pop, read_exit, s.access("y")}, "o", "", ir::memlet("y[i]"));
    EXPECT_NE(lowered(g).find("sections"), std::string::npos) << lowered(g);
    std::int64_t n = 100;
    std::vector<double> x(n), y(n);
    std::iota(x.begin(), x.end(), 0);
    run_program(g, {x.data(), y.data(), &n});
    for (int i = 0; i < n; ++i) ASSERT_EQ(y[i], 2 * i + 1);
}

TEST(Sections, CopyIntoBoundedStreamRunsBesideItsConsumer) {
    ir::Sdfg g{.name = "fed"};
    ir::add_array(g, "x", Scalar::Float64, {100});
    ir::add_array(g, "y", Scalar::Float64, {100});
    ir::add_stream(g, "S", Scalar::Float64, 4).transient = true;
    auto s = ir::add_state(g, "main");
    const auto stream = s.access("S");
    const auto [read, read_exit] = s.map("collect", {{"i", "0:100"}}, ir::Schedule::Sequential);
    const auto pop = s.tasklet("pop", {{"a", {}}}, {{"o", {}}}, "o = a + 1");
    s.edge(s.access("x"), "", stream, "", ir::memlet("x[0:100]"));
    s.memlet_path({stream, read, pop}, "", "a", ir::memlet("S[0]"));
    s.memlet_path({pop, read_exit, s.access("y")}, "o", "", ir::memlet("y[i]"));
    std::vector<double> x(100), y(100);
    std::iota(x.begin(), x.end(), 0);
    run_program(g, {x.data(), y.data()});
    for (int i = 0; i < 100; ++i) ASSERT_EQ(y[i], i + 1);
}

// As many elements as there are: the copy begins when the last has come.
TEST(Sections, CopyOfSeveralElementsOutOfABoundedStreamFollowsItsProducer) {
    ir::Sdfg g{.name = "drained"};
    ir::add_array(g, "x", Scalar::Float64, {100});
    ir::add_array(g, "y", Scalar::Float64, {100});
    ir::add_stream(g, "S", Scalar::Float64, 100).transient = true;
    auto s = ir::add_state(g, "main");
    const auto stream = s.access("S");
    const auto [entry, exit] = s.map("produce", {{"i", "0:100"}}, ir::Schedule::Sequential);
    const auto push = s.tasklet("push", {{"a", {}}}, {{"o", {}}}, "o = a * 2");
    s.memlet_path({s.access("x"), entry, push}, "", "a", ir::memlet("x[i]"));
    s.memlet_path({push, exit, stream}, "o", "", ir::memlet("S[0]"));
    s.edge(stream, "", s.access("y"), "", ir::memlet("S[0]", {.other_subset = "0:100"}));
    EXPECT_EQ(lowered(g).find("sections"), std::string::npos) << lowered(g);
    std::vector<double> x(100), y(100);
    std::iota(x.begin(), x.end(), 0);
    run_program(g, {x.data(), y.data()});
    for (int i = 0; i < 100; ++i) ASSERT_EQ(y[i], 2 * i);
}

TEST(Sections, ConsumeScopePushesBeyondTheSizeOfItsStream) {
    ir::Sdfg g{.name = "grown"};
    ir::add_array(g, "first", Scalar::Int32, {1});
    ir::add_array(g, "total", Scalar::Int64, {1});
    ir::add_stream(g, "S", Scalar::Int32, 1).transient = true;
    auto s = ir::add_state(g, "main");
    const auto stream = s.access("S");
    const auto [entry, exit] = s.consume("work", "p", 4);
    const auto task = s.tasklet("task", {{"n", {}}}, {{"more", {}}, {"one", {}}},
                                "if n == 1:\n    one = 1\nelif n > 1:\n    more = n - 1\n    more = n - 2\n");
    ir::Memlet pushed = ir::memlet("S[0]"), added = ir::memlet("total[0]", {.wcr = "lambda a, b: a + b"});
    pushed.dynamic = added.dynamic = true;
    s.edge(s.access("first"), "", stream, "", ir::memlet("first[0]"));
    s.edge(stream, "", entry, "IN_stream", ir::memlet("S[0]"));
    s.edge(entry, "OUT_stream", task, "n", ir::memlet("S[0]"));
    s.memlet_path({task, exit, s.access("S")}, "more", "", pushed);
    s.memlet_path({task, exit, s.access("total")}, "one", "", added);
    std::int32_t first = 12;
    std::int64_t total = 0;
    run_program(g, {&first, &total});
    EXPECT_EQ(total, 144);
}

TEST(References, AreBoundAtRunTime) {
    ir::Sdfg g{.name = "reference"};
    ir::add_array(g, "a", Scalar::Float64, {4});
    ir::add_array(g, "b", Scalar::Float64, {4});
    ir::add_array(g, "out", Scalar::Float64, {4});
    ir::add_symbol(g, "which");
    ir::add_transient(g, "r", Scalar::Float64, {4}).binding = ir::Binding::Reference;
    ir::BlockId start, left, right, use;
    ir::add_state(g.body, "start", &start);
    for (auto [id, name] : {std::pair(&left, "a"), std::pair(&right, "b")}) {
        auto s = ir::add_state(g.body, std::string("set_") + name, id);
        const auto r = s.access("r");
        s.state().nodes[r].in.emplace("set", code::DType());
        s.edge(s.access(name), "", r, "set", ir::memlet(name));
    }
    auto s = ir::add_state(g.body, "use", &use);
    s.edge(s.access("r"), "", s.access("out"), "", ir::memlet("r"));
    ir::add_transition(g.body, start, left, "which == 0");
    ir::add_transition(g.body, start, right, "which != 0");
    ir::add_transition(g.body, left, use);
    ir::add_transition(g.body, right, use);
    std::vector<double> a{1, 2, 3, 4}, b{5, 6, 7, 8}, out(4);
    std::int64_t which = 1;
    run_program(g, {a.data(), b.data(), out.data(), &which});
    EXPECT_EQ(out, b);
}

TEST(Nested, ConflictsInsideAParallelCallerAreAtomic) {
    ir::Sdfg inner{.name = "count"};
    ir::add_array(inner, "v", Scalar::Int64, {1});
    ir::add_array(inner, "h", Scalar::Int64, {4});
    auto t = ir::add_state(inner, "main");
    const auto bin = t.tasklet("bin", {{"a", {}}}, {{"o", {}}}, "o[a % 4] = 1");
    t.edge(t.access("v"), "", bin, "a", ir::memlet("v[0]"));
    t.edge(bin, "o", t.access("h"), "", ir::memlet("h[0:4]", {.wcr = "lambda a, b: a + b", .dynamic = true}));
    ir::Sdfg g{.name = "nested_conflict"};
    ir::add_symbol(g, "N");
    ir::add_array(g, "x", Scalar::Int64, {symbol("N")});
    ir::add_array(g, "h", Scalar::Int64, {4});
    auto s = ir::add_state(g, "main");
    const auto [entry, exit] = s.map("m", {{"i", "0:N"}});
    const auto call = s.nested("count", inner, {"v", "h"}, {"h"});
    s.memlet_path({s.access("x"), entry, call}, "", "v", ir::memlet("x[i]"));
    s.memlet_path({s.access("h"), entry, call}, "", "h", ir::memlet("h"));
    s.memlet_path({call, exit, s.access("h")}, "h", "", ir::memlet("h", {.wcr = "lambda a, b: a + b"}));
    EXPECT_NE(lowered(g).find("update atomic sum h["), std::string::npos) << lowered(g);
    std::int64_t n = 8000;
    std::vector<std::int64_t> x(n), h(4);
    std::iota(x.begin(), x.end(), 0);
    run_program(g, {h.data(), x.data(), &n});
    EXPECT_EQ(h, std::vector<std::int64_t>(4, 2000));
}

TEST(Constants, TablesAndScalars) {
    ir::Sdfg g{.name = "constants"};
    ir::Constant table;
    table.container.dtype = Scalar::Float64;
    table.container.shape = {3};
    table.container.kind = ir::Array{};
    table.values = {{0.5, 0}, {1.5, 0}, {2.5, 0}};
    g.constants.set("table", table);
    ir::Constant factor;
    factor.container.dtype = Scalar::Int64;
    factor.container.kind = ir::Scalar{};
    factor.integers = {4};
    g.constants.set("factor", factor);
    ir::add_array(g, "x", Scalar::Float64, {3});
    ir::add_state(g, "main").mapped_tasklet("t", {{"i", "0:3"}}, {}, "o = table[i] * factor", {{"o", "x[i]"}});
    std::vector<double> x(3);
    run_program(g, {x.data()});
    EXPECT_EQ(x, (std::vector<double>{2, 6, 10}));
}

// A nested SDFG may call an array what the SDFG around it calls a constant, and have another constant of that name.
TEST(Constants, NamesThatMeanSomethingElseInANestedSdfg) {
    const auto scalar = [](std::int64_t value) {
        ir::Constant constant;
        constant.container.dtype = Scalar::Int64;
        constant.container.kind = ir::Scalar{};
        constant.integers = {value};
        return constant;
    };
    ir::Sdfg g{.name = "hidden_constants"};
    ir::add_array(g, "x", Scalar::Int64, {1});
    g.constants.set("k", scalar(3));
    g.constants.set("c", scalar(5));
    ir::Sdfg inner{.name = "inner"};
    ir::add_array(inner, "k", Scalar::Int64, {1});
    inner.constants.set("c", scalar(70));
    auto t = ir::add_state(inner, "main");
    const auto add = t.tasklet("add", {{"a", {}}}, {{"o", {}}}, "o = a + c");
    t.edge(t.access("k"), "", add, "a", ir::memlet("k[0]"));
    t.edge(add, "o", t.access("k"), "", ir::memlet("k[0]"));
    ir::BlockId first;
    auto s = ir::add_state(g.body, "first", &first);
    s.edge(s.tasklet("set", {}, {{"o", {}}}, "o = k * 100 + c"), "o", s.access("x"), "", ir::memlet("x[0]"));
    auto n = ir::add_state_after(g.body, first, "second");
    const auto call = n.nested("inner", inner, {"k"}, {"k"});
    n.edge(n.access("x"), "", call, "k", ir::memlet("x[0]"));
    n.edge(call, "k", n.access("x"), "", ir::memlet("x[0]"));
    std::vector<std::int64_t> x(1);
    run_program(g, {x.data()});
    EXPECT_EQ(x[0], 375);
}

}  // namespace
}  // namespace sluice
