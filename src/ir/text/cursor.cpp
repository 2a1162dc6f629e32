#include "ir/text/cursor.h"

#include <algorithm>
#include <charconv>

#include "support/words.h"

namespace sluice::ir::text {

namespace {

bool is_blank(std::string_view line) {
    return line.find_first_not_of(" \t\r") == std::string_view::npos;
}
std::size_t indentation(std::string_view line) {
    return std::min(line.find_first_not_of(" \t"), line.size());
}

}  // namespace

Cursor::Cursor(std::string_view text, const std::string& file) : text_(text), file_(intern_file_name(file)) {}

// ---- places and errors --------------------------------------------------------------------------------------------------
Span Cursor::span_from(std::size_t begin) const {
    const auto column = [this](std::size_t position) {
        return static_cast<std::uint32_t>((position < line_start_ ? 0 : position - line_start_) + 1);
    };
    return {
        .file = file_, .line = line_, .column = column(begin), .end_line = line_, .end_column = column(std::max(at_, begin + 1))};
}

void Cursor::error(std::string code, std::string message, std::string remedy) const {
    error_at(here(), std::move(code), std::move(message), std::move(remedy));
}

void Cursor::error_at(const Span& where, std::string code, std::string message, std::string remedy) const {
    fail({.code = std::move(code),
          .message = std::move(message),
          .where = where,
          .path = {},
          .remedy = remedy.empty() ? "see docs/text-form.md for the grammar" : std::move(remedy),
          .notes = {}});
}

std::string Cursor::found() const {
    if (at_end()) return "the end of the text";
    if (peek() == '\n') return "the end of the line";
    std::size_t end = at_ + 1;
    if (is_word_part(peek()))
        while (end < text_.size() && is_word_part(text_[end])) ++end;
    return "`" + std::string(text_.substr(at_, std::min<std::size_t>(end - at_, 40))) + "`";
}

// ---- white space --------------------------------------------------------------------------------------------------------
void Cursor::take_newline() {
    ++at_;
    ++line_;
    line_start_ = at_;
}

void Cursor::space() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\r') ++at_;
    if (peek() == '#')
        while (!at_end() && peek() != '\n') ++at_;
}

void Cursor::blank_lines() {
    for (space(); peek() == '\n'; space()) take_newline();
}

void Cursor::end_of_line() {
    space();
    if (at_end()) return;
    if (peek() != '\n') error("X001", "expected the end of the line, found " + found());
    take_newline();
}

// ---- words --------------------------------------------------------------------------------------------------------------
bool Cursor::next_is(std::string_view punctuation) {
    space();
    return text_.substr(at_).starts_with(punctuation);
}

bool Cursor::accept(std::string_view punctuation) {
    if (!next_is(punctuation)) return false;
    at_ += punctuation.size();
    return true;
}

void Cursor::expect(std::string_view punctuation) {
    if (!accept(punctuation)) error("X001", "expected `" + std::string(punctuation) + "`, found " + found());
}

bool Cursor::next_is_name() {
    space();
    return is_letter(peek()) || peek() == '"';
}

bool Cursor::accept_word(std::string_view word) {
    space();
    const std::string_view rest = text_.substr(at_);
    if (!rest.starts_with(word)) return false;
    if (rest.size() > word.size() && is_word_part(rest[word.size()])) return false;
    at_ += word.size();
    return true;
}

std::string_view Cursor::identifier() {
    space();
    if (!is_letter(peek())) error("X001", "expected a name, found " + found());
    const std::size_t begin = at_;
    while (is_word_part(peek())) ++at_;
    return text_.substr(begin, at_ - begin);
}

std::string Cursor::connector() {
    space();
    return peek() == '"' ? quoted() : std::string(identifier());
}

std::string Cursor::name() {
    space();
    if (peek() == '"') return quoted();
    std::string name(identifier());
    while (peek() == '.') {
        ++at_;
        name += '.';
        name += identifier();
    }
    return name;
}

std::int64_t Cursor::integer() {
    space();
    std::int64_t value = 0;
    const auto [end, status] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (status == std::errc::result_out_of_range) error("X008", "the integer does not fit into 64 bits");
    if (status != std::errc()) error("X001", "expected an integer, found " + found());
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
}

std::string_view Cursor::digits() {
    space();
    const std::size_t begin = at_;
    while (is_digit(peek())) ++at_;
    if (at_ == begin) error("X001", "expected a number, found " + found());
    return text_.substr(begin, at_ - begin);
}

double Cursor::real() {
    space();
    double value = 0;
    const auto [end, status] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (status == std::errc::result_out_of_range) error("X008", "the number does not fit into 64-bit floating point");
    if (status != std::errc()) error("X001", "expected a number, found " + found());
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
}

bool Cursor::next_is_id(char letter) {
    space();
    if (peek() != letter || at_ + 1 >= text_.size() || !is_digit(text_[at_ + 1])) return false;
    std::size_t end = at_ + 1;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    return end == text_.size() || !is_letter(text_[end]);
}

std::uint32_t Cursor::id(char letter) {
    if (!next_is_id(letter)) error("X001", std::string("expected an id such as `") + letter + "0`, found " + found());
    ++at_;
    std::uint32_t value = 0;
    const auto [end, status] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (status != std::errc() || value >= 0xfffffff0u) error("X008", "the id does not fit into 32 bits");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
}

