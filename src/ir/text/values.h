// Values of properties in the textual form, and through the fields() lists all properties of a struct: a property of a type known
// here prints and parses by itself.
//
//     7   true   CPU_Heap   word   "any text"   (2*N + 1)   [0:N, i]   [a, b]   {k: v}   `code`
#pragma once

#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "ir/text/cursor.h"

namespace sluice::ir::text {

// ---- writing ------------------------------------------------------------------------------------------------------------
/// Text under construction; `depth` is the level of the line being written.
struct Writer {
    std::string text;
    int depth = 0;

    Writer& operator<<(std::string_view more) {
        text += more;
        return *this;
    }
    void begin_line() { text.append(2 * static_cast<std::size_t>(depth), ' '); }
};

/// Bare if it is an identifier (with dots in write_name), else in quotation marks.
void write_connector(Writer& out, std::string_view name);
void write_name(Writer& out, std::string_view name);
void write_quoted(Writer& out, std::string_view value);
void write_real(Writer& out, double value);
/// In backquotes, or as a block if there are several lines; `closing` code ends its line and stands in braces.
void write_code(Writer& out, const CodeBlock& code, Language by_default, bool closing = false);
void write_type(Writer& out, const DType& type);

void write(Writer& out, bool value);
void write(Writer& out, std::int64_t value);
void write(Writer& out, const std::string& value);
void write(Writer& out, const Expr& value);
void write(Writer& out, const Subset& value);
void write(Writer& out, const Property& value);
inline void write(Writer& out, const Resolution& value) {
    write(out, value.text());
}
inline void write(Writer& out, const DType& value) {
    write_type(out, value);
}
template <class Enum>
requires std::is_enum_v<Enum>
void write(Writer& out, Enum value) {
    out << to_string(value);
}
template <class T> void write(Writer& out, const std::vector<T>& values) {
    out << "[";
    for (std::size_t at = 0; at < values.size(); ++at) {
        if (at) out << ", ";
        if constexpr (std::is_same_v<T, Expr>)
            out << symbolic::to_string(values[at]);
        else
            write(out, values[at]);
    }
    out << "]";
}
template <class T> void write(Writer& out, const std::map<std::string, T>& values) {
    out << "{";
    bool first = true;
    for (const auto& [key, value] : values) {
        if (!std::exchange(first, false)) out << ", ";
        write_name(out, key);
        out << ": ";
        write(out, value);
    }
    out << "}";
}
template <class T> void write(Writer& out, const std::optional<T>& value) {
    write(out, *value);
}

// ---- reading ------------------------------------------------------------------------------------------------------------
DType read_type(Cursor& in);
/// A part of the cursor's line as an expression or a subset; error X004 where it does not parse.
Expr expr_of(Cursor& in, std::string_view text);
Subset subset_of(Cursor& in, std::string_view text);
/// The parts between commas that no bracket encloses; none if the text is blank.
std::vector<std::string_view> split_list(std::string_view text);
[[noreturn]] void unknown_word(const Cursor& in, std::size_t begin, const std::string& what, std::string_view word,
                               const std::string& choices);

void read(Cursor& in, bool& value);
void read(Cursor& in, std::int64_t& value);
void read(Cursor& in, std::string& value);
void read(Cursor& in, Expr& value);
void read(Cursor& in, Subset& value);
void read(Cursor& in, Property& value);
void read(Cursor& in, std::vector<Expr>& values);
inline void read(Cursor& in, Resolution& value) {
    std::string text;
    read(in, text);
    value = Resolution(std::move(text));
}
inline void read(Cursor& in, DType& value) {
    value = read_type(in);
}
template <class Enum>
requires std::is_enum_v<Enum>
void read(Cursor& in, Enum& value) {
    in.space();
    const std::size_t begin = in.position();
    const std::string_view word = in.identifier();
    const auto found = parse_enum<Enum>(word);
    if (!found) {
        std::string choices;
        for (std::string_view name : enum_names<Enum>()) choices += (choices.empty() ? "" : ", ") + std::string(name);
        unknown_word(in, begin, "value", word, choices);
    }
    value = *found;
}
template <class T> void read(Cursor& in, std::vector<T>& values) {
    in.expect("[");
    values.clear();
    while (!in.accept("]")) {
        if (!values.empty()) in.expect(",");
        read(in, values.emplace_back());
    }
}
template <class T> void read(Cursor& in, std::map<std::string, T>& values) {
    in.expect("{");
    values.clear();
    while (!in.accept("}")) {
        if (!values.empty()) in.expect(",");
        std::string key = in.name();
        in.expect(":");
        read(in, values[std::move(key)]);
    }
}
template <class T> void read(Cursor& in, std::optional<T>& value) {
    read(in, value.emplace());
}

// ---- properties ---------------------------------------------------------------------------------------------------------
/// Parts that print as blocks of their own, not as properties.
template <class T> inline constexpr bool kIsBlock = false;
template <> inline constexpr bool kIsBlock<OrderedMap<Cow<Container>>> = true;
template <> inline constexpr bool kIsBlock<std::optional<Cow<Container>>> = true;

inline bool contains(std::initializer_list<std::string_view> names, std::string_view name) {
    for (std::string_view one : names)
        if (one == name) return true;
    return false;
}

/// ` name=value` for each property that differs from its default and does not stand elsewhere on the line. A flag that is set is
/// its bare name.
template <class Struct>
void write_fields(Writer& out, const Struct& value, std::initializer_list<std::string_view> elsewhere = {}) {
    static const Struct defaults{};
    const auto one = [&]<class T>(const Field<Struct, T>& field) {
        if constexpr (!kIsBlock<T>) {
            const T& member = value.*field.member;
            const T& by_default = defaults.*field.member;
            if (member == by_default || contains(elsewhere, field.name)) return;
            out << " " << field.name;
            if constexpr (std::is_same_v<T, bool>)
                if (member) return;
            out << "=";
            if constexpr (std::is_same_v<T, CodeBlock>)
                write_code(out, member, by_default.language);
            else if constexpr (std::is_same_v<T, std::optional<CodeBlock>>)
                write_code(out, *member, Language::Python);
            else
                write(out, member);
        }
    };
    std::apply([&](const auto&... field) { (one(field), ...); }, Struct::fields());
}

/// Reads the value of the property `name`, if the struct has it.
template <class Struct> bool read_field(Cursor& in, std::string_view name, Struct& value) {
    bool known = false;
    const auto one = [&]<class T>(const Field<Struct, T>& field) {
        if constexpr (!kIsBlock<T>) {
            if (known || field.name != name) return;
            known = true;
            T& member = value.*field.member;
            if constexpr (std::is_same_v<T, bool>) {
                member = true;
                if (!in.next_is("=")) return;
            }
            in.expect("=");
            if constexpr (std::is_same_v<T, CodeBlock>)
                member = in.code((Struct{}.*field.member).language);
            else if constexpr (std::is_same_v<T, std::optional<CodeBlock>>)
                member = in.code(Language::Python);
            else
                read(in, member);
        }
    };
    std::apply([&](const auto&... field) { (one(field), ...); }, Struct::fields());
    return known;
}

/// All properties that follow on the line, of any of the structs, up to one of the words.
template <class... Structs> void read_fields_until(Cursor& in, std::initializer_list<std::string_view> stops, Structs&... structs) {
    while (in.next_is_name() && !in.next_is("\"") && !in.next_is_code()) {
        const std::size_t begin = in.position();
        const std::string_view word = in.identifier();
        if (contains(stops, word)) return in.rewind(begin);
        if ((read_field(in, word, structs) || ...)) continue;
        if (in.next_is("=")) unknown_word(in, begin, "property", word, "");
        in.rewind(begin);
        return;
    }
}
template <class... Structs> void read_fields(Cursor& in, Structs&... structs) {
    read_fields_until(in, {}, structs...);
}

}  // namespace sluice::ir::text
