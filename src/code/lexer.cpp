// The lexer. One pass; the only state beside the position is the stack of open brackets and the stack of indentations.
#include "code/lexer.h"

#include <algorithm>
#include <array>

#include "support/words.h"

namespace sluice::code {
namespace {

constexpr std::array kKeywords = {"False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
                                  "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
                                  "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
                                  "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
constexpr std::array<std::string_view, 24> kLongOperators = {"**=", "//=", ">>=", "<<=", "...", "**", "//", ">>",
                                                             "<<",  "<=",  ">=",  "==",  "!=",  "->", "+=", "-=",
                                                             "*=",  "/=",  "%=",  "&=",  "|=",  "^=", "@=", ":="};
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kShortOperators = "+-*/%@&|^~<>()[]{},:.;=";
constexpr std::size_t kMaxBrackets = 200;
constexpr std::size_t kMaxIndents = 100;

bool is_name_start(char c) {
    return is_letter(c) || static_cast<unsigned char>(c) >= 0x80;
}
bool is_name_part(char c) {
    return is_name_start(c) || is_digit(c);
}
bool is_keyword(std::string_view text) {
    return std::find(kKeywords.begin(), kKeywords.end(), text) != kKeywords.end();
}

class Lexer {
public:
    Lexer(std::string_view source, const LexerOptions& options) : source_(source), options_(options), line_(options.first_line) {
        if (source_.substr(0, 3) == kByteOrderMark) at_ = line_begin_ = 3;
    }

    std::vector<Token> run() {
        begin_line();
        while (at_ < source_.size()) scan();
        finish();
        return std::move(tokens_);
    }

private:
    char peek(std::size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }
    bool joined() const { return options_.one_expression || !brackets_.empty(); }
    bool at_newline() const { return peek() == '\n' || peek() == '\r'; }

    struct Mark {
        std::size_t at;
        std::uint32_t line, column;
    };
    Mark mark() const { return {at_, line_, static_cast<std::uint32_t>(at_ - line_begin_ + 1)}; }
    Span span_from(const Mark& begin) const {
        const Mark end = mark();
        return {options_.file, begin.line, begin.column, end.line, end.column};
    }
    [[noreturn]] void refuse(std::string code, std::string message, const Span& where, std::string remedy) const {
        fail({std::move(code), std::move(message), where, {}, std::move(remedy), {}});
    }

    void skip_newline() {
        at_ += peek() == '\r' && peek(1) == '\n' ? 2 : 1;
        ++line_;
        line_begin_ = at_;
    }
    void push(TokenKind kind, const Mark& begin) {
        const bool has_text = kind < TokenKind::Newline;
        tokens_.push_back(
            {kind, has_text ? source_.substr(begin.at, at_ - begin.at) : std::string_view{}, span_from(begin), begin.at, at_});
    }

    void scan() {
        const char c = peek();
        if (c == ' ' || c == '\t' || c == '\f') {
            ++at_;
        } else if (c == '#') {
            while (at_ < source_.size() && !at_newline()) ++at_;
        } else if (at_newline()) {
            end_line();
        } else if (c == '\\') {
            join_lines();
        } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
            number();
        } else if (!string_here()) {
            is_name_start(c) ? name() : operation();
        }
    }

    void join_lines() {
        const Mark begin = mark();
        ++at_;
        if (!at_newline())
            refuse("P001", "a backslash outside a string must end its line", span_from(begin),
                   "remove the backslash or what follows it");
        skip_newline();
    }

    // A physical line ended. It ends the logical line unless brackets join it to the next one.
    void end_line() {
        if (!joined()) push_newline();
        skip_newline();
        if (!joined()) begin_line();
    }
    void push_newline() {
        if (!tokens_.empty() && tokens_.back().kind < TokenKind::Newline) push(TokenKind::Newline, mark());
    }

    // Measures the indentation of the next line that holds code. Tabs go to the next multiple of eight; `narrow` counts them
    // as one, and when both measures disagree about deeper or shallower the indentation is inconsistent (as CPython has it).
    void begin_line() {
        if (options_.one_expression) return;
        std::size_t width = 0, narrow = 0;
        for (;; ++at_) {
            const char c = peek();
            if (c == ' ') {
                ++width, ++narrow;
            } else if (c == '\t') {
                width = (width / 8 + 1) * 8, ++narrow;
            } else if (c == '\f') {
                width = narrow = 0;
            } else {
                break;
            }
        }
        if (at_ >= source_.size() || at_newline() || peek() == '#' || peek() == '\\') return;
        if (indents_.empty()) {
            indents_.push_back({width, narrow});
            return;
        }
        indent_to({width, narrow});
    }

    struct Indent {
        std::size_t width, narrow;
    };
    void indent_to(const Indent& indent) {
        const auto require_agreement = [&](const Indent& other) {
            if ((indent.width <=> other.width) != (indent.narrow <=> other.narrow))
                refuse("P004", "tabs and spaces are mixed inconsistently in the indentation", span_from(mark()),
                       "indent with spaces only");
        };
        require_agreement(indents_.back());
        if (indent.width > indents_.back().width) {
            if (indents_.size() > kMaxIndents)
                refuse("P010", "blocks are nested too deeply", span_from(mark()), "move inner blocks into functions of their own");
            indents_.push_back(indent);
            push(TokenKind::Indent, mark());
            return;
        }
        while (indent.width < indents_.back().width) {
            indents_.pop_back();
            if (indents_.empty() || indent.width > indents_.back().width)
                refuse("P004", "this line's indentation matches no outer block", span_from(mark()),
                       "align the line with the block it belongs to");
            push(TokenKind::Dedent, mark());
        }
        require_agreement(indents_.back());
    }

    void finish() {
        if (!brackets_.empty()) {
            const Token& open = tokens_[brackets_.back()];
            refuse("P005", "`" + std::string(open.text) + "` is never closed", open.span, "add the closing bracket");
        }
        if (!options_.one_expression) push_newline();
        for (std::size_t i = 1; i < indents_.size(); ++i) push(TokenKind::Dedent, mark());
        push(TokenKind::End, mark());
    }

    void name() {
        const Mark begin = mark();
        while (is_name_part(peek())) ++at_;
        if (source_.substr(begin.at, at_ - begin.at).find(kByteOrderMark) != std::string_view::npos)
            refuse("P001", "a byte order mark stands inside the text", span_from(begin), "remove the invisible character");
        push(is_keyword(source_.substr(begin.at, at_ - begin.at)) ? TokenKind::Keyword : TokenKind::Name, begin);
    }

    void operation() {
        const Mark begin = mark();
        for (const std::string_view op : kLongOperators)
            if (source_.substr(at_, op.size()) == op) {
                at_ += op.size();
                push(TokenKind::Operator, begin);
                return;
            }
        const char c = peek();
        ++at_;
        if (kShortOperators.find(c) == std::string_view::npos || c == '\0') {
            const bool printable = c >= 0x20 && c < 0x7f;
            refuse("P001", printable ? std::string("unexpected character `") + c + "`" : "unexpected control character",
                   span_from(begin), "remove the character");
        }
        push(TokenKind::Operator, begin);
        if (c == '(' || c == '[' || c == '{') open_bracket();
        if (c == ')' || c == ']' || c == '}') close_bracket(c);
    }
    void open_bracket() {
        if (brackets_.size() >= kMaxBrackets)
            refuse("P010", "brackets are nested too deeply", tokens_.back().span, "split the expression into several assignments");
        brackets_.push_back(tokens_.size() - 1);
    }
    void close_bracket(char c) {
        const std::string spelled = "`" + std::string(1, c) + "`";
        if (brackets_.empty())
            refuse("P005", spelled + " closes nothing", tokens_.back().span, "remove it or add the opening bracket");
        const Token& open = tokens_[brackets_.back()];
        const char wanted = open.text == "(" ? ')' : open.text == "[" ? ']' : '}';
        if (c != wanted)
            fail({"P005",
                  spelled + " does not close `" + std::string(open.text) + "`",
                  tokens_.back().span,
                  {},
                  std::string("close it with `") + wanted + "`",
                  {{"opened here", open.span}}});
        brackets_.pop_back();
    }

    // ---- numbers ----
    // Digits with single underscores between them; false if malformed.
    template <class IsDigit> bool digits(IsDigit is_wanted) {
        if (!is_wanted(peek())) return false;
        while (is_wanted(peek()) || (peek() == '_' && is_wanted(peek(1)))) ++at_;
        return peek() != '_';
    }
    bool exponent() {
        const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
        if ((peek() != 'e' && peek() != 'E') || !is_digit(peek(1 + sign))) return true;
        at_ += 1 + sign;
        return digits(is_digit);
    }
    bool based_integer() {
        const char base = static_cast<char>(peek(1) | 0x20);
        at_ += 2;
        if (peek() == '_') ++at_;
        return digits([base](char c) {
            if (base == 'x') return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
            return c >= '0' && c <= (base == 'o' ? '7' : '1');
        });
    }
    bool decimal(TokenKind& kind, std::size_t begin) {
        bool good = peek() == '.' || digits(is_digit);
        const std::string_view whole = source_.substr(begin, at_ - begin);
        if (good && peek() == '.') {
            kind = TokenKind::Float;
            ++at_;
            if (is_digit(peek())) good = digits(is_digit);
            if (peek() == '_') good = false;
        }
        const std::size_t before = at_;
        good = good && exponent();
        if (at_ != before) kind = TokenKind::Float;
        if ((peek() | 0x20) == 'j') {
            kind = TokenKind::Imaginary;
            ++at_;
        }
        return good && (kind != TokenKind::Integer || whole[0] != '0' || whole.find_first_not_of("0_") == std::string_view::npos);
    }
    void number() {
        const Mark begin = mark();
        TokenKind kind = TokenKind::Integer;
        const char letter = static_cast<char>(peek(1) | 0x20);
        const bool based = peek() == '0' && (letter == 'x' || letter == 'o' || letter == 'b');
        bool good = based ? based_integer() : decimal(kind, begin.at);
        const Mark end = mark();
        while (is_name_part(peek())) ++at_;
        const std::string_view tail = source_.substr(end.at, at_ - end.at);
        if (!tail.empty()) good = good && is_keyword(tail);  // `1if x else 2` is Python
        if (!good) {
            const std::string text(source_.substr(begin.at, at_ - begin.at));
            refuse("P003", "`" + text + "` is not a number", span_from(begin),
                   "write decimal integers without leading zeros, and underscores only between digits");
        }
        at_ = end.at;
        push(kind, begin);
    }

    // ---- strings ----
    bool string_here() {
        std::size_t prefix = 0;
        while (prefix < 2 && std::string_view("rRbBuUfF").find(peek(prefix)) != std::string_view::npos && peek(prefix) != '\0')
            ++prefix;
        const char quote = peek(prefix);
        if (quote != '"' && quote != '\'') return false;
        if (prefix == 2 && ((peek() | 0x20) == 'r') == ((peek(1) | 0x20) == 'r')) return false;
        const Mark begin = mark();
        const bool formatted = source_.substr(at_, prefix).find_first_of("fF") != std::string_view::npos;
        at_ += prefix;
        skip_string(begin, formatted, 0);
        push(TokenKind::String, begin);
        return true;
    }

    [[noreturn]] void unterminated(const Mark& begin) {
        Span where = span_from(begin);
        where.end_line = where.line, where.end_column = where.column + 1;
        refuse("P002", "this string is never closed", where,
               "add the closing quote; a string over several lines needs three quotes");
    }

    // At the opening quote; ends behind the closing one.
    void skip_string(const Mark& begin, bool formatted, int depth) {
        const char quote = peek();
        const bool triple = peek(1) == quote && peek(2) == quote;
        at_ += triple ? 3 : 1;
        for (;;) {
            if (at_ >= source_.size() || (at_newline() && !triple)) unterminated(begin);
            if (at_newline()) {
                skip_newline();
            } else if (peek() == '\\') {
                ++at_;
                if (at_ >= source_.size()) unterminated(begin);
                at_newline() ? skip_newline() : void(++at_);
            } else if (peek() == quote && (!triple || (peek(1) == quote && peek(2) == quote))) {
                at_ += triple ? 3 : 1;
                return;
            } else if (formatted && peek() == '{' && peek(1) != '{') {
                skip_replacement_field(begin, quote, triple, depth);
            } else {
                at_ += formatted && peek() == '{' ? 2 : 1;
            }
        }
    }

    // `{expression!r:format}` of an f-string. Strings inside the expression may reuse the quote (Python 3.12); quotes inside
    // the format are plain characters.
    void skip_replacement_field(const Mark& begin, char quote, bool triple, int depth) {
        if (depth > 20)
            refuse("P010", "formatted strings are nested too deeply", span_from(begin), "build the string in several steps");
        int open = 0;
        bool in_format = false;
        do {
            if (at_ >= source_.size() || (at_newline() && !triple)) unterminated(begin);
            const char c = peek();
            if (in_format && c == quote) return;
            if (!in_format && (c == '"' || c == '\'')) {
                const bool inner_formatted = at_ > 0 && (source_[at_ - 1] | 0x20) == 'f';
                skip_string(mark(), inner_formatted, depth + 1);
                continue;
            }
            if (at_newline()) {
                skip_newline();
                continue;
            }
            if (c == '{' || c == '(' || c == '[') ++open;
            if (c == '}' || c == ')' || c == ']') --open;
            if (c == ':' && open == 1) in_format = true;
            ++at_;
        } while (open > 0);
    }

    std::string_view source_;
    LexerOptions options_;
    std::size_t at_ = 0;
    std::uint32_t line_;
    std::size_t line_begin_ = 0;
    std::vector<std::size_t> brackets_;  ///< Token indices of the open ones.
    std::vector<Indent> indents_;        ///< The first is the indentation of the first line.
    std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(std::string_view source, const LexerOptions& options) {
    return Lexer(source, options).run();
}

}  // namespace sluice::code
