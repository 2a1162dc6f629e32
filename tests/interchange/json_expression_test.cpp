// Expressions of both dialects, and that printing and parsing agree.
#include "interchange/expression.h"

#include <gtest/gtest.h>

#include "support/result.h"

namespace sluice::interchange {

namespace {

Expr parse(const std::string& text) {
    return parse_expression(text, true).value;
}
std::string print(const Expr& e, bool dollar) {
    return print_expression(e, {dollar, [](const std::string& name) { return "$" + name; }});
}
std::string error(const std::string& text) {
    const auto result = capture([&] { return parse_expression(text, true).value; });
    return result.ok() ? "" : result.error().code + ": " + result.error().message;
}

}  // namespace

TEST(JsonExpression, EqualMeanings) {
    const std::pair<const char*, const char*> cases[] = {
        {"floor(1/2*$N)", "N//2"},
        {"1/2*$N + 1/2*$N", "N"},
        {"int_floor($N, 4)", "N // 4"},
        {"__int_floor($N, 4)", "floor(N/4)"},
        {"int_ceil($N, 3)", "ceiling(N/3)"},
        {"-1 + $N", "N - 1"},
        {"symbol($i, dtype=dace.int64, positive=True) + 7i64", "i + 7"},
        {"Mod($N, 8)", "N % 8"},
        {"Min($M, $N, 3)", "min(3, min(N, M))"},
        {"AND(Gt($N, 1), Le($M, 3))", "N > 1 and M <= 3"},
        {"~($a < $b)", "not (a < b)"},
        {"a < b < c", "a < b and b < c"},
        {"IfExpr($c < 1, $t, $f)", "t if c < 1 else f"},
        {"Subscript($A, $i, 2)", "A[i, 2]"},
        {"Attr($s, $x)", "s.x"},
        {"SymExpr($N, $M)", "N"},
        {"(1 + $N)*(-2 + $M)", "M*N - 2*N + M - 2"},
        {"bitwise_or(a, b)", "a | b"},
        {"__left_shift(a, 2)", "a << 2"},
        {"$s.x", "s.x"},
        {"-2**2", "-4"},
        {"2.5f32", "2.5"},
    };
    for (const auto& [left, right] : cases) EXPECT_EQ(parse(left), parse(right)) << left << " | " << right;
}

TEST(JsonExpression, PrintsWhatItParses) {
    for (const char* text : {"a if b < c else d",
                             "$? + 1",
                             "Subscript($A, 1, $i)",
                             "$s.x.y",
                             "N/M",
                             "-1/2*N",
                             "N**(-1)",
                             "2**N",
                             "oo",
                             "2*pi",
                             "(1.0 + 2.0j)c128",
                             "dace.int64(x)",
                             "foo(N, 2)",
                             "Max(1, N - 2)*Mod(N, 8)",
                             "AND(a < 1, b < 2, c < 3)",
                             "1.5e-7",
                             "99999999999999999999999999",
                             "(a < b) == (c < d)",
                             "-(a + b)*c",
                             "not_known()",
                             "a & b"}) {
        const Expr e = parse(text);
        EXPECT_EQ(parse(print(e, true)), e) << text << " printed " << print(e, true);
        EXPECT_EQ(parse_expression(print(e, false), false).value, e) << text << " printed " << print(e, false);
    }
    EXPECT_EQ(print(parse("N - 1"), true), "-1 + $N");
    EXPECT_EQ(print(parse("floor(N/2)"), true), "int_floor($N, 2)");
    EXPECT_EQ(print(parse("N/2"), false), "1/2*N");
    EXPECT_EQ(print(parse("$?"), false), "?");
    EXPECT_EQ(print(parse("A[i]"), false), "A[i]");
}

TEST(JsonExpression, TellsOfSymbols) {
    const auto facts = parse_expression("symbol($i, dtype=dace.int16, nonnegative=True, nonzero=True) + $N", true).facts;
    ASSERT_EQ(facts.size(), 1u);
    EXPECT_EQ(facts[0].name, "i");
    EXPECT_EQ(*facts[0].dtype, code::DType(code::Scalar::Int16));
    EXPECT_EQ(facts[0].assumptions, "nonnegative=True, nonzero=True");
}

TEST(JsonExpression, Errors) {
    EXPECT_EQ(error(""), "J010: the expression `` is empty (column 1)");
    EXPECT_EQ(error("N +"), "J010: the expression `N +` ends too early (column 4)");
    EXPECT_EQ(error("N M"), "J010: the expression `N M` has `M` where it should end (column 3)");
    EXPECT_EQ(error("f(N"), "J010: the expression `f(N` lacks `)` (column 4)");
    EXPECT_EQ(error("#"), "J010: the expression `#` has an unexpected `#` (column 1)");
    EXPECT_EQ(error("7q8"), "J010: the expression `7q8` has the unknown number suffix `q8` (column 4)");
    EXPECT_NE(error(std::string(1000, '(')).find("nests too deep"), std::string::npos);
    EXPECT_NE(error(std::string(1000, '-') + "N").find("nests too deep"), std::string::npos);
    EXPECT_NE(error(std::string(20000, 'a')).find("is longer than 16384 characters"), std::string::npos);
}

}  // namespace sluice::interchange
