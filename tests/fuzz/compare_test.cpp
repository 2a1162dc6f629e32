// How close is close enough.
#include "fuzz/compare.h"

#include <cmath>

#include "checks.h"
#include "ir/builder.h"

namespace sluice::fuzz {
namespace {

/// y[0] = sum of x, by conflict resolution of the given kind.
TestCase sum_case(const std::string& wcr, code::Scalar type, std::int64_t count) {
    TestCase test{ir::Sdfg{.name = "sum"}, {}, 3};
    ir::add_array(test.sdfg, "x", type, {count});
    ir::add_array(test.sdfg, "y", type, {1});
    ir::add_state(test.sdfg, "main")
        .mapped_tasklet("add", {{"i", "0:" + std::to_string(count)}}, {{"a", "x[i]"}}, "b = a", {{"b", "y[0]"}}, wcr);
    return test;
}

Interpreted interpreted(const TestCase& test) {
    Interpreted result = interpret_case(test, {});
    EXPECT_FALSE(result.finding) << to_string(*result.finding);
    return result;
}

TEST(Compare, SumsMayRoundOtherwise) {
    Interpreted result = interpreted(sum_case("lambda a, b: a + b", code::Scalar::Float64, 100));
    EXPECT_EQ(result.expected.exactness.at("y"), Exactness::Reassociated);
    Memory memory = result.expected.memory;
    auto* y = reinterpret_cast<double*>(memory.blocks[1].data());
    EXPECT_FALSE(first_difference(result.expected, memory));
    *y = std::nextafter(*y, 1e9);
    EXPECT_FALSE(first_difference(result.expected, memory));
    *y += 1e-9;
    const auto difference = first_difference(result.expected, memory);
    ASSERT_TRUE(difference);
    EXPECT_EQ(difference->argument, "y");
    EXPECT_GT(difference->bound, 0);
    EXPECT_LT(difference->bound, 1e-9);
}

TEST(Compare, EverythingElseIsTheSameBitForBit) {
    for (const auto& [wcr, type] : {std::pair<std::string, code::Scalar>{"lambda a, b: max(a, b)", code::Scalar::Float64},
                                    {"lambda a, b: a + b", code::Scalar::Int64}}) {
        const Interpreted result = interpreted(sum_case(wcr, type, 10));
        EXPECT_TRUE(result.expected.exactness.empty());
        Memory memory = result.expected.memory;
        memory.blocks[1].data()[0] ^= std::byte{1};
        EXPECT_TRUE(first_difference(result.expected, memory));
    }
}

TEST(Compare, InputsMustStayAsTheyAre) {
    const Interpreted result = interpreted(sum_case("lambda a, b: a + b", code::Scalar::Float64, 10));
    Memory memory = result.expected.memory;
    memory.blocks[0].data()[8] ^= std::byte{1};
    const auto difference = first_difference(result.expected, memory);
    ASSERT_TRUE(difference);
    EXPECT_EQ(difference->argument + std::to_string(difference->element), "x1");
}

TEST(Compare, NotANumberEqualsItselfAndZerosDiffer) {
    Interpreted result = interpreted(sum_case("lambda a, b: max(a, b)", code::Scalar::Float64, 10));
    Memory memory = result.expected.memory;
    auto *ours = reinterpret_cast<double*>(memory.blocks[1].data()),
         *expected = reinterpret_cast<double*>(result.expected.memory.blocks[1].data());
    *expected = std::nan(""), *ours = -std::nan("1");
    EXPECT_FALSE(first_difference(result.expected, memory));
    *expected = 0.0, *ours = -0.0;
    EXPECT_TRUE(first_difference(result.expected, memory));
    EXPECT_FALSE(first_difference(result.expected, memory, {.zeros = true}));
    *ours = 1e-300;
    EXPECT_TRUE(first_difference(result.expected, memory, {.zeros = true}));
}

TEST(Compare, FusedComplexProductsMayRoundOtherwise) {
    Interpreted result = interpreted(sum_case("lambda a, b: max(a, b)", code::Scalar::Float32, 10));
    EXPECT_FALSE(result.expected.complex_numbers);
    EXPECT_TRUE(has_complex(sum_case("lambda a, b: a + b", code::Scalar::Complex64, 4).sdfg));
    Memory memory = result.expected.memory;
    auto* y = reinterpret_cast<float*>(memory.blocks[1].data());
    *y = std::nextafter(*y, 100.0F);
    EXPECT_TRUE(first_difference(result.expected, memory));
    EXPECT_FALSE(first_difference(result.expected, memory, {.fused = true}));
    *y += 1;
    EXPECT_TRUE(first_difference(result.expected, memory, {.fused = true}));
}

TEST(Tolerance, FollowsValuesThroughCopiesCodeAndCalls) {
    TestCase test = sum_case("lambda a, b: a + b", code::Scalar::Float64, 4);
    ir::add_array(test.sdfg, "copied", code::Scalar::Float64, {1});
    ir::add_array(test.sdfg, "computed", code::Scalar::Float64, {1});
    ir::add_array(test.sdfg, "other", code::Scalar::Float64, {1});
    ir::StateBuilder state = ir::add_state_after(test.sdfg.body, test.sdfg.body.start, "later");
    state.edge(state.access("y"), "", state.access("copied"), "", ir::memlet("y[0]"));
    const auto tasklet = state.tasklet("t", {{"a", {}}}, {{"b", {}}}, "b = a * 2");
    state.edge(state.access("y"), "", tasklet, "a", ir::memlet("y[0]"));
    state.edge(tasklet, "b", state.access("computed"), "", ir::memlet("computed[0]"));
    const auto exactness = exactness_of(test.sdfg);
    EXPECT_EQ(exactness.at("copied"), Exactness::Reassociated);
    EXPECT_EQ(exactness.at("computed"), Exactness::Derived);
    EXPECT_FALSE(exactness.contains("other"));
    EXPECT_FALSE(exactness.contains("x"));
}

}  // namespace
}  // namespace sluice::fuzz
