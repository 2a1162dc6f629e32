// Native expansions of the nodes for tensors and vectors against the definitions: run by the interpreter on the expanded graph.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "interpret/interpret.h"
#include "ir/builder.h"
#include "ir/verify.h"
#include "library/expand.h"
#include "library/reference.h"

namespace sluice::library {
namespace {

using Shape = std::vector<ir::Expr>;

std::vector<double> random_values(std::size_t count) {
    static std::mt19937_64 random(5);
    std::uniform_real_distribution<double> pick(-1, 1);
    std::vector<double> values(count);
    for (double& value : values) value = pick(random);
    return values;
}

struct Operand {
    std::string connector;
    Shape shape;
};

/// One library node between arrays that are named as its connectors.
ir::Sdfg around(const std::string& operation, const std::vector<Operand>& inputs, const Operand& output,
                std::map<std::string, ir::Property> properties = {}) {
    ir::Sdfg g{.name = "around"};
    std::vector<std::string> names;
    for (const Operand& one : inputs) {
        ir::add_array(g, "a" + one.connector, code::Scalar::Float64, one.shape);
        names.push_back(one.connector);
    }
    if (!g.containers.contains("a" + output.connector))
        ir::add_array(g, "a" + output.connector, code::Scalar::Float64, output.shape);
    ir::StateBuilder state = ir::add_state(g, "main");
    const ir::NodeId node = state.library(operation, operation, names, {output.connector}, std::move(properties));
    for (const Operand& one : inputs)
        state.edge(state.access("a" + one.connector), "", node, one.connector, ir::memlet("a" + one.connector));
    state.edge(node, output.connector, state.access("a" + output.connector), "", ir::memlet("a" + output.connector));
    return g;
}

void run(ir::Sdfg g, const std::map<std::string, std::vector<double>*>& arrays) {
    const auto done = expand_library_nodes(g, {.preferences = {{.names = {"native"}}}});
    ASSERT_TRUE(done.ok()) << render(done.error());
    for (const Diagnostic& problem : ir::verify(g)) ADD_FAILURE() << render(problem);
    interpret::Arguments arguments;
    for (const auto& [name, values] : arrays) arguments.memory.emplace("a" + name, values->data());
    const auto report = interpret::interpret(g, arguments, {.seed = 3});
    ASSERT_TRUE(report.ok()) << render(report.error());
    EXPECT_TRUE(report.value().findings.empty()) << render(report.value().findings[0]);
}

TEST(LinearAlgebra, TheDefinitionOfAProductTakesSizesThatGoTogether) {
    const ir::Expr k = symbolic::symbol("K"), m = symbolic::symbol("M");
    ir::Sdfg g = around("MatMul", {{"_a", {2, k}}, {"_b", {m, 2}}}, {"_c", {2, 2}});
    ir::add_symbol(g, "K");
    ir::add_symbol(g, "M");
    std::vector<double> a = random_values(6), b = random_values(4), c(4);
    interpret::Arguments arguments;
    for (auto& [name, values] : std::map<std::string, std::vector<double>*>{{"a_a", &a}, {"a_b", &b}, {"a_c", &c}})
        arguments.memory.emplace(name, values->data());
    arguments.symbols = {{"K", 3}, {"M", 2}};
    const auto report = interpret::interpret(g, arguments, {.library = meaning_of});
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().code, "B003");
    EXPECT_NE(report.error().message.find("_b has 2 elements along dimension 0, where K is 3"), std::string::npos)
        << report.error().message;
}

TEST(LinearAlgebra, TransposesPermuteDimensions) {
    std::vector<double> x = random_values(15), y(15);
    run(around("Transpose", {{"_inp", {3, 5}}}, {"_out", {5, 3}}), {{"_inp", &x}, {"_out", &y}});
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 5; ++j) EXPECT_EQ(y[j * 3 + i], x[i * 5 + j]);

    std::vector<double> t = random_values(24), u(24);
    const std::vector<std::int64_t> axes{2, 0, 1};
    run(around("TensorTranspose", {{"_inp_tensor", {2, 3, 4}}}, {"_out_tensor", {4, 2, 3}}, {{"axes", axes}, {"alpha", 2.0}}),
        {{"_inp_tensor", &t}, {"_out_tensor", &u}});
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 4; ++k) EXPECT_EQ(u[(k * 2 + i) * 3 + j], 2 * t[(i * 3 + j) * 4 + k]);
}

