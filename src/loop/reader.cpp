#include <charconv>
#include <cstdlib>

#include "support/words.h"

#include "loop/parser.h"

namespace sluice::loop {

namespace {}  // namespace

Parser::Parser(std::string_view text, const std::string& file) : text_(text), file_(intern_file_name(file)) {
    next_line();
}

void Parser::error(std::string code, std::string message, std::string remedy) const {
    const auto column = static_cast<std::uint32_t>(at_ - line_begin_ + 1);
    fail({.code = std::move(code),
          .message = std::move(message),
          .where = {file_, std::max(line_, 1u), column, std::max(line_, 1u), column + 1},
          .path = {},
          .remedy = std::move(remedy),
          .notes = {}});
}

void Parser::expected(const std::string& what) const {
    error("X001", "expected " + what, "docs/loop-text.md has the grammar");
}

/// Moves to the next line that holds something.
void Parser::next_line() {
    for (;;) {
        line_begin_ = line_ == 0 ? 0 : line_end_ + 1;
        if (line_begin_ >= text_.size()) {
            finished_ = true;
            line_begin_ = line_end_ = at_ = text_.size();
            return;
        }
        ++line_;
        line_end_ = std::min(text_.find('\n', line_begin_), text_.size());
        at_ = line_begin_;
        while (at_ < line_end_ && text_[at_] == ' ') ++at_;
        indent_ = at_ - line_begin_;
        if (at_ < line_end_ && text_[at_] != '\r') return;
    }
}

void Parser::space() {
    while (at_ < line_end_ && (text_[at_] == ' ' || text_[at_] == '\r')) ++at_;
}

bool Parser::at_end_of_line() {
    space();
    return at_ == line_end_;
}

void Parser::end_of_line() {
    if (!at_end_of_line()) expected("the end of the line");
    next_line();
}

bool Parser::next_is(std::string_view punctuation) {
    space();
    return text_.substr(at_, line_end_ - at_).starts_with(punctuation);
}

bool Parser::accept(std::string_view punctuation) {
    if (!next_is(punctuation)) return false;
    at_ += punctuation.size();
    return true;
}

void Parser::expect(std::string_view punctuation) {
    if (!accept(punctuation)) expected("`" + std::string(punctuation) + "`");
}

bool Parser::next_is_name() {
    space();
    return at_ < line_end_ && is_letter(text_[at_]);
}

std::string_view Parser::peek_word() {
    if (!next_is_name()) return {};
    std::size_t end = at_;
    while (end < line_end_ && is_word_part(text_[end])) ++end;
    return text_.substr(at_, end - at_);
}

bool Parser::accept_word(std::string_view word) {
    if (peek_word() != word) return false;
    at_ += word.size();
    return true;
}

void Parser::expect_word(std::string_view word) {
    if (!accept_word(word)) expected("`" + std::string(word) + "`");
}

std::string Parser::name() {
    const std::string_view word = peek_word();
    if (word.empty()) expected("a name");
    at_ += word.size();
    return std::string(word);
}

/// Digits with sign, point and exponent, or `inf` and `nan`.
std::string_view Parser::number() {
    space();
    const std::size_t begin = at_;
    if (at_ < line_end_ && text_[at_] == '-') ++at_;
    if (const std::string_view word = peek_word(); word == "inf" || word == "nan") {
        at_ += word.size();
        return text_.substr(begin, at_ - begin);
    }
    const std::size_t digits = at_;
    while (at_ < line_end_) {
        const char c = text_[at_];
        const bool sign = (c == '+' || c == '-') && text_[at_ - 1] == 'e';
        if (!is_digit(c) && c != '.' && c != 'e' && !sign) break;
        ++at_;
    }
    if (at_ == digits) expected("a number");
    return text_.substr(begin, at_ - begin);
}

std::int64_t Parser::integer() {
    const std::string_view digits = number();
    std::int64_t result = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), result);
    if (failure == std::errc::result_out_of_range)
        error("X008", "the number " + std::string(digits) + " does not fit into 64 bits", "write a smaller number");
    if (end != digits.data() + digits.size()) expected("an integer");
    return result;
}

double Parser::real() {
    const std::string digits(number());
    char* end = nullptr;
    const double result = std::strtod(digits.c_str(), &end);
    if (end != digits.c_str() + digits.size()) expected("a number");
    return result;
}

std::pair<double, double> Parser::complex() {
    if (!accept("(")) return {real(), 0.0};
    const double re = real();
    expect(",");
    const double im = real();
    expect(")");
    return {re, im};
}

std::string Parser::quoted() {
    expect("\"");
    std::string result;
    while (at_ < line_end_ && text_[at_] != '"') {
        if (text_[at_] == '\\') {
            ++at_;
            if (at_ == line_end_) break;
            result += text_[at_] == 'n' ? '\n' : text_[at_];
        } else {
            result += text_[at_];
        }
        ++at_;
    }
    if (at_ == line_end_) error("X002", "the text is not closed on its line", "add the closing quote");
    ++at_;
    return result;
}

/// What stands between two brackets, the brackets taken.
std::string_view Parser::balanced(char open, char close) {
    const std::size_t begin = ++at_;
    for (int depth = 1; at_ < line_end_; ++at_) {
        if (text_[at_] == open) ++depth;
        if (text_[at_] == close && --depth == 0) return text_.substr(begin, at_++ - begin);
    }
    at_ = begin - 1;
    error("X002", std::string("the bracket `") + open + "` is not closed on its line", std::string("add `") + close + "`");
}

DType Parser::type() {
    space();
    const std::size_t begin = at_;
    const std::string word = name();
    if (word == "pointer" && accept("<")) {
        const DType target = type();
        expect(">");
        return DType::pointer(target);
    }
    if (word == "struct") {
        const std::string wanted = name();
        for (const StructType& known : module_.structs)
            if (known.name == wanted) return DType::structure(wanted, known.fields);
        error("X006", "there is no struct " + wanted, "declare it above: struct " + wanted + " (field: type)");
    }
    if (at_ < line_end_ && text_[at_] == '<') balanced('<', '>');
    const auto parsed = code::parse_dtype(text_.substr(begin, at_ - begin));
    if (!parsed) {
        at_ = begin;
        error("X003", "this is no element type", "write a type such as float64 or pointer<int32>");
    }
    return *parsed;
}

DType Parser::type_behind_colon() {
    expect(":");
    return type();
}

Expr Parser::braced() {
    const std::size_t begin = at_;
    auto parsed = symbolic::parse(std::string(balanced('{', '}')));
    if (!parsed.ok()) {
        at_ = begin;
        error("X004", parsed.error().message, "write an integer expression of names");
    }
    return *parsed;
}

Expr Parser::bare() {
    if (next_is("{")) return braced();
    if (next_is_name()) return symbolic::symbol(name());
    return integer();
}

std::size_t Parser::place_of(const char* const* words, std::size_t count) {
    const std::string_view word = peek_word();
    std::string known;
    for (std::size_t at = 0; at < count; ++at) {
        if (word == words[at]) {
            at_ += word.size();
            return at;
        }
        known += (at ? ", " : "") + std::string(words[at]);
    }
    error("X003", "the word `" + std::string(word) + "` is not known here", "write one of " + known);
}

}  // namespace sluice::loop
