// Operators, from the loosest binding to the tightest: lambda and conditional, or, and, not, comparison, the binary
// operators by precedence climbing, unary, power.
#include <algorithm>
#include <array>

#include "code/parser.h"
#include "code/walk.h"

namespace sluice::code {
namespace {

constexpr int kMaxNesting = 200;
constexpr std::uint32_t kMaxHeight = 1000;

// What the parser allocates: the height bounds the depth of every later recursion over the tree.
struct MeasuredExpr : Expr {
    std::uint32_t height = 1;
};

struct BinaryOperator {
    std::string_view text;
    BinaryOp op;
    int precedence;
};
constexpr std::array<BinaryOperator, 12> kBinaryOperators = {{
    {"|", BinaryOp::BitOr, 1},
    {"^", BinaryOp::BitXor, 2},
    {"&", BinaryOp::BitAnd, 3},
    {"<<", BinaryOp::ShiftLeft, 4},
    {">>", BinaryOp::ShiftRight, 4},
    {"+", BinaryOp::Add, 5},
    {"-", BinaryOp::Sub, 5},
    {"*", BinaryOp::Mul, 6},
    {"/", BinaryOp::Div, 6},
    {"//", BinaryOp::FloorDiv, 6},
    {"%", BinaryOp::Mod, 6},
    {"@", BinaryOp::MatMul, 6},
}};

}  // namespace

ExprPtr Parser::make(decltype(Expr::node) node, std::size_t first) const {
    auto e = std::make_shared<MeasuredExpr>();
    e->node = std::move(node);
    e->span = span_from(first);
    for_each_child(
        *e, [&](const ExprPtr& child) { e->height = std::max(e->height, static_cast<const MeasuredExpr&>(*child).height + 1); });
    if (e->height > kMaxHeight)
        fail({"P010", "the expression has too many chained operations", e->span, {}, "split it into several assignments", {}});
    return e;
}

bool Parser::at_expression_end() const {
    if (at_statement_end()) return true;
    static constexpr std::array<std::string_view, 16> kEnds = {
        ")", "]", "}", "=", ":", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", "**=", "//="};
    const std::string_view text = token().text;
    if (at(TokenKind::Operator))
        return std::find(kEnds.begin(), kEnds.end(), text) != kEnds.end() || text == ">>=" || text == "<<=";
    return at(TokenKind::Keyword) && (text == "in" || text == "for" || text == "as" || text == "if" || text == "else");
}

ExprPtr Parser::parse_expression_list() {
    const std::size_t first = at_;
    ExprPtr e = parse_starred_or_expression();
    if (!at_operator(",")) {
        if (std::holds_alternative<StarredExpr>(e->node)) expected("`,` after the starred expression");
        return e;
    }
    std::vector<ExprPtr> elements{std::move(e)};
    while (take_operator(",") && !at_expression_end()) elements.push_back(parse_starred_or_expression());
    return make(TupleExpr{std::move(elements)}, first);
}

ExprPtr Parser::parse_expression() {
    const Nesting nesting(expression_depth_, kMaxNesting, token());
    if (at_keyword("lambda")) return parse_lambda();
    const std::size_t first = at_;
    ExprPtr value = parse_or();
    if (at_operator(":=")) {
        if (!std::holds_alternative<NameExpr>(value->node)) expected("a name before `:=`");
        ++at_;
        ExprPtr named = parse_expression();
        return make(NamedExpr{std::move(value), std::move(named)}, first);
    }
    if (!take_keyword("if")) return value;
    ExprPtr condition = parse_or();
    if (!take_keyword("else")) expected("`else` of the conditional expression");
    ExprPtr otherwise = parse_expression();
    return make(ConditionalExpr{std::move(condition), std::move(value), std::move(otherwise)}, first);
}

ExprPtr Parser::parse_lambda() {
    const std::size_t first = at_++;
    std::vector<std::string> parameters;
    std::vector<Keyword> defaults;
    while (!at_operator(":")) {
        if (at_operator("*") || at_operator("**") || at_operator("/"))
            unsupported("lambda", "starred lambda parameters are", token().span);
        const Span where = token().span;
        parameters.push_back(expect_name("a parameter name"));
        if (std::count(parameters.begin(), parameters.end(), parameters.back()) > 1)
            fail({"P009", "parameter `" + parameters.back() + "` is named twice", where, {}, "rename one of the parameters", {}});
        if (take_operator("="))
            defaults.push_back({parameters.back(), parse_expression()});
        else if (!defaults.empty())
            fail({"P009",
                  "parameter `" + parameters.back() + "` without a default follows one with a default",
                  where,
                  {},
                  "put parameters with defaults last",
                  {}});
        if (!take_operator(",")) break;
    }
    expect_operator(":", "before the body of the lambda");
    ExprPtr body = parse_expression();
    ExprPtr lambda = make(LambdaExpr{std::move(parameters), std::move(body)}, first);
    if (defaults.empty()) return lambda;
    return make(CallExpr{make(NameExpr{kLambda}, first), {std::move(lambda)}, std::move(defaults)}, first);
}

ExprPtr Parser::parse_or() {
    const std::size_t first = at_;
    ExprPtr e = parse_and();
    if (!at_keyword("or")) return e;
    std::vector<ExprPtr> operands{std::move(e)};
    while (take_keyword("or")) operands.push_back(parse_and());
    return make(BoolExpr{false, std::move(operands)}, first);
}

ExprPtr Parser::parse_and() {
    const std::size_t first = at_;
    ExprPtr e = parse_not();
    if (!at_keyword("and")) return e;
    std::vector<ExprPtr> operands{std::move(e)};
    while (take_keyword("and")) operands.push_back(parse_not());
    return make(BoolExpr{true, std::move(operands)}, first);
}

ExprPtr Parser::parse_not() {
    const std::size_t first = at_;
    if (!take_keyword("not")) return parse_comparison();
    const Nesting nesting(expression_depth_, kMaxNesting, token());
    ExprPtr operand = parse_not();
    return make(UnaryExpr{UnaryOp::Not, std::move(operand)}, first);
}

ExprPtr Parser::parse_comparison() {
    const std::size_t first = at_;
    ExprPtr e = parse_binary(1);
    CompareOp op{};
    if (!take_comparison(op)) return e;
    CompareExpr comparison{{}, {std::move(e)}};
    do {
        comparison.ops.push_back(op);
        comparison.operands.push_back(parse_binary(1));
    } while (take_comparison(op));
    return make(std::move(comparison), first);
}

bool Parser::take_comparison(CompareOp& op) {
    static constexpr std::array<std::pair<std::string_view, CompareOp>, 6> kOperators = {{{"==", CompareOp::Eq},
                                                                                          {"!=", CompareOp::Ne},
                                                                                          {"<", CompareOp::Lt},
                                                                                          {"<=", CompareOp::Le},
                                                                                          {">", CompareOp::Gt},
                                                                                          {">=", CompareOp::Ge}}};
    for (const auto& [text, meaning] : kOperators)
        if (take_operator(text)) {
            op = meaning;
            return true;
        }
    if (take_keyword("in")) {
        op = CompareOp::In;
        return true;
    }
    if (at_keyword("not") && ahead().is(TokenKind::Keyword, "in")) {
        at_ += 2;
        op = CompareOp::NotIn;
        return true;
    }
    if (take_keyword("is")) {
        op = take_keyword("not") ? CompareOp::IsNot : CompareOp::Is;
        return true;
    }
    return false;
}

ExprPtr Parser::parse_binary(int least_precedence) {
    const std::size_t first = at_;
    ExprPtr left = parse_unary();
    for (;;) {
        const auto found = at(TokenKind::Operator) ? std::find_if(kBinaryOperators.begin(), kBinaryOperators.end(),
                                                                  [&](const BinaryOperator& o) { return o.text == token().text; })
                                                   : kBinaryOperators.end();
        if (found == kBinaryOperators.end() || found->precedence < least_precedence) return left;
        ++at_;
        ExprPtr right = parse_binary(found->precedence + 1);
        left = make(BinaryExpr{found->op, std::move(left), std::move(right)}, first);
    }
}

ExprPtr Parser::parse_unary() {
    const std::size_t first = at_;
    UnaryOp op{};
    if (at_operator("-")) {
        op = UnaryOp::Minus;
    } else if (at_operator("+")) {
        op = UnaryOp::Plus;
    } else if (at_operator("~")) {
        op = UnaryOp::Invert;
    } else {
        return parse_power();
    }
    const Nesting nesting(expression_depth_, kMaxNesting, token());
    ++at_;
    if (op == UnaryOp::Minus && token().is(TokenKind::Integer, "9223372036854775808") && !ahead().is(TokenKind::Operator, "**")) {
        ++at_;  // the one negative literal that is not the negation of a literal
        return make(ConstantExpr{INT64_MIN}, first);
    }
    ExprPtr operand = parse_unary();
    return make(UnaryExpr{op, std::move(operand)}, first);
}

ExprPtr Parser::parse_power() {
    const std::size_t first = at_;
    ExprPtr base = parse_postfix();
    if (!at_operator("**")) return base;
    const Nesting nesting(expression_depth_, kMaxNesting, token());
    ++at_;
    ExprPtr exponent = parse_unary();
    return make(BinaryExpr{BinaryOp::Pow, std::move(base), std::move(exponent)}, first);
}

}  // namespace sluice::code
