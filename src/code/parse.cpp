// Entry points of the parser, and the token handling that all its parts share.
#include "code/parse.h"

#include <algorithm>

#include "code/parser.h"
#include "support/check.h"

namespace sluice::code {

Result<Body> parse_body(std::string_view source, const ParseOptions& options) {
    return capture([&] {
        const LexerOptions lexing{intern_file_name(options.file), options.first_line, false};
        return Parser(source, tokenize(source, lexing), options).parse_module();
    });
}

Result<ExprPtr> parse_expr(std::string_view source, const ParseOptions& options) {
    return capture([&] {
        const LexerOptions lexing{intern_file_name(options.file), options.first_line, true};
        return Parser(source, tokenize(source, lexing), options).parse_single_expression();
    });
}

Body Parser::parse_module() {
    Body body;
    while (!at(TokenKind::End)) parse_statement(body);
    return body;
}

ExprPtr Parser::parse_single_expression() {
    ExprPtr e = parse_expression_list();
    if (!at(TokenKind::End)) expected("the end of the expression");
    return e;
}

bool Parser::take_operator(std::string_view text) {
    if (!at_operator(text)) return false;
    ++at_;
    return true;
}

bool Parser::take_keyword(std::string_view text) {
    if (!at_keyword(text)) return false;
    ++at_;
    return true;
}

void Parser::expect_operator(std::string_view text, std::string_view after) {
    if (!take_operator(text)) expected("`" + std::string(text) + "` " + std::string(after));
}

std::string Parser::expect_name(std::string_view what) {
    if (!at(TokenKind::Name)) expected(std::string(what));
    return std::string(tokens_[at_++].text);
}

// From token `first` to the last token taken that has text.
Span Parser::span_from(std::size_t first) const {
    std::size_t last = at_ > first ? at_ - 1 : first;
    while (last > first && tokens_[last].kind >= TokenKind::Newline) --last;
    Span span = tokens_[first].span;
    span.end_line = tokens_[last].span.end_line;
    span.end_column = tokens_[last].span.end_column;
    return span;
}

void Parser::expected(const std::string& what) const {
    std::string found;
    switch (token().kind) {
        case TokenKind::Newline:
            found = "the end of the line";
            break;
        case TokenKind::End:
            found = "the end of the text";
            break;
        case TokenKind::Dedent:
            found = "the end of the block";
            break;
        case TokenKind::Indent:
            fail({"P004",
                  "this line is indented without a block to belong to",
                  token().span,
                  {},
                  "align it with the line above",
                  {}});
        case TokenKind::String:
            found = "a string";
            break;
        default:
            found = "`" + std::string(token().text) + "`";
    }
    fail({"P006", "expected " + what + ", found " + found, token().span, {}, "complete or correct the statement here", {}});
}

void Parser::unsupported(const std::string& construct, const std::string& plural, const Span& where,
                         const std::string& code) const {
    throw Unsupported(construct, {code,
                                  plural + " outside the supported subset of Python",
                                  where,
                                  {},
                                  "write it with assignments, calls, loops, conditions and functions",
                                  {}});
}

Parser::Nesting::Nesting(int& depth, int limit, const Token& where) : depth_(depth) {
    if (depth_ >= limit)
        fail({"P010", "the code is nested too deeply", where.span, {}, "split it into several assignments or functions", {}});
    ++depth_;
}

}  // namespace sluice::code