// ---- strings, brackets, code --------------------------------------------------------------------------------------------
std::string Cursor::quoted() {
    const std::size_t begin = at_++;
    std::string value;
    while (peek() != '"') {
        if (at_end() || peek() == '\n')
            error_at(span_from(begin), "X002", "the string is not closed", "end it with a quotation mark on the same line");
        if (peek() != '\\') {
            value += text_[at_++];
            continue;
        }
        ++at_;
        const char escape = peek();
        const auto hex = [](char c) { return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; };
        if (escape == 'x' && at_ + 2 < text_.size() && hex(text_[at_ + 1]) >= 0 && hex(text_[at_ + 2]) >= 0) {
            value += static_cast<char>(hex(text_[at_ + 1]) * 16 + hex(text_[at_ + 2]));
            at_ += 3;
            continue;
        }
        constexpr std::string_view kEscapes = "nrt\\\"", kMeanings = "\n\r\t\\\"";
        const std::size_t which = at_end() ? std::string_view::npos : kEscapes.find(escape);
        if (which == std::string_view::npos)
            error("X002", "unknown escape in a string",
                  "use \\n, \\r, \\t, \\\\, \\\" or \\x and two lower-case hexadecimal digits");
        value += kMeanings[which];
        ++at_;
    }
    ++at_;
    return value;
}

std::string_view Cursor::balanced(char close) {
    const std::size_t begin = at_;
    std::string expected(1, close);
    while (!at_end() && peek() != '\n') {
        const char c = text_[at_++];
        if (c == '(') expected += ')';
        if (c == '[') expected += ']';
        if (c == '{') expected += '}';
        if (c != ')' && c != ']' && c != '}') continue;
        if (c != expected.back()) break;
        expected.pop_back();
        if (expected.empty()) return text_.substr(begin, at_ - 1 - begin);
    }
    error_at(span_from(begin), "X002", std::string("the bracket is not closed by `") + close + "`", "close it on the same line");
}

bool Cursor::next_is_code() {
    space();
    if (peek() == '`' || peek() == '{' || peek() == '"') return true;
    const std::size_t begin = at_;
    const bool language =
        is_letter(peek()) && parse_enum<Language>(identifier()).has_value() && (next_is("`") || next_is("{") || next_is("\""));
    at_ = begin;
    return language;
}

CodeBlock Cursor::code(Language by_default) {
    space();
    CodeBlock block{"", by_default};
    if (is_letter(peek())) {
        const std::size_t begin = at_;
        const std::string_view word = identifier();
        const auto language = parse_enum<Language>(word);
        if (!language)
            error_at(span_from(begin), "X003", "unknown language `" + std::string(word) + "`",
                     "write Python, CPP, OpenCL, SystemVerilog or MLIR");
        block.language = *language;
        space();
    }
    if (peek() == '"') {
        block.text = quoted();
    } else if (peek() == '`') {
        const std::size_t begin = ++at_, end = text_.find_first_of("`\n", begin);
        if (end == std::string_view::npos || text_[end] != '`')
            error_at(span_from(begin - 1), "X002", "the code is not closed", "end it with a backquote on the same line");
        block.text = text_.substr(begin, end - begin);
        at_ = end + 1;
    } else if (peek() == '{') {
        block.text = braced();
    } else {
        error("X001", "expected code, found " + found(), "write code in backquotes, braces or quotation marks");
    }
    return block;
}

std::string_view Cursor::line_at(std::size_t position) const {
    return text_.substr(position, std::min(text_.find('\n', position), text_.size()) - position);
}

/// `{ code }` up to the last brace of the line, or an indented block when the line ends after the brace.
std::string Cursor::braced() {
    const std::size_t outer = indentation(line_at(line_start_));
    const std::size_t begin = at_++;
    std::string_view rest = line_at(at_);
    if (is_blank(rest)) {
        at_ += rest.size();
        return indented_block(outer);
    }
    const std::size_t close = rest.find_last_not_of(" \t\r");
    if (rest[close] != '}')
        error_at(span_from(begin), "X002", "the code is not closed", "end the line with `}`, or begin the code on the next line");
    at_ += close + 1;
    std::string_view code = rest.substr(0, close);
    while (!code.empty() && (code.front() == ' ' || code.front() == '\t')) code.remove_prefix(1);
    while (!code.empty() && (code.back() == ' ' || code.back() == '\t')) code.remove_suffix(1);
    return std::string(code);
}

std::string Cursor::indented_block(std::size_t outer) {
    const Span opening = here();
    std::string code;
    std::size_t margin = std::string::npos;
    for (bool first = true;; first = false) {
        if (at_end())
            error_at(opening, "X002", "the block of code is not closed",
                     "close it with `}` in a line indented like the one that opens it");
        take_newline();
        std::string_view line = line_at(at_);
        const std::size_t line_end = at_ + line.size();
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!is_blank(line) && indentation(line) <= outer) {
            at_ += indentation(line);
            if (peek() != '}')
                error("X002", "expected the `}` of the block of code, found " + found(),
                      "indent the code deeper than the line that opens it");
            ++at_;
            return code;
        }
        if (margin == std::string::npos && !is_blank(line)) margin = indentation(line);
        if (!first) code += '\n';
        code += line.substr(std::min({margin, indentation(line), line.size()}));
        at_ = line_end;
    }
}

// ---- limits -------------------------------------------------------------------------------------------------------------
Cursor::Level::Level(Cursor& cursor) : cursor_(cursor) {
    if (cursor_.levels_ == kMostLevels)
        cursor_.error("X007", "the nesting is deeper than " + std::to_string(kMostLevels) + " levels", "flatten the graph");
    ++cursor_.levels_;
}

void Cursor::count_holes(std::uint64_t holes) {
    constexpr std::uint64_t kMost = 1'000'000;
    holes_ += holes;
    if (holes_ > kMost)
        error("X008", "more than a million ids name nothing", "number nodes, edges and blocks from 0 without large gaps");
}

}  // namespace sluice::ir::text
