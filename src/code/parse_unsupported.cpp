// Statements outside the subset: refused, or kept as text with everything that hangs below them.
#include <algorithm>
#include <array>

#include "code/parser.h"
#include "code/walk.h"

namespace sluice::code {
namespace {

constexpr std::array<std::string_view, 3> kRefused = {"class", "async", "global"};
constexpr std::array<std::string_view, 4> kContinuations = {"elif", "else", "except", "finally"};

template <std::size_t size> bool contains(const std::array<std::string_view, size>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool holds_unsupported(const Stmt& s) {
    if (std::holds_alternative<UnsupportedStmt>(s.node)) return true;
    if (std::holds_alternative<FunctionStmt>(s.node)) return false;
    bool found = false;
    for_each_body(s, [&](const Body& body) {
        found = found || std::any_of(body.begin(), body.end(), [](const StmtPtr& inner) { return holds_unsupported(*inner); });
    });
    return found;
}

// For each line of the text, whether it starts inside a string; the first line is number 1.
std::vector<bool> lines_inside_strings(std::string_view text) {
    std::vector<bool> inside;
    for (const Token& token : tokenize(text, {nullptr, 1, true})) {
        inside.resize(std::max<std::size_t>(inside.size(), token.span.end_line + 1));
        for (std::uint32_t line = token.span.line + 1; line <= token.span.end_line; ++line) inside[line] = true;
    }
    return inside;
}

// Rewrites every line below the first that does not start inside a string.
template <class Rewrite> std::string rewrite_lines(std::string_view text, Rewrite&& rewrite) {
    const std::vector<bool> inside = lines_inside_strings(text);
    std::string result;
    std::size_t number = 1;
    for (std::size_t begin = 0; begin <= text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        if (number > 1) result += '\n';
        if (number == 1 || (number < inside.size() && inside[number]))
            result += line;
        else
            result += rewrite(line);
        begin = end + 1;
    }
    return result;
}

}  // namespace

std::string without_indentation(std::string_view text, std::uint32_t column) {
    return rewrite_lines(text, [&](std::string_view line) {
        const std::size_t blank = std::min(line.find_first_not_of(" \t"), line.size());
        return std::string(line.substr(std::min<std::size_t>(blank, column - 1)));
    });
}

std::string with_indentation(const std::string& text, const std::string& indentation) {
    return indentation + rewrite_lines(text, [&](std::string_view line) {
               return line.find_first_not_of(" \t\r") == std::string_view::npos ? std::string(line)
                                                                                : indentation + std::string(line);
           });
}

void Parser::refuse_statement() const {
    const std::string keyword(token().text);
    if (at(TokenKind::Keyword) && contains(kRefused, keyword))
        unsupported(keyword, "`" + keyword + "` statements are", token().span);
}

// `match subject:` with a block; `match` is an ordinary name everywhere else.
bool Parser::at_soft_match() const {
    if (!token().is(TokenKind::Name, "match")) return false;
    std::size_t end = at_;
    while (tokens_[end].kind < TokenKind::Newline) ++end;
    return tokens_[end - 1].is(TokenKind::Operator, ":") && tokens_[end].kind == TokenKind::Newline &&
           tokens_[end + 1].kind == TokenKind::Indent;
}

// Behind the statement that begins at token `first`: a compound one with its blocks and its further clauses, a simple one up
// to its semicolon or the end of its line.
void Parser::skip_unsupported(std::size_t first) {
    at_ = first;
    if (!at_compound()) {
        while (!at_statement_end()) ++at_;
        return;
    }
    while (at_operator("@")) skip_clause();
    skip_clause();
    while (at(TokenKind::Keyword) && contains(kContinuations, token().text)) skip_clause();
}

// One logical line and the block below it.
void Parser::skip_clause() {
    while (token().kind < TokenKind::Newline) ++at_;
    if (at(TokenKind::Newline)) ++at_;
    int depth = 0;
    while (at(TokenKind::Indent) || depth > 0) {
        if (at(TokenKind::Indent)) ++depth;
        if (at(TokenKind::Dedent)) --depth;
        ++at_;
        if (depth == 0) return;
    }
}

void Parser::append_unsupported(Body& out, const std::string& construct, std::size_t first) const {
    std::size_t last = at_ - 1;
    while (last > first && tokens_[last].kind >= TokenKind::Newline) --last;
    const std::size_t begin = tokens_[first].begin;
    const std::string_view text = source_.substr(begin, tokens_[last].end - begin);
    append(out, UnsupportedStmt{construct, without_indentation(text, tokens_[first].span.column)}, first);
}

// A module-level block with an unsupported statement inside is of no use in parts: it is kept whole, as text.
void Parser::fold_unsupported(Body& out, std::size_t first) const {
    if (!holds_unsupported(*out.back())) return;
    out.pop_back();
    append_unsupported(out, std::string(tokens_[first].text), first);
}

}  // namespace sluice::code
