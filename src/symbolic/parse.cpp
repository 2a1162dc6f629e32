// A Pratt parser for Python expressions of sizes, indices and conditions, with Python's precedence. Errors carry line 1 and the
// column.
#include "symbolic/parse.h"

#include <cctype>
#include <cstdlib>
#include <limits>

#include "symbolic/connectives.h"
#include "symbolic/polynomial.h"

namespace sluice::symbolic {

namespace {

constexpr int kMaxDepth = 200;

// Binding power of binary operators, loosest first. Comparison, `not` and the conditional are handled by their own functions.
enum Precedence : int { kBitOr = 1, kBitXor, kBitAnd, kShift, kSum, kProduct, kUnary, kPower };

}  // namespace

Parser::Parser(std::string_view text) : text_(text) {
    advance();
}

void Parser::fail_at(const Token& token, const std::string& message) const {
    const auto column = static_cast<std::uint32_t>(token.at + 1);
    const auto length = static_cast<std::uint32_t>(std::max<std::size_t>(token.text.size(), 1));
    fail({.code = "S010",
          .message = message + " in '" + std::string(text_) + "'",
          .where = {.line = 1, .column = column, .end_line = 1, .end_column = column + length},
          .remedy = "write a Python expression of integers, such as 2*N + 1 or min(N, i + 32)"});
}

void Parser::fail_here(const std::string& expected) const {
    fail_at(token_, "expected " + expected +
                        (token_.kind == TokenKind::End ? ", found the end" : ", found '" + std::string(token_.text) + "'"));
}

void Parser::advance() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    const std::size_t begin = at_;
    const auto take = [&](TokenKind kind) { token_ = {kind, text_.substr(begin, at_ - begin), begin}; };
    if (at_ == text_.size()) return take(TokenKind::End);
    const auto is = [&](auto test) { return at_ < text_.size() && test(static_cast<unsigned char>(text_[at_])); };
    const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
    const auto word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c >= 0x80; };
    if (digit(static_cast<unsigned char>(text_[at_])) ||
        (text_[at_] == '.' && at_ + 1 < text_.size() && digit(static_cast<unsigned char>(text_[at_ + 1])))) {
        bool real = false;
        while (is(digit)) ++at_;
        if (at_ < text_.size() && text_[at_] == '.') {
            real = true;
            ++at_;
            while (is(digit)) ++at_;
        }
        if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
            real = true;
            ++at_;
            if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
            if (!is(digit)) fail_at({TokenKind::Real, text_.substr(begin, at_ - begin), begin}, "malformed number");
            while (is(digit)) ++at_;
        }
        if (is(word)) fail_at({TokenKind::Integer, text_.substr(begin, at_ + 1 - begin), begin}, "malformed number");
        return take(real ? TokenKind::Real : TokenKind::Integer);
    }
    if (is(word)) {
        while (is(word)) ++at_;
        return take(TokenKind::Name);
    }
    for (const std::string_view pair : {"**", "//", "<=", ">=", "==", "!=", "<<", ">>"})
        if (text_.substr(at_, 2) == pair) {
            at_ += 2;
            return take(TokenKind::Operator);
        }
    ++at_;
    take(TokenKind::Operator);
    if (std::string_view("+-*/%()[],.<>&|^~:").find(token_.text) == std::string_view::npos)
        fail_at(token_, "unexpected character '" + std::string(token_.text) + "'");
}

bool Parser::at(std::string_view text) const {
    return (token_.kind == TokenKind::Operator || token_.kind == TokenKind::Name) && token_.text == text;
}
bool Parser::accept(std::string_view text) {
    if (!at(text)) return false;
    advance();
    return true;
}
void Parser::expect(std::string_view text) {
    if (!accept(text)) fail_here("'" + std::string(text) + "'");
}
void Parser::expect_end() const {
    if (token_.kind != TokenKind::End) fail_at(token_, "unexpected '" + std::string(token_.text) + "'");
}

struct Parser::Depth {
    explicit Depth(Parser& owner) : parser(owner) {
        if (++parser.depth_ > kMaxDepth) parser.fail_at(parser.token_, "the expression is nested too deeply");
    }
    ~Depth() { --parser.depth_; }
    Parser& parser;
};

Expr Parser::expression() {
    const Depth depth(*this);
    const Expr value = disjunction();
    if (!accept("if")) return value;
    const Expr condition = disjunction();
    expect("else");
    return select(condition, value, expression());
}

Expr Parser::disjunction() {
    std::vector<Expr> operands{conjunction()};
    while (accept("or")) operands.push_back(conjunction());
    return logical_or(operands);
}

Expr Parser::conjunction() {
    std::vector<Expr> operands{negation()};
    while (accept("and")) operands.push_back(negation());
    return logical_and(operands);
}

Expr Parser::negation() {
    const Depth depth(*this);
    if (accept("not")) return logical_not(negation());
    return comparison();
}

