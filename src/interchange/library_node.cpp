// Library nodes: an open set. Properties become typed values where JSON has a simple one; the rest stays among the extras.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "interchange/elements.h"
#include "interchange/read_values.h"
#include "interchange/write_values.h"

namespace sluice::interchange {

namespace {

// Classes that moved between releases, by their old path.
struct Moved {
    std::string_view old_path, path;
};
constexpr std::array<Moved, 3> kMoved = {
    {{"dace.libraries.blas.nodes.transpose.Transpose", "dace.libraries.linalg.nodes.transpose.Transpose"},
     {"dace.libraries.standard.nodes.transpose.Transpose", "dace.libraries.linalg.nodes.transpose.Transpose"},
     {"dace.libraries.standard.nodes.ttranspose.TensorTranspose", "dace.libraries.linalg.nodes.ttranspose.TensorTranspose"}}};

// Properties that are symbolic by definition; elsewhere a text is a text.
bool is_symbolic(std::string_view operation, std::string_view property, std::string_view text) {
    // Of a library's call (library/extern_call.h): `&name` is an address, `=type(...)` a constant.
    if (operation == "Extern" && property.starts_with("argument")) return !text.starts_with('&') && !text.starts_with('=');
    static constexpr std::array<std::string_view, 6> kAlways = {"n", "m", "m_tile_size", "n_tile_size", "size", "factor"};
    if (std::find(kAlways.begin(), kAlways.end(), property) != kAlways.end()) return operation != "Redistribute";
    if (operation.starts_with("MPI_")) return property == "peer" || property == "tag" || property == "root";
    return property == "alpha" || property == "beta" || (operation == "Axpy" && property == "a");
}

// Properties of the common base that have no place in the grammar: kept as they are.
bool is_common(std::string_view name) {
    static constexpr std::array<std::string_view, 8> kCommon = {"instrument", "location",     "environments", "guid",
                                                                "debuginfo",  "is_collapsed", "name",         "schedule"};
    return std::find(kCommon.begin(), kCommon.end(), name) != kCommon.end();
}

std::optional<std::vector<std::int64_t>> integers(const Value::Array& items) {
    std::vector<std::int64_t> out;
    for (const Value& item : items) {
        const auto* number = std::get_if<std::int64_t>(&item.data);
        if (!number) return std::nullopt;
        out.push_back(*number);
    }
    return out;
}

// Numbers and what stands for a bare NaN or Infinity token.
std::optional<Property> number_in(const std::string& text) {
    if (text == "NaN" || text == "nan") return Property(std::nan(""));
    if (text == "Infinity" || text == "inf") return Property(std::numeric_limits<double>::infinity());
    if (text == "-Infinity" || text == "-inf") return Property(-std::numeric_limits<double>::infinity());
    std::int64_t integer = 0;
    const char* end = text.data() + text.size();
    if (const auto [at, status] = std::from_chars(text.data(), end, integer); status == std::errc{} && at == end)
        return Property(integer);
    double real = 0;
    if (const auto [at, status] = std::from_chars(text.data(), end, real); status == std::errc{} && at == end)
        return Property(real);
    return std::nullopt;
}

// Nullopt: the value has no typed form.
std::optional<Property> typed(Reader& reader, const std::string& operation, const std::string& name, Value& value) {
    if (value.is_null()) return Property(std::monostate{});
    if (const bool* flag = std::get_if<bool>(&value.data)) return Property(*flag);
    if (const auto* number = std::get_if<std::int64_t>(&value.data)) return Property(*number);
    if (const auto* number = std::get_if<double>(&value.data)) return Property(*number);
    if (const Value::Array* items = value.array())
        if (auto list = integers(*items)) return Property(std::move(*list));
    const std::string* text = value.string();
    if (!text) return std::nullopt;
    if (*text == "NaN" || *text == "Infinity" || *text == "-Infinity") return number_in(*text);
    if (name == "identity")
        if (const auto number = number_in(*text)) return number;
    if (is_symbolic(operation, name, *text)) return Property(reader.expression(*text));
    return Property(*text);
}

}  // namespace

void read_library_node(Reader& reader, Members& keys, Members& attributes, Node& node) {
    LibraryNode& library = node.kind.emplace<LibraryNode>();
    Value& path = keys.need("classpath");
    library.classpath = scalar_text(reader, path);
    for (const Moved& moved : kMoved)
        if (library.classpath == moved.old_path) library.classpath = moved.path;
    const std::size_t dot = library.classpath.rfind('.');
    library.operation = library.classpath.substr(dot + 1);
    if (dot == std::string::npos) library.classpath.clear();  // an operation without a class of its own
    read_fields(reader, attributes, library);
    if (Value* name = attributes.peek("name"); name && name->is_string()) {
        if (library.label.empty()) library.label = *name->string();
        if (library.label == *name->string()) attributes.take("name");
    }
    Value::Object rest = attributes.rest();
    Value::Object kept;
    for (Member& property : rest) {
        if (property.key.empty()) continue;
        const Place here(reader, property.key);
        std::optional<Property> value;
        if (!is_common(property.key) && !property.key.starts_with("_meta"))
            value = typed(reader, library.operation, property.key, property.value);
        if (value)
            library.properties.insert_or_assign(property.key, std::move(*value));
        else
            kept.push_back(std::move(property));
    }
    // What stays is the caller's to keep.
    attributes.put_back(std::move(kept));
}

namespace {

struct PropertyWriter {
    Emitter& to;
    bool as_text;  ///< Numbers as text: `identity` since 2.0.0a1.

    void operator()(std::monostate) const { to.out.null(); }
    void operator()(bool value) const { to.out.boolean(value); }
    void operator()(std::int64_t value) const { as_text ? to.out.string(std::to_string(value)) : to.out.integer(value); }
    void operator()(double value) const { as_text ? to.out.string(real_text(value)) : to.out.real(value); }
    void operator()(const std::string& value) const { to.out.string(value); }
    void operator()(const Expr& value) const { write(to, value); }
    void operator()(const std::vector<std::int64_t>& value) const { write(to, value); }
};

}  // namespace

void write_library_properties(Element& element, const LibraryNode& node) {
    if (!element.has_extra_attribute("name")) element.key("name").string(node.label);
    for (const auto& [name, value] : node.properties) {
        element.key(name);
        std::visit(PropertyWriter{element.emitter, element.emitter.dollar && name == "identity"}, value);
    }
}

}  // namespace sluice::interchange
