#include "ir/code_block.h"

#include <gtest/gtest.h>

#include "ir/resolution.h"

namespace sluice::ir {
namespace {

code::ExprPtr expr(const std::string& text) {
    return parsed_expr(text).or_fail();
}
std::set<std::string> free_of(const std::string& text) {
    return free_names(parsed_body({text, Language::Python}).or_fail());
}
using Strings = std::set<std::string>;

TEST(CodeBlock, SyntaxErrorsPointIntoTheUsersSource) {
    const Span where{.file = intern_file_name("lu.py"), .line = 12, .column = 1, .end_line = 12, .end_column = 1};
    const auto bad = parsed_body({"x = 1\ny = = 2", Language::Python}, where);
    ASSERT_FALSE(bad.ok());
    EXPECT_EQ(*bad.error().where.file, "lu.py");
    EXPECT_EQ(bad.error().where.line, 13u);
    EXPECT_EQ(parsed_body({"x = 1\ny = = 2", Language::Python}).error().where.line, 2u);
}

TEST(CodeBlock, OtherLanguagesHaveNoTree) {
    EXPECT_EQ(parsed_body({"x = 1;", Language::CPP}).error().code, "R002");
}

TEST(CodeBlock, ToSymbolic) {
    const auto same = [](const std::string& python, const std::string& symbolic_text) {
        EXPECT_EQ(to_symbolic(*expr(python)).or_fail(), symbolic::parse(symbolic_text).or_fail()) << python;
    };
    same("2*N - N + 1", "N + 1");
    same("i // 2 + i % 3", "i//2 + i%3");
    same("N > 3 and not M", "3 < N and not M");
    same("0 <= i < N", "0 <= i and i < N");
    same("a if c else b", "a if c else b");
    same("min(N, M)", "min(N, M)");
    same("A[i, j + 1]", "A[i, j + 1]");
    same("s.x", "s.x");
    same("True", "True");
}

TEST(CodeBlock, WhatHasNoSymbolicForm) {
    for (const char* text : {"[1, 2]", "A[0:N]", "'text'", "a @ b", "a is b", "lambda x: x", "f(x, k=1)"}) {
        const auto result = to_symbolic(*expr(text));
        ASSERT_FALSE(result.ok()) << text;
        EXPECT_EQ(result.error().code, "R001");
    }
    EXPECT_EQ(to_symbolic(*expr("a + A[0:N]")).error().message, "a slice has no symbolic form");
    EXPECT_EQ(to_symbolic(*expr("a + A[0:N]")).error().where.column, 7u);
}

TEST(CodeBlock, ToCodeInverts) {
    for (const char* text : {"N + 1", "N - 1", "2*N*M - 3", "N//2", "N % 3", "min(N, M)", "N/2", "-N", "i if i < N else 0", "N**2",
                             "A[i, j]", "not a", "a and b or c", "f(N, 1)", "N != 3", "1.5*N", "-9223372036854775807 - 1"}) {
        const Expr e = symbolic::parse(text).or_fail();
        EXPECT_EQ(to_symbolic(*to_code(e)).or_fail(), e) << text << " printed " << symbolic::to_string(e);
    }
}

TEST(FreeNames, OfExpressions) {
    EXPECT_EQ(free_names(*expr("a + f(b) * np.sqrt(c) + math.pi")), (Strings{"a", "b", "c"}));
    EXPECT_EQ(free_names(*expr("lambda x: x + y")), (Strings{"y"}));
    EXPECT_EQ(free_names(*expr("A[i, 0:N]")), (Strings{"A", "N", "i"}));
}

TEST(FreeNames, OfBodies) {
    EXPECT_EQ(free_of("t = a * 2\no = t + b"), (Strings{"a", "b"}));
    EXPECT_EQ(free_of("x += 1"), (Strings{"x"}));
    EXPECT_EQ(free_of("o[i] = 1"), (Strings{"i", "o"}));
    EXPECT_EQ(free_of("if c:\n    t = 1\nelse:\n    t = u\no = t"), (Strings{"c", "u"}));
    EXPECT_EQ(free_of("for i in range(N):\n    s = i\no = s"), (Strings{"N"}));
}

TEST(ReductionType, Recognises) {
    using enum code::ReductionType;
    const std::vector<std::pair<std::string, code::ReductionType>> cases{
        {"lambda a, b: a + b", Sum},
        {"lambda x, y: y + x", Sum},
        {"lambda a, b: a * b", Product},
        {"lambda a, b: min(a, b)", Min},
        {"lambda a, b: np.maximum(b, a)", Max},
        {"lambda a, b: a if a < b else b", Min},
        {"lambda a, b: b if a < b else a", Max},
        {"lambda a, b: a if b > a else b", Min},
        {"lambda a, b: a and b", LogicalAnd},
        {"lambda a, b: b or a", LogicalOr},
        {"lambda a, b: (a and not b) or (not a and b)", LogicalXor},
        {"lambda a, b: bool(a) != bool(b)", LogicalXor},
        {"lambda a, b: a & b", BitwiseAnd},
        {"lambda a, b: a | b", BitwiseOr},
        {"lambda a, b: a ^ b", BitwiseXor},
        {"lambda a, b: a - b", Sub},
        {"lambda a, b: b - a", Custom},
        {"lambda a, b: a / b", Div},
        {"lambda a, b: b", Exchange},
        {"lambda a, b: a", Custom},
        {"lambda a, b: a + b + 1", Custom},
        {"lambda a, b: a + c", Custom},
        {"lambda a, b: a != b", Custom},
        {"lambda a: a", Custom},
        {"nonsense here", Custom},
    };
    for (const auto& [text, type] : cases) EXPECT_EQ(Resolution(text).type(), type) << text;
}

}  // namespace
}  // namespace sluice::ir
