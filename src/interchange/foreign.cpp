#include "interchange/foreign.h"

#include <algorithm>
#include <array>
#include <functional>

#include "support/result.h"

namespace sluice::interchange {

namespace {

bool is_symbolic_name(std::string_view name) {
    static constexpr std::array<std::string_view, 11> kNames = {"shape",        "strides",     "offset",        "total_size",
                                                                "buffer_size",  "subshape",    "exact_grid",    "root",
                                                                "tensor_shape", "value_count", "index_ordering"};
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

using Rewrite = std::function<std::string(const std::string&)>;

void rewrite_texts(Value& value, bool symbolic, const Rewrite& rewrite) {
    if (std::string* text = value.string()) {
        if (symbolic) *text = rewrite(*text);
    } else if (Value::Array* items = value.array()) {
        for (Value& item : *items) rewrite_texts(item, symbolic, rewrite);
    } else if (Value::Object* members = value.object()) {
        for (Member& member : *members) rewrite_texts(member.value, is_symbolic_name(member.key), rewrite);
    }
}

// `members` is a list of pairs whose first is a name and whose second may be a bare symbolic text.
void rewrite_members(Value& value, const Rewrite& rewrite) {
    Value* members = value.find("members");
    if (!members || !members->is_array()) return;
    for (Value& pair : *members->array()) {
        Value::Array* both = pair.array();
        if (!both || both->size() != 2) continue;
        rewrite_texts((*both)[1], true, rewrite);
    }
}

void rewrite_all(Value& value, const Rewrite& rewrite) {
    if (!value.is_object()) return;
    for (Member& member : *value.object())
        if (member.key != "members") rewrite_texts(member.value, is_symbolic_name(member.key), rewrite);
    rewrite_members(value, rewrite);
}

}  // namespace

void to_plain_dialect(Value& value, Reader& reader) {
    rewrite_all(value, [&](const std::string& text) {
        const auto parsed = capture([&] { return reader.expression(text); });
        return parsed.ok() ? print_expression(parsed.value(), {.dollar = false, .symbol = {}}) : text;
    });
}

void to_file_dialect(Value& value, Emitter& to) {
    if (!to.dollar) return;
    rewrite_all(value, [&](const std::string& text) {
        const auto parsed = capture([&] { return parse_expression(text, false).value; });
        return parsed.ok() ? to.expression(parsed.value()) : text;
    });
}

}  // namespace sluice::interchange
