// Copies, streams, consume scopes, nested SDFGs, tasklets, transients and views end to end.
#include <algorithm>
#include <cstdint>
#include <numeric>

#include "analysis/propagate.h"
#include "run_program.h"

namespace sluice {
namespace {

using code::Scalar;
using symbolic::symbol;
using test::lowered;
using test::run_program;

TEST(Copies, StridedAndShifted) {
    ir::Sdfg g{.name = "strided"};
    ir::add_array(g, "a", Scalar::Float64, {6, 8});
    ir::add_array(g, "b", Scalar::Float32, {3, 4});
    auto s = ir::add_state(g, "main");
    s.edge(s.access("a"), "", s.access("b"), "", ir::memlet("a[1:6:2, 2:6]"));
    std::vector<double> a(48);
    std::iota(a.begin(), a.end(), 0);
    std::vector<float> b(12);
    run_program(g, {a.data(), b.data()});
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 4; ++j) ASSERT_EQ(b[i * 4 + j], a[(1 + 2 * i) * 8 + 2 + j]);
}

TEST(Copies, WholeArraysAreOneRun) {
    ir::Sdfg g{.name = "whole"};
    ir::add_array(g, "a", Scalar::Float64, {6, 8});
    ir::add_array(g, "b", Scalar::Float64, {48});
    auto s = ir::add_state(g, "main");
    s.edge(s.access("a"), "", s.access("b"), "", ir::memlet("a"));
    EXPECT_NE(lowered(g).find("copy 48 float64"), std::string::npos) << lowered(g);
}

TEST(Copies, RowIntoColumn) {
    ir::Sdfg g{.name = "row_to_column"};
    ir::add_symbol(g, "N");
    ir::add_array(g, "a", Scalar::Float64, {3, symbol("N")});
    ir::add_array(g, "b", Scalar::Float64, {symbol("N"), 2});
    auto s = ir::add_state(g, "main");
    s.edge(s.access("a"), "", s.access("b"), "", ir::memlet("a[1, 0:N]", {.other_subset = "0:N, 1"}));
    std::int64_t n = 5;
    std::vector<double> a(15), b(10, -1);
    std::iota(a.begin(), a.end(), 0);
    run_program(g, {a.data(), b.data(), &n});
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(b[2 * i], -1);
        EXPECT_EQ(b[2 * i + 1], 5 + i);
    }
}

TEST(Copies, SizesThatDifferAreRefused) {
    ir::Sdfg g{.name = "misfit"};
    ir::add_array(g, "a", Scalar::Float64, {6});
    ir::add_array(g, "b", Scalar::Float64, {6});
    auto s = ir::add_state(g, "main");
    s.edge(s.access("a"), "", s.access("b"), "", ir::memlet("a[0:4]", {.other_subset = "0:5"}));
    const auto module = lower::lower(g);
    ASSERT_FALSE(module);
    EXPECT_EQ(module.error().code, "L008");
    EXPECT_EQ(module.error().message, "a copy of 4 elements of `a` does not fit the 5 elements of `b`");
}

TEST(Streams, FilterKeepsWhatPasses) {
    ir::Sdfg g{.name = "filter"};
    ir::add_symbol(g, "N");
    ir::add_array(g, "x", Scalar::Float64, {symbol("N")});
    ir::add_array(g, "y", Scalar::Float64, {symbol("N")});
    ir::add_array(g, "count", Scalar::Int64, {1});
    ir::add_stream(g, "S", Scalar::Float64).transient = true;
    auto s = ir::add_state(g, "main");
    const auto [entry, exit] = s.map("filter", {{"i", "0:N"}});
    const auto t = s.tasklet("keep", {{"a", {}}}, {{"o", {}}, {"c", {}}}, "if a > 5:\n    o = a\n    c = 1");
    const auto stream = s.access("S");
    s.memlet_path({s.access("x"), entry, t}, "", "a", ir::memlet("x[i]"));
    s.memlet_path({t, exit, stream}, "o", "", ir::memlet("S[0]", {.dynamic = true}));
    s.memlet_path({t, exit, s.access("count")}, "c", "", ir::memlet("count[0]", {.wcr = "lambda a, b: a + b", .dynamic = true}));
    s.edge(stream, "", s.access("y"), "", ir::memlet("y[0:N]", {.dynamic = true}));
    std::int64_t n = 10000, count = 0;
    std::vector<double> x(n), y(n, -1);
    for (int i = 0; i < n; ++i) x[i] = i % 10;
    run_program(g, {&count, x.data(), y.data(), &n});
    EXPECT_EQ(count, 4000);
    std::sort(y.begin(), y.begin() + 4000);
    EXPECT_EQ(y[0], 6);
    EXPECT_EQ(y[3999], 9);
    EXPECT_EQ(y[4000], -1);
}

