// Names, sizes and construction of element types.
#include "code/dtype.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "support/check.h"

namespace sluice::code {
namespace {

struct ScalarFacts {
    std::string_view name;
    std::size_t bytes;
};
constexpr std::array<ScalarFacts, 19> kScalars = {{{"void", 0},
                                                   {"bool", 1},
                                                   {"int8", 1},
                                                   {"int16", 2},
                                                   {"int32", 4},
                                                   {"int64", 8},
                                                   {"uint8", 1},
                                                   {"uint16", 2},
                                                   {"uint32", 4},
                                                   {"uint64", 8},
                                                   {"float8_e4m3fn", 1},
                                                   {"float8_e5m2", 1},
                                                   {"bfloat16", 2},
                                                   {"float16", 2},
                                                   {"float32", 4},
                                                   {"float64", 8},
                                                   {"complex64", 8},
                                                   {"complex128", 16},
                                                   {"string", 0}}};

const ScalarFacts& facts(Scalar scalar) {
    return kScalars[static_cast<std::size_t>(scalar)];
}

DType compound(Compound value) {
    DType type;
    type.compound = std::make_shared<const Compound>(std::move(value));
    return type;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

// The text between `name<` and the closing `>`.
std::optional<std::string_view> parameters(std::string_view text, std::string_view name) {
    if (text.size() < name.size() + 2 || text.substr(0, name.size()) != name || text[name.size()] != '<' || text.back() != '>')
        return {};
    return trimmed(text.substr(name.size() + 1, text.size() - name.size() - 2));
}

std::size_t alignment_of(const DType& type) {
    if (type.compound && type.compound->kind == CompoundKind::Struct) {
        std::size_t most = 1;
        for (const auto& [name, field] : type.compound->fields) most = std::max(most, alignment_of(field));
        return most;
    }
    if (is_complex(type.scalar)) return facts(type.scalar).bytes / 2 * type.lanes;
    return std::max<std::size_t>(size_in_bytes(type), 1);
}

// As a C compiler lays the struct out: every field at a multiple of its alignment.
std::size_t struct_size(const Compound& structure) {
    std::size_t size = 0, most = 1;
    const auto round_up = [](std::size_t value, std::size_t step) { return (value + step - 1) / step * step; };
    for (const auto& [name, field] : structure.fields) {
        const std::size_t alignment = alignment_of(field);
        size = round_up(size, alignment) + size_in_bytes(field);
        most = std::max(most, alignment);
    }
    return round_up(size, most);
}

template <class Range, class Text> std::string joined(const Range& range, Text text) {
    std::string all;
    for (const auto& element : range) all += (all.empty() ? "" : ", ") + text(element);
    return all;
}

std::string compound_name(const Compound& c) {
    switch (c.kind) {
        case CompoundKind::Pointer:
            return "pointer<" + to_string(c.fields.at(0).second) + ">";
        case CompoundKind::Struct:
            return "struct " + c.name;
        case CompoundKind::Opaque:
            return "opaque<" + c.name + ">";
        case CompoundKind::Callback:
            return "callback<(" + joined(c.fields, [](const auto& field) { return to_string(field.second); }) + ") -> (" +
                   joined(c.results, [](const DType& result) { return to_string(result); }) + ")>";
    }
    check(false, "a compound type of unknown kind");
    return {};
}

std::optional<DType> parse_vector(std::string_view inside) {
    const std::size_t comma = inside.rfind(',');
    if (comma == std::string_view::npos) return {};
    const std::optional<DType> element = parse_dtype(inside.substr(0, comma));
    const std::string_view count = trimmed(inside.substr(comma + 1));
    std::uint32_t lanes = 0;
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), lanes);
    if (!element || !element->is_scalar() || error != std::errc{} || end != count.data() + count.size() || lanes == 0) return {};
    return DType(element->scalar, lanes);
}

}  // namespace

DType DType::pointer(DType target) {
    return code::compound({CompoundKind::Pointer, {}, {{"", std::move(target)}}, {}, {}});
}
DType DType::structure(std::string name, std::vector<std::pair<std::string, DType>> fields,
                       std::vector<std::pair<std::string, std::string>> lengths) {
    return code::compound({CompoundKind::Struct, std::move(name), std::move(fields), {}, std::move(lengths)});
}
DType DType::opaque(std::string ctype) {
    return code::compound({CompoundKind::Opaque, std::move(ctype), {}, {}, {}});
}
DType DType::callback(std::vector<DType> arguments, std::vector<DType> results) {
    Compound value{CompoundKind::Callback, {}, {}, std::move(results), {}};
    for (DType& argument : arguments) value.fields.emplace_back("", std::move(argument));
    return code::compound(std::move(value));
}

bool DType::operator==(const DType& other) const {
    if (scalar != other.scalar || lanes != other.lanes || !compound != !other.compound) return false;
    return !compound || compound == other.compound || *compound == *other.compound;
}

bool is_integer(Scalar scalar) {
    return scalar >= Scalar::Int8 && scalar <= Scalar::UInt64;
}
bool is_signed(Scalar scalar) {
    return (scalar >= Scalar::Int8 && scalar <= Scalar::Int64) || is_floating(scalar) || is_complex(scalar);
}
bool is_floating(Scalar scalar) {
    return scalar >= Scalar::Float8E4M3 && scalar <= Scalar::Float64;
}
bool is_complex(Scalar scalar) {
    return scalar == Scalar::Complex64 || scalar == Scalar::Complex128;
}

std::size_t size_in_bytes(const DType& type) {
    if (!type.compound) return facts(type.scalar).bytes * type.lanes;
    switch (type.compound->kind) {
        case CompoundKind::Pointer:
        case CompoundKind::Callback:
            return 8;
        case CompoundKind::Struct:
            return struct_size(*type.compound);
        case CompoundKind::Opaque:
            return 0;
    }
    return 0;
}

std::string_view scalar_name(Scalar scalar) {
    return facts(scalar).name;
}

std::string to_string(const DType& type) {
    if (type.compound) return compound_name(*type.compound);
    const std::string name(scalar_name(type.scalar));
    return type.lanes == 1 ? name : "vector<" + name + ", " + std::to_string(type.lanes) + ">";
}

std::optional<DType> parse_dtype(std::string_view name) {
    name = trimmed(name);
    for (std::size_t i = 0; i < kScalars.size(); ++i)
        if (kScalars[i].name == name) return DType(static_cast<Scalar>(i));
    if (name == "bool_") return DType(Scalar::Bool);
    if (name == "int") return DType(Scalar::Int64);
    if (name == "float") return DType(Scalar::Float64);
    if (const auto inside = parameters(name, "vector")) return parse_vector(*inside);
    if (const auto inside = parameters(name, "opaque")) return DType::opaque(std::string(*inside));
    if (name.size() > 4096) return {};  // no type is spelled this long; bounds the recursion below
    if (const auto inside = parameters(name, "pointer")) {
        if (const std::optional<DType> target = parse_dtype(*inside)) return DType::pointer(*target);
    }
    return {};
}

}  // namespace sluice::code
