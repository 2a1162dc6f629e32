// Properties of graph elements by name, from the field list of each struct: what Python reads and sets.
#pragma once

#include <concepts>
#include <string_view>
#include <tuple>

#include "bindings/convert.h"
#include "ir/enums.h"
#include "ir/sdfg.h"
#include "support/nearest.h"

namespace sluice::bindings {

template <class T>
concept NamedEnum = std::is_enum_v<T> && requires(T value) {
    ir::to_string(value);
};

inline nb::object to_object(bool value) {
    return nb::cast(value);
}
inline nb::object to_object(std::int64_t value) {
    return nb::cast(value);
}
inline nb::object to_object(const ir::Resolution& value) {
    return nb::cast(value.text());
}
inline nb::object to_object(const std::string& value) {
    return nb::cast(value);
}
inline nb::object to_object(const symbolic::Expr& value) {
    return nb::cast(PyExpr{value, {}});
}
inline nb::object to_object(const symbolic::Subset& value) {
    return nb::cast(symbolic::to_string(value));
}
inline nb::object to_object(const ir::CodeBlock& value) {
    return nb::cast(value.text);
}
inline nb::object to_object(const code::DType& value) {
    return nb::cast(value);
}
template <NamedEnum Enum> nb::object to_object(Enum value) {
    return nb::cast(std::string(ir::to_string(value)));
}
template <class T> nb::object to_object(const std::optional<T>& value) {
    return value ? to_object(*value) : nb::none();
}
template <class T> nb::object to_object(const std::vector<T>& values) {
    nb::list list;
    for (const T& value : values) list.append(to_object(value));
    return nb::tuple(list);
}
template <class T> nb::object to_object(const std::map<std::string, T>& values) {
    nb::dict dict;
    for (const auto& [key, value] : values) dict[key.c_str()] = to_object(value);
    return dict;
}

template <class T> struct FromObject;
template <class T>
concept FromPython = requires(nb::handle object) {
    FromObject<T>::get(object);
};
template <class T>
requires std::same_as<T, bool> || std::same_as<T, std::int64_t> || std::same_as<T, std::string>
struct FromObject<T> {
    static T get(nb::handle object) { return nb::cast<T>(object); }
};
template <> struct FromObject<symbolic::Expr> {
    static symbolic::Expr get(nb::handle object) { return expr_from(object); }
};
template <> struct FromObject<symbolic::Subset> {
    static symbolic::Subset get(nb::handle object) { return subset_from(object); }
};
template <> struct FromObject<ir::Resolution> {
    static ir::Resolution get(nb::handle object) { return ir::Resolution(nb::cast<std::string>(object)); }
};
template <> struct FromObject<ir::CodeBlock> {
    static ir::CodeBlock get(nb::handle object) { return {nb::cast<std::string>(object), ir::Language::Python}; }
};
template <> struct FromObject<code::DType> {
    static code::DType get(nb::handle object) { return dtype_from(object); }
};
template <NamedEnum Enum> struct FromObject<Enum> {
    /// By name; a Python enumeration's member names itself.
    static Enum get(nb::handle object) {
        const std::string name =
            nb::cast<std::string>(nb::hasattr(object, "name") ? nb::str(object.attr("name")) : nb::str(object));
        if (const std::optional<Enum> value = ir::parse_enum<Enum>(name)) return *value;
        const auto names = ir::enum_names<Enum>();
        std::string known;
        for (const std::string& one : nearest(name, std::vector<std::string>(names.begin(), names.end())))
            known += (known.empty() ? "" : ", ") + one;
        throw nb::value_error(("no such value: " + name + "; perhaps you mean one of: " + known).c_str());
    }
};
template <FromPython T> struct FromObject<std::optional<T>> {
    static std::optional<T> get(nb::handle object) {
        return object.is_none() ? std::nullopt : std::optional<T>(FromObject<T>::get(object));
    }
};
template <FromPython T> struct FromObject<std::vector<T>> {
    static std::vector<T> get(nb::handle object) {
        std::vector<T> values;
        for (const nb::handle part : object) values.push_back(FromObject<T>::get(part));
        return values;
    }
};
template <FromPython T> struct FromObject<std::map<std::string, T>> {
    static std::map<std::string, T> get(nb::handle object) {
        std::map<std::string, T> values;
        for (const auto [key, value] : nb::cast<nb::dict>(object))
            values.emplace(nb::cast<std::string>(key), FromObject<T>::get(value));
        return values;
    }
};

template <class T>
concept Settable = requires(nb::handle object, const T& value) {
    { FromObject<T>::get(object) } -> std::convertible_to<T>;
    to_object(value);
};

/// Calls use(name, member) for each property of the struct that Python can hold.
template <class Struct, class Use> void each_field(Struct& value, Use&& use) {
    std::apply(
        [&](const auto&... field) {
            const auto one = [&](const auto& f) {
                using Member = std::remove_cvref_t<decltype(value.*(f.member))>;
                if constexpr (Settable<Member>) use(f.name, value.*(f.member));
            };
            (one(field), ...);
        },
        std::remove_cvref_t<Struct>::fields());
}

template <class Struct> bool get_field(Struct& value, std::string_view name, nb::object& result) {
    bool found = false;
    each_field(value, [&](std::string_view field, auto& member) {
        if (field != name) return;
        result = to_object(member);
        found = true;
    });
    return found;
}
template <class Struct> bool set_field(Struct& value, std::string_view name, nb::handle object) {
    bool found = false;
    each_field(value, [&](std::string_view field, auto& member) {
        if (field != name) return;
        using Member = std::remove_cvref_t<decltype(member)>;
        if constexpr (std::same_as<Member, ir::CodeBlock>)
            member.text = nb::cast<std::string>(object);  // Its language stays.
        else
            member = FromObject<Member>::get(object);
        found = true;
    });
    return found;
}

}  // namespace sluice::bindings