Expr Parser::comparison() {
    Expr left = binary(kBitOr);
    Expr result = left;
    for (bool first = true;; first = false) {
        Expr (*operation)(const Expr&, const Expr&) = nullptr;
        bool swapped = false;
        if (at("<") || at(">")) operation = less;
        if (at("<=") || at(">=")) operation = less_equal;
        if (at("==")) operation = equal;
        if (at("!=")) operation = not_equal;
        if (!operation) return result;
        swapped = token_.text[0] == '>';
        advance();
        const Expr right = binary(kBitOr);
        const Expr link = swapped ? operation(right, left) : operation(left, right);
        result = first ? link : logical_and(result, link);
        left = right;
    }
}

int Parser::precedence() const {
    if (token_.kind != TokenKind::Operator) return 0;
    if (at("|")) return kBitOr;
    if (at("^")) return kBitXor;
    if (at("&")) return kBitAnd;
    if (at("<<") || at(">>")) return kShift;
    if (at("+") || at("-")) return kSum;
    if (at("*") || at("/") || at("//") || at("%")) return kProduct;
    return 0;
}

Expr Parser::binary(int minimum_precedence) {
    Expr left = minimum_precedence == kProduct  ? product()
                : minimum_precedence > kProduct ? unary()
                                                : binary(minimum_precedence + 1);
    if (minimum_precedence >= kProduct) return left;
    while (precedence() == minimum_precedence) {
        const std::string_view operation = token_.text;
        advance();
        const Expr right = binary(minimum_precedence + 1);
        if (operation == "+") left = left + right;
        if (operation == "-") left = left - right;
        if (operation == "|") left = call("bitwise_or", {left, right});
        if (operation == "^") left = call("bitwise_xor", {left, right});
        if (operation == "&") left = call("bitwise_and", {left, right});
        if (operation == "<<") left = call("left_shift", {left, right});
        if (operation == ">>") left = call("right_shift", {left, right});
    }
    return left;
}

// Runs of `*` and `/` multiply at once, so that whether sums are expanded does not depend on the order of the factors.
Expr Parser::product() {
    std::vector<Expr> factors = {unary()};
    const auto multiplied = [&] { return factors.size() == 1 ? factors[0] : multiply_all(factors); };
    while (precedence() == kProduct) {
        const std::string_view operation = token_.text;
        advance();
        const Expr right = unary();
        if (operation == "*") factors.push_back(right);
        if (operation == "/") {
            if (right.kind() == Kind::Add)
                factors = {true_divide(multiplied(), right)};
            else
                factors.push_back(power(right, -1));
        }
        if (operation == "//") factors = {floor_divide(multiplied(), right)};
        if (operation == "%") factors = {modulo(multiplied(), right)};
    }
    return multiplied();
}

Expr Parser::unary() {
    const Depth depth(*this);
    if (accept("+")) return unary();
    if (accept("~")) return call("bitwise_invert", {unary()});
    if (!accept("-")) return power_of();
    if (token_.kind == TokenKind::Integer && token_.text == "9223372036854775808") {
        advance();
        return Expr(std::numeric_limits<std::int64_t>::min());
    }
    return -unary();
}

Expr Parser::power_of() {
    const Expr base = postfix();
    return accept("**") ? power(base, unary()) : base;
}

std::vector<Expr> Parser::arguments(std::string_view close) {
    std::vector<Expr> list;
    while (!at(close)) {
        list.push_back(expression());
        if (!accept(",")) break;
    }
    expect(close);
    return list;
}

Expr Parser::postfix() {
    const Token first = token_;
    Expr value = primary();
    bool callable = first.kind == TokenKind::Name && value.is_symbol();
    std::string name(first.text);
    while (true) {
        if (callable && accept("(")) {
            value = call(name, arguments(")"));
        } else if (at("[")) {
            const Token bracket = token_;
            advance();
            std::vector<Expr> indices = arguments("]");
            if (indices.empty()) fail_at(bracket, "a subscript needs an index");
            indices.insert(indices.begin(), value);
            value = call("Subscript", std::move(indices));
        } else if (accept(".")) {
            if (token_.kind != TokenKind::Name) fail_here("a name after '.'");
            value = call("Attr", {value, symbol(token_.text)});
            name += "." + std::string(token_.text);  // math.floor(x) calls "math.floor"
            advance();
            continue;
        } else {
            return value;
        }
        callable = false;
    }
}

Expr Parser::primary() {
    const Token token = token_;
    if (token.kind == TokenKind::Integer) {
        std::int64_t value = 0;
        for (const char digit : token.text)
            if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digit - '0', &value))
                fail_at(token, "the integer does not fit 64 bits");
        advance();
        return Expr(value);
    }
    if (token.kind == TokenKind::Real) {
        advance();
        return real(std::strtod(std::string(token.text).c_str(), nullptr));
    }
    if (token.kind == TokenKind::Name) {
        for (const std::string_view keyword : {"and", "or", "not", "if", "else", "in", "is", "lambda", "for"})
            if (token.text == keyword) fail_here("an operand");
        advance();
        if (token.text == "True") return boolean(true);
        if (token.text == "False") return boolean(false);
        return symbol(token.text);
    }
    if (accept("(")) {
        const Expr value = expression();
        expect(")");
        return value;
    }
    fail_here("an operand");
}

Result<Expr> parse(std::string_view text) {
    return capture([&] {
        Parser parser(text);
        const Expr result = parser.expression();
        parser.expect_end();
        return result;
    });
}

}  // namespace sluice::symbolic
