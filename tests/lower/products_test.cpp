// Products as native code, by OpenBLAS where it is installed and by loops, against the definition.
#include <complex>
#include <optional>
#include <random>

#include "library/expand.h"
#include "run_program.h"

namespace sluice::test {
namespace {

constexpr std::int64_t kRows = 23, kColumns = 17, kInner = 29;
using Shape = std::vector<ir::Expr>;

struct Case {
    std::string name;
    Shape a, b, c;
    bool trans_a = false, trans_b = false;
    double beta = 0;
};

template <class T> std::vector<T> random_values(std::size_t count, int seed) {
    std::mt19937 random(seed);
    std::vector<T> values(count);
    for (T& value : values) value = static_cast<T>(static_cast<int>(random() % 9) - 4);
    return values;
}

ir::Sdfg product(const Case& one, const code::DType& type, const std::string& implementation) {
    ir::Sdfg g{.name = "product"};
    for (const char* name : {"M", "N", "K"}) ir::add_symbol(g, name);
    ir::add_array(g, "X", type, one.a);
    ir::add_array(g, "Y", type, one.b);
    ir::add_array(g, "Z", type, one.c);
    ir::StateBuilder state = ir::add_state(g, "main");
    std::vector<std::string> in{"_a", "_b"};
    if (one.beta != 0) in.emplace_back("_c");
    const ir::NodeId node = state.library("MatMul", "product", in, {"_c"},
                                          {{"beta", one.beta}, {"alpha", 2.0}, {"transA", one.trans_a}, {"transB", one.trans_b}});
    std::get<ir::LibraryNode>(state.state().nodes[node].kind).implementation = implementation;
    state.edge(state.access("X"), "", node, "_a", ir::memlet("X"));
    state.edge(state.access("Y"), "", node, "_b", ir::memlet("Y"));
    if (one.beta != 0) state.edge(state.access("Z"), "", node, "_c", ir::memlet("Z"));
    state.edge(node, "_c", state.access("Z"), "", ir::memlet("Z"));
    return g;
}

template <class T> void expect_product(const Case& one, const code::DType& type) {
    const std::int64_t rows = one.a.size() == 1 ? 1 : kRows, columns = one.b.size() == 1 ? 1 : kColumns;
    std::vector<T> a = random_values<T>(rows * kInner, 1), b = random_values<T>(kInner * columns, 2);
    const std::vector<T> old = random_values<T>(rows * columns, 3);
    std::vector<T> expected(old.size());
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) {
            T sum = 0;
            for (std::int64_t k = 0; k < kInner; ++k)
                sum += a[one.trans_a ? k * rows + i : i * kInner + k] * b[one.trans_b ? j * kInner + k : k * columns + j];
            expected[i * columns + j] = T(2) * sum + T(one.beta) * old[i * columns + j];
        }
    for (const char* implementation : {"OpenBLAS", "native"}) {
        std::vector<T> c = old;
        std::int64_t m = kRows, n = kColumns, k = kInner;
        std::vector<void*> arguments{a.data(), b.data(), c.data(), &k};
        if (one.a.size() > 1) arguments.push_back(&m);
        if (one.b.size() > 1) arguments.push_back(&n);
        run_program(product(one, type, implementation), arguments);
        EXPECT_EQ(c, expected) << one.name << ", " << implementation;
    }
}

TEST(LowerProducts, OpenBlasAndLoopsAgreeWithTheDefinition) {
    const ir::Expr m = symbolic::symbol("M"), n = symbolic::symbol("N"), k = symbolic::symbol("K");
    expect_product<double>({.name = "matrices", .a = {m, k}, .b = {k, n}, .c = {m, n}}, code::Scalar::Float64);
    expect_product<float>(
        {.name = "transposed", .a = {k, m}, .b = {n, k}, .c = {m, n}, .trans_a = true, .trans_b = true, .beta = 3},
        code::Scalar::Float32);
    expect_product<std::complex<double>>({.name = "complex", .a = {m, k}, .b = {k, n}, .c = {m, n}}, code::Scalar::Complex128);
    expect_product<double>({.name = "vector", .a = {m, k}, .b = {k}, .c = {m}, .beta = 3}, code::Scalar::Float64);
    expect_product<float>({.name = "row", .a = {k}, .b = {k, n}, .c = {n}}, code::Scalar::Float32);
}

TEST(LowerProducts, OneThreadCallsNoThreadedLibrary) {
    const ir::Expr m = symbolic::symbol("M"), n = symbolic::symbol("N"), k = symbolic::symbol("K");
    const ir::Sdfg g = product({.name = "matrices", .a = {m, k}, .b = {k, n}, .c = {m, n}}, code::Scalar::Float64, "OpenBLAS");
    EXPECT_EQ(lowered(g, {.parallel = false}).find("library openblas"), std::string::npos);
    EXPECT_NE(lowered(g, {}).find("extern openblas \"sluice::blas::multiply\"("), std::string::npos) << lowered(g, {});
}

/// y = 2 * A @ x, where y is a stream that is copied to an array.
ir::Sdfg streamed_gemv(bool transposed) {
    ir::Sdfg g{.name = "streamed"};
    ir::add_array(g, "A", code::DType(code::Scalar::Float64), transposed ? Shape{kInner, kRows} : Shape{kRows, kInner});
    ir::add_array(g, "x", code::DType(code::Scalar::Float64), {kInner});
    ir::add_array(g, "y", code::DType(code::Scalar::Float64), {kRows});
    ir::add_stream(g, "S", code::Scalar::Float64).transient = true;
    ir::StateBuilder state = ir::add_state(g, "main");
    const ir::NodeId node =
        state.library("Gemv", "product", {"_A", "_x"}, {"_y"}, {{"alpha", std::int64_t{2}}, {"transA", transposed}});
    std::get<ir::LibraryNode>(state.state().nodes[node].kind).implementation = "streaming";
    const ir::NodeId stream = state.access("S");
    ir::Memlet pushed = ir::memlet("S[0]");
    pushed.volume = kRows;
    state.edge(state.access("A"), "", node, "_A", ir::memlet("A"));
    state.edge(state.access("x"), "", node, "_x", ir::memlet("x"));
    state.edge(node, "_y", stream, "", pushed);
    state.edge(stream, "", state.access("y"), "", ir::memlet("S[0]", {.other_subset = "0:" + std::to_string(kRows)}));
    return g;
}

TEST(Products, GemvPushesRowByRow) {
    for (const bool transposed : {false, true}) {
        const ir::Sdfg g = streamed_gemv(transposed);
        EXPECT_NE(lowered(g).find("push _out"), std::string::npos) << lowered(g);
        std::vector<double> a = random_values<double>(kRows * kInner, 1), x = random_values<double>(kInner, 2), y(kRows);
        run_program(g, {a.data(), x.data(), y.data()});
        for (std::int64_t i = 0; i < kRows; ++i) {
            double sum = 0;
            for (std::int64_t k = 0; k < kInner; ++k) sum += a[transposed ? k * kRows + i : i * kInner + k] * x[k];
            EXPECT_EQ(y[i], 2 * sum);
        }
    }
}

}  // namespace
}  // namespace sluice::test
