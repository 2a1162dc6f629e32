// Map scopes end to end: parallel, sequential, reductions, dynamic ranges.
#include <cstdint>
#include <functional>
#include <numeric>

#include "analysis/propagate.h"
#include "run_program.h"

namespace sluice {
namespace {

using code::Scalar;
using symbolic::symbol;
using test::lowered;
using test::run_program;

ir::Sdfg axpy() {
    ir::Sdfg g{.name = "axpy"};
    ir::add_symbol(g, "N");
    ir::add_scalar(g, "a", Scalar::Float64);
    ir::add_array(g, "x", Scalar::Float64, {symbol("N")});
    ir::add_array(g, "y", Scalar::Float64, {symbol("N")});
    g.arg_names = {"a", "x", "y"};
    ir::add_state(g, "main").mapped_tasklet("axpy", {{"i", "0:N"}}, {{"s", "a"}, {"xi", "x[i]"}, {"yi", "y[i]"}},
                                            "yo = s * xi + yi", {{"yo", "y[i]"}});
    analysis::propagate_memlets(g);
    return g;
}

TEST(Maps, AxpyIsAParallelLoopGuardedByItsSize) {
    const std::string text = lowered(axpy());
    EXPECT_NE(text.find("parallel i in 0:N"), std::string::npos) << text;
    EXPECT_NE(text.find("simd i in 0:N"), std::string::npos) << text;
    EXPECT_NE(lowered(axpy(), {.parallel = false}).find("\n    for i in 0:N"), std::string::npos)
        << lowered(axpy(), {.parallel = false});
}

TEST(Maps, AxpyComputes) {
    std::int64_t n = 1000;
    double a = 3;
    std::vector<double> x(1000), y(1000, 1);
    std::iota(x.begin(), x.end(), 0);
    run_program(axpy(), {&a, x.data(), y.data(), &n});
    for (int i = 0; i < n; ++i) ASSERT_EQ(y[i], 3.0 * i + 1);
}

/// axpy with what the map is given.
ir::Sdfg axpy_with(const std::function<void(ir::State&, ir::MapEntry&)>& edit) {
    ir::Sdfg g = axpy();
    ir::State& state = *ir::as_state(g.body.blocks[g.body.start]);
    for (auto [id, node] : state.nodes)
        if (auto* map = std::get_if<ir::MapEntry>(&node.kind)) edit(state, *map);
    return g;
}

TEST(Maps, LanesThatABodyCannotFillAreRefused) {
    const auto refusal = [](const std::function<void(ir::State&, ir::MapEntry&)>& edit) {
        const auto module = lower::lower(axpy_with(edit));
        return module ? loop::to_text(*module) : module.error().code + ": " + module.error().message;
    };
    EXPECT_EQ(refusal([](ir::State& state, ir::MapEntry& map) {
                  map.simd = true;
                  for (auto [id, node] : state.nodes)
                      if (auto* tasklet = std::get_if<ir::Tasklet>(&node.kind))
                          tasklet->code = {"yo = s * xi + yi;", ir::Language::CPP};
              }),
              "L042: map `axpy` asks for vector lanes, but `axpy` is no tasklet in Python");
    EXPECT_EQ(refusal([](ir::State&, ir::MapEntry& map) { map.simd = map.unroll = true; }),
              "L042: map `axpy` asks for vector lanes, but its loop is unrolled");
    EXPECT_NE(refusal([](ir::State&, ir::MapEntry& map) { map.simd = true; }).find("simd i in 0:N"), std::string::npos);
}

ir::Sdfg gemm(const std::string& wcr) {
    ir::Sdfg g{.name = "gemm"};
    for (const char* name : {"N", "M", "K"}) ir::add_symbol(g, name);
    ir::add_array(g, "A", Scalar::Float64, {symbol("N"), symbol("K")});
    ir::add_array(g, "B", Scalar::Float64, {symbol("K"), symbol("M")});
    ir::add_array(g, "C", Scalar::Float64, {symbol("N"), symbol("M")});
    ir::add_state(g, "main").mapped_tasklet("gemm", {{"i", "0:N"}, {"j", "0:M"}, {"k", "0:K"}},
                                            {{"a", "A[i, k]"}, {"b", "B[k, j]"}}, "c = a * b", {{"c", "C[i, j]"}}, wcr);
    analysis::propagate_memlets(g);
    return g;
}

TEST(Maps, InnerReductionAccumulatesLocally) {
    const std::string text = lowered(gemm("lambda x, y: x + y"));
    EXPECT_NE(text.find("simd k in 0:K reduce sum C_sum"), std::string::npos) << text;
    EXPECT_NE(text.find("update plain sum C[{"), std::string::npos) << text;
}

TEST(Maps, GemmComputes) {
    std::int64_t k = 7, m = 9, n = 60;
    std::vector<double> a(n * k), b(k * m), c(n * m, 1);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<double>(i % 5);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<double>(i % 3);
    run_program(gemm("lambda x, y: x + y"), {a.data(), b.data(), c.data(), &k, &m, &n});
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) {
            double expected = 1;
            for (int l = 0; l < k; ++l) expected += a[i * k + l] * b[l * m + j];
            ASSERT_EQ(c[i * m + j], expected);
        }
}

ir::Sdfg reduction(const std::string& wcr, code::DType type) {
    ir::Sdfg g{.name = "reduction"};
    ir::add_symbol(g, "N");
    ir::add_array(g, "x", type, {symbol("N")});
    ir::add_array(g, "s", type, {1});
    ir::add_state(g, "main").mapped_tasklet("sum", {{"i", "0:N"}}, {{"xi", "x[i]"}}, "o = xi", {{"o", "s[0]"}}, wcr);
    analysis::propagate_memlets(g);
    return g;
}

template <class T> T reduced(const std::string& wcr, code::DType type, std::vector<T> x, T start) {
    std::int64_t n = static_cast<std::int64_t>(x.size());
    std::vector<T> s{start};
    run_program(reduction(wcr, type), {s.data(), x.data(), &n});
    return s[0];
}

TEST(Maps, EveryKindOfReduction) {
    std::vector<double> x(10000);
    std::iota(x.begin(), x.end(), 1);
    EXPECT_EQ(reduced<double>("lambda a, b: a + b", Scalar::Float64, x, 5), 50005005.0);
    EXPECT_EQ(reduced<double>("lambda a, b: max(a, b)", Scalar::Float64, x, 5), 10000);
    EXPECT_EQ(reduced<double>("lambda a, b: min(a, b)", Scalar::Float64, x, 5), 1);
    EXPECT_EQ(reduced<double>("lambda a, b: a + 2 * b", Scalar::Float64, x, 0), 100010000.0);
    std::vector<std::int32_t> bits(6000, 1);
    bits[77] = 6;
    EXPECT_EQ(reduced<std::int32_t>("lambda a, b: a | b", Scalar::Int32, bits, 16), 23);
    EXPECT_EQ(reduced<std::int32_t>("lambda a, b: a ^ b", Scalar::Int32, bits, 0), 7);
    EXPECT_EQ(reduced<std::int32_t>("lambda a, b: a - b", Scalar::Int32, bits, 0), -6005);
}

TEST(Maps, HistogramOfBinsThatFitIsPrivateAndOfManyAtomic) {
    struct Bins {
        const char *name, *count, *expected;
    };
    constexpr std::size_t kMany = 100000;
    for (const Bins& bins : {Bins{"few", "8", "reduce sum h elements 8"}, Bins{"some", "B", "reduce sum h elements B"},
                             Bins{"many", "100000", "update atomic sum h["}}) {
        ir::Sdfg g{.name = std::string("histogram_") + bins.name};
        ir::add_symbol(g, "N");
        ir::add_symbol(g, "B");
        ir::add_array(g, "x", Scalar::Int64, {symbol("N")});
        ir::add_array(g, "h", Scalar::Int64, {symbolic::parse(bins.count).or_fail()});
        auto state = ir::add_state(g, "main");
        const auto [entry, exit] = state.map("bins", {{"i", "0:N"}});
        const auto tasklet = state.tasklet("bin", {{"v", {}}}, {{"o", {}}}, "o[v % 8] = 1");
        state.memlet_path({state.access("x"), entry, tasklet}, "", "v", ir::memlet("x[i]"));
        state.memlet_path({tasklet, exit, state.access("h")}, "o", "",
                          ir::memlet(std::string("h[0:") + bins.count + "]", {.wcr = "lambda a, b: a + b", .dynamic = true}));
        analysis::propagate_memlets(g);
        const std::string text = lowered(g);
        EXPECT_NE(text.find(bins.expected), std::string::npos) << text;
        // One thread alone needs neither.
        EXPECT_NE(text.find("update plain sum h[", text.find("else\n")), std::string::npos) << text;
        std::int64_t n = 10000, b = kMany;
        std::vector<std::int64_t> x(10000), h(kMany, 0);
        std::iota(x.begin(), x.end(), 0);
        // The largest number of bins of which threads keep copies, and one that is too large for it.
        for (const std::int64_t count : {std::int64_t{32768}, std::int64_t{kMany}}) {
            b = count;
            std::ranges::fill(h, 0);
            if (std::string(bins.count) == "B")
                run_program(g, {h.data(), x.data(), &b, &n});
            else
                run_program(g, {h.data(), x.data(), &n});
            EXPECT_EQ(std::vector<std::int64_t>(h.begin(), h.begin() + 8), std::vector<std::int64_t>(8, 1250)) << bins.name;
        }
    }
}

TEST(Maps, SparseProductReadsItsRangeFromData) {
    ir::Sdfg g{.name = "spmv"};
    for (const char* name : {"N", "Z"}) ir::add_symbol(g, name);
    ir::add_array(g, "rows", Scalar::Int32, {symbol("N") + 1});
    ir::add_array(g, "cols", Scalar::Int32, {symbol("Z")});
    ir::add_array(g, "vals", Scalar::Float64, {symbol("Z")});
    ir::add_array(g, "x", Scalar::Float64, {symbol("N")});
    ir::add_array(g, "y", Scalar::Float64, {symbol("N")});
    auto s = ir::add_state(g, "main");
    const auto rows = s.access("rows"), cols = s.access("cols"), vals = s.access("vals"), x = s.access("x"), y = s.access("y");
    const auto [outer, outer_exit] = s.map("rows", {{"i", "0:N"}});
    const auto [inner, inner_exit] = s.map("dot", {{"j", "begin:end"}});
    s.state().nodes[inner].in = {{"begin", {}}, {"end", {}}};
    const auto product = s.tasklet("product", {{"v", {}}, {"c", {}}, {"xs", {}}}, {{"o", {}}}, "o = v * xs[c]");
    s.memlet_path({rows, outer, inner}, "", "begin", ir::memlet("rows[i]"));
    s.memlet_path({rows, outer, inner}, "", "end", ir::memlet("rows[i + 1]"));
    s.memlet_path({vals, outer, inner, product}, "", "v", ir::memlet("vals[j]"));
    s.memlet_path({cols, outer, inner, product}, "", "c", ir::memlet("cols[j]"));
    s.memlet_path({x, outer, inner, product}, "", "xs", ir::memlet("x[0:N]"));
    s.memlet_path({product, inner_exit, outer_exit, y}, "o", "", ir::memlet("y[i]", {.wcr = "lambda a, b: a + b"}));
    const std::string text = lowered(g);
    EXPECT_NE(text.find("reduce sum y_sum"), std::string::npos) << text;
    std::int64_t n = 3, z = 4;
    std::vector<std::int32_t> row{0, 2, 2, 4}, col{0, 2, 1, 2};
    std::vector<double> val{1, 2, 3, 4}, xs{1, 10, 100}, ys(3, 0);
    run_program(g, {col.data(), row.data(), val.data(), xs.data(), ys.data(), &n, &z});
    EXPECT_EQ(ys, (std::vector<double>{201, 0, 430}));
}

TEST(Maps, ForeignScheduleIsRefusedWithItsPlace) {
    ir::Sdfg g = axpy();
    ir::State& state = ir::edit_state(g.body, g.body.start).state();
    for (auto [id, node] : state.nodes)
        if (auto* map = std::get_if<ir::MapEntry>(&node.kind)) map->schedule = ir::Schedule::GPU_Device;
    const auto module = lower::lower(g);
    ASSERT_FALSE(module);
    EXPECT_EQ(module.error().code, "L001");
    EXPECT_EQ(module.error().message, "map `axpy` has schedule GPU_Device, which a CPU cannot carry out");
    EXPECT_EQ(module.error().path.substr(0, 10), "axpy/main/");
}

TEST(Maps, SmallConstantMapsStaySequential) {
    ir::Sdfg g{.name = "small"};
    ir::add_array(g, "x", Scalar::Float64, {100});
    ir::add_state(g, "main").mapped_tasklet("fill", {{"i", "0:100"}}, {}, "o = i", {{"o", "x[i]"}});
    EXPECT_EQ(lowered(g).find("parallel"), std::string::npos) << lowered(g);
}

}  // namespace
}  // namespace sluice