TEST(LinearAlgebra, EinsumSumsOverLettersThatTheOutputLacks) {
    std::vector<double> x = random_values(6), y = random_values(12), z(8);
    for (const char* text : {"ij,jk->ik", "ij, jk"}) {
        run(around("Einsum", {{"_a", {2, 3}}, {"_b", {3, 4}}}, {"_c", {2, 4}}, {{"einsum_str", std::string(text)}, {"alpha", 0.5}}),
            {{"_a", &x}, {"_b", &y}, {"_c", &z}});
        for (int i = 0; i < 2; ++i)
            for (int k = 0; k < 4; ++k) {
                double sum = 0;
                for (int j = 0; j < 3; ++j) sum += x[i * 3 + j] * y[j * 4 + k];
                EXPECT_NEAR(z[i * 4 + k], 0.5 * sum, 1e-15);
            }
    }
    std::vector<double> square = random_values(9), trace(1, 7.0);
    run(around("Einsum", {{"_a", {3, 3}}}, {"_c", {1}}, {{"einsum_str", std::string("ii->")}}), {{"_a", &square}, {"_c", &trace}});
    EXPECT_NEAR(trace[0], square[0] + square[4] + square[8], 1e-15);
}

TEST(LinearAlgebra, TensorDotPairsAxes) {
    std::vector<double> x = random_values(24), y = random_values(24), z(4), w(4);
    const std::vector<std::int64_t> left{1, 2}, right{0, -2}, swapped{1, 0};
    const std::vector<Operand> inputs{{"_left_tensor", {2, 3, 4}}, {"_right_tensor", {3, 4, 2}}};
    run(around("TensorDot", inputs, {"_out_tensor", {2, 2}}, {{"left_axes", left}, {"right_axes", right}}),
        {{"_left_tensor", &x}, {"_right_tensor", &y}, {"_out_tensor", &z}});
    run(around("TensorDot", inputs, {"_out_tensor", {2, 2}},
               {{"left_axes", left}, {"right_axes", right}, {"permutation", swapped}}),
        {{"_left_tensor", &x}, {"_right_tensor", &y}, {"_out_tensor", &w}});
    for (int i = 0; i < 2; ++i)
        for (int l = 0; l < 2; ++l) {
            double sum = 0;
            for (int j = 0; j < 3; ++j)
                for (int k = 0; k < 4; ++k) sum += x[(i * 3 + j) * 4 + k] * y[(j * 4 + k) * 2 + l];
            EXPECT_NEAR(z[i * 2 + l], sum, 1e-14);
            EXPECT_NEAR(w[l * 2 + i], sum, 1e-14);
        }
}

// What the output holds comes through an input edge at its connector, or is read where it stands.
TEST(LinearAlgebra, BetaKeepsAPartOfTheOutput) {
    for (const bool edge : {true, false}) {
        const auto with = [&](std::vector<Operand> inputs, const Operand& output, const std::string& operation,
                              std::map<std::string, ir::Property> properties) {
            if (edge) inputs.push_back(output);
            properties.insert({{"alpha", 0.5}, {"beta", -3.0}});
            return around(operation, inputs, output, properties);
        };
        std::vector<double> x = random_values(6), y = random_values(12), z = random_values(8);
        const std::vector<double> before = z;
        run(with({{"_a", {2, 3}}, {"_b", {3, 4}}}, {"_c", {2, 4}}, "Einsum", {{"einsum_str", std::string("ij,jk->ik")}}),
            {{"_a", &x}, {"_b", &y}, {"_c", &z}});
        std::vector<double> t = random_values(24), u = random_values(24);
        const std::vector<double> old = u;
        const std::vector<std::int64_t> axes{2, 0, 1}, last{1}, first{0};
        run(with({{"_inp_tensor", {2, 3, 4}}}, {"_out_tensor", {4, 2, 3}}, "TensorTranspose", {{"axes", axes}}),
            {{"_inp_tensor", &t}, {"_out_tensor", &u}});
        std::vector<double> dot = before;
        run(with({{"_left_tensor", {2, 3}}, {"_right_tensor", {3, 4}}}, {"_out_tensor", {2, 4}}, "TensorDot",
                 {{"left_axes", last}, {"right_axes", first}}),
            {{"_left_tensor", &x}, {"_right_tensor", &y}, {"_out_tensor", &dot}});
        for (int i = 0; i < 2; ++i)
            for (int k = 0; k < 4; ++k) {
                double sum = 0;
                for (int j = 0; j < 3; ++j) {
                    sum += x[i * 3 + j] * y[j * 4 + k];
                    EXPECT_NEAR(u[(k * 2 + i) * 3 + j], 0.5 * t[(i * 3 + j) * 4 + k] - 3 * old[(k * 2 + i) * 3 + j], 1e-14);
                }
                EXPECT_NEAR(z[i * 4 + k], 0.5 * sum - 3 * before[i * 4 + k], 1e-14);
                EXPECT_NEAR(dot[i * 4 + k], z[i * 4 + k], 1e-14);
            }
    }
}

