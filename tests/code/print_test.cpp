// The printer: text that parses back to the same tree, for chosen and for random trees; Python's spelling of constants.
#include "code/print.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "code/parse.h"

namespace sluice::code {
namespace {

ExprPtr expr(decltype(Expr::node) node) {
    return std::make_shared<Expr>(Expr{std::move(node), {}});
}
StmtPtr stmt(decltype(Stmt::node) node) {
    return std::make_shared<Stmt>(Stmt{std::move(node), {}});
}

class RandomTree {
public:
    explicit RandomTree(unsigned seed) : random_(seed) {}

    ExprPtr expression(int depth) {
        if (depth <= 0) return atom();
        switch (below(13)) {
            case 0:
                return expr(UnaryExpr{static_cast<UnaryOp>(below(4)), expression(depth - 1)});
            case 1:
            case 2:
            case 3:
                return expr(BinaryExpr{static_cast<BinaryOp>(below(13)), expression(depth - 1), expression(depth - 1)});
            case 4:
                return expr(BoolExpr{below(2) == 0, expressions(depth, 2)});
            case 5: {
                CompareExpr e{{}, expressions(depth, 2)};
                for (std::size_t i = 1; i < e.operands.size(); ++i) e.ops.push_back(static_cast<CompareOp>(below(10)));
                return expr(std::move(e));
            }
            case 6:
                return expr(ConditionalExpr{expression(depth - 1), expression(depth - 1), expression(depth - 1)});
            case 7: {
                CallExpr e{expression(depth - 1), expressions(depth, 0), {}};
                for (int i = below(3); i > 0; --i) e.keywords.push_back({"k" + std::to_string(i), expression(depth - 1)});
                return expr(std::move(e));
            }
            case 8:
                return expr(AttributeExpr{expression(depth - 1), "field"});
            case 9:
                return expr(SubscriptExpr{expression(depth - 1), index(depth - 1)});
            case 10:
                return expr(TupleExpr{expressions(depth, 0)});
            case 11:
                return expr(ListExpr{expressions(depth, 0)});
            default:
                return expr(
                    LambdaExpr{below(2) ? std::vector<std::string>{"p", "q"} : std::vector<std::string>{}, expression(depth - 1)});
        }
    }

    Body body(int depth, bool in_loop) {
        Body all;
        for (int i = below(3) + 1; i > 0; --i) all.push_back(statement(depth, in_loop));
        return all;
    }

private:
    int below(int bound) { return std::uniform_int_distribution(0, bound - 1)(random_); }
    ExprPtr name() { return expr(NameExpr{std::string(1, static_cast<char>('a' + below(5)))}); }

    ExprPtr atom() {
        switch (below(8)) {
            case 0:
                return expr(ConstantExpr{static_cast<std::int64_t>(random_() >> 1)});
            case 1:
                return expr(ConstantExpr{std::ldexp(std::uniform_real_distribution(0.0, 1.0)(random_), below(200) - 100)});
            case 2:
                return expr(ConstantExpr{ImaginaryValue{static_cast<double>(below(50)) / 4}});
            case 3:
                return expr(ConstantExpr{below(2) == 0});
            case 4: {
                std::string text;
                for (int i = below(6); i > 0; --i) text += "a'\"\\\n\t\x01\xC3\xA9{"[below(10)];
                return expr(ConstantExpr{text});
            }
            case 5:
                return below(3) ? expr(ConstantExpr{NoneValue{}}) : expr(ConstantExpr{EllipsisValue{}});
            default:
                return name();
        }
    }

    std::vector<ExprPtr> expressions(int depth, int at_least) {
        std::vector<ExprPtr> all;
        for (int i = at_least + below(3); i > 0; --i) all.push_back(expression(depth - 1));
        return all;
    }

