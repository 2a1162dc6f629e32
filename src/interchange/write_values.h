// Writing of the types that properties have, and of whole field lists: the mirror of read_values.h. A property that equals
// its default is left out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "interchange/emitter.h"
#include "interchange/grammar.h"

namespace sluice::interchange {

void write(Emitter& to, bool value);
void write(Emitter& to, std::int64_t value);
void write(Emitter& to, const std::string& value);
inline void write(Emitter& to, const ir::Resolution& value) {
    write(to, value.text());
}
void write(Emitter& to, const Expr& value);
void write(Emitter& to, const DType& value);
void write(Emitter& to, const CodeBlock& value);
void write(Emitter& to, const Subset& value);
void write(Emitter& to, const OrderedMap<Cow<Container>>& value);
void write_connectors(Emitter& to, const Connectors& value);

template <class T> void write(Emitter& to, const std::vector<T>& value) {
    to.out.begin_array();
    for (const T& item : value) write(to, item);
    to.out.end_array();
}
template <class T> void write(Emitter& to, const std::map<std::string, T>& value) {
    to.out.begin_object();
    for (const auto& [name, item] : value) {
        to.out.key(name);
        write(to, item);
    }
    to.out.end_object();
}
template <class T> void write(Emitter& to, const std::optional<T>& value) {
    if (value)
        write(to, *value);
    else
        to.out.null();
}
template <class Enum>
requires std::is_enum_v<Enum>
void write(Emitter& to, Enum value) {
    to.out.string(to_string(value));
}

template <class Struct, class T>
void write_field(Element& element, const Struct& object, const Struct& defaults, const Field<Struct, T>& field) {
    const T& value = object.*field.member;
    if (value == defaults.*field.member) return;
    // An enumerator that we do not know was kept as text.
    if constexpr (requires { T::Undefined; })
        if (value == T::Undefined && element.has_extra_attribute(field.name)) return;
    element.key(field.name);
    write(element.emitter, value);
}

template <class Struct> void write_fields(Element& element, const Struct& object) {
    static const Struct kDefaults{};
    std::apply([&](const auto&... fields) { (write_field(element, object, kDefaults, fields), ...); }, Struct::fields());
}

}  // namespace sluice::interchange
