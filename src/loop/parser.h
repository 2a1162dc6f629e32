// The parser of the textual form. Private to the room. One statement stands on one line; its body on the lines below, indented by
// two spaces. Failures X0xx are thrown with the place of the offending word.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "loop/names.h"
#include "loop/origins.h"

namespace sluice::loop {

class Parser {
public:
    Parser(std::string_view text, const std::string& file);
    Module module();

private:
    // ---- reader.cpp: lines, words, types
    [[noreturn]] void error(std::string code, std::string message, std::string remedy) const;
    [[noreturn]] void expected(const std::string& what) const;
    void next_line();
    void end_of_line();
    void space();
    bool at_end_of_line();
    bool next_is(std::string_view punctuation);
    bool accept(std::string_view punctuation);
    void expect(std::string_view punctuation);
    bool next_is_name();
    std::string_view peek_word();
    bool accept_word(std::string_view word);
    void expect_word(std::string_view word);
    std::string name();
    std::int64_t integer();
    std::string_view number();
    double real();
    std::pair<double, double> complex();
    std::string quoted();
    std::string_view balanced(char open, char close);
    DType type();
    DType type_behind_colon();
    Expr braced();
    Expr bare();
    /// The place of a word in a list of names.
    template <class Enum, std::size_t n> Enum one_of(const std::array<const char*, n>& words) {
        return static_cast<Enum>(place_of(words.data(), n));
    }
    std::size_t place_of(const char* const* words, std::size_t count);

    // ---- parse_value.cpp
    ValuePtr value();
    void primary(Value& into);
    void parenthesised(Value& into);
    void named(Value& into);
    bool next_is_number();
    std::vector<ValuePtr> arguments();
    void library();
    ValuePtr index();

    // ---- parse.cpp
    Body body();
    void end_of_head();
    Statement statement();
    std::optional<Statement> data_statement(std::string_view word);
    std::optional<Statement> stream_statement(std::string_view word);
    std::optional<Statement> control_statement(std::string_view word);
    std::optional<Statement> message_statement(std::string_view word);
    Part part();
    void dimensions(std::vector<Expr>& extents, std::vector<Expr>& strides);
    Ranks among();
    Declare declaration(bool constant);
    Update update();
    For loop(LoopMode mode);
    ParallelRegion region();
    Consume consume();
    Launch launch();
    Queued queued();
    Space memory_space();
    Allocate allocation();
    ConstantTable constant();
    StructType structure();
    Parameter parameter();
    Function function();

    std::string_view text_;
    const std::string* file_;
    std::size_t line_begin_ = 0, line_end_ = 0, at_ = 0;
    std::uint32_t line_ = 0;
    std::size_t indent_ = 0;  ///< Of the current line, in spaces.
    bool finished_ = false;
    std::size_t level_ = 0;  ///< Of the body being read.
    int depth_ = 0;
    NameTypes names_;
    Module module_;
    Origins origins_{module_};
    OriginId origin_ = 0;  ///< Of the statement being read.
};

}  // namespace sluice::loop
