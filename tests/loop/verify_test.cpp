#include "loop/verify.h"

#include <gtest/gtest.h>

#include <chrono>

#include "loop/ir.h"
#include "loop/text.h"

namespace sluice::loop {
namespace {

using code::DType;
using code::Scalar;

const DType kInt = Scalar::Int64;

Statement store(const std::string& buffer, const Expr& index, ValuePtr value) {
    return {Store{buffer, index_value(index), std::move(value)}, {}};
}
For loop_over(const std::string& variable, const Expr& end, Body body = {}, LoopMode mode = LoopMode::Sequential) {
    For result;
    result.variable = variable;
    result.begin = 0;
    result.end = end;
    result.mode = mode;
    result.body = std::move(body);
    return result;
}
Module with(Body body) {
    Module module;
    module.name = module.program.name = "p";
    module.program.parameters = {{"A", kInt, Parameter::Kind::Buffer, true, true},
                                 {"R", kInt, Parameter::Kind::Buffer, false, true},
                                 {"N", kInt, Parameter::Kind::Value, false, true}};
    module.program.body = std::move(body);
    return module;
}
std::string first(Body body) {
    const std::vector<std::string> violations = verify(with(std::move(body)));
    return violations.empty() ? "" : violations.front();
}
const Expr i = symbolic::symbol("i"), n = symbolic::symbol("N");

TEST(LoopVerify, AcceptsWhatIsRight) {
    EXPECT_EQ(first({{loop_over("i", n, {store("A", i, load("R", index_value(i), kInt))}), {}}}), "");
    EXPECT_EQ(first({{loop_over("i", n), {}}, {loop_over("i", n), {}}}), "") << "siblings may use one name";
}

TEST(LoopVerify, CallsOfLibraries) {
    Module module = with({{Extern{"blas", "sluice::blas::dot", {index_value(n), address("R", index_value(0), kInt)}}, {}}});
    EXPECT_EQ(verify(module).at(0), "p: a function of the library blas is called, which is not among the module's");
    module.libraries["blas"] = {};
    EXPECT_TRUE(verify(module).empty());
    module.program.body = {{Extern{"blas", "dot(1); exit", {}}, {}}};
    EXPECT_EQ(verify(module).at(0), "p: a library's function is called `dot(1); exit`, which is no name");
    module.program.body = {{Extern{"blas", "dot", {index_value(i)}}, {}}};
    EXPECT_EQ(verify(module).at(0), "p: variable i is used but not defined here");
}

TEST(LoopVerify, NamesTheViolation) {
    EXPECT_EQ(first({store("B", 0, integer_value(1))}), "p: buffer B is used but not defined here");
    EXPECT_EQ(first({store("A", i, integer_value(1))}), "p: variable i is used but not defined here");
    EXPECT_EQ(first({store("R", 0, integer_value(1))}), "p: R is written but only read by its declaration");
    EXPECT_EQ(first({store("A", 0, float_value(1))}), "p: an element of A has type float64 where int64 is needed");
    EXPECT_EQ(first({{Declare{"N", kInt, nullptr, false}, {}}}), "p: variable N is defined while another N is visible");
    EXPECT_EQ(first({store("A", 0, binary(BinaryOp::Add, integer_value(1), float_value(1)))}),
              "p: the right operand of (1 + 1.0) has type float64 where int64 is needed");
    EXPECT_EQ(first({{Declare{"int", kInt, nullptr, false}, {}}}), "p: `int` is no name that C and C++ leave free");
    EXPECT_EQ(first({{Goto{"nowhere"}, {}}}), "p: goto nowhere has no label");
    EXPECT_EQ(first({{Break{}, {}}}), "p: a break stands outside a sequential loop");
    EXPECT_EQ(first({{loop_over("i", n, {{Break{}, {}}}, LoopMode::Parallel), {}}}), "p: a break stands outside a sequential loop");
    EXPECT_EQ(first({{loop_over("i", n, {{Return{}, {}}}, LoopMode::Parallel), {}}}), "p: a return leaves a parallel body");
    EXPECT_EQ(first({{Barrier{}, {}}}), "p: a barrier stands outside a parallel region or inside a shared loop");
    For nest = loop_over("i", n, {{loop_over("j", i), {}}}, LoopMode::Parallel);
    nest.collapse = 2;
    EXPECT_EQ(first({{nest, {}}}), "p: collapsed loop j depends on loop i");
    nest.body = {};
    EXPECT_EQ(first({{nest, {}}}), "p: the nest of loop i is not perfect to depth 2");
    EXPECT_EQ(first({{Invoke{"f", {}}, {}}}), "p: function f is called before it is defined");
    EXPECT_EQ(first({{Allocate{"t", kInt, n, Place::Stack, 0, false}, {}}}), "p: the stack buffer t has no constant size");
}

// Values nest: to print each of them with all that it holds, before anything is wrong, took half a minute.
TEST(LoopVerify, PrintsAValueOnlyWhereItIsWrong) {
    ValuePtr sum = integer_value(0);
    for (int level = 0; level < 4000; ++level) sum = binary(BinaryOp::Add, sum, integer_value(level));
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(first({store("A", 0, sum)}), "");
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(LoopText, ReadsLikeTheProgram) {
    For loop = loop_over("i", n, {store("A", i, binary(BinaryOp::Add, load("R", index_value(i), kInt), integer_value(1)))},
                         LoopMode::Parallel);
    loop.schedule = OmpSchedule::Static;
    EXPECT_EQ(to_text(with({{loop, {}}})),
              "module p\n"
              "program p(A: buffer int64, R: buffer int64 read, N: value int64)\n"
              "  parallel i in 0:N schedule static\n"
              "    store A[{i}] = (R[{i}] + 1)\n");
}

}  // namespace
}  // namespace sluice::loop
