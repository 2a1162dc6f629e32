// The expression parser, shared with the parser of subsets. Private to the room. Failures carry code S010.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "symbolic/expr.h"

namespace sluice::symbolic {

class Parser {
public:
    explicit Parser(std::string_view text);

    Expr expression();
    bool at(std::string_view text) const;
    bool accept(std::string_view text);
    bool at_end() const { return token_.kind == TokenKind::End; }
    void expect_end() const;
    [[noreturn]] void fail_here(const std::string& expected) const;

private:
    enum class TokenKind { Integer, Real, Name, Operator, End };
    struct Token {
        TokenKind kind = TokenKind::End;
        std::string_view text;
        std::size_t at = 0;
    };
    struct Depth;

    [[noreturn]] void fail_at(const Token& token, const std::string& message) const;
    void advance();
    void expect(std::string_view text);
    int precedence() const;
    std::vector<Expr> arguments(std::string_view close);

    Expr disjunction();
    Expr conjunction();
    Expr negation();
    Expr comparison();
    Expr binary(int minimum_precedence);
    Expr product();
    Expr unary();
    Expr power_of();
    Expr postfix();
    Expr primary();

    std::string_view text_;
    std::size_t at_ = 0;
    Token token_;
    int depth_ = 0;
};

}  // namespace sluice::symbolic
