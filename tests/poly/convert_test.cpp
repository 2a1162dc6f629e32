#include "poly/convert.h"

#include <gtest/gtest.h>

#include <random>

#include "poly/allowance.h"
#include "poly/flow.h"

namespace sluice::poly {
namespace {

using symbolic::Expr;
using symbolic::symbol;

Expr parsed(const std::string& text) {
    return symbolic::parse(text).value();
}

/// Random expressions over i, j and N that are affine by construction.
class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
    Expr value(int depth) {
        if (depth == 0) return number(0, 3) == 0 ? Expr(number(-5, 5)) : symbol(number(0, 2) == 0 ? "N" : number(0, 1) ? "i" : "j");
        switch (number(0, 7)) {
            case 0:
                return value(depth - 1) - value(depth - 1);
            case 1:
                return Expr(number(-3, 3)) * value(depth - 1);
            case 2:
                return symbolic::floor_divide(value(depth - 1), number(1, 4));
            case 3:
                return symbolic::modulo(value(depth - 1), number(0, 3) == 0 ? -3 : number(1, 5));
            case 4:
                return symbolic::minimum(value(depth - 1), value(depth - 1));
            case 5:
                return symbolic::maximum(value(depth - 1), value(depth - 1));
            case 6:
                return symbolic::select(condition(depth - 1), value(depth - 1), value(depth - 1));
            default:
                return value(depth - 1) + value(depth - 1);
        }
    }
    Expr condition(int depth) {
        if (depth <= 0) return symbolic::less(value(0), value(0));
        switch (number(0, 5)) {
            case 0:
                return symbolic::logical_and(condition(depth - 1), condition(depth - 1));
            case 1:
                return symbolic::logical_or(condition(depth - 1), condition(depth - 1));
            case 2:
                return symbolic::logical_not(condition(depth - 1));
            case 3:
                return symbolic::equal(value(depth - 1), value(depth - 1));
            case 4:
                return symbolic::not_equal(value(depth - 1), value(depth - 1));
            default:
                return symbolic::less_equal(value(depth - 1), value(depth - 1));
        }
    }

private:
    std::mt19937 engine_;
};

const Space kSpace{.tuple = "S", .dims = {"i", "j"}};

Set at(int i, int j, int n) {
    return Set::parse("[N] -> { S[" + std::to_string(i) + ", " + std::to_string(j) + "] : N = " + std::to_string(n) + " }");
}

TEST(Convert, ValuesAgreeWithEvaluationThereAndBack) {
    Random random(7);
    for (int round = 0; round < 150; ++round) {
        const Expr e = random.value(3);
        const Converted<Affine> affine = to_affine(e, kSpace);
        ASSERT_TRUE(affine.ok()) << symbolic::to_string(e) << ": " << affine.why;
        const std::optional<Expr> back = to_expression(*affine.value, kSpace);
        ASSERT_TRUE(back) << affine.value->to_string();
        for (int point = 0; point < 4; ++point) {
            const std::map<std::string, std::int64_t> values = {
                {"i", random.number(-9, 9)}, {"j", random.number(-9, 9)}, {"N", random.number(-9, 9)}};
            const std::int64_t expected = symbolic::evaluate(e, values).value();
            EXPECT_EQ(symbolic::evaluate(*back, values).value(), expected) << symbolic::to_string(e) << " -> " << to_string(*back);
            const Set image = affine.value->graph("").image(
                at(static_cast<int>(values.at("i")), static_cast<int>(values.at("j")), static_cast<int>(values.at("N"))));
            EXPECT_EQ(image.sample()->coordinates, std::vector<std::int64_t>{expected}) << symbolic::to_string(e);
        }
    }
}

TEST(Convert, ConditionsAgreeWithEvaluationThereAndBack) {
    Random random(11);
    for (int round = 0; round < 150; ++round) {
        const Expr e = random.condition(2);
        const Converted<Set> set = to_set(e, kSpace);
        ASSERT_TRUE(set.ok()) << symbolic::to_string(e) << ": " << set.why;
        const std::optional<Expr> back = to_condition(*set.value, kSpace);
        ASSERT_TRUE(back) << set.value->to_string();
        for (int point = 0; point < 4; ++point) {
            const int i = random.number(-9, 9), j = random.number(-9, 9), n = random.number(-9, 9);
            const std::map<std::string, std::int64_t> values = {{"i", i}, {"j", j}, {"N", n}};
            const bool expected = symbolic::evaluate(e, values).value() != 0;
            EXPECT_EQ(set.value->intersect(at(i, j, n)).is_empty(), expected ? Answer::No : Answer::Yes) << symbolic::to_string(e);
            EXPECT_EQ(symbolic::evaluate(*back, values).value() != 0, expected)
                << symbolic::to_string(e) << " -> " << to_string(*back);
        }
    }
}

TEST(Convert, WhatIsNotAffineSaysWhy) {
    EXPECT_EQ(to_affine(parsed("i*j"), kSpace).why, "`i*j` multiplies variables");
    EXPECT_EQ(to_affine(parsed("i*N + 1"), kSpace).why, "`N*i` multiplies variables");
    EXPECT_EQ(to_affine(parsed("i // N"), kSpace).why, "`i//N` divides by a variable");
    EXPECT_EQ(to_affine(parsed("A[i]"), kSpace).why, "`A[i]` reads data");
    EXPECT_EQ(to_affine(parsed("i**2"), kSpace).why, "`i**2` is a power");
}

TEST(Convert, AProductOfParametersIsAParameter) {
    const Converted<Affine> affine = to_affine(parsed("N*M + i"), kSpace);
    ASSERT_TRUE(affine.ok());
    EXPECT_EQ(affine.value->graph("").parameter_names(), std::vector<std::string>{"M*N"});
    EXPECT_TRUE(is_opaque("M*N"));
    EXPECT_FALSE(is_opaque("N_0"));
    EXPECT_EQ(to_string(*to_expression(*affine.value, kSpace)), symbolic::to_string(parsed("N*M + i")));
    EXPECT_EQ(to_parameters({}, {"M*N"}).is_subset(to_set(parsed("N*M >= 1"), {}).value->parameters()), Answer::Yes);
}

TEST(Convert, RangesHaveTheIndicesOfPythonsRange) {
    Random random(3);
    const Space line{.tuple = "S", .dims = {"x"}};
    for (int round = 0; round < 200; ++round) {
        int step = random.number(-4, 4);
        if (step == 0) step = 1;
        const int begin = random.number(-8, 8), end = random.number(-8, 8);
        const int tile = random.number(1, 5);
        const Converted<Set> set = in_range({begin, end, step, tile}, "x", line);
        ASSERT_TRUE(set.ok());
        Set expected = Set::empty(line);
        for (int x = begin; step > 0 ? x < end : x > end; x += step)
            for (int t = 0; t < tile; ++t) expected = expected.unite(Set::parse("{ S[" + std::to_string(x + t) + "] }"));
        EXPECT_EQ(set.value->is_equal(expected), Answer::Yes)
            << begin << ":" << end << ":" << step << ":" << tile << "  " << set.value->to_string();
    }
}

TEST(Convert, SubsetsBecomeRelations) {
    const Converted<Map> map = to_elements(symbolic::parse_subset("i + 1, 0:N:2").value(), kSpace, "A");
    ASSERT_TRUE(map.ok());
    EXPECT_EQ(map.value->is_equal(Map::parse("[N] -> { S[i, j] -> A[i + 1, x] : 0 <= x < N and x mod 2 = 0 }")), Answer::Yes);
    const Converted<Map> scalar = to_elements({}, kSpace, "s");
    EXPECT_EQ(scalar.value->is_equal(Map::parse("{ S[i, j] -> s[] }")), Answer::Yes);
}

TEST(Sample, HasSmallCoordinatesAndTheParametersItNeeds) {
    const auto pair = Map::parse("[N] -> { S[i] -> T[i + 1] : 3 <= i < N }").sample();
    ASSERT_TRUE(pair);
    EXPECT_EQ(pair->from, std::vector<std::int64_t>{3});
    EXPECT_EQ(pair->to, std::vector<std::int64_t>{4});
    EXPECT_EQ(pair->parameters.at("N"), 4);
    EXPECT_FALSE(Set::parse("{ S[i] : i > 3 and i < 2 }").sample());
    EXPECT_EQ(Set::parse("{ S[i] : i > 300 and i < 302 }").sample()->coordinates, std::vector<std::int64_t>{301});
}

TEST(Budget, EndsWithUnknownAndLeavesTheContextUsable) {
    const Set a = Set::parse("[N] -> { S[i, j] : 0 <= i < N and 0 <= j < i and (i + j) mod 7 = 3 }");
    {
        const Budget budget(3);
        EXPECT_EQ(a.subtract(Set::parse("[N] -> { S[i, j] : i mod 5 = 0 and j < N - i }")).is_empty(), Answer::Unknown);
        EXPECT_FALSE(a.subtract(a).known());
        EXPECT_TRUE(budget.exceeded());
        const Budget inner(1'000'000);  // The outermost counts.
        EXPECT_EQ(a.is_subset(a.unite(a)), Answer::Unknown);
    }
    EXPECT_EQ(a.is_subset(a), Answer::Yes);
    const Budget ample;
    EXPECT_EQ(a.is_equal(a.coalesce()), Answer::Yes);
    EXPECT_FALSE(ample.exceeded());
}

TEST(Budget, CountsTheMemoryOfNumbersAsWell) {
    Set a = Set::parse("{ S[i, j] : i mod 2 = 0 }");
    {
        const Budget budget(100'000'000, 1 << 16);
        for (int k = 3; k < 40 && a.known(); ++k)  // Each step has a quotient of its own.
            a = a.subtract(Set::parse("{ S[i, j] : (i + j) mod " + std::to_string(k) + " = 1 }"));
        EXPECT_FALSE(a.known());
        EXPECT_TRUE(budget.exceeded());
    }
    const Budget ample;
    const Set b = Set::parse("{ S[i, j] : (i + j) mod 3 = 1 }");
    EXPECT_EQ(b.is_subset(b), Answer::Yes);
    EXPECT_FALSE(ample.exceeded());
}

TEST(Allowance, IsSharedByAllBudgetsUntilItsEnd) {
    const Set a = Set::parse("[N] -> { S[i, j] : 0 <= i < N and 0 <= j < i and (i + j) mod 7 = 3 }");
    const Set b = Set::parse("[N] -> { S[i, j] : i mod 5 = 0 and j < N - i }");
    const auto is_answered = [&] {
        const Budget budget;
        return a.subtract(b).is_empty() != Answer::Unknown;
    };
    {
        const Allowance allowance(20'000);
        int answered = 0;
        while (answered < 10'000 && is_answered()) ++answered;
        EXPECT_GT(answered, 1);
        EXPECT_LT(answered, 10'000);
        EXPECT_TRUE(allowance.used_up());
        const Allowance inner(20'000);  // The outermost counts.
        EXPECT_TRUE(inner.used_up());
        EXPECT_FALSE(is_answered());
    }
    EXPECT_TRUE(is_answered());
}

// As a tree the expression has 2^60 leaves.
TEST(Convert, WhatIsSharedIsConvertedOnce) {
    Expr e = symbol("i");
    std::int64_t value = 3;
    for (int k = 0; k < 60; ++k) {
        e = symbolic::select(symbolic::less(e, 90), symbolic::modulo(e + k, 100), e);
        value = value < 90 ? (value + k) % 100 : value;
    }
    const Converted<Affine> affine = to_affine(e, kSpace);
    if (affine.ok())
        EXPECT_EQ(affine.value->graph("").image(at(3, 0, 0)).sample()->coordinates, std::vector<std::int64_t>{value});
    else
        EXPECT_EQ(affine.why, "too costly to convert");
}

TEST(Relation, PrefixPutsTheOuterIteratorBeforeTheElement) {
    EXPECT_EQ(Map::parse("{ S[i, j] -> A[j] }").prefix_range(1).is_equal(Map::parse("{ S[i, j] -> A[i, j] }")), Answer::Yes);
}

TEST(Flow, TheLastWriterWins) {
    const FlowAnswer answer =
        flow({.sinks = UnionMap::parse("[N] -> { R[i] -> A[i] : 0 <= i < N }"),
              .must_sources = UnionMap::parse("[N] -> { W[i] -> A[i] : 0 <= i < N; V[i] -> A[i] : 1 <= i < N }"),
              .may_sources = UnionMap::empty(),
              .schedule = UnionMap::parse("{ W[i] -> [0, i]; V[i] -> [1, i]; R[i] -> [2, i] }")});
    ASSERT_TRUE(answer.known());
    EXPECT_EQ(answer.must.is_equal(UnionMap::parse("[N] -> { W[0] -> R[0] : N > 0; V[i] -> R[i] : 1 <= i < N }")), Answer::Yes);
    EXPECT_EQ(answer.without_write.is_empty(), Answer::Yes);
}

}  // namespace
}  // namespace sluice::poly
