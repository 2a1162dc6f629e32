// What a Python string literal means: prefixes and escape sequences.
#include <optional>

#include "code/lexer.h"

namespace sluice::code {
namespace {

void append_utf8(std::string& text, std::uint32_t point) {
    const auto byte = [&](std::uint32_t bits) { text += static_cast<char>(bits); };
    if (point < 0x80) {
        byte(point);
    } else if (point < 0x800) {
        byte(0xC0 | point >> 6), byte(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
        byte(0xE0 | point >> 12), byte(0x80 | (point >> 6 & 0x3F)), byte(0x80 | (point & 0x3F));
    } else {
        byte(0xF0 | point >> 18), byte(0x80 | (point >> 12 & 0x3F)), byte(0x80 | (point >> 6 & 0x3F)), byte(0x80 | (point & 0x3F));
    }
}

int digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

class Decoder {
public:
    Decoder(std::string_view content, const Span& span) : content_(content), span_(span) {}

    std::string run(bool raw) {
        while (at_ < content_.size()) {
            if (content_[at_] == '\r') {
                newline();
            } else if (content_[at_] == '\\' && !raw) {
                ++at_;
                escape();
            } else {
                text_ += content_[at_++];
            }
        }
        return std::move(text_);
    }

private:
    void newline() {
        at_ += content_.substr(at_, 2) == "\r\n" ? 2 : 1;
        text_ += '\n';
    }

    void escape() {
        const char c = content_[at_];
        static constexpr std::string_view kLetters = "\\'\"abfnrtv", kMeanings = "\\'\"\a\b\f\n\r\t\v";
        if (const std::size_t known = kLetters.find(c); known != std::string_view::npos) {
            text_ += kMeanings[known];
            ++at_;
        } else if (c == '\n' || c == '\r') {
            at_ += content_.substr(at_, 2) == "\r\n" ? 2 : 1;
        } else if (c >= '0' && c <= '7') {
            append_utf8(text_, number(8, 1, 3));
        } else if (c == 'x' || c == 'u' || c == 'U') {
            ++at_;
            const int count = c == 'x' ? 2 : c == 'u' ? 4 : 8;
            append_utf8(text_, number(16, count, count));
        } else if (c == 'N') {
            refuse("characters by name");
        } else {
            text_ += '\\';  // unknown escapes stand for themselves
        }
    }

    std::uint32_t number(int base, int at_least, int at_most) {
        std::uint32_t value = 0;
        int count = 0;
        for (; count < at_most && at_ < content_.size() && digit_value(content_[at_]) < base; ++count, ++at_)
            value = value * static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(digit_value(content_[at_]));
        if (count < at_least || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) refuse("this escape sequence");
        return value;
    }

    [[noreturn]] void refuse(const std::string& what) const {
        fail({"P013",
              "a string cannot hold " + what,
              span_,
              {},
              "write the character itself, or `\\x`, `\\u` or `\\U` with 2, 4 or 8 digits",
              {}});
    }

    std::string_view content_;
    Span span_;
    std::size_t at_ = 0;
    std::string text_;
};

}  // namespace

bool StringParts::has(char letter) const {
    for (const char c : prefix)
        if ((c | 0x20) == letter) return true;
    return false;
}

StringParts split_string(std::string_view token) {
    const std::size_t quote = token.find_first_of("'\"");
    const bool triple = token.size() >= quote + 6 && token[quote + 1] == token[quote] && token[quote + 2] == token[quote];
    const std::size_t width = triple ? 3 : 1;
    return {token.substr(0, quote), token.substr(quote + width, token.size() - quote - 2 * width)};
}

std::string decode_string(std::string_view token, const Span& span) {
    const StringParts parts = split_string(token);
    return Decoder(parts.content, span).run(parts.has('r'));
}

namespace {

std::size_t end_of_value(std::string_view content, std::size_t at);

/// Behind the string that begins at a quote; an f-string has values in it.
std::size_t end_of_string(std::string_view content, std::size_t at) {
    const char quote = content[at];
    const bool formatted = at > 0 && (content[at - 1] == 'f' || content[at - 1] == 'F');
    for (++at; at < content.size() && content[at] != quote; ++at) {
        if (content[at] == '\\') ++at;
        if (formatted && at < content.size() && content[at] == '{') at = end_of_value(content, at + 1);
    }
    return std::min(at, content.size());
}

/// The end of the value that begins behind `{`: its `}`, or the `!`, `:` or `=` of a format.
std::size_t end_of_value(std::string_view content, std::size_t at) {
    int open = 0;
    for (; at < content.size(); ++at) {
        const char c = content[at], next = at + 1 < content.size() ? content[at + 1] : '\0';
        if (c == '"' || c == '\'') {
            at = end_of_string(content, at);
        } else if (c == '(' || c == '[' || c == '{') {
            ++open;
        } else if (open > 0) {
            open -= c == ')' || c == ']' || c == '}';
        } else if (c == '=' || c == '!' || c == '<' || c == '>') {
            if (next != '=' && c != '<' && c != '>') return at;
            at += next == '=';
        } else if (c == '}' || c == ':') {
            return at;
        }
    }
    return std::min(at, content.size());
}

}  // namespace

std::vector<FormattedPart> formatted_parts(std::string_view token) {
    const StringParts parts = split_string(token);
    const std::string quotes(
        token.substr(parts.prefix.size(), static_cast<std::size_t>(parts.content.data() - token.data()) - parts.prefix.size()));
    std::vector<FormattedPart> result;
    std::string text;
    const auto end_text = [&] {
        if (!text.empty()) result.push_back({(parts.has('r') ? "r" : "") + quotes + std::exchange(text, {}) + quotes});
    };
    for (std::size_t at = 0; at < parts.content.size(); ++at) {
        const char c = parts.content[at];
        const bool twice = at + 1 < parts.content.size() && parts.content[at + 1] == c;
        if (c == '{' && !twice) {
            const std::size_t stop = end_of_value(parts.content, at + 1);
            std::size_t end = stop;
            const bool names_itself = parts.content.substr(end).starts_with("=");  // `{x = }` writes itself in front.
            if (names_itself) {
                end = std::min(parts.content.find_first_not_of(' ', end + 1), parts.content.size());
                text += parts.content.substr(at + 1, end - at - 1);
            }
            end_text();
            const std::string_view behind = parts.content.substr(end);
            const bool as_repr = behind.starts_with("!r") || (names_itself && behind.starts_with("}"));
            const std::size_t format = behind.starts_with("!r") || behind.starts_with("!s") ? 2 : 0,
                              close = std::min(behind.find('}'), behind.size());
            const bool formatted = behind.substr(format).starts_with(":");
            const bool known = (close == format || formatted) && close < behind.size() &&
                               behind.substr(0, close).find_first_of("{\\") == std::string_view::npos;
            result.push_back({std::string(parts.content.substr(at + 1, stop - at - 1)), true, as_repr, !known,
                              std::string(known && formatted ? behind.substr(format + 1, close - format - 1) : "")});
            at = known ? end + close : parts.content.size();
        } else {
            text += c;
            at += twice && (c == '{' || c == '}' || c == '\\');
            if (twice && c == '\\') text += c;
        }
    }
    end_text();
    return result;
}

}  // namespace sluice::code
