// Decisions: the cases that matter to memlets and map ranges, and agreement with enumeration on random conditions.
#include <gtest/gtest.h>

#include <random>

#include "parsed.h"

#include "symbolic/assumptions.h"

namespace sluice::symbolic {
namespace {

Assumptions assuming(const std::vector<const char*>& facts, const std::vector<const char*>& any = {}) {
    Assumptions assumptions;
    for (const char* name : any) assumptions.assume_any(name);
    for (const char* fact : facts) assumptions.assume(parsed(fact));
    return assumptions;
}

struct Question {
    const char* condition;
    std::vector<const char*> facts;
    Truth answer;
};

class Decide : public testing::TestWithParam<Question> {};
TEST_P(Decide, Answers) {
    const Question& question = GetParam();
    EXPECT_EQ(decide(parsed(question.condition), assuming(question.facts, {"i", "j", "k"})), question.answer) << question.condition;
}
INSTANTIATE_TEST_SUITE_P(Defaults, Decide,
                         testing::Values(Question{"N >= 1", {}, Truth::Yes}, Question{"N > 1", {}, Truth::Unknown},
                                         Question{"N <= 0", {}, Truth::No}, Question{"k >= 0", {}, Truth::Unknown},
                                         Question{"N*M >= N", {}, Truth::Yes}, Question{"N*N >= 0", {}, Truth::Yes},
                                         Question{"k*k >= 0", {}, Truth::Yes}, Question{"N == N + 1", {}, Truth::No},
                                         Question{"N//2 <= N", {}, Truth::Yes}, Question{"k % 4 < 4", {}, Truth::Yes},
                                         Question{"k % N < N", {}, Truth::Yes}, Question{"k % N >= 0", {}, Truth::Yes},
                                         Question{"min(N, M) <= N", {}, Truth::Yes}, Question{"max(N, M) >= M", {}, Truth::Yes},
                                         Question{"min(N, M) >= 1", {}, Truth::Yes}, Question{"(k//4)*4 <= k", {}, Truth::Yes},
                                         Question{"(k//4)*4 + k%4 == k", {}, Truth::Yes}, Question{"abs(k) >= k", {}, Truth::Yes},
                                         Question{"2**N >= 1", {}, Truth::Yes}, Question{"N >= 1 and M > 0", {}, Truth::Yes},
                                         Question{"N < 1 or k < 2", {}, Truth::Unknown}, Question{"M//N >= 0", {}, Truth::Yes},
                                         Question{"N*(N - 1)/2 >= 0", {}, Truth::Yes}));
INSTANTIATE_TEST_SUITE_P(
    Facts, Decide,
    testing::Values(Question{"N <= M + 1", {"N <= M"}, Truth::Yes}, Question{"N > M", {"N <= M"}, Truth::No},
                    Question{"i*M + j < N*M", {"i < N", "j < M", "i >= 0", "j >= 0"}, Truth::Yes},
                    Question{"i*M + j >= 0", {"i < N", "j < M", "i >= 0", "j >= 0"}, Truth::Yes},
                    Question{"i < K", {"i < N", "N <= M", "M <= K"}, Truth::Yes},
                    Question{"i <= 9", {"i < N", "N <= 10"}, Truth::Yes}, Question{"i//4 <= N//4", {"i < N"}, Truth::Yes},
                    Question{"32*i + 31 < N", {"i < N//32", "i >= 0"}, Truth::Yes},
                    Question{"min(i + 32, N) <= N", {"i >= 0"}, Truth::Yes}, Question{"i < min(i + 32, N)", {"i < N"}, Truth::Yes},
                    Question{"i == j", {"i <= j", "j <= i"}, Truth::Yes}, Question{"i == j", {"i < j"}, Truth::No},
                    Question{"i + j == 2*k", {"i == k", "j == k"}, Truth::Yes}, Question{"flag", {"flag"}, Truth::Yes},
                    Question{"not flag", {"flag"}, Truth::No}, Question{"A[i] != 0", {"A[i] != 0"}, Truth::Yes},
                    Question{"i >= 0 if i < N else i >= N", {"i >= 0"}, Truth::Yes},
                    Question{"j < N", {"j < i + 1", "i < N"}, Truth::Yes}, Question{"N <= M", {"M <= N"}, Truth::Unknown},
                    Question{"i < j", {"i <= j"}, Truth::Unknown}, Question{"i*i <= N*N", {"i >= 0", "i <= N"}, Truth::Yes}));

// The prover splits into cases that may never be: symbols are positive unless stated otherwise.
TEST(Contradiction, LeavesNoDivisorToDivideBy) {
    const Assumptions never = assuming({"N <= 0"}, {"k"});
    EXPECT_NO_THROW(decide(parsed("5//N <= k"), never));
    EXPECT_NO_THROW(decide(parsed("5 % N <= k"), never));
}

TEST(Bounds, AreTight) {
    const Assumptions facts = assuming({"0 <= i", "i < N", "N <= 10"}, {"i"});
    EXPECT_EQ(upper_bound(parsed("i"), facts), 9);
    EXPECT_EQ(lower_bound(parsed("i - 3"), facts), -3);
    EXPECT_EQ(upper_bound(parsed("2*i + 1"), facts), 19);
    EXPECT_EQ(lower_bound(parsed("N*M")), 1);
    EXPECT_EQ(upper_bound(parsed("N*M")), std::nullopt);
    EXPECT_EQ(lower_bound(parsed("7")), 7);
    EXPECT_EQ(upper_bound(parsed("k % 8"), assuming({}, {"k"})), 7);
    EXPECT_EQ(upper_bound(parsed("i//4"), facts), 2);
    EXPECT_EQ(lower_bound(parsed("k"), assuming({}, {"k"})), std::nullopt);
}

TEST(Assumptions, RangeOfALoopVariable) {
    Assumptions assumptions;
    assumptions.assume_in("i", -2, symbol("N"));
    EXPECT_EQ(decide(parsed("i >= 0"), assumptions), Truth::Unknown);
    EXPECT_EQ(decide(parsed("i >= -2"), assumptions), Truth::Yes);
    EXPECT_EQ(decide(parsed("i < N"), assumptions), Truth::Yes);
}

TEST(Assumptions, BoundsThatAreExtremes) {
    const auto decided = [](const char* begin, const char* end, const char* question) {
        Assumptions assumptions;
        for (const char* other : {"i", "n", "b"}) assumptions.assume_any(other);
        assumptions.assume_in("j", parsed(begin), parsed(end));
        return decide(parsed(question), assumptions);
    };
    for (const char* begin : {"Max(i - 2, 0)", "0 if i < 2 else i - 2", "0 if i <= 2 else i - 2", "i - 2 if 0 < i - 2 else 0",
                              "0 if i <= 1 else i - 2"}) {
        EXPECT_EQ(decided(begin, "n", "j >= 0"), Truth::Yes) << begin;
        EXPECT_EQ(decided(begin, "n", "j >= i - 2"), Truth::Yes) << begin;
        EXPECT_EQ(decided(begin, "n", "j >= 1"), Truth::Unknown) << begin;
    }
    for (const char* end :
         {"Min(n, i + 3)", "n if n < i + 3 else i + 3", "n if n <= i + 2 else i + 3", "i + 3 if i + 3 <= n else n"}) {
        EXPECT_EQ(decided("b", end, "j < n"), Truth::Yes) << end;
        EXPECT_EQ(decided("b", end, "j <= i + 2"), Truth::Yes) << end;
        EXPECT_EQ(decided("b", end, "j < i + 2"), Truth::Unknown) << end;
    }
    for (const char* neither : {"0 if i < 4 else i - 2", "0 if i < 1 else i - 2", "0 if i <= 3 else i - 2", "i - 2 if i < 2 else 0",
                                "0 if n < 2 else i - 2"})
        EXPECT_EQ(decided(neither, "n", "j >= 0 and j >= i - 2"), Truth::Unknown) << neither;
}

Expr random_operand(std::mt19937& random, int depth) {
    const auto constant = [&] { return Expr(static_cast<std::int64_t>(random() % 7) - 3); };
    if (depth == 0) return random() % 3 == 0 ? constant() : symbol(std::string(1, static_cast<char>('a' + random() % 3)));
    const Expr a = random_operand(random, depth - 1), b = random_operand(random, depth - 1);
    switch (random() % 8) {
        case 0:
            return minimum(a, b);
        case 1:
            return maximum(a, b);
        case 2:
            return a * b;
        case 3:
            return floor_divide(a, Expr(static_cast<std::int64_t>(random() % 4) + 1));
        case 4:
            return modulo(a, Expr(static_cast<std::int64_t>(random() % 4) + 1));
        case 5:
            return a - b;
        case 6:
            return select(less(a, b), b, random_operand(random, depth - 1));
        default:
            return a + b;
    }
}

Expr random_condition(std::mt19937& random, int depth) {
    const Expr a = random_operand(random, depth), b = random_operand(random, depth);
    switch (random() % 5) {
        case 0:
            return equal(a, b);
        case 1:
            return less(a, b);
        case 2:
            return logical_and(less_equal(a, b), less(b, random_operand(random, depth)));
        case 3:
            return logical_or(less(a, b), equal(b, random_operand(random, depth)));
        default:
            return less_equal(a, b);
    }
}

// a and b are positive by default, c is any integer; facts restrict the points.
TEST(RandomConditions, NeverContradictEnumeration) {
    std::mt19937 random(7);
    int decided = 0;
    for (int round = 0; round < 80; ++round) {
        Assumptions assumptions;
        assumptions.assume_any("c");
        std::vector<Expr> facts;
        for (std::size_t n = random() % 3; n > 0; --n) facts.push_back(random_condition(random, 1));
        for (const Expr& fact : facts) assumptions.assume(fact);
        const Expr condition = random_condition(random, 2);
        const Truth answer = decide(condition, assumptions);
        const Expr value = random_operand(random, 2);
        const auto low = lower_bound(value, assumptions), high = upper_bound(value, assumptions);
        decided += answer != Truth::Unknown;
        for (std::int64_t a = 1; a <= 5; ++a)
            for (std::int64_t b = 1; b <= 5; ++b)
                for (std::int64_t c = -5; c <= 5; ++c) {
                    const std::map<std::string, std::int64_t> point = {{"a", a}, {"b", b}, {"c", c}};
                    bool possible = true;
                    for (const Expr& fact : facts) possible = possible && *evaluate(fact, point) != 0;
                    if (!possible) continue;
                    if (answer != Truth::Unknown) {
                        ASSERT_EQ(*evaluate(condition, point) != 0, is_yes(answer))
                            << to_string(condition) << " at " << a << ", " << b << ", " << c << " in round " << round;
                    }
                    const std::int64_t at = *evaluate(value, point);
                    ASSERT_TRUE(!low || *low <= at) << to_string(value) << " above " << *low;
                    ASSERT_TRUE(!high || at <= *high) << to_string(value) << " below " << *high;
                }
    }
    EXPECT_GT(decided, 20);
}

}  // namespace
}  // namespace sluice::symbolic
