#include "interchange/read_values.h"

#include <charconv>
#include <cmath>

#include "interchange/text_writer.h"

namespace sluice::interchange {

void read(Reader& reader, Value& value, bool& out) {
    if (const bool* flag = std::get_if<bool>(&value.data))
        out = *flag;
    else if (const auto* number = std::get_if<std::int64_t>(&value.data); number && (*number == 0 || *number == 1))
        out = *number != 0;
    else
        reader.fail_type(value, "a boolean");
}

void read(Reader& reader, Value& value, std::int64_t& out) {
    if (const auto* number = std::get_if<std::int64_t>(&value.data)) {
        out = *number;
        return;
    }
    if (const bool* flag = std::get_if<bool>(&value.data)) {
        out = *flag;
        return;
    }
    if (const double* number = std::get_if<double>(&value.data);
        number && std::fabs(*number) < 9e15 && *number == std::floor(*number)) {
        out = static_cast<std::int64_t>(*number);
        return;
    }
    if (const std::string* text = value.string()) {
        const auto [end, status] = std::from_chars(text->data(), text->data() + text->size(), out);
        if (status == std::errc{} && end == text->data() + text->size()) return;
    }
    reader.fail_type(value, "a 64-bit integer");
}

void read(Reader& reader, Value& value, std::string& out) {
    std::string* text = value.string();
    if (!text) reader.fail_type(value, "a string");
    out = std::move(*text);
}

std::string scalar_text(Reader& reader, const Value& value) {
    if (const std::string* text = value.string()) return *text;
    if (const bool* flag = std::get_if<bool>(&value.data)) return *flag ? "True" : "False";
    if (value.is_null() || value.is_array() || value.is_object()) reader.fail_type(value, "a string or a number");
    return to_compact_text(value);
}

void read(Reader& reader, Value& value, Expr& out) {
    if (const std::string* text = value.string()) {
        out = reader.expression(*text);
    } else if (const auto* number = std::get_if<std::int64_t>(&value.data)) {
        out = Expr(*number);
    } else if (Value* main = value.find("main")) {
        read(reader, *main, out);
    } else if (value.is_null() || value.is_array() || value.is_object()) {
        reader.fail_type(value, "a symbolic expression");
    } else {
        out = reader.expression(scalar_text(reader, value));
    }
}

void read(Reader& reader, Value& value, CodeBlock& out) {
    if (value.is_string()) return read(reader, value, out.text);
    Members members(reader, value);
    if (Value* text = members.take("string_data")) {
        const Place here(reader, "string_data");
        out.text = text->is_string() ? std::move(*text->string()) : scalar_text(reader, *text);
    } else {
        out.text.clear();
    }
    out.language = Language::Python;
    if (Value* language = members.take("language")) {
        const Place here(reader, "language");
        read_enum(reader, *language, out.language);
    }
}

// Null text is how old files say that there is no code.
void read(Reader& reader, Value& value, std::optional<CodeBlock>& out) {
    const Value* text = value.find("string_data");
    if (value.is_object() && (!text || text->is_null())) {
        out.reset();
        return;
    }
    read(reader, value, out.emplace());
}

std::string_view enum_text(Reader& reader, const Value& value) {
    const std::string* text = value.string();
    if (!text) reader.fail_type(value, "the name of an enumerator");
    const std::size_t dot = text->find('.');
    return dot == std::string::npos ? std::string_view(*text) : std::string_view(*text).substr(dot + 1);
}

std::uint32_t read_index(Reader& reader, const Value& value, std::size_t bound, std::string_view what) {
    std::int64_t index = -1;
    Value copy = value.is_string() || std::holds_alternative<std::int64_t>(value.data) ? value : Value{};
    read(reader, copy, index);
    if (index < 0 || static_cast<std::uint64_t>(index) >= bound)
        reader.fail("J007",
                    "index " + std::to_string(index) + " names none of the " + std::to_string(bound) + " " + std::string(what),
                    "Correct the index; it is a position in the array `nodes`");
    return static_cast<std::uint32_t>(index);
}

void read_connectors(Reader& reader, Value& value, Connectors& out) {
    if (!value.is_array()) return read(reader, value, out);
    std::vector<std::string> names;
    read(reader, value, names);
    for (std::string& name : names) out.emplace(std::move(name), DType());
}

namespace {

// The file's end is inclusive; a negative constant step counts down to one before it.
Range read_range(Reader& reader, Value& value) {
    Members members(reader, value);
    const auto part = [&](std::string_view key, Expr& out) {
        Value& found = members.need(key);
        const Place here(reader, key);
        read(reader, found, out);
    };
    Range range;
    part("start", range.begin);
    part("end", range.end);
    part("step", range.step);
    part("tile", range.tile);
    if (range.step.is_integer(0)) reader.fail("J013", "the step of the range is 0", "Use a positive or a negative step");
    const auto step = range.step.constant();
    range.end = step && *step < 0 ? range.end - 1 : range.end + 1;
    return range;
}

}  // namespace

void read(Reader& reader, Value& value, Subset& out) {
    Members members(reader, value);
    out.dims.clear();
    if (Value* indices = members.take("indices")) {
        const Place here(reader, "indices");
        std::vector<Expr> at;
        read(reader, *indices, at);
        out = Subset::indices(at);
        return;
    }
    Value& ranges = members.need("ranges");
    const Place here(reader, "ranges");
    if (!ranges.is_array()) reader.fail_type(ranges, "an array");
    Value::Array& items = *ranges.array();
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Place there(reader, i);
        out.dims.push_back(read_range(reader, items[i]));
    }
}

}  // namespace sluice::interchange
