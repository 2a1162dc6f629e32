// A JSON document in memory: insertion order is kept (the format relies on it for `_arrays` and assignments), integers are
// exact, and members can be moved out one by one, so that what nobody took is what nobody knew.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sluice::interchange {

struct Member;

/// A number that fits neither 64-bit integers nor doubles without loss, as its text.
struct BigNumber {
    std::string text;
    bool operator==(const BigNumber&) const = default;
};

struct Value {
    using Array = std::vector<Value>;
    using Object = std::vector<Member>;
    std::variant<std::monostate, bool, std::int64_t, double, BigNumber, std::string, Array, Object> data;

    bool is_null() const { return std::holds_alternative<std::monostate>(data); }
    bool is_string() const { return std::holds_alternative<std::string>(data); }
    bool is_array() const { return std::holds_alternative<Array>(data); }
    bool is_object() const { return std::holds_alternative<Object>(data); }
    const std::string* string() const { return std::get_if<std::string>(&data); }
    std::string* string() { return std::get_if<std::string>(&data); }
    const Array* array() const { return std::get_if<Array>(&data); }
    Array* array() { return std::get_if<Array>(&data); }
    const Object* object() const { return std::get_if<Object>(&data); }
    Object* object() { return std::get_if<Object>(&data); }

    /// Member of an object by its key (the last, if the key repeats), or null; also null if this is no object.
    Value* find(std::string_view key);
    const Value* find(std::string_view key) const;
    /// `null`, `a string`, ...: for diagnostics.
    std::string_view kind_name() const;
    bool operator==(const Value& other) const;
};
struct Member {
    std::string key;
    Value value;
    bool operator==(const Member&) const = default;
};

}  // namespace sluice::interchange