    ExprPtr maybe(int depth) { return below(2) ? expression(depth) : nullptr; }
    ExprPtr slice(int depth) { return below(2) ? expr(SliceExpr{maybe(depth), maybe(depth), maybe(depth)}) : expression(depth); }
    ExprPtr index(int depth) {
        if (below(2)) return slice(depth);
        std::vector<ExprPtr> parts;
        for (int i = below(3); i >= 0; --i) parts.push_back(slice(depth - 1));
        return expr(TupleExpr{std::move(parts)});
    }
    ExprPtr target(bool single) {
        if (!single && below(3) == 0) return expr(TupleExpr{{target(false), target(false)}});
        if (below(3) == 0) return expr(SubscriptExpr{name(), index(1)});
        return name();
    }

    StmtPtr statement(int depth, bool in_loop) {
        switch (below(depth > 0 ? 15 : 9)) {
            case 0:
            case 1:
                return stmt(
                    AssignStmt{below(2) ? std::vector{target(false)} : std::vector{target(false), target(false)}, expression(3)});
            case 2:
                return stmt(AugAssignStmt{target(true), static_cast<BinaryOp>(below(13)), expression(3)});
            case 3:
                return stmt(AnnAssignStmt{target(true), expression(2), maybe(2)});
            case 4:
                return stmt(ExprStmt{expression(4)});
            case 5:
                return stmt(AssertStmt{expression(2), maybe(2)});
            case 6:
                return below(2) ? stmt(ImportStmt{"m.n", {}, "alias"}) : stmt(ImportStmt{"..m", {{"x", "y"}, {"z", "z"}}, ""});
            case 7:
                return in_loop ? stmt(BreakStmt{}) : stmt(PassStmt{});
            case 8:
                return in_loop ? stmt(ContinueStmt{}) : stmt(PassStmt{});
            case 9:
            case 10:
                return stmt(IfStmt{expression(2), body(depth - 1, in_loop), below(2) ? body(depth - 1, in_loop) : Body{}});
            case 11:
                return stmt(
                    ForStmt{target(false), expression(2), body(depth - 1, true), below(3) ? Body{} : body(depth - 1, in_loop)});
            case 12:
                return stmt(WhileStmt{expression(2), body(depth - 1, true), below(3) ? Body{} : body(depth - 1, in_loop)});
            case 13: {
                WithStmt s;
                for (int i = below(2); i >= 0; --i) s.items.push_back({expression(2), below(2) ? target(false) : nullptr});
                s.body = body(depth - 1, in_loop);
                return stmt(std::move(s));
            }
            default: {
                FunctionStmt s{"f", {{"x", maybe(2), nullptr, {}}, {"y", maybe(2), expression(1), {}}}, maybe(2), {}, {}};
                if (below(2)) s.decorators.push_back(expression(2));
                s.body = body(depth - 1, false);
                s.body.push_back(stmt(ReturnStmt{maybe(3)}));
                return stmt(std::move(s));
            }
        }
    }

    std::mt19937_64 random_;
};

TEST(Print, RandomExpressionsParseBack) {
    for (unsigned seed = 0; seed < 1000; ++seed) {
        const ExprPtr e = RandomTree(seed).expression(5);
        const Result<ExprPtr> back = parse_expr(to_string(*e));
        ASSERT_TRUE(back) << "seed " << seed << ": " << to_string(*e) << "\n" << render(back.error());
        ASSERT_TRUE(equal(*e, **back)) << "seed " << seed << ": " << to_string(*e) << "\n" << to_string(**back);
    }
}

TEST(Print, RandomBodiesParseBack) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        const Body body = RandomTree(seed).body(3, false);
        const Result<Body> back = parse_body(to_string(body));
        ASSERT_TRUE(back) << "seed " << seed << ":\n" << to_string(body) << "\n" << render(back.error());
        ASSERT_TRUE(equal(body, *back)) << "seed " << seed << ":\n" << to_string(body) << "\n" << to_string(*back);
        ASSERT_TRUE(equal(body, *parse_body(to_string(body, 2)))) << "seed " << seed;
    }
}

