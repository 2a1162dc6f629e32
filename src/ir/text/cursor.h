// A reading position in the textual form: words, quoted strings, balanced stretches, blocks of code. Every failure is thrown as a
// Failure X0xx with the place of the offending text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/sdfg.h"

namespace sluice::ir::text {

class Cursor {
public:
    Cursor(std::string_view text, const std::string& file);

    bool at_end() const { return at_ == text_.size(); }
    std::size_t position() const { return at_; }
    /// Where a part of the text begins that was handed out.
    std::size_t position_of(std::string_view part) const { return static_cast<std::size_t>(part.data() - text_.data()); }
    std::string_view text_from(std::size_t begin) const { return text_.substr(begin, at_ - begin); }
    /// Only back to a place on the current line.
    void rewind(std::size_t position) { at_ = position; }
    /// From `begin` (on the current line) to here.
    Span span_from(std::size_t begin) const;
    Span here() const { return span_from(at_); }
    [[noreturn]] void error(std::string code, std::string message, std::string remedy = {}) const;
    [[noreturn]] void error_at(const Span& where, std::string code, std::string message, std::string remedy = {}) const;

    /// Spaces, tabs and a comment, not the end of the line.
    void space();
    /// Empty lines too.
    void blank_lines();
    /// Ends a declaration: nothing but a comment until the end of the line.
    void end_of_line();

    bool next_is(std::string_view punctuation);
    bool accept(std::string_view punctuation);
    void expect(std::string_view punctuation);
    bool next_is_name();
    /// Takes the identifier if it is this one.
    bool accept_word(std::string_view word);
    std::string_view identifier();
    /// An identifier or a quoted string.
    std::string connector();
    /// An identifier with dots or a quoted string.
    std::string name();
    std::int64_t integer();
    std::string_view digits();
    /// Digits after a letter, `n12`; the id's number.
    std::uint32_t id(char letter);
    bool next_is_id(char letter);
    double real();
    /// Text up to the closing bracket that matches the one just taken; the bracket is taken.
    std::string_view balanced(char close);
    /// [language] `code` | "code" | { code }.
    CodeBlock code(Language by_default);
    bool next_is_code();

    /// Counts nesting while it lives; more than kMostLevels is error X007.
    class Level {
    public:
        explicit Level(Cursor& cursor);
        ~Level() { --cursor_.levels_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

    private:
        Cursor& cursor_;
    };
    /// Accounts for ids that name nothing; more than a million in one text is error X008.
    void count_holes(std::uint64_t holes);

private:
    static constexpr int kMostLevels = 200;

    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void take_newline();
    std::string quoted();
    std::string braced();
    std::string indented_block(std::size_t outer);
    std::string_view line_at(std::size_t position) const;
    std::string found() const;

    std::string_view text_;
    std::size_t at_ = 0, line_start_ = 0;
    std::uint32_t line_ = 1;
    int levels_ = 0;
    std::uint64_t holes_ = 0;
    const std::string* file_;
};

}  // namespace sluice::ir::text