TEST(Streams, FibonacciConsumesItsOwnWork) {
    ir::Sdfg g{.name = "fibonacci"};
    ir::add_array(g, "n", Scalar::Int64, {1});
    ir::add_array(g, "result", Scalar::Int64, {1});
    ir::add_stream(g, "S", Scalar::Int64).transient = true;
    auto s = ir::add_state(g, "main");
    const auto in = s.access("S"), again = s.access("S");
    s.edge(s.access("n"), "", in, "", ir::memlet("n[0]"));
    const auto [entry, exit] = s.consume("fib", "p", 4);
    const auto t = s.tasklet("fib", {{"v", {}}}, {{"more", {}}, {"one", {}}},
                             "if v == 1:\n    one = 1\nelif v > 1:\n    more = v - 1\n    more = v - 2");
    s.edge(in, "", entry, "IN_stream", ir::memlet("S[0]", {.dynamic = true}));
    s.edge(entry, "OUT_stream", t, "v", ir::memlet("S[0]"));
    s.memlet_path({t, exit, again}, "more", "", ir::memlet("S[0]", {.dynamic = true}));
    s.memlet_path({t, exit, s.access("result")}, "one", "",
                  ir::memlet("result[0]", {.wcr = "lambda a, b: a + b", .dynamic = true}));
    std::int64_t n = 15, result = 0;
    run_program(g, {&n, &result});
    EXPECT_EQ(result, 610);
}

ir::Sdfg row_scaler() {
    ir::Sdfg inner{.name = "scale_row"};
    ir::add_symbol(inner, "L");
    ir::add_array(inner, "row", Scalar::Float64, {symbol("L")});
    ir::add_scalar(inner, "factor", Scalar::Float64);
    ir::add_state(inner, "main")
        .mapped_tasklet("scale", {{"j", "0:L"}}, {{"r", "row[j]"}, {"f", "factor"}}, "o = r * f", {{"o", "row[j]"}});
    return inner;
}

TEST(Nested, RowsOfAMatrixInParallel) {
    ir::Sdfg g{.name = "rows"};
    ir::add_symbol(g, "N");
    ir::add_array(g, "A", Scalar::Float64, {symbol("N"), 2 * symbol("N")});
    ir::add_array(g, "f", Scalar::Float64, {symbol("N")});
    auto s = ir::add_state(g, "main");
    const auto [entry, exit] = s.map("rows", {{"i", "0:N"}});
    const auto call = s.nested("scale_row", row_scaler(), {"row", "factor"}, {"row"}, {{"L", 2 * symbol("N")}});
    s.memlet_path({s.access("A"), entry, call}, "", "row", ir::memlet("A[i, 0:2*N]"));
    s.memlet_path({s.access("f"), entry, call}, "", "factor", ir::memlet("f[i]"));
    s.memlet_path({call, exit, s.access("A")}, "row", "", ir::memlet("A[i, 0:2*N]"));
    const std::string text = lowered(g);
    EXPECT_NE(text.find("invoke scale_row(f[{i}], &A["), std::string::npos) << text;
    std::int64_t n = 4;
    std::vector<double> a(32, 1), f{1, 2, 3, 4};
    run_program(g, {a.data(), f.data(), &n});
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 8; ++j) ASSERT_EQ(a[i * 8 + j], i + 1);
}