TEST(Print, FloatsInPythonsNotation) {
    const std::pair<double, const char*> cases[] = {{2.0, "2.0"},
                                                    {0.1, "0.1"},
                                                    {1e16, "1e+16"},
                                                    {1e15, "1000000000000000.0"},
                                                    {123456789012345680.0, "1.2345678901234568e+17"},
                                                    {0.0001, "0.0001"},
                                                    {0.00001, "1e-05"},
                                                    {5e-324, "5e-324"},
                                                    {1.7976931348623157e308, "1.7976931348623157e+308"},
                                                    {-0.0, "-0.0"},
                                                    {std::numeric_limits<double>::infinity(), "1e309"}};
    for (const auto& [value, text] : cases) EXPECT_EQ(to_string(*expr(ConstantExpr{value})), text);
    EXPECT_EQ(to_string(*expr(ConstantExpr{ImaginaryValue{2.0}})), "2j");
}

TEST(Print, MinimalParentheses) {
    for (const char* text : {"a + b * c",
                             "(a + b) * c",
                             "a - (b - c)",
                             "a - b - c",
                             "(a**b)**c",
                             "a**b**c",
                             "(-a)**b",
                             "-a**b",
                             "a**-b",
                             "not a in b",
                             "(not a) in b",
                             "(a and b) and c",
                             "a and b or c",
                             "a and (b or c)",
                             "(a if b else c) + d",
                             "a if b else c if d else e",
                             "(a if b else c) if d else e",
                             "lambda x, y: x + y",
                             "{'a': 1, b: c + 1}",
                             "[i for i in x if i > 0 for j, k in y or z]",
                             "(i for i in x)",
                             "(a := b + 1)",
                             "f(*a, b=c)",
                             "f(*a, b=c, **d)",
                             "'a' f'{(b):.3f}' f'{(c)!r}'",
                             "(a, *b)",
                             "(lambda: a)()",
                             "f(a, b=c)",
                             "x[1:2, ::3, ...]",
                             "x[()]",
                             "x[a,]",
                             "(1).real",
                             "[a, (b, c)]",
                             "a < b < c",
                             "(a < b) < c",
                             "-9223372036854775808",
                             "x[lambda: 1:2]",
                             "'it\\'s \"q\"'",
                             "\"it's\"",
                             "()",
                             "(a,)"})
        EXPECT_EQ(to_string(**parse_expr(text)), text);
    for (const char* text :
         {"a, b = b, a\n", "return_ = 1, 2\n", "for i, j in x, y:\n    pass\n", "with (a, b) as c, d:\n    pass\n",
          "with ((a, b)):\n    pass\n", "import a.b\n", "from a import b as c, d\n", "assert (a, b), c\n", "raise E('a')\n",
          "del a, b[0]\n", "a, *b = c\n", "def f(a, b=1, *c, d, e=2):\n    pass\n", "def f(a, *, b):\n    pass\n"})
        EXPECT_EQ(to_string(*parse_body(text)), text);
}

TEST(Equal, IgnoresSpansOnly) {
    EXPECT_TRUE(equal(*parse_body("a  =  1"), *parse_body("\na = (1)")));
    for (const char* other : {"a = 2", "b = 1", "a = 1.0", "a = True", "a == 1", "a += 1", "a = 1; a", "a = b = 1", "a: t = 1"})
        EXPECT_FALSE(equal(*parse_body("a = 1"), *parse_body(other))) << other;
}

TEST(Print, FormattedStrings) {
    const auto printed = [](std::string_view source) { return to_string(*parse_expr(source).value()); };
    EXPECT_EQ(printed(R"(f'n is {n}, {s!r}{{}}\t' "x")"), R"('n is ' f'{(n)}' ', ' f'{(s)!r}' '{}\tx')");
    EXPECT_EQ(printed("f'{a == b}{c[\"k\"]}'"), "f'{(a == b)}' f'{(c['k'])}'");
    for (const char* source : {"f'{a}'", "'a' f'{f\"{b}\"}'", "f'{a[\"}\"]}'", "f'plain'"})
        EXPECT_EQ(printed(printed(source)), printed(source)) << source;
}

}  // namespace
}  // namespace sluice::code
