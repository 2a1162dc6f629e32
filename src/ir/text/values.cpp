#include "ir/text/values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "ir/query.h"

namespace sluice::ir::text {

// ---- writing ------------------------------------------------------------------------------------------------------------
void write_connector(Writer& out, std::string_view name) {
    if (is_identifier(name))
        out << name;
    else
        write_quoted(out, name);
}

void write_name(Writer& out, std::string_view name) {
    for (std::string_view rest = name;;) {
        const std::size_t dot = rest.find('.');
        if (!is_identifier(rest.substr(0, dot))) return write_quoted(out, name);
        if (dot == std::string_view::npos) break;
        rest.remove_prefix(dot + 1);
    }
    out << name;
}

void write_quoted(Writer& out, std::string_view value) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    out << "\"";
    for (const char c : value) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            (out << "\\").text += c;
        else if (c == '\n')
            out << "\\n";
        else if (c == '\t')
            out << "\\t";
        else if (c == '\r')
            out << "\\r";
        else if (byte < 0x20 || byte == 0x7f)
            (out << "\\x" << kDigits.substr(byte / 16, 1)) << kDigits.substr(byte % 16, 1);
        else
            out.text += c;
    }
    out << "\"";
}

void write_real(Writer& out, double value) {
    std::array<char, 40> digits;
    const auto [end, status] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    check(status == std::errc(), "a number needs more than 40 characters");
    const std::string_view text(digits.data(), static_cast<std::size_t>(end - digits.data()));
    out << text;
    if (text.find_first_of(".en") == std::string_view::npos) out << ".0";
}

namespace {

bool has_control_characters(std::string_view text, std::string_view allowed) {
    for (const char c : text)
        if ((static_cast<unsigned char>(c) < 0x20 || c == 0x7f) && allowed.find(c) == std::string_view::npos) return true;
    return false;
}

/// Does the reader find back the margin, which it takes from the first line that is not blank?
bool fits_block(std::string_view text) {
    if (has_control_characters(text, "\n\t") || text.find('\n') == std::string_view::npos) return false;
    const std::size_t first = text.find_first_not_of(" \t\n");
    return first != std::string_view::npos && first == text.find_first_not_of('\n');
}

void write_block(Writer& out, std::string_view text) {
    out << "{\n";
    ++out.depth;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        if (end > begin) {
            out.begin_line();
            out << text.substr(begin, end - begin);
        }
        out << "\n";
        begin = end + 1;
    }
    --out.depth;
    out.begin_line();
    out << "}";
}

}  // namespace

void write_code(Writer& out, const CodeBlock& code, Language by_default, bool closing) {
    if (code.language != by_default) out << to_string(code.language) << " ";
    const std::string& text = code.text;
    if (fits_block(text)) return write_block(out, text);
    if (text.empty() || has_control_characters(text, "")) return write_quoted(out, text);
    if (closing && text.front() != ' ' && text.back() != ' ') {
        out << "{ " << text << " }";
    } else if (text.find('`') == std::string::npos) {
        out << "`" << text << "`";
    } else {
        write_quoted(out, text);
    }
}

void write(Writer& out, bool value) {
    out << (value ? "true" : "false");
}
void write(Writer& out, std::int64_t value) {
    out << std::to_string(value);
}
void write(Writer& out, const std::string& value) {
    write_name(out, value);
}
void write(Writer& out, const Expr& value) {
    if (value.is_integer() || (value.is_symbol() && is_identifier(value.name())))
        out << symbolic::to_string(value);
    else
        out << "(" << symbolic::to_string(value) << ")";
}
void write(Writer& out, const Subset& value) {
    out << "[" << (value.rank() == 0 ? "" : symbolic::to_string(value)) << "]";
}

void write(Writer& out, const Property& value) {
    struct Visit {
        Writer& out;
        void operator()(std::monostate) const { out << "null"; }
        void operator()(bool v) const { write(out, v); }
        void operator()(std::int64_t v) const { write(out, v); }
        void operator()(double v) const { write_real(out, v); }
        void operator()(const std::string& v) const { write_quoted(out, v); }
        void operator()(const Expr& v) const { out << "(" << symbolic::to_string(v) << ")"; }
        void operator()(const std::vector<std::int64_t>& v) const { write(out, v); }
    };
    std::visit(Visit{out}, value);
}

// ---- reading ------------------------------------------------------------------------------------------------------------
void unknown_word(const Cursor& in, std::size_t begin, const std::string& what, std::string_view word, const std::string& choices) {
    in.error_at(in.span_from(begin), "X003", "unknown " + what + " `" + std::string(word) + "`",
                choices.empty() ? "" : "write one of " + choices);
}

namespace {

template <class T> T symbolic_value(Cursor& in, Result<T> result, std::string_view text) {
    if (!result.ok()) {
        const Diagnostic& error = result.error();
        const std::size_t offset = error.where.known() && error.where.column > 0 ? error.where.column - 1 : 0;
        in.error_at(in.span_from(in.position_of(text) + std::min(offset, text.size())), "X004",
                    "the symbolic expression does not parse: " + error.message, error.remedy);
    }
    return std::move(result).value();
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
    return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

}  // namespace

Expr expr_of(Cursor& in, std::string_view text) {
    return symbolic_value(in, symbolic::parse(trimmed(text)), trimmed(text));
}

Subset subset_of(Cursor& in, std::string_view text) {
    if (trimmed(text).empty()) return {};
    return symbolic_value(in, symbolic::parse_subset(trimmed(text)), trimmed(text));
}

void read(Cursor& in, bool& value) {
    if (in.accept_word("true"))
        value = true;
    else if (in.accept_word("false"))
        value = false;
    else
        in.error("X001", "expected true or false");
}
void read(Cursor& in, std::int64_t& value) {
    value = in.integer();
}
void read(Cursor& in, std::string& value) {
    value = in.name();
}
void read(Cursor& in, Expr& value) {
    if (in.accept("("))
        value = expr_of(in, in.balanced(')'));
    else if (in.next_is_name())
        value = symbolic::symbol(in.identifier());
    else
        value = symbolic::integer(in.integer());
}
void read(Cursor& in, Subset& value) {
    in.expect("[");
    value = subset_of(in, in.balanced(']'));
}
std::vector<std::string_view> split_list(std::string_view text) {
    std::vector<std::string_view> parts;
    if (trimmed(text).empty()) return parts;
    int depth = 0;
    std::size_t first = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '(' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == ']' || c == '}') --depth;
        if (c != ',' || depth > 0) continue;
        parts.push_back(text.substr(first, at - first));
        first = at + 1;
    }
    parts.push_back(text.substr(first));
    return parts;
}

void read(Cursor& in, std::vector<Expr>& values) {
    in.expect("[");
    values.clear();
    for (std::string_view part : split_list(in.balanced(']'))) values.push_back(expr_of(in, part));
}

void read(Cursor& in, Property& value) {
    in.space();
    const std::size_t begin = in.position();
    if (in.accept_word("null")) {
        value = std::monostate();
    } else if (in.accept_word("true")) {
        value = true;
    } else if (in.accept_word("false")) {
        value = false;
    } else if (in.next_is("\"")) {
        value = in.name();
    } else if (in.accept("(")) {
        value = expr_of(in, in.balanced(')'));
    } else if (in.next_is("[")) {
        read(in, value.emplace<std::vector<std::int64_t>>());
    } else {
        const double number = in.real();
        if (in.text_from(begin).find_first_of(".en") != std::string_view::npos) {
            value = number;
        } else {
            in.rewind(begin);
            value = in.integer();
        }
    }
}

}  // namespace sluice::ir::text