TEST(Transients, LiveInTheSmallestScope) {
    ir::Sdfg g{.name = "scopes"};
    ir::add_symbol(g, "N");
    ir::add_array(g, "x", Scalar::Float64, {symbol("N")});
    ir::add_array(g, "y", Scalar::Float64, {symbol("N")});
    ir::add_transient(g, "pair", Scalar::Float64, {2});
    auto s = ir::add_state(g, "main");
    const auto [entry, exit] = s.map("each", {{"i", "0:N"}});
    const auto fill = s.tasklet("fill", {{"a", {}}}, {{"p", {}}}, "p[0] = a\np[1] = a * a");
    const auto sum = s.tasklet("sum", {{"p", {}}}, {{"o", {}}}, "o = p[0] + p[1]");
    const auto pair = s.access("pair");
    s.memlet_path({s.access("x"), entry, fill}, "", "a", ir::memlet("x[i]"));
    s.edge(fill, "p", pair, "", ir::memlet("pair[0:2]"));
    s.edge(pair, "", sum, "p", ir::memlet("pair[0:2]"));
    s.memlet_path({sum, exit, s.access("y")}, "o", "", ir::memlet("y[i]"));
    const std::string text = lowered(g);
    EXPECT_LT(text.find("parallel i"), text.find("allocate pair: float64 size 2 stack")) << text;
    std::int64_t n = 9000;
    std::vector<double> x(n), y(n);
    std::iota(x.begin(), x.end(), 0);
    run_program(g, {x.data(), y.data(), &n});
    for (int i = 0; i < n; ++i) ASSERT_EQ(y[i], x[i] + x[i] * x[i]);
}

TEST(Tasklets, WhileBranchesAndLocals) {
    ir::Sdfg g{.name = "collatz"};
    ir::add_array(g, "x", Scalar::Int64, {10});
    ir::add_array(g, "y", Scalar::Int64, {10});
    ir::add_state(g, "main").mapped_tasklet("steps", {{"i", "0:10"}}, {{"a", "x[i]"}},
                                            "n = a\ncount = 0\nwhile n != 1:\n    if n % 2 == 0:\n        n = n // 2\n    else:\n  "
                                            "      n = 3 * n + 1\n    count += 1\no = count",
                                            {{"o", "y[i]"}});
    std::vector<std::int64_t> x(10), y(10);
    std::iota(x.begin(), x.end(), 1);
    run_program(g, {x.data(), y.data()});
    EXPECT_EQ(y, (std::vector<std::int64_t>{0, 1, 7, 2, 5, 8, 16, 3, 19, 6}));
}

TEST(Tasklets, PythonDivisionRoundsDown) {
    ir::Sdfg g{.name = "division"};
    ir::add_array(g, "x", Scalar::Int32, {4});
    ir::add_array(g, "y", Scalar::Int32, {4});
    ir::add_array(g, "z", Scalar::Float64, {4});
    ir::add_state(g, "main").mapped_tasklet("divide", {{"i", "0:4"}}, {{"a", "x[i]"}}, "q = a // 3 * 10 + a % 3\nr = a / 4",
                                            {{"q", "y[i]"}, {"r", "z[i]"}});
    std::vector<std::int32_t> x{7, -7, 0, -1}, y(4);
    std::vector<double> z(4);
    run_program(g, {x.data(), y.data(), z.data()});
    EXPECT_EQ(y, (std::vector<std::int32_t>{21, -28, 0, -8}));
    EXPECT_EQ(z, (std::vector<double>{1.75, -1.75, 0, -0.25}));
}

