// Equal expressions are one object, whatever the way to write them.
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <thread>

#include "parsed.h"

#include "symbolic/connectives.h"
#include "symbolic/expr.h"

namespace sluice::symbolic {
namespace {

struct Equality {
    const char* left;
    const char* right;
};

class Same : public testing::TestWithParam<Equality> {};

TEST_P(Same, IsOneObject) {
    const Expr left = parsed(GetParam().left), right = parsed(GetParam().right);
    EXPECT_EQ(left, right) << to_string(left) << " and " << to_string(right);
}

INSTANTIATE_TEST_SUITE_P(Polynomials, Same,
                         testing::Values(Equality{"N*2 - N + 1", "N + 1"}, Equality{"(a + b)*(a - b)", "a*a - b*b"},
                                         Equality{"(a + b)**3", "a**3 + 3*a*a*b + 3*a*b*b + b**3"}, Equality{"N*0", "0"},
                                         Equality{"N*N/2 - N/2", "(N*N - N)/2"}, Equality{"(N*M)/M", "N"},
                                         Equality{"(N*N - 1)/(N + 1)", "N - 1"}, Equality{"(2*N + 2)/(N + 1)", "2"},
                                         Equality{"N**2*N**-2", "1"}, Equality{"2**10", "1024"}, Equality{"1/2 + 1/3", "5/6"},
                                         Equality{"3*(x + 1/3)", "3*x + 1"}, Equality{"-(a - b)", "b - a"}));
INSTANTIATE_TEST_SUITE_P(Division, Same,
                         testing::Values(Equality{"N//1", "N"}, Equality{"(2*N)//2", "N"}, Equality{"(4*N + 3)//4", "N"},
                                         Equality{"(4*N + 6)//4", "N + 1"}, Equality{"(N//3)//4", "N//12"},
                                         Equality{"(5*N)//3", "N + (2*N)//3"}, Equality{"-((-N)//32)", "(N + 31)//32"},
                                         Equality{"int_ceil(N, 32)", "(N + 31)//32"}, Equality{"(N*M + i)//M", "N + i//M"},
                                         Equality{"(N*K)//(M*K)", "N//M"}, Equality{"(i*(N + 1) + j)//(N + 1)", "i + j//(N + 1)"},
                                         Equality{"(N/2)//3", "N//6"}, Equality{"floor(N/2)", "N//2"},
                                         Equality{"floor(M/N)", "M//N"}, Equality{"ceiling(N/2)", "(N + 1)//2"},
                                         Equality{"N//-2", "(-N)//2"}, Equality{"(2*N + 1)//2", "N"}, Equality{"(N % 4)//4", "0"},
                                         Equality{"-7//2", "-4"}, Equality{"(N//3 + 1)//2", "(N + 3)//6"}));
INSTANTIATE_TEST_SUITE_P(Remainder, Same,
                         testing::Values(Equality{"N % 1", "0"}, Equality{"(4*N + 3) % 4", "3"}, Equality{"(2*N) % 4", "2*(N % 2)"},
                                         Equality{"(N - 1) % 4", "(N + 3) % 4"}, Equality{"(N % 8) % 4", "N % 4"},
                                         Equality{"(N*M + i) % M", "i % M"}, Equality{"-7 % 3", "2"}, Equality{"7 % -3", "-2"},
                                         Equality{"(N*K) % (M*K)", "K*(N % M)"}, Equality{"(N % 4 + 4*M) % 4", "N % 4"},
                                         Equality{"N % -4", "-((-N) % 4)"}));
INSTANTIATE_TEST_SUITE_P(Extrema, Same,
                         testing::Values(Equality{"min(N, N + 1)", "N"}, Equality{"max(N, N + 1, M)", "max(M, N + 1)"},
                                         Equality{"min(min(a, b), c)", "min(c, min(b, a))"}, Equality{"min(3, 5)", "3"},
                                         Equality{"min(a, max(a, b))", "a"}, Equality{"Min(a, a)", "a"},
                                         Equality{"min(a - min(a, b), b - min(a, b))", "0"},
                                         Equality{"max(a + 2*min(a, b), c + 2*min(a, b), d + 2*min(a, b))",
                                                  "max(a, c, d) + 2*min(a, b)"}));
INSTANTIATE_TEST_SUITE_P(
    Booleans, Same,
    testing::Values(Equality{"i < N", "i + 1 <= N"}, Equality{"i < N", "N > i"}, Equality{"not i < N", "N <= i"},
                    Equality{"2*i < 2*N", "i < N"}, Equality{"2*i + 1 <= 2*N", "i < N"}, Equality{"i == j", "j == i"},
                    Equality{"2*i == 2*j + 1", "False"}, Equality{"i == i", "True"}, Equality{"a < b and b > a", "a < b"},
                    Equality{"a < b and b <= a", "False"}, Equality{"a < b or b <= a", "True"},
                    Equality{"not (a < b and c == d)", "b <= a or c != d"}, Equality{"0 < i < N", "i > 0 and i < N"},
                    Equality{"x if True else y", "x"}, Equality{"x if not f else y", "y if f else x"},
                    Equality{"True if i < N else False", "i < N"}, Equality{"N - 3 == 2", "N == 5"},
                    Equality{"x if a < b else x", "x"}));
INSTANTIATE_TEST_SUITE_P(Calls, Same,
                         testing::Values(Equality{"abs(-N)", "abs(N)"}, Equality{"abs(-5)", "5"}, Equality{"N << 3", "8*N"},
                                         Equality{"N >> 3", "N//8"}, Equality{"12 & 10", "8"}, Equality{"Lt(i, N)", "i < N"},
                                         Equality{"IfExpr(i < N, 1, 2)", "1 if i < N else 2"},
                                         Equality{"AND(a < b, b < c)", "a < b and b < c"}, Equality{"A[i + 1]", "A[1 + i]"},
                                         Equality{"int(N)", "N"}));

TEST(Canonical, RealComparisonsStayStrict) {
    EXPECT_EQ(to_string(parsed("A[i] < B[i]")), "A[i] < B[i]");
    EXPECT_NE(parsed("A[i] < B[i]"), parsed("A[i] + 1 <= B[i]"));
    EXPECT_EQ(parsed("not A[i] < B[i]"), parsed("B[i] <= A[i]"));
}

TEST(Canonical, OverflowStaysUnfolded) {
    const Expr largest = std::numeric_limits<std::int64_t>::max();
    const Expr sum = largest + 1;
    EXPECT_EQ(sum.kind(), Kind::Add);
    EXPECT_EQ(sum, Expr(1) + largest);
    EXPECT_EQ(evaluate(sum, std::map<std::string, std::int64_t>{}).error().code, "S001");
    EXPECT_EQ((largest * 2).kind(), Kind::Multiply);
    EXPECT_EQ(power(10, 30).kind(), Kind::Power);
    EXPECT_EQ(parsed(to_string(sum - 1)), sum - 1);
}

TEST(Canonical, OrderIgnoresCreation) {
    const Expr late = symbol("zeta_first_created"), early = symbol("alpha_created_later");
    EXPECT_EQ(to_string(late + early), "alpha_created_later + zeta_first_created");
    EXPECT_TRUE(canonical_less(early, late));
    EXPECT_FALSE(canonical_less(late, early));
    EXPECT_TRUE(canonical_less(7, early));
}

TEST(Canonical, LargeProductsAreKept) {
    Expr wide = 0;
    for (int i = 0; i < 20; ++i) wide = wide + symbol("v" + std::to_string(i)) * (i + 1);
    const Expr kept = wide * (wide + 1) * symbol("v3") * 6;
    EXPECT_EQ(kept.kind(), Kind::Multiply);
    EXPECT_EQ(parsed(to_string(kept)), kept);
    EXPECT_EQ(kept, symbol("v3") * 6 * (wide + 1) * wide);
}

TEST(Canonical, ManyThreadsMeetInOneObject) {
    std::vector<std::thread> threads;
    std::vector<std::vector<Expr>> built(4);
    for (std::size_t t = 0; t < built.size(); ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 2000; ++i) built[t].push_back(symbol("t" + std::to_string(i % 50)) * i + symbol("u") + i);
        });
    for (std::thread& thread : threads) thread.join();
    for (std::size_t t = 1; t < built.size(); ++t) EXPECT_EQ(built[0], built[t]);
}

// Each of 60 levels stands twice in the next: as a tree it has 2^60 leaves.
TEST(SharedParts, AreVisitedOnce) {
    Expr e = symbol("leaf");
    for (int level = 0; level < 60; ++level) e = call("f", {e, e});
    EXPECT_EQ(free_symbols(e), (std::set<std::string>{"leaf"}));
    EXPECT_TRUE(depends_on(e, "leaf"));
    EXPECT_FALSE(depends_on(e, "other"));
}

// The work grows with n log n: a second is a hundred times what it takes, and a cubic step takes an hour.
TEST(Connectives, OfManyOperandsAreJoinedPairwise) {
    const auto start = std::chrono::steady_clock::now();
    std::vector<Expr> conditions;
    for (int i = 0; i < 20000; ++i) conditions.push_back(equal(call("A", {Expr(i)}), 0));
    const Expr all = logical_and(conditions);
    EXPECT_EQ(all.operands().size(), conditions.size());
    EXPECT_EQ(logical_not(all).kind(), Kind::Or);
    conditions.push_back(logical_not(conditions[7]));
    EXPECT_EQ(logical_and(conditions), boolean(false));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

}  // namespace
}  // namespace sluice::symbolic
