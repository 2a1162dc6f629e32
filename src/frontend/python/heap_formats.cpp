// Texts of values: `str`, f-strings with formats, `%` and `str.format`, whose templates are constants. Each value is written as
// Python's format mini-language says (runtime/heap.h, show).
#include <algorithm>
#include <cctype>

#include "code/print.h"
#include "frontend/array/syntax.h"
#include "frontend/python/heap_writer.h"
#include "frontend/python/templates.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// `[[fill]align][sign][0][width][,][.precision][type]`
struct FormatSpec {
    char fill = ' ', align = 0, type = 0;
    bool sign = false, zero = false, commas = false;
    std::int64_t width = 0, precision = -1;
};

FormatSpec read_spec(const std::string& text) {
    FormatSpec spec;
    std::size_t at = 0;
    const auto peek = [&](const char* any) {
        return at < text.size() && std::string_view(any).find(text[at]) != std::string_view::npos;
    };
    const auto number = [&] {
        std::int64_t value = 0;
        while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0 && value < 1000)
            value = 10 * value + (text[at++] - '0');
        return value;
    };
    if (text.size() > 1 && std::string_view("<>^=").find(text[1]) != std::string_view::npos)
        spec.fill = text[0], spec.align = text[1], at = 2;
    else if (peek("<>^="))
        spec.align = text[at++];
    if (static_cast<unsigned char>(spec.fill) > 127) throw NotOfHeap{"a format with such a fill"};
    if (peek("+- ")) spec.sign = true, ++at;
    if (peek("0")) spec.zero = true, ++at;
    spec.width = number();
    if (peek(",_")) spec.commas = true, ++at;
    if (peek(".")) ++at, spec.precision = number();
    if (peek("dfFeEgGxXob%s")) spec.type = text[at++];
    if (at != text.size() || spec.width > 500 || spec.precision > 100) throw NotOfHeap{"a format of this kind"};
    return spec;
}

}  // namespace

/// The text of a number as the runtime writes it.
std::string HeapWriter::shown(const std::string& value, const std::string& spec, Lines& out) {
    declare("__h_kept_chars");
    const std::string first = kept("(len(__h_kept_chars) + 0)", out);
    out.push_back("__h_kept_chars.extend(__h_shown(" + value + ", " + code::to_string(*make_text(spec)) + "))");
    return kept(text_function("finish") + "(" + first + ")", out);
}

std::string HeapWriter::to_text(Type type, const std::string& value, Lines& out) {
    if (is(type, HeapKind::Text)) return value;
    if (!is(type, HeapKind::Number)) throw NotOfHeap{"the text of this value"};
    const unsigned numbers = of_python(root(type)->numbers);
    if (numbers == kInteger) return kept(text_function("digits") + "(" + as_whole(type, value) + ", 10)", out);
    if (numbers == kTruth)
        return kept("(" + literal("True") + " if " + truth_of(type, value) + " else " + literal("False") + ")", out);
    return shown(value, "", out);
}

std::string HeapWriter::formatted(Type type, const std::string& value, const std::string& text, Lines& out) {
    const FormatSpec spec = read_spec(text);
    if (is(type, HeapKind::Number) && spec.type != 's') {
        const unsigned numbers = of_python(root(type)->numbers);
        if (numbers == kTruth && text.empty()) return to_text(type, value, out);
        if (numbers == kTruth ||
            ((numbers & kReal) != 0 && std::string_view("dxXob").find(spec.type) != std::string_view::npos && spec.type != 0))
            throw NotOfHeap{"a format for this value"};
        if ((numbers & kReal) != 0 && spec.type == 0 && spec.precision >= 0) throw NotOfHeap{"a format of this kind"};
        if (numbers == kInteger && spec.type == 0 && spec.precision >= 0) throw NotOfHeap{"a format of this kind"};
        return text.empty() ? to_text(type, value, out) : shown(value, text, out);
    }
    std::string s = kept(to_text(type, value, out), out);
    if (spec.sign || spec.zero || spec.commas || spec.align == '=') throw NotOfHeap{"a format for a text"};
    if (spec.type != 0 && spec.type != 's') throw NotOfHeap{"a format for a text"};
    if (spec.precision >= 0) {
        const std::string n = "min(" + std::to_string(spec.precision) + ", " + text_function("length") + "(" + s + "))";
        s = kept(text_function("slice") + "(" + s + ", 0, 1, " + n + ")", out);
    }
    const std::string fill = literal(std::string(1, spec.fill)), width = std::to_string(spec.width);
    if (spec.width == 0) return s;
    if (spec.align == '^') return kept(text_function("center") + "(" + s + ", " + width + ", " + fill + ")", out);
    return kept(text_function("pad") + "(" + s + ", " + width + ", " + fill + (spec.align == '>' ? ", True)" : ", False)"), out);
}

/// The text of a template with its values; `percent`: of `template % values`, or of one value.
std::string HeapWriter::from_template(const std::string& text, const CallExpr& values, bool percent, Scope& scope, Lines& out) {
    std::string all;
    const auto pieces = percent ? percent_template(text, values.arguments) : braces_template(text, values);
    if (!pieces) throw NotOfHeap{"a template of this kind"};
    std::vector<ExprPtr> exprs;
    for (const TemplatePiece& piece : *pieces)
        if (piece.value) exprs.push_back(piece.value);
    const std::vector<std::string> texts = this->values(exprs, scope, out);
    std::size_t next = 0;
    for (const TemplatePiece& piece : *pieces) {
        if (piece.as_repr) throw NotOfHeap{"a representation"};
        if (!piece.value && piece.text.empty()) continue;
        std::string one = piece.value ? "" : literal(piece.text);
        if (piece.value) {
            const Type type = type_of(piece.value);
            std::string value = texts[next++];
            const bool whole =
                percent && piece.format.ends_with("d") && is(type, HeapKind::Number) && of_python(root(type)->numbers) == kReal;
            if (whole) throw NotOfHeap{"%d of a float"};
            one = formatted(type, value, piece.format, out);
        }
        all = all.empty() ? one : kept(text_function("add") + "(" + all + ", " + one + ")", out);
    }
    return all.empty() ? literal("") : all;
}

}  // namespace sluice::frontend
