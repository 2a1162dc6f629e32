// Reading of the types that properties have, and of whole field lists: one overload of `read` per type.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "interchange/grammar.h"
#include "interchange/reader.h"

namespace sluice::interchange {

void read(Reader& reader, Value& value, bool& out);
void read(Reader& reader, Value& value, std::int64_t& out);
void read(Reader& reader, Value& value, std::string& out);
inline void read(Reader& reader, Value& value, ir::Resolution& out) {
    std::string text;
    read(reader, value, text);
    out = ir::Resolution(std::move(text));
}
/// A text in either dialect, a number, or `{"main": ..., "approx": ...}` of old files, whose main part is exact.
void read(Reader& reader, Value& value, Expr& out);
void read(Reader& reader, Value& value, DType& out);
void read(Reader& reader, Value& value, CodeBlock& out);
void read(Reader& reader, Value& value, Subset& out);
void read(Reader& reader, Value& value, OrderedMap<Cow<Container>>& out);
/// An object, or a list of names (types unknown).
void read_connectors(Reader& reader, Value& value, Connectors& out);
/// Text of a string or a number.
std::string scalar_text(Reader& reader, const Value& value);
/// A decimal index below `bound`, as text or number. Failure J007 otherwise.
std::uint32_t read_index(Reader& reader, const Value& value, std::size_t bound, std::string_view what);

template <class T> void read(Reader& reader, Value& value, std::vector<T>& out) {
    Value::Array* items = value.array();
    if (!items) reader.fail_type(value, "an array");
    out.clear();
    out.reserve(items->size());
    for (std::size_t i = 0; i < items->size(); ++i) {
        const Place here(reader, i);
        read(reader, (*items)[i], out.emplace_back());
    }
}

template <class T> void read(Reader& reader, Value& value, std::map<std::string, T>& out) {
    Value::Object* members = value.object();
    if (!members) reader.fail_type(value, "an object");
    for (Member& member : *members) {
        const Place here(reader, member.key);
        T item{};
        if (!member.value.is_null()) {
            if constexpr (std::is_same_v<T, std::string>)
                item = scalar_text(reader, member.value);
            else
                read(reader, member.value, item);
        }
        out.insert_or_assign(member.key, std::move(item));
    }
}

template <class T> void read(Reader& reader, Value& value, std::optional<T>& out) {
    read(reader, value, out.emplace());
}
void read(Reader& reader, Value& value, std::optional<CodeBlock>& out);

/// The name without the enumeration's own name in front (`StorageType.Register`), which some releases write.
std::string_view enum_text(Reader& reader, const Value& value);

/// False if the name is unknown and the enumeration has `Undefined` for that: the text then stays among the extras.
template <class Enum> bool read_enum(Reader& reader, const Value& value, Enum& out) {
    const std::string_view name = enum_text(reader, value);
    if (const std::optional<Enum> known = parse_enum<Enum>(name)) {
        out = *known;
        return true;
    }
    if constexpr (requires { Enum::Undefined; }) {
        out = Enum::Undefined;
        return false;
    } else {
        reader.fail("J011", "unknown name `" + std::string(name) + "`", "Use one of the names of the format");
    }
}

template <class Struct, class T>
void read_field(Reader& reader, Members& attributes, Struct& object, const Field<Struct, T>& field) {
    Value* value = attributes.peek(field.name);
    if (!value) return;
    const Place here(reader, field.name);
    if (value->is_null()) {
        attributes.take(field.name);
        return;
    }
    if constexpr (std::is_enum_v<T>) {
        if (read_enum(reader, *value, object.*field.member)) attributes.take(field.name);
    } else {
        read(reader, *value, object.*field.member);
        attributes.take(field.name);
    }
}

/// Reads every property of the struct's field list that is present and not null.
template <class Struct> void read_fields(Reader& reader, Members& attributes, Struct& object) {
    std::apply([&](const auto&... fields) { (read_field(reader, attributes, object, fields), ...); }, Struct::fields());
}

}  // namespace sluice::interchange
