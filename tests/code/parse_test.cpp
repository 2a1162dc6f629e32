// The parser: precedence against fully parenthesised text, spans, tolerance, and every diagnostic.
#include "code/parse.h"

#include <gtest/gtest.h>

#include "code/print.h"
#include "code/walk.h"

namespace sluice::code {
namespace {

// Every operation in its own parentheses.
std::string explicit_form(const Expr& e) {
    return std::visit(Overloaded{
                          [](const BinaryExpr& n) {
                              const ExprPtr plain = std::make_shared<Expr>(Expr{NameExpr{"L"}, {}});
                              const std::string text = to_string(Expr{BinaryExpr{n.op, plain, plain}, {}});
                              return "(" + explicit_form(*n.left) + text.substr(1, text.size() - 2) + explicit_form(*n.right) + ")";
                          },
                          [](const UnaryExpr& n) {
                              const char* spelled[] = {"+", "-", "not ", "~"};
                              return "(" + (spelled[static_cast<int>(n.op)] + explicit_form(*n.operand)) + ")";
                          },
                          [](const BoolExpr& n) {
                              std::string text;
                              for (const ExprPtr& operand : n.operands)
                                  text += (text.empty() ? "(" : n.is_and ? " and " : " or ") + explicit_form(*operand);
                              return text + ")";
                          },
                          [](const CompareExpr& n) {
                              std::string text = "(" + explicit_form(*n.operands[0]);
                              for (std::size_t i = 0; i < n.ops.size(); ++i) text += " ? " + explicit_form(*n.operands[i + 1]);
                              return text + ")";
                          },
                          [](const ConditionalExpr& n) {
                              return "(" + explicit_form(*n.if_true) + " if " + explicit_form(*n.condition) + " else " +
                                     explicit_form(*n.if_false) + ")";
                          },
                          [](const LambdaExpr& n) { return "(lambda: " + explicit_form(*n.body) + ")"; },
                          [&](const auto&) { return to_string(e); },
                      },
                      e.node);
}

std::string tree(const std::string& text) {
    const Result<ExprPtr> e = parse_expr(text);
    return e ? explicit_form(**e) : e.error().code + " " + e.error().message;
}

TEST(ParseExpr, Precedence) {
    EXPECT_EQ(tree("a + b * c - d"), "((a + (b * c)) - d)");
    EXPECT_EQ(tree("-a ** b"), "(-(a**b))");
    EXPECT_EQ(tree("a ** -b ** c"), "(a**(-(b**c)))");
    EXPECT_EQ(tree("2 ** 3 ** 4"), "(2**(3**4))");
    EXPECT_EQ(tree("a | b ^ c & d << e + f @ g"), "(a | (b ^ (c & (d << (e + (f @ g))))))");
    EXPECT_EQ(tree("not a == b and c or d"), "(((not (a ? b)) and c) or d)");
    EXPECT_EQ(tree("a < b <= c is not d not in e"), "(a ? b ? c ? d ? e)");
    EXPECT_EQ(tree("a < (b < c)"), "(a ? (b ? c))");
    EXPECT_EQ(tree("a if b else c if d else e"), "(a if b else (c if d else e))");
    EXPECT_EQ(tree("lambda: a if b else c"), "(lambda: (a if b else c))");
    EXPECT_EQ(tree("a // b % c / d"), "(((a // b) % c) / d)");
    EXPECT_EQ(tree("~-+a"), "(~(-(+a)))");
    EXPECT_EQ(tree("a or b and not c"), "(a or (b and (not c)))");
    EXPECT_EQ(tree("- a . b [ 0 ] ( c ) ** 2"), "(-(a.b[0](c)**2))");
    EXPECT_EQ(tree("(a and b) and c"), "((a and b) and c)");
}

TEST(ParseExpr, Literals) {
    EXPECT_EQ(tree("0x_1F"), "31");
    EXPECT_EQ(tree("0b101"), "5");
    EXPECT_EQ(tree("0o17"), "15");
    EXPECT_EQ(tree("1_000_000"), "1000000");
    EXPECT_EQ(tree("00"), "0");
    EXPECT_EQ(tree("1e16"), "1e+16");
    EXPECT_EQ(tree("1_0.5e-1_0"), "1.05e-09");
    EXPECT_EQ(tree("5."), "5.0");
    EXPECT_EQ(tree(".5"), "0.5");
    EXPECT_EQ(tree("1e400"), "1e309");
    EXPECT_EQ(tree("1e-400"), "0.0");
    EXPECT_EQ(tree("1e-99999999999999999999"), "0.0");
    EXPECT_EQ(tree("09j"), "9j");
    EXPECT_EQ(tree("1.5J"), "1.5j");
    EXPECT_EQ(tree("-9223372036854775808"), "-9223372036854775808");
    EXPECT_EQ(tree("'a' \"b\" r'\\n' '\\x41\\u00e9\\101\\q\\\n'"),
              "'ab\\\\nA\xC3\xA9"
              "A\\\\q'");
    EXPECT_EQ(tree("'''a\n\"b'''"), "'a\\n\"b'");
    EXPECT_EQ(tree("None is ..."), "(None ? ...)");
    EXPECT_EQ(tree("1if a else 2"), "(1 if a else 2)");
}

TEST(ParseExpr, NewlinesJoin) {
    EXPECT_EQ(tree("\n (a +\n b) * # comment\n c \n"), "((a + b) * c)");
    EXPECT_EQ(tree("a, b"), "(a, b)");
}

TEST(ParseExpr, Spans) {
    const ExprPtr e = *parse_expr("(a +\n bc) * f(x)", {"s.py", 7, false});
    EXPECT_EQ(*e->span.file, "s.py");
    EXPECT_EQ((std::array{e->span.line, e->span.column, e->span.end_line, e->span.end_column}), (std::array{7u, 1u, 8u, 12u}));
    const auto& product = std::get<BinaryExpr>(e->node);
    EXPECT_EQ((std::array{product.left->span.line, product.left->span.column, product.left->span.end_column}),
              (std::array{7u, 2u, 4u}));
    EXPECT_EQ((std::array{product.right->span.line, product.right->span.column, product.right->span.end_column}),
              (std::array{8u, 8u, 12u}));
}

TEST(ParseBody, StatementSpans) {
    const Body body = *parse_body("@d\ndef f(a, b: int = 1):\n    return a\n\nx = 1; y = 2  # end\n", {"s.py", 1, false});
    ASSERT_EQ(body.size(), 3u);
    const auto place = [](const Span& s) { return std::array{s.line, s.column, s.end_line, s.end_column}; };
    EXPECT_EQ(place(body[0]->span), (std::array{2u, 1u, 3u, 13u}));
    EXPECT_EQ(place(std::get<FunctionStmt>(body[0]->node).parameters[1].span), (std::array{2u, 10u, 2u, 20u}));
    EXPECT_EQ(place(body[2]->span), (std::array{5u, 8u, 5u, 13u}));
}

TEST(ParseBody, TaskletsOfDace) {
    const char* source =
        "__out = (__in1 * __in2)\n"
        "sout = (s - 1)\n"
        "x[i] = dace.float64(y[(- 1)]) + np.sqrt(2)\n"
        "if (a > 0):\n"
        "    b = math.exp(a)\n"
        "elif (not c): b -= 1\n"
        "else:\n"
        "    b = 0; c = 1\n";
    EXPECT_EQ(to_string(*parse_body(source)),
              "__out = __in1 * __in2\n"
              "sout = s - 1\n"
              "x[i] = dace.float64(y[-1]) + np.sqrt(2)\n"
              "if a > 0:\n"
              "    b = math.exp(a)\n"
              "elif not c:\n"
              "    b -= 1\n"
              "else:\n"
              "    b = 0\n"
              "    c = 1\n");
    EXPECT_EQ(to_string(*parse_body("    a = 1\n    b = 2\r\n\r\n")), "a = 1\nb = 2\n");
    EXPECT_TRUE(parse_body("")->empty());
    EXPECT_TRUE(parse_body("\n  # nothing\n")->empty());
}

TEST(ParseBody, Imports) {
    const Body body = *parse_body("import numpy, scipy.linalg as la, a.b\nfrom ..p import (x as y, z,)\nfrom m import *\n");
    ASSERT_EQ(body.size(), 5u);
    const auto import = [&](std::size_t i) { return std::get<ImportStmt>(body[i]->node); };
    EXPECT_EQ(import(0).module + "/" + import(0).alias, "numpy/numpy");
    EXPECT_EQ(import(1).module + "/" + import(1).alias, "scipy.linalg/la");
    EXPECT_EQ(import(2).module + "/" + import(2).alias, "a.b/a.b");
    EXPECT_EQ(import(3).module, "..p");
    EXPECT_EQ(import(3).names, (std::vector<std::pair<std::string, std::string>>{{"x", "y"}, {"z", "z"}}));
    EXPECT_EQ(import(4).names[0].first, "*");
}

struct Wrong {
    const char* source;
    const char* rendered;  ///< The first line of the diagnostic.
};

TEST(ParseBody, Diagnostics) {
    const Wrong cases[] = {
        {"a = $b", "w.py:1:5: error P001: unexpected character `$`"},
        {"a = \x01", "w.py:1:5: error P001: unexpected control character"},
        {"a = b\xEF\xBB\xBF"
         "c",
         "w.py:1:5: error P001: a byte order mark stands inside the text"},
        {"a = \\ b", "w.py:1:5: error P001: a backslash outside a string must end its line"},
        {"a = 'b\nc", "w.py:1:5: error P002: this string is never closed"},
        {"x = 1\na = \"\"\"b\nc", "w.py:2:5: error P002: this string is never closed"},
        {"a = 012", "w.py:1:5: error P003: `012` is not a number"},
        {"a = 1__0", "w.py:1:5: error P003: `1__0` is not a number"},
        {"a = 12abc", "w.py:1:5: error P003: `12abc` is not a number"},
        {"a = 0x", "w.py:1:5: error P003: `0x` is not a number"},
        {"if a:\n    b\n  c", "w.py:3:3: error P004: this line's indentation matches no outer block"},
        {"a\n  b", "w.py:2:3: error P004: this line is indented without a block to belong to"},
        {"if a:\nb", "w.py:2:1: error P004: expected an indented block"},
        {"if a:\n\tb\n        c", "w.py:3:9: error P004: tabs and spaces are mixed inconsistently in the indentation"},
        {"f(a, [b)", "w.py:1:8: error P005: `)` does not close `[`"},
        {"f(a", "w.py:1:2: error P005: `(` is never closed"},
        {"a)", "w.py:1:2: error P005: `)` closes nothing"},
        {"a = = b", "w.py:1:5: error P006: expected an expression, found `=`"},
        {"a b", "w.py:1:3: error P006: expected the end of the statement, found `b`"},
        {"a = ", "w.py:1:5: error P006: expected an expression, found the end of the line"},
        {"for i on x: pass", "w.py:1:7: error P006: expected `in` after the loop variables, found `on`"},
        {"if a\n    b", "w.py:1:5: error P006: expected `:` before the block, found the end of the line"},
        {"if a: for i in b: pass",
         "w.py:1:7: error P006: expected a simple statement on the line of its header, or an indented block, found `for`"},
        {"x = {1, *y}", "w.py:1:9: error P007: unpacking in sets is outside the supported subset of Python"},
        {"x = {1: 2, 3}", "w.py:1:13: error P006: expected `:` behind the key, found `}`"},
        {"x = {i: i for i of y}", "w.py:1:17: error P006: expected `in` after the loop variables, found `of`"},
        {"x = *y", "w.py:1:7: error P006: expected `,` after the starred expression, found the end of the line"},
        {"x = [i for i of y]", "w.py:1:14: error P006: expected `in` after the loop variables, found `of`"},
        {"raise E from x", "w.py:1:9: error P007: causes of exceptions are outside the supported subset of Python"},
        {"class C:\n    pass", "w.py:1:1: error P007: `class` statements are outside the supported subset of Python"},
        {"x = f'{y:{w}}'",
         "w.py:1:5: error P007: such formats and conversions of values in strings are outside the supported subset of Python"},
        {"match x:\n    case [a, b]: pass",
         "w.py:2:10: error P007: patterns of sequences, but for a tuple that stands there, are outside the supported subset of "
         "Python"},
        {"match 1:\n    case C(a): pass",
         "w.py:2:10: error P007: patterns of classes for a literal or a tuple that stands there are outside the supported subset "
         "of "
         "Python"},
        {"match x, y:\n    case (0, a) if a: pass",
         "w.py:2:5: error P007: guards of patterns that bind names and may not match are outside the supported subset of Python"},
        {"match x:\n    y", "w.py:2:5: error P006: expected `case`, found `y`"},
        {"def f():\n    nonlocal a", "w.py:2:5: error P007: `nonlocal` statements are outside the supported subset of Python"},
        {"def f():\n    x = yield a", "w.py:2:9: error P007: `yield` expressions are outside the supported subset of Python"},
        {"def f():\n    try:\n        a\n    except* E:\n        b",
         "w.py:4:11: error P007: groups of exceptions are outside the supported subset of Python"},
        {"def f(a, /): pass", "w.py:1:10: error P007: positional-only parameters are outside the supported subset of Python"},
        {"def f(**a, b): pass", "w.py:1:12: error P009: parameter `b` follows a doubly starred one"},
        {"f(a) = b", "w.py:1:1: error P008: this expression cannot be assigned to"},
        {"a, b += 1", "w.py:1:1: error P008: several targets cannot be assigned this way"},
        {"for 1 in x: pass", "w.py:1:5: error P008: this expression cannot be assigned to"},
        {"f(a=1, b)", "w.py:1:8: error P009: a positional argument follows a keyword argument"},
        {"f(a=1, a=2)", "w.py:1:8: error P009: keyword argument `a` is given twice"},
        {"def f(a, a): pass", "w.py:1:10: error P009: parameter `a` is named twice"},
        {"lambda a, a: 1", "w.py:1:11: error P009: parameter `a` is named twice"},
        {"def f(a=1, b): pass", "w.py:1:12: error P009: parameter `b` without a default follows one with a default"},
        {"return 1", "w.py:1:1: error P011: `return` outside a function"},
        {"if a: break", "w.py:1:7: error P011: `break` outside a loop"},
        {"while a:\n    def f(): continue", "w.py:2:14: error P011: `continue` outside a loop"},
        {"a = 9223372036854775808", "w.py:1:5: error P012: this integer does not fit into 64 bits"},
        {"a = '\\xZ'", "w.py:1:5: error P013: a string cannot hold this escape sequence"},
        {"a = '\\N{DASH}'", "w.py:1:5: error P013: a string cannot hold characters by name"},
    };
    for (const Wrong& wrong : cases) {
        const Result<Body> body = parse_body(wrong.source, {"w.py", 1, false});
        ASSERT_FALSE(body) << wrong.source;
        const std::string text = render(body.error());
        EXPECT_EQ(text.substr(0, text.find('\n')), wrong.rendered);
        EXPECT_FALSE(body.error().remedy.empty()) << wrong.source;
    }
}

TEST(ParseBody, DiagnosticShowsTheLine) {
    const std::string source = "x = 1\ny = (x +* 2)\n";
    EXPECT_EQ(render(parse_body("y = (x + ]\n", {"w.py", 2, false}).error(), "x = 1\ny = (x + ]\n"),
              "w.py:2:10: error P005: `]` does not close `(`\n"
              "    2 | y = (x + ]\n"
              "      |          ^\n"
              "w.py:2:5: note: opened here\n"
              "help: close it with `)`\n");
    EXPECT_EQ(parse_body(source).error().code, "P007");
}

std::string outline(const std::string& source) {
    const Result<Body> body = parse_body(source, {"t.py", 1, true});
    if (!body) return body.error().code;
    std::string text;
    for (const StmtPtr& s : *body) {
        const auto* kept = std::get_if<UnsupportedStmt>(&s->node);
        text += (kept ? "[" + kept->keyword + "|" + kept->text + "]" : std::to_string(s->node.index())) + " ";
    }
    return text;
}

TEST(ParseBody, TolerantKeepsUnsupportedStatements) {
    EXPECT_EQ(outline("a = 1\nclass C(B):\n    x = {}\n\n    def f(self): yield\nb = 2\n"),
              "0 [class|class C(B):\n    x = {}\n\n    def f(self): yield] 0 ");
    EXPECT_EQ(outline("try:\n  a\nexcept E as e:\n  b\nelse: c\nfinally:\n  d\nx = 1"),
              "[try|try:\n  a\nexcept E as e:\n  b\nelse: c\nfinally:\n  d] 0 ");
    EXPECT_EQ(outline("d = {*y}; e = 2; global e\nx = {*y, *z}"), "[dict|d = {*y}] 0 [global|global e] [dict|x = {*y, *z}] ");
    EXPECT_EQ(
        outline(
            "if __name__ == '__main__':\n    with x:\n        print(f'{y!r:>{w}} {z[\"q\"]}')\n    z = 1\nelse:\n    pass\nq = 1"),
        "[if|if __name__ == '__main__':\n    with x:\n        print(f'{y!r:>{w}} {z[\"q\"]}')\n    z = 1\nelse:\n    pass] 0 ");
    EXPECT_EQ(outline("async def f():\n    await g\nmatch x:\n    case {}: pass\nmatch = 2"),
              "[async|async def f():\n    await g] [match|match x:\n    case {}: pass] 0 ");
    EXPECT_EQ(outline("@dataclass\nclass P:\n    x: int\n"), "[class|@dataclass\nclass P:\n    x: int] ");
    EXPECT_EQ(outline("x = 2**100 + 18446744073709551616"), "[integer|x = 2**100 + 18446744073709551616] ");
    EXPECT_EQ(outline("x = = 1"), "P006");
    EXPECT_EQ(outline("x = (1"), "P005");
}

TEST(ParseBody, MatchIsAChoice) {
    const auto written = [](const std::string& source) { return to_string(*parse_body(source, {"w.py", 1, false})); };
    EXPECT_EQ(written("match f(x):\n    case 1 | -2 if y: a\n    case None: b\n    case c.d as e: g\n    case n: h\n"),
              "__match1_7_0 = f(x)\n"
              "if (__match1_7_0 == 1 or __match1_7_0 == -2) and y:\n    a\n"
              "elif __match1_7_0 is None:\n    b\n"
              "elif __match1_7_0 == c.d:\n    e = __match1_7_0\n    g\n"
              "else:\n    n = __match1_7_0\n    h\n");
    EXPECT_EQ(
        written("match x, f(y):\n    case 0, 1: b\n    case _, (2 | 3): c\n"),
        "__match1_7_0 = f(y)\nif x == 0 and __match1_7_0 == 1:\n    b\nelif __match1_7_0 == 2 or __match1_7_0 == 3:\n    c\n");
}

TEST(ParseBody, TolerantInsideFunctions) {
    const std::string source =
        "def f(a):\n"
        "    b = 1\n"
        "    for i in a:\n"
        "        try:\n"
        "            c = '''x\n"
        "  y'''\n"
        "        except* E:\n"
        "            pass\n"
        "    return b\n";
    const Result<Body> body = parse_body(source, {"t.py", 1, true});
    ASSERT_TRUE(body);
    const auto& function = std::get<FunctionStmt>((*body)[0]->node);
    ASSERT_EQ(function.body.size(), 3u);
    const Stmt& kept = *std::get<ForStmt>(function.body[1]->node).body.at(0);
    EXPECT_EQ(std::get<UnsupportedStmt>(kept.node).text, "try:\n    c = '''x\n  y'''\nexcept* E:\n    pass");
    EXPECT_EQ((std::array{kept.span.line, kept.span.column, kept.span.end_line, kept.span.end_column}),
              (std::array{4u, 9u, 8u, 17u}));
    EXPECT_EQ(to_string(*body), source);
}

std::string repeated(const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
}

TEST(ParseBody, HostileNestingIsRefused) {
    const int n = 20000;
    const std::string hostile[] = {
        repeated("(", n) + "a" + repeated(")", n),
        repeated("[", n),
        repeated("-", n) + "a",
        repeated("not ", n) + "a",
        "a" + repeated(" + a", n),
        "a" + repeated("**a", n),
        "a" + repeated("[0]", n),
        "a" + repeated(".b", n),
        "a" + repeated("()", n),
        repeated("lambda: ", n) + "a",
        "a" + repeated(" if b else a", n),
        repeated("f(", n) + repeated(")", n),
        repeated("a[b:", n),
        repeated("f'{", n),
        repeated("(", 100) + "a" + repeated(repeated(" + a", 30) + ")", 100),
    };
    for (const std::string& source : hostile) {
        const Result<Body> body = parse_body("x = " + source);
        ASSERT_FALSE(body) << source.substr(0, 40);
        EXPECT_TRUE(body.error().code == "P010" || body.error().code == "P002") << source.substr(0, 40) << " " << body.error().code;
    }
    std::string blocks, branches = "if a: b\n";
    for (int i = 0; i < 2000; ++i) {
        blocks += std::string(static_cast<std::size_t>(i), ' ') + "if a:\n";
        branches += "elif a: b\n";
    }
    EXPECT_EQ(parse_body(blocks).error().code, "P010");
    EXPECT_EQ(parse_body(branches).error().code, "P010");
    EXPECT_TRUE(parse_body("x = a" + repeated(" + a", 900)));
    EXPECT_TRUE(parse_body("x = " + repeated("(", 190) + "a" + repeated(")", 190)));
    EXPECT_TRUE(parse_body(repeated("x = a and b and c < d\n", 2000)));
}

// Any prefix and any single damaged byte of a program is either read or diagnosed.
TEST(ParseBody, DamagedTextNeverCrashes) {
    const std::string source =
        "@p(a=1)\ndef f(A: t[N, M], b=-1) -> t:\n    for i, j in m[0:N, 1:]:\n        with x as y:\n            s = 'a\\x41' "
        "\"\"\"q\"\"\" + f'{a!r}'\n"
        "    while a <= 0x1F and not (b or c): a **= 1.5e-3j\n    else:\n        return lambda u, v: {1: [k for k in u]}\n";
    for (const bool tolerate : {false, true})
        for (std::size_t i = 0; i <= source.size(); ++i) {
            (void)parse_body(source.substr(0, i), {"", 1, tolerate});
            for (const char damage : {'(', ']', '\'', '\n', '\t', ' ', '\\', '{', ':', '0', '\0', '\xff'}) {
                std::string damaged = source;
                if (i < source.size()) damaged[i] = damage;
                const Result<Body> body = parse_body(damaged, {"", 1, tolerate});
                EXPECT_TRUE(!body || parse_body(to_string(*body), {"", 1, true})) << damaged;
            }
        }
}

}  // namespace
}  // namespace sluice::code
