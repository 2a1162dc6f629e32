// Text in Python and in C++.
#include <gtest/gtest.h>

#include "parsed.h"
#include "symbolic/assumptions.h"
#include "symbolic/expr.h"

namespace sluice::symbolic {
namespace {

struct Text {
    const char* source;
    const char* printed;
};

class Python : public testing::TestWithParam<Text> {};
TEST_P(Python, PrintsAndReadsBack) {
    const Expr e = parsed(GetParam().source);
    EXPECT_EQ(to_string(e), GetParam().printed);
    EXPECT_EQ(parsed(to_string(e)), e);
}
INSTANTIATE_TEST_SUITE_P(
    Texts, Python,
    testing::Values(Text{"1 + N*2", "2*N + 1"}, Text{"N//2", "N//2"}, Text{"min(M, N)", "min(M, N)"},
                    Text{"i if i < N else 0", "i if i < N else 0"}, Text{"j - N - 1", "j - N - 1"}, Text{"1 - N", "1 - N"},
                    Text{"-N", "-N"}, Text{"-(N//2)", "-(N//2)"}, Text{"M - N//2", "M - N//2"}, Text{"2*(N//2)", "2*(N//2)"},
                    Text{"N*N", "N**2"}, Text{"M/N", "M/N"}, Text{"M/(N + 1)", "M/(N + 1)"}, Text{"N/2", "N/2"},
                    Text{"1/N**2", "1/N**2"}, Text{"A[i, j + 1]", "A[i, j + 1]"}, Text{"s.x + 1", "s.x + 1"},
                    Text{"f(x, 2)", "f(x, 2)"}, Text{"i > 0", "i > 0"}, Text{"i >= 5", "i >= 5"}, Text{"a != b", "a != b"},
                    Text{"not f", "not f"}, Text{"a < b and (c < d or e < f)", "a < b and (c < d or e < f)"},
                    Text{"1.5*x", "1.5*x"}, Text{"2.0", "2.0"}, Text{"1e300*1e300", "1e999"}, Text{"2**N", "2**N"},
                    Text{"(a + b)%c", "(a + b)%c"}, Text{"-9223372036854775808", "-9223372036854775808"},
                    Text{"(a < b) + 1", "(a < b) + 1"}, Text{"True", "True"}, Text{"math.sqrt(N)", "math.sqrt(N)"},
                    Text{"x | y", "bitwise_or(x, y)"}, Text{"(N + 1)//(M + 1)", "(N + 1)//(M + 1)"}));

class Cpp : public testing::TestWithParam<Text> {};
TEST_P(Cpp, Prints) {
    Assumptions assumptions;
    assumptions.assume_any("k");
    EXPECT_EQ(to_cpp(parsed(GetParam().source), assumptions), GetParam().printed);
}
INSTANTIATE_TEST_SUITE_P(
    Texts, Cpp,
    testing::Values(Text{"2*N + 1", "2 * N + 1"}, Text{"N//2", "N / 2"}, Text{"k//2", "sluice_floor_div(k, 2)"},
                    Text{"k % 4", "sluice_floor_mod(k, 4)"}, Text{"N % 4", "N % 4"},
                    Text{"min(N, M, 5)", "sluice_min(sluice_min(5, M), N)"}, Text{"N*N", "N * N"},
                    Text{"N*N/2 - N/2", "(N * N - N) / 2"}, Text{"2**N", "sluice_ipow(2, N)"},
                    Text{"4294967296*N", "4294967296LL * N"}, Text{"-9223372036854775808", "(-9223372036854775807LL - 1)"},
                    Text{"a < b and c == d", "c == d && a < b"}, Text{"i if i < N else 0", "i < N ? i : 0"}, Text{"A[i]", "A[i]"},
                    Text{"M/N", "static_cast<double>(M) / N"}, Text{"0.5*x", "0.5 * x"}, Text{"1/2", "1.0 / 2"},
                    Text{"1/N", "1.0 / N"}, Text{"not f", "!f"}, Text{"a != b", "a != b"}, Text{"k*(N//3)", "k * (N / 3)"},
                    Text{"abs(k)", "sluice_abs(k)"}, Text{"N**6", "sluice_ipow(N, 6)"}, Text{"x & 3", "(x & 3)"},
                    Text{"floor(0.5*x)", "static_cast<int64_t>(__builtin_floor(0.5 * x))"}, Text{"floor(2.5)", "2"},
                    Text{"min(0.5*x, 1)", "__builtin_fmin(1, 0.5 * x)"}, Text{"(2*N - 1)//M", "(2 * N - 1) / M"}));

struct Malformed {
    const char* text;
    std::uint32_t column;
    const char* message;
};
class Errors : public testing::TestWithParam<Malformed> {};
TEST_P(Errors, NameThePlace) {
    const auto result = parse(GetParam().text);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, "S010");
    EXPECT_EQ(result.error().where.line, 1u);
    EXPECT_EQ(result.error().where.column, GetParam().column);
    EXPECT_NE(result.error().message.find(GetParam().message), std::string::npos) << result.error().message;
    EXPECT_FALSE(result.error().remedy.empty());
}
INSTANTIATE_TEST_SUITE_P(Texts, Errors,
                         testing::Values(Malformed{"", 1, "expected an operand, found the end"},
                                         Malformed{"N +", 4, "expected an operand"}, Malformed{"(N", 3, "expected ')'"},
                                         Malformed{"N M", 3, "unexpected 'M'"}, Malformed{"a $ b", 3, "unexpected character '$'"},
                                         Malformed{"12ab", 1, "malformed number"},
                                         Malformed{"99999999999999999999", 1, "does not fit 64 bits"},
                                         Malformed{"A[]", 2, "needs an index"}, Malformed{"x if y", 7, "expected 'else'"},
                                         Malformed{"and", 1, "expected an operand, found 'and'"}));

TEST(Parse, RefusesEndlessNesting) {
    EXPECT_FALSE(parse(std::string(100000, '(')).ok());
    EXPECT_FALSE(parse(std::string(100000, '-')).ok());
}

}  // namespace
}  // namespace sluice::symbolic
