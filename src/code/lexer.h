// Python text to tokens: logical lines, indentation, implicit and explicit line joining, literals left undecoded.
// After tokenize() brackets are balanced, every Indent has its Dedent, and the last token is End.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostic.h"

namespace sluice::code {

enum class TokenKind : std::uint8_t { Name, Keyword, Integer, Float, Imaginary, String, Operator, Newline, Indent, Dedent, End };

struct Token {
    TokenKind kind;
    std::string_view text;  ///< Into the source; empty for Newline, Indent, Dedent and End.
    Span span;
    std::size_t begin = 0, end = 0;  ///< Byte offsets into the source.

    bool is(TokenKind wanted, std::string_view spelled) const { return kind == wanted && text == spelled; }
};

struct LexerOptions {
    const std::string* file = nullptr;  ///< Interned.
    std::uint32_t first_line = 1;
    /// Newlines mean nothing, as between brackets: for a single expression.
    bool one_expression = false;
};

/// Throws Failure P001..P005, P010. `source` must outlive the tokens.
std::vector<Token> tokenize(std::string_view source, const LexerOptions& options);

/// A string token split into its parts: `rb"ab"` has prefix `rb` and content `ab`.
struct StringParts {
    std::string_view prefix, content;
    bool has(char letter) const;  ///< Whether the prefix has the letter, in either case.
};
StringParts split_string(std::string_view token);
/// The text that a string token means, in UTF-8. Throws Failure P013 at `span`.
std::string decode_string(std::string_view token, const Span& span);
/// A piece of an f-string: a string token for literal text, else the source of `{value}`.
struct FormattedPart {
    std::string text;
    bool is_value = false;
    bool as_repr = false;     ///< `{value!r}`
    bool special = false;     ///< `{value!a}`, `{value=}`, `{value:{width}}`
    std::string format = {};  ///< `.3f` of `{value:.3f}`
};
std::vector<FormattedPart> formatted_parts(std::string_view token);

}  // namespace sluice::code
