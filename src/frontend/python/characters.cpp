// A character of a text by an index that only the run knows is the number of its code point, out of an array that is filled in
// front of the program. It is compared, looked for and given to ord, no more.
//     a[i] == b[j]     ->   characters_a[i] == characters_b[j]
//     a[i] in "ACGT"   ->   characters_a[i] in (65, 67, 71, 84)
#include <algorithm>
#include <iterator>
#include <set>

#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/texts.h"

namespace sluice::frontend {

using namespace code;

std::vector<std::int64_t> Texts::code_points(const std::string& text) {
    std::vector<std::int64_t> all;
    for (const char one : text) {
        const auto byte = static_cast<unsigned char>(one);
        if ((byte & 0xC0U) == 0x80U)
            all.back() = (all.back() << 6) | (byte & 0x3F);
        else
            all.push_back(byte < 0x80 ? byte : byte < 0xE0 ? byte & 0x1F : byte < 0xF0 ? byte & 0x0F : byte & 0x07);
    }
    return all;
}

void Texts::fill_arrays() {
    for (const auto& [text, name] : t_.context_.texts) {
        std::vector<Value> points;
        for (const std::int64_t point : code_points(text)) points.push_back(integer(point));
        if (points.empty()) points.push_back(integer(0));
        t_.bind(name, t_.as_array(tuple(std::move(points)), t_.where_, DType(Scalar::Int64)));
    }
}

/// The text, or its characters where the loop is written out: in programs that are refused otherwise.
Value Texts::walked(const Value& text, std::int64_t times, const Span& span) {
    constexpr std::int64_t kMostIterations = 256;
    const auto length = static_cast<std::int64_t>(code_points(*text_of(text.code)).size());
    if (length * times > kMostIterations) return text;
    t_.context_.walks_texts = true;
    if (!t_.context_.writes_out_texts) return text;
    std::vector<Value> all;
    for (std::int64_t at = 0; at < length; ++at) all.push_back(character(text, make_integer(at, span), span));
    return tuple(std::move(all));
}

Value Texts::character(const Value& text, const ExprPtr& index, const Span& span) {
    const std::string& literal = *text_of(text.code);
    const auto length = static_cast<std::int64_t>(code_points(literal).size());
    if (std::holds_alternative<SliceExpr>(index->node))
        unsupported("a slice of a text", span, "compare its characters in a loop, or pass an array of their numbers");
    if (const auto known = t_.known_integer(index)) {
        const std::int64_t at = *known < 0 ? *known + length : *known;
        if (at < 0 || at >= length) refuse("F007", "string index out of range", span, "index within the text");
        std::size_t begin = 0;  // In UTF-8: bytes that begin a character.
        const auto begins = [&](std::size_t place) { return (static_cast<unsigned char>(literal[place]) & 0xC0U) != 0x80U; };
        for (std::int64_t count = 0; begin < literal.size(); ++begin)
            if (begins(begin) && count++ == at) break;
        std::size_t end = begin + 1;
        while (end < literal.size() && !begins(end)) ++end;
        return text_value(make_text(literal.substr(begin, end - begin), span));
    }
    auto& texts = t_.context_.texts;
    const auto [known, added] = texts.emplace(literal, "__characters" + std::to_string(texts.size()));
    if (added) throw StartAgain{};
    Value all = t_.evaluate(make_name(known->second, span));
    Value one = t_.index(all, index, span);
    if (!one.is_scalar()) unsupported("such an index of a text", span, "use an integer");
    one.kind = Value::Kind::Character;
    one.type.weak = true;
    return one;
}

/// A character of the run, or a text of one character, as its number; nullopt for other values.
std::optional<Value> Texts::number_of(const Value& value) {
    if (value.kind == Value::Kind::Character) {
        Value number = value;
        number.kind = Value::Kind::Elements;
        return number;
    }
    if (value.kind != Value::Kind::Text) return std::nullopt;
    const std::vector<std::int64_t> points = code_points(*text_of(value.code));
    return points.size() == 1 ? std::optional(integer(points[0])) : std::nullopt;
}

/// Characters as numbers, where one of the operands is one of the run. Of texts of other lengths only whether they are equal is
/// known.
std::optional<std::vector<Value>> Texts::compared(const std::vector<Value>& operands, bool ordered, const Span& span) {
    const auto of_the_run = [](const Value& one) { return one.kind == Value::Kind::Character; };
    if (std::ranges::none_of(operands, of_the_run)) {
        if (!std::ranges::all_of(operands, [](const Value& one) { return one.kind == Value::Kind::Text; })) return std::nullopt;
        std::set<std::string> all;  // Their places in order, which UTF-8 keeps.
        for (const Value& one : operands) all.insert(*text_of(one.code));
        std::vector<Value> places;
        for (const Value& one : operands) places.push_back(integer(std::distance(all.begin(), all.find(*text_of(one.code)))));
        return places;
    }
    std::vector<Value> numbers;
    for (const Value& one : operands) {
        const auto number = number_of(one);
        if (!number && (ordered || operands.size() > 2 || one.kind != Value::Kind::Text))
            unsupported("a comparison of a character with this value", span, "compare it with a text of one character");
        numbers.push_back(number ? *number : integer(-1));
    }
    return numbers;
}

/// `a[i] in "ACGT"`, `a[i] in ("A", "C")`: what the number is looked for in.
std::optional<Value> Texts::searched(const Value& character, const Value& container) {
    if (character.kind != Value::Kind::Character) return std::nullopt;
    std::vector<Value> numbers;
    if (container.kind == Value::Kind::Text) {
        for (const std::int64_t point : code_points(*text_of(container.code))) numbers.push_back(integer(point));
        return tuple(std::move(numbers));
    }
    if (container.kind != Value::Kind::Tuple || container.of_keys) return std::nullopt;
    for (const Value& one : container.elements) {
        if (one.kind != Value::Kind::Text && one.kind != Value::Kind::Character) return std::nullopt;
        if (const auto number = number_of(one)) numbers.push_back(*number);
    }
    return tuple(std::move(numbers));
}

}  // namespace sluice::frontend