TEST(Tasklets, CppReadsAndWritesItsConnectors) {
    ir::Sdfg g{.name = "cpp"};
    ir::add_symbol(g, "N");
    ir::add_array(g, "a", Scalar::Float64, {symbol("N")});
    ir::add_array(g, "b", Scalar::Float64, {symbol("N")});
    auto s = ir::add_state(g, "main");
    const auto t =
        s.tasklet("reverse", {{"a", {}}}, {{"out", {}}}, "for (long i = 0; i < N; ++i) out[i] = a[N - 1 - i];", ir::Language::CPP);
    s.edge(s.access("a"), "", t, "a", ir::memlet("a[0:N]"));
    s.edge(t, "out", s.access("b"), "", ir::memlet("b[0:N]"));
    std::int64_t n = 4;
    std::vector<double> a{1, 2, 3, 4}, b(4);
    run_program(g, {a.data(), b.data(), &n});
    EXPECT_EQ(b, (std::vector<double>{4, 3, 2, 1}));
}

TEST(Tasklets, WiresAndScalars) {
    ir::Sdfg g{.name = "wires"};
    ir::add_array(g, "x", Scalar::Float64, {1});
    ir::add_scalar(g, "t", Scalar::Float64, true);
    auto s = ir::add_state(g, "main");
    const auto in = s.access("x"), mid = s.access("t"), out = s.access("x");
    const auto first = s.tasklet("first", {{"a", {}}}, {{"b", Scalar::Float64}}, "b = a + 1");
    const auto second = s.tasklet("second", {{"a", {}}}, {{"b", {}}}, "b = a * 3");
    const auto third = s.tasklet("third", {{"a", {}}}, {{"b", {}}}, "b = a - 2");
    s.edge(in, "", first, "a", ir::memlet("x[0]"));
    s.edge(first, "b", second, "a", ir::no_memlet());
    s.edge(second, "b", mid, "", ir::memlet("t"));
    s.edge(mid, "", third, "a", ir::memlet("t"));
    s.edge(third, "b", out, "", ir::memlet("x[0]"));
    const std::string text = lowered(g);
    EXPECT_NE(text.find("var t: float64\n"), std::string::npos) << text;
    EXPECT_NE(text.find("(b * 3.0)"), std::string::npos) << text;
}

TEST(Views, ReshapeWritesThrough) {
    ir::Sdfg g{.name = "view"};
    ir::add_array(g, "a", Scalar::Float64, {12});
    ir::add_view(g, "v", Scalar::Float64, {3, 4});
    auto s = ir::add_state(g, "main");
    const auto [entry, exit] = s.map("fill", {{"i", "0:3"}, {"j", "0:4"}});
    const auto t = s.tasklet("fill", {}, {{"o", {}}}, "o = 10 * i + j");
    const auto view = s.access("v");
    s.state().nodes[view].out.emplace("views", code::DType());
    s.edge(entry, "", t, "", ir::no_memlet());
    s.memlet_path({t, exit, view}, "o", "", ir::memlet("v[i, j]"));
    s.edge(view, "views", s.access("a"), "", ir::memlet("a[0:12]"));
    std::vector<double> a(12);
    run_program(g, {a.data()});
    EXPECT_EQ(a, (std::vector<double>{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}));
}

TEST(Tasklets, WhatCannotRunIsRefusedWithItsPlace) {
    const auto refused = [](const std::string& code, ir::Language language) {
        ir::Sdfg g{.name = "refused"};
        ir::add_array(g, "x", Scalar::Float64, {1});
        auto s = ir::add_state(g, "main");
        const auto t = s.tasklet("t", {}, {{"o", {}}}, code, language);
        s.edge(t, "o", s.access("x"), "", ir::memlet("x[0]"));
        const auto module = lower::lower(g);
        EXPECT_FALSE(module);
        return module ? Diagnostic{} : module.error();
    };
    EXPECT_EQ(refused("assign o = 1;", ir::Language::SystemVerilog).code, "L005");
    const Diagnostic diagnostic = refused("o = 1\nwith open(3):\n    o = 2", ir::Language::Python);
    EXPECT_EQ(diagnostic.code, "L010");
    EXPECT_EQ(diagnostic.message, "`with` has no meaning in a tasklet");
    EXPECT_EQ(diagnostic.path, "refused/main/n0");
    EXPECT_EQ(diagnostic.where.line, 2U);
}

}  // namespace
}  // namespace sluice