TEST(LinearAlgebra, VectorUpdates) {
    std::vector<double> x = random_values(5), y = random_values(5), r(5), dot(1, 3.0);
    run(around("Axpy", {{"_x", {5}}, {"_y", {5}}}, {"_res", {5}}, {{"a", 2.5}}), {{"_x", &x}, {"_y", &y}, {"_res", &r}});
    double sum = 0;
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(r[i], 2.5 * x[i] + y[i]);
        sum += x[i] * y[i];
    }
    run(around("Dot", {{"_x", {5}}, {"_y", {5}}}, {"_result", {1}}), {{"_x", &x}, {"_y", &y}, {"_result", &dot}});
    EXPECT_NEAR(dot[0], sum, 1e-15);
    std::vector<double> u = random_values(3), a = random_values(15), b(15);
    run(around("Ger", {{"_x", {3}}, {"_y", {5}}, {"_A", {3, 5}}}, {"_res", {3, 5}}, {{"alpha", -1.5}}),
        {{"_x", &u}, {"_y", &y}, {"_A", &a}, {"_res", &b}});
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 5; ++j) EXPECT_NEAR(b[i * 5 + j], a[i * 5 + j] - 1.5 * u[i] * y[j], 1e-15);
}

TEST(LinearAlgebra, CholeskyMultipliesBack) {
    constexpr int n = 6;
    const std::vector<double> m = random_values(n * n);
    std::vector<double> a(n * n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            for (int k = 0; k < n; ++k) a[i * n + j] += m[i * n + k] * m[j * n + k];
            a[i * n + j] += i == j;
        }
    for (const bool lower : {true, false}) {
        std::vector<double> b(n * n, 9.0);
        run(around("Cholesky", {{"_a", {n, n}}}, {"_b", {n, n}}, {{"lower", lower}}), {{"_a", &a}, {"_b", &b}});
        const auto factor = [&](int i, int j) { return lower ? b[i * n + j] : b[j * n + i]; };
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                double product = 0;
                for (int k = 0; k < n; ++k) product += factor(i, k) * factor(j, k);
                EXPECT_NEAR(product, a[i * n + j], 1e-13);
                if (j > i) {
                    EXPECT_EQ(factor(i, j), 0);
                }
            }
    }
}

TEST(LinearAlgebra, RefusesOperandsThatDoNotFit) {
    ir::Sdfg transpose = around("Transpose", {{"_inp", {3}}}, {"_out", {3}});
    EXPECT_EQ(expand_library_nodes(transpose).error().code, "B003");
    ir::Sdfg einsum = around("Einsum", {{"_a", {3}}}, {"_c", {3}}, {{"einsum_str", std::string("i->j")}});
    EXPECT_EQ(expand_library_nodes(einsum).error().message, "no input of Einsum has the output's letter j");
    ir::Sdfg fewer = around("Einsum", {{"_a", {3}}}, {"_c", {3}}, {{"einsum_str", std::string("i,i->i")}});
    EXPECT_EQ(expand_library_nodes(fewer).error().code, "B002");
}

}  // namespace
}  // namespace sluice::library
