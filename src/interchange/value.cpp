#include "interchange/value.h"

#include <array>
#include <utility>

namespace sluice::interchange {

Value* Value::find(std::string_view key) {
    Object* members = object();
    if (!members) return nullptr;
    for (auto at = members->rbegin(); at != members->rend(); ++at)
        if (at->key == key) return &at->value;
    return nullptr;
}

const Value* Value::find(std::string_view key) const {
    return const_cast<Value*>(this)->find(key);
}

std::string_view Value::kind_name() const {
    static constexpr std::array<std::string_view, 8> kNames = {"null",     "a boolean", "an integer", "a number",
                                                               "a number", "a string",  "an array",   "an object"};
    return kNames[data.index()];
}

bool Value::operator==(const Value& other) const {
    return data == other.data;
}

}  // namespace sluice::interchange
