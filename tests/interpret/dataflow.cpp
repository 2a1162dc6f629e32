// Rules memlet, data, tasklet, mapentry, reduce: one minimal graph each, with the memory that must come out.
#include "run.h"

namespace sluice::interpret {
namespace {

TEST(Map, RunsItsTaskletForEachPoint) {
    ir::Sdfg g = with_arrays("axpy", {{"x", {symbol("N")}}, {"y", {symbol("N")}}});
    ir::add_state(g, "main").mapped_tasklet("axpy", {{"i", "0:N"}}, {{"a", "x[i]"}, {"b", "y[i]"}}, "c = 2 * a + b",
                                            {{"c", "y[i]"}});
    Call call{.doubles = {{"x", {1, 2, 3}}, {"y", {10, 20, 30}}}, .symbols = {{"N", 3}}};
    call.clean(g);
    EXPECT_EQ(call.doubles["y"], (Doubles{12, 24, 36}));
}

TEST(Map, WalksNegativeStepsAndEmptyRanges) {
    for (const std::string range : {"N - 1:-1:-2", "N:0", "0:N:2"}) {
        ir::Sdfg g = with_arrays("steps", {{"y", {symbol("N")}}});
        ir::add_state(g, "main").mapped_tasklet("mark", {{"i", range}}, {}, "c = i + 1", {{"c", "y[i]"}});
        Call call{.doubles = {{"y", {0, 0, 0, 0}}}, .symbols = {{"N", 4}}};
        call.clean(g);
        EXPECT_EQ(call.doubles["y"], range == "N:0"     ? (Doubles{0, 0, 0, 0})
                                     : range == "0:N:2" ? (Doubles{1, 0, 3, 0})
                                                        : (Doubles{0, 2, 0, 4}))
            << range;
    }
}

// What code gives a value is its own, even where the graph has a symbol of that name.
TEST(Tasklet, OwnsTheNamesThatItAssigns) {
    ir::Sdfg g = with_arrays("own", {{"y", {symbol("N")}}});
    g.symbols.emplace("k", Scalar::Int64);
    ir::add_state(g, "main").mapped_tasklet("mark", {{"i", "0:N"}}, {}, "k = 2 * i\nc = k + 1", {{"c", "y[i]"}});
    Call call{.doubles = {{"y", {0, 0, 0}}}, .symbols = {{"N", 3}}};
    call.clean(g);
    EXPECT_EQ(call.doubles["y"], (Doubles{1, 3, 5}));
}

TEST(Map, LaterRangesUseEarlierParameters) {
    ir::Sdfg g = with_arrays("triangle", {{"A", {symbol("N"), symbol("N")}}});
    ir::add_state(g, "main").mapped_tasklet("mark", {{"i", "0:N"}, {"j", "i:N"}}, {}, "c = 10 * i + j", {{"c", "A[i, j]"}});
    Call call{.doubles = {{"A", Doubles(9, -1)}}, .symbols = {{"N", 3}}};
    call.clean(g);
    EXPECT_EQ(call.doubles["A"], (Doubles{0, 1, 2, -1, 11, 12, -1, -1, 22}));
}

TEST(Map, ReadsItsRangeFromData) {
    ir::Sdfg g = with_arrays("dynamic", {{"y", {symbol("N")}}});
    ir::add_array(g, "n", Scalar::Int64, {1});
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto [entry, exit] = s.map("m", {{"i", "0:count"}});
    s.state().nodes[entry].in.emplace("count", ir::DType());
    const auto t = s.tasklet("one", {}, {{"c", {}}}, "c = 1");
    s.edge(s.access("n"), "", entry, "count", ir::memlet("n[0]"));
    s.edge(entry, "", t, "", ir::no_memlet());
    s.memlet_path({t, exit, s.access("y")}, "c", "", ir::memlet("y[i]"));
    Call call{.doubles = {{"y", {0, 0, 0}}}, .integers = {{"n", {2}}}, .symbols = {{"N", 3}}};
    call.clean(g);
    EXPECT_EQ(call.doubles["y"], (Doubles{1, 1, 0}));
}

TEST(Map, ZeroSizeArraysHoldNothing) {
    ir::Sdfg g = with_arrays("nothing", {{"x", {symbol("N")}}, {"y", {symbol("N")}}});
    ir::StateBuilder s = ir::add_state(g, "main");
    s.mapped_tasklet("copy", {{"i", "0:N"}}, {{"a", "x[i]"}}, "c = a", {{"c", "y[i]"}});
    s.edge(s.access("x"), "", s.access("y"), "", ir::memlet("x[0:N]"));
    Call call{.doubles = {{"x", {7}}, {"y", {8}}}, .symbols = {{"N", 0}}};
    call.options.detect_conflicts = false;
    call.clean(g);
    EXPECT_EQ(call.doubles["y"], (Doubles{8}));
}

TEST(Memlet, ResolvesConflictsWithAnyOperator) {
    const std::vector<std::pair<std::string, double>> cases = {
        {"lambda a, b: a + b", 106}, {"lambda a, b: max(a, b)", 100}, {"lambda a, b: a * b", 600}, {"lambda a, b: a + 2 * b", 112}};
    for (const auto& [wcr, expected] : cases) {
        ir::Sdfg g = with_arrays("sum", {{"x", {symbol("N")}}, {"r", {1}}});
        ir::add_state(g, "main").mapped_tasklet("sum", {{"i", "0:N"}}, {{"a", "x[i]"}}, "c = a", {{"c", "r[0]"}}, wcr);
        for (const std::uint64_t seed : {0, 1, 2}) {
            Call call{.doubles = {{"x", {1, 2, 3}}, {"r", {100}}}, .symbols = {{"N", 3}}};
            call.options.seed = seed;
            call.clean(g);
            EXPECT_EQ(call.doubles["r"][0], expected) << wcr;
        }
    }
}

TEST(Memlet, CopiesBetweenSubsetsOfDifferentShape) {
    ir::Sdfg g = with_arrays("copies", {{"A", {4, 4}}, {"b", {4}}, {"c", {2, 8}}});
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto a = s.access("A");
    s.edge(a, "", s.access("b"), "", ir::memlet("A[0:4, 1]", {.other_subset = "3:-1:-1"}));
    s.edge(a, "", s.access("c"), "", ir::memlet("A[0:4, 0:4]", {.other_subset = "0:2, 0:8"}));
    Call call{.doubles = {{"A", Doubles(16)}, {"b", Doubles(4)}, {"c", Doubles(16)}}, .symbols = {{"N", 1}}};
    for (int at = 0; at < 16; ++at) call.doubles["A"][static_cast<std::size_t>(at)] = at;
    call.clean(g);
    EXPECT_EQ(call.doubles["b"], (Doubles{13, 9, 5, 1}));
    EXPECT_EQ(call.doubles["c"], call.doubles["A"]);
}

TEST(Tasklet, KeepsTheTypesOfItsConnectors) {
    ir::Sdfg g{.name = "types"};
    ir::add_array(g, "a", Scalar::Int8, {1});
    ir::add_array(g, "f", Scalar::Float32, {1});
    ir::add_array(g, "h", Scalar::Float16, {1});
    ir::add_array(g, "z", Scalar::Complex64, {1});
    ir::add_array(g, "q", Scalar::Int32, {4});
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto t = s.tasklet("t", {{"x", {}}, {"y", {}}, {"w", {}}}, {{"o", {}}, {"p", {}}, {"v", {}}, {"u", {}}, {"q", {}}},
                             "o = x + x\np = y + 1\nv = w + 1\nu = complex(1, 2) * 1j\nq[0] = -7 // 2\nq[1] = -7 % 2\nq[2] = 2 ** "
                             "5\nq[3] = min(3, max(1, 2))");
    const auto a = s.access("a"), f = s.access("f"), h = s.access("h");
    s.edge(a, "", t, "x", ir::memlet("a[0]"));
    s.edge(f, "", t, "y", ir::memlet("f[0]"));
    s.edge(h, "", t, "w", ir::memlet("h[0]"));
    s.edge(t, "o", s.access("a"), "", ir::memlet("a[0]"));
    s.edge(t, "p", s.access("f"), "", ir::memlet("f[0]"));
    s.edge(t, "v", s.access("h"), "", ir::memlet("h[0]"));
    s.edge(t, "u", s.access("z"), "", ir::memlet("z[0]"));
    s.edge(t, "q", s.access("q"), "", ir::memlet("q[0:4]"));
    std::int8_t byte = 100;
    float single = 16777216;
    _Float16 half = 2048;
    float complex[2] = {};
    std::int32_t whole[4] = {};
    Arguments arguments{{{"a", &byte}, {"f", &single}, {"h", &half}, {"z", complex}, {"q", whole}}, {}};
    const auto report = interpret(g, arguments);
    ASSERT_TRUE(report.ok()) << render(report.error());
    EXPECT_EQ(byte, static_cast<std::int8_t>(200));
    EXPECT_EQ(single, 16777216.f);
    EXPECT_EQ(static_cast<float>(half), 2048.f);
    EXPECT_EQ(complex[0], -2.f);
    EXPECT_EQ(complex[1], 1.f);
    EXPECT_EQ((std::vector<int>(whole, whole + 4)), (std::vector<int>{-4, 1, 32, 2}));
}

TEST(Tasklet, HandsValuesToTaskletsDirectly) {
    ir::Sdfg g = with_arrays("chain", {{"x", {1}}, {"y", {1}}});
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto first = s.tasklet("first", {{"a", {}}}, {{"b", Scalar::Float64}}, "b = a + 1");
    const auto second = s.tasklet("second", {{"b", {}}}, {{"c", {}}}, "c = b * b");
    s.edge(s.access("x"), "", first, "a", ir::memlet("x[0]"));
    s.edge(first, "b", second, "b", ir::memlet("x[0]"));
    s.edge(second, "c", s.access("y"), "", ir::memlet("y[0]"));
    Call call{.doubles = {{"x", {3}}, {"y", {0}}}, .symbols = {{"N", 1}}};
    Arguments arguments{{{"x", call.doubles["x"].data()}, {"y", call.doubles["y"].data()}}, {{"N", 1}}};
    const auto report = interpret(g, arguments);
    ASSERT_TRUE(report.ok()) << render(report.error());
    EXPECT_EQ(call.doubles["y"], (Doubles{16}));
}

TEST(Tasklet, WritesDynamicMemletsOnlyWhereItAssigns) {
    ir::Sdfg g = with_arrays("sometimes", {{"x", {symbol("N")}}, {"y", {symbol("N")}}});
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto [entry, exit] = s.map("m", {{"i", "0:N"}});
    const auto t = s.tasklet("t", {{"a", {}}}, {{"c", {}}}, "if a > 1:\n    c = a");
    s.memlet_path({s.access("x"), entry, t}, "", "a", ir::memlet("x[i]"));
    s.memlet_path({t, exit, s.access("y")}, "c", "", ir::memlet("y[i]", {.dynamic = true}));
    Call call{.doubles = {{"x", {1, 2, 3}}, {"y", {9, 9, 9}}}, .symbols = {{"N", 3}}};
    call.clean(g);
    EXPECT_EQ(call.doubles["y"], (Doubles{9, 2, 3}));
}

TEST(Tasklet, LoopsOverTheElementsOfAConnector) {
    ir::Sdfg g = with_arrays("rows", {{"A", {symbol("N"), symbol("N")}}, {"y", {symbol("N")}}});
    ir::add_state(g, "main").mapped_tasklet("sum", {{"i", "0:N"}}, {{"row", "A[i, 0:N]"}},
                                            "s = 0.0\nfor k in range(N):\n    if k == 2:\n        continue\n    s += row[k]\nc = s",
                                            {{"c", "y[i]"}});
    Call call{.doubles = {{"A", {1, 2, 3, 4, 5, 6, 7, 8, 9}}, {"y", {0, 0, 0}}}, .symbols = {{"N", 3}}};
    call.clean(g);
    EXPECT_EQ(call.doubles["y"], (Doubles{3, 9, 15}));
}

TEST(Reduce, FoldsAxesOntoWhatIsThereOrAnIdentity) {
    for (const bool identity : {false, true}) {
        ir::Sdfg g = with_arrays("reduce", {{"A", {2, 3}}, {"r", {2}}});
        ir::StateBuilder s = ir::add_state(g, "main");
        std::map<std::string, ir::Property> properties = {{"wcr", std::string("lambda a, b: a + b")},
                                                          {"axes", std::vector<std::int64_t>{1}}};
        if (identity) properties["identity"] = std::int64_t{0};
        const auto reduce = s.library("Reduce", "sum", {"_in"}, {"_out"}, properties);
        s.edge(s.access("A"), "", reduce, "_in", ir::memlet("A[0:2, 0:3]"));
        s.edge(reduce, "_out", s.access("r"), "", ir::memlet("r[0:2]"));
        Call call{.doubles = {{"A", {1, 2, 3, 4, 5, 6}}, {"r", {100, 200}}}, .symbols = {{"N", 1}}};
        call.clean(g);
        EXPECT_EQ(call.doubles["r"], identity ? (Doubles{6, 15}) : (Doubles{106, 215}));
    }
}

// The operand lies in the output: it is read as a whole before anything is written.
TEST(Definition, ReadsAllThenWritesAll) {
    ir::Sdfg g = with_arrays("reversed", {{"A", {4}}});
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto node = s.library("Reversed", "reversed", {"_x"}, {"_y"});
    const ir::EdgeId in = s.edge(s.access("A"), "", node, "_x", ir::memlet("A[0:4:1]"));
    const ir::EdgeId out = s.edge(node, "_y", s.access("A"), "", ir::memlet("A[0:4]"));
    Call call{.doubles = {{"A", {1, 2, 3, 4}}}, .symbols = {{"N", 1}}};
    EXPECT_EQ(call(g).error().code, "I007") << "an operation without a definition";
    call.options.library = [&](const ir::Sdfg&, const ir::State&, ir::NodeId, const std::string&) {
        return ir::Meaning{.operands = {{in, "_x"}, {out, "_y"}}, .run = [](ir::Operands& operands) {
                               const std::vector<ir::Number>& x = operands.at("_x").values;
                               operands.at("_y").values.assign(x.rbegin(), x.rend());
                           }};
    };
    call.clean(g);
    EXPECT_EQ(call.doubles["A"], (Doubles{4, 3, 2, 1}));
}

// As many elements as the memlets move, whatever waits in the stream beside them.
TEST(Definition, PopsAndPushesElementsOfStreams) {
    ir::Sdfg g = with_arrays("streamed", {{"A", {5}}, {"B", {3}}, {"C", {2}}});
    ir::add_stream(g, "S", Scalar::Float64);
    ir::add_stream(g, "T", Scalar::Float64);
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto from = s.access("S"), to = s.access("T");
    const auto node = s.library("Reversed", "reversed", {"_x"}, {"_y"});
    s.edge(s.access("A"), "", from, "", ir::memlet("A[0:5]"));
    ir::Memlet three = ir::memlet("S[0]"), pushed = ir::memlet("T[0]");
    three.volume = pushed.volume = 3;
    const ir::EdgeId in = s.edge(from, "", node, "_x", three), out = s.edge(node, "_y", to, "", pushed);
    s.edge(to, "", s.access("B"), "", ir::memlet("B[0:3]"));
    ir::StateBuilder rest = ir::add_state_after(g.body, ir::BlockId(0), "rest");
    rest.edge(rest.access("S"), "", rest.access("C"), "", ir::memlet("C[0:2]"));
    Call call{.doubles = {{"A", {1, 2, 3, 4, 5}}, {"B", {0, 0, 0}}, {"C", {0, 0}}}, .symbols = {{"N", 1}}};
    call.options.library = [&](const ir::Sdfg&, const ir::State&, ir::NodeId, const std::string&) {
        return ir::Meaning{.operands = {{in, "_x"}, {out, "_y"}}, .run = [](ir::Operands& operands) {
                               const std::vector<ir::Number>& x = operands.at("_x").values;
                               operands.at("_y").values.assign(x.rbegin(), x.rend());
                           }};
    };
    call.clean(g);
    EXPECT_EQ(call.doubles["B"], (Doubles{3, 2, 1}));
    EXPECT_EQ(call.doubles["C"], (Doubles{4, 5}));
}

TEST(Definition, ACallReadsAndWritesWhereItsAddressesPoint) {
    ir::Sdfg g = with_arrays("called", {{"A", {6}}, {"B", {4}}});
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto node = s.library("Extern", "every_other", {"_x"}, {"_y"});
    const ir::EdgeId in = s.edge(s.access("A"), "", node, "_x", ir::memlet("A[1:6]"));
    const ir::EdgeId out = s.edge(node, "_y", s.access("B"), "", ir::memlet("B[1:3]"));
    Call call{.doubles = {{"A", {1, 2, 3, 4, 5, 6}}, {"B", {0, 0, 0, 0}}}, .symbols = {{"N", 2}}};
    call.options.library = [&](const ir::Sdfg&, const ir::State&, ir::NodeId, const std::string&) {
        ir::Call every_other{.arguments = {symbol("N"), ir::Number(10.0), in, out}, .run = [](const auto& values) {
                                 ir::Memory &x = *std::get<ir::Memory*>(values[2]), &y = *std::get<ir::Memory*>(values[3]);
                                 for (std::int64_t i = 0; i < std::get<ir::Number>(values[0]).integer; ++i)
                                     y.write(i, std::get<ir::Number>(values[1]) * x.read(2 * i));
                             }};
        return ir::Meaning{.call = every_other};
    };
    call.clean(g);
    EXPECT_EQ(call.doubles["B"], (Doubles{0, 20, 40, 0}));
    call.symbols["N"] = 4;
    EXPECT_EQ(call(g).error().code, "I001") << "beyond the array";
}

TEST(Data, ScopeTransientsAreNewForEachPoint) {
    ir::Sdfg g = with_arrays("local", {{"x", {symbol("N")}}, {"y", {symbol("N")}}});
    ir::add_transient(g, "t", Scalar::Float64, {1});
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto [entry, exit] = s.map("m", {{"i", "0:N"}});
    const auto first = s.tasklet("a", {{"a", {}}}, {{"b", {}}}, "b = a + 1"),
               second = s.tasklet("b", {{"b", {}}}, {{"c", {}}}, "c = 2 * b");
    const auto t = s.access("t");
    s.memlet_path({s.access("x"), entry, first}, "", "a", ir::memlet("x[i]"));
    s.edge(first, "b", t, "", ir::memlet("t[0]"));
    s.edge(t, "", second, "b", ir::memlet("t[0]"));
    s.memlet_path({second, exit, s.access("y")}, "c", "", ir::memlet("y[i]"));
    for (const std::uint64_t seed : {0, 5}) {
        Call call{.doubles = {{"x", {1, 2, 3}}, {"y", {0, 0, 0}}}, .symbols = {{"N", 3}}};
        call.options.seed = seed;
        call.clean(g);
        EXPECT_EQ(call.doubles["y"], (Doubles{4, 6, 8}));
    }
}

TEST(Data, CopiesOutOfAScopeRunOnceForEachPoint) {
    ir::Sdfg g = with_arrays("out", {{"x", {symbol("N")}}, {"y", {1}}});
    ir::add_transient(g, "t", Scalar::Float64, {1});
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto [entry, exit] = s.map("m", {{"i", "0:N"}});
    const auto first = s.tasklet("a", {{"a", {}}}, {{"b", {}}}, "b = a + 1");
    const auto t = s.access("t");
    s.memlet_path({s.access("x"), entry, first}, "", "a", ir::memlet("x[i]"));
    s.edge(first, "b", t, "", ir::memlet("t[0]"));
    s.memlet_path({t, exit, s.access("y")}, "", "", ir::memlet("y[0]", {.wcr = "lambda a, b: a + b", .other_subset = "0"}));
    for (const std::uint64_t seed : {0, 5}) {
        Call call{.doubles = {{"x", {1, 2, 3}}, {"y", {10}}}, .symbols = {{"N", 3}}};
        call.options.seed = seed;
        call.clean(g);
        EXPECT_EQ(call.doubles["y"], Doubles{19});
    }
}

TEST(Data, ViewsShareTheMemoryTheyView) {
    ir::Sdfg g = with_arrays("views", {{"A", {2, 3}}});
    ir::add_view(g, "v", Scalar::Float64, {6});
    ir::StateBuilder s = ir::add_state(g, "main");
    const auto [entry, exit] = s.map("m", {{"i", "0:6"}});
    const auto t = s.tasklet("t", {}, {{"c", {}}}, "c = i");
    const auto v = s.access("v");
    s.state().nodes[v].out.emplace("views", ir::DType());
    s.edge(entry, "", t, "", ir::no_memlet());
    s.memlet_path({t, exit, v}, "c", "", ir::memlet("v[i]"));
    s.edge(v, "views", s.access("A"), "", ir::memlet("A[0:2, 0:3]", {.other_subset = "0:6"}));
    Call call{.doubles = {{"A", Doubles(6, -1)}}, .symbols = {{"N", 1}}};
    call.clean(g);
    EXPECT_EQ(call.doubles["A"], (Doubles{0, 1, 2, 3, 4, 5}));
}

}  // namespace
}  // namespace sluice::interpret
