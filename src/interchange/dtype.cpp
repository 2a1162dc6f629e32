// Element types: a name, or an object for pointers, vectors, structs, opaque types, strings and callbacks.
#include <charconv>

#include "interchange/read_values.h"
#include "interchange/write_values.h"

namespace sluice::interchange {

using code::Compound;
using code::CompoundKind;

namespace {

constexpr std::int64_t kMaxLanes = 65536;

DType read_struct(Reader& reader, Members& members) {
    std::string name;
    if (Value* text = members.take("name")) read(reader, *text, name);
    // Fields and lengths are lists of pairs since 0.15, objects before.
    const auto pairs = [&](std::string_view key, const auto& each) {
        Value* list = members.take(key);
        if (!list) return;
        const Place here(reader, key);
        if (Value::Object* object = list->object()) {
            for (Member& member : *object) each(member.key, member.value);
            return;
        }
        if (!list->is_array()) reader.fail_type(*list, "an array of pairs");
        for (std::size_t i = 0; i < list->array()->size(); ++i) {
            const Place there(reader, i);
            Value::Array* pair = (*list->array())[i].array();
            if (!pair || pair->size() != 2 || !(*pair)[0].is_string())
                reader.fail_type((*list->array())[i], "a pair of name and type");
            each(*(*pair)[0].string(), (*pair)[1]);
        }
    };
    std::vector<std::pair<std::string, DType>> fields;
    std::vector<std::pair<std::string, std::string>> lengths;
    pairs("data", [&](const std::string& field, Value& value) {
        DType type;
        read(reader, value, type);
        fields.emplace_back(field, std::move(type));
    });
    pairs("length", [&](const std::string& field, Value& value) { lengths.emplace_back(field, scalar_text(reader, value)); });
    return DType::structure(std::move(name), std::move(fields), std::move(lengths));
}

DType read_vector(Reader& reader, Members& members) {
    DType element;
    std::int64_t lanes = 0;
    {
        Value& value = members.need("dtype");
        const Place here(reader, "dtype");
        read(reader, value, element);
    }
    Value& value = members.need("elements");
    const Place here(reader, "elements");
    read(reader, value, lanes);
    if (lanes < 1 || lanes > kMaxLanes || !element.is_scalar())
        reader.fail("J011", "a vector type needs a scalar and 1 to " + std::to_string(kMaxLanes) + " elements",
                    "Use a constant number of elements of a scalar type");
    return DType(element.scalar, static_cast<std::uint32_t>(lanes));
}

// An argument of a callback may be a whole descriptor: an array passes as a pointer.
DType read_argument(Reader& reader, Value& value) {
    DType type;
    Value* attributes = value.find("attributes");
    if (!attributes) {
        if (!value.is_null()) read(reader, value, type);
        return type;
    }
    type = code::Scalar::Int32;
    if (Value* dtype = attributes->find("dtype")) read(reader, *dtype, type);
    const std::string* kind = value.find("type") ? value.find("type")->string() : nullptr;
    return kind && *kind == "Scalar" ? type : DType::pointer(type);
}

DType read_callback(Reader& reader, Members& members) {
    std::vector<DType> arguments, results;
    const auto list = [&](std::string_view key, std::vector<DType>& out) {
        Value* values = members.take(key);
        if (!values) return;
        const Place here(reader, key);
        if (!values->is_array()) {
            out.push_back(read_argument(reader, *values));
            return;
        }
        for (std::size_t i = 0; i < values->array()->size(); ++i) {
            const Place there(reader, i);
            out.push_back(read_argument(reader, (*values->array())[i]));
        }
    };
    list("arguments", arguments);
    list("returntypes", results);
    list("returntype", results);
    return DType::callback(std::move(arguments), std::move(results));
}

std::size_t packed_size(const Compound& compound) {
    std::size_t bytes = 0;
    for (const auto& [name, type] : compound.fields) bytes += code::size_in_bytes(type);
    return bytes;
}

}  // namespace

void read(Reader& reader, Value& value, DType& out) {
    if (const std::string* name = value.string()) {
        const auto known = code::parse_dtype(*name);
        if (!known || known->compound)
            reader.fail("J011", "unknown data type `" + *name + "`", "Use the name of a NumPy scalar type, for example `float64`");
        out = *known;
        return;
    }
    Members members(reader, value);
    std::string kind;
    {
        Value& type = members.need("type");
        const Place here(reader, "type");
        read(reader, type, kind);
    }
    if (kind == "pointer") {
        DType target;
        if (Value* type = members.take("dtype")) {
            const Place here(reader, "dtype");
            read(reader, *type, target);
        }
        out = DType::pointer(std::move(target));
    } else if (kind == "vector") {
        out = read_vector(reader, members);
    } else if (kind == "struct") {
        out = read_struct(reader, members);
    } else if (kind == "opaque") {
        Value& ctype = members.need("ctype");
        out = DType::opaque(scalar_text(reader, ctype));
    } else if (kind == "string") {
        out = code::Scalar::String;
    } else if (kind == "callback") {
        out = read_callback(reader, members);
    } else {
        reader.fail("J011", "unknown data type `" + kind + "`", "Use pointer, vector, struct, opaque, string or callback");
    }
}

namespace {

void write_pairs(Emitter& to, const Compound& compound) {
    to.out.key("name");
    to.out.string(compound.name);
    to.out.key("data");
    to.out.begin_array();
    for (const auto& [name, type] : compound.fields) {
        to.out.begin_array();
        to.out.string(name);
        write(to, type);
        to.out.end_array();
    }
    to.out.end_array();
    to.out.key("length");
    to.out.begin_array();
    for (const auto& [name, length] : compound.lengths) {
        to.out.begin_array();
        to.out.string(name);
        to.out.string(length);
        to.out.end_array();
    }
    to.out.end_array();
    to.out.key("bytes");
    to.out.integer(static_cast<std::int64_t>(packed_size(compound)));
}

void write_compound(Emitter& to, const Compound& compound) {
    const auto type = [&](std::string_view name) {
        to.out.key("type");
        to.out.string(name);
    };
    switch (compound.kind) {
        case CompoundKind::Pointer:
            type("pointer");
            to.out.key("dtype");
            write(to, compound.fields.at(0).second);
            break;
        case CompoundKind::Struct:
            type("struct");
            write_pairs(to, compound);
            break;
        case CompoundKind::Opaque:
            type("opaque");
            to.out.key("ctype");
            to.out.string(compound.name);
            break;
        case CompoundKind::Callback:
            type("callback");
            to.out.key("arguments");
            to.out.begin_array();
            for (const auto& field : compound.fields) write(to, field.second);
            to.out.end_array();
            to.out.key("returntypes");
            write(to, compound.results);
            break;
    }
}

}  // namespace

void write(Emitter& to, const DType& value) {
    if (value.is_void()) return to.out.null();
    if (value.is_scalar() && value.scalar != code::Scalar::String) return to.out.string(code::scalar_name(value.scalar));
    to.out.begin_object();
    if (value.compound) {
        write_compound(to, *value.compound);
    } else if (value.scalar == code::Scalar::String) {
        to.out.key("type");
        to.out.string("string");
    } else {
        to.out.key("type");
        to.out.string("vector");
        to.out.key("dtype");
        to.out.string(code::scalar_name(value.scalar));
        to.out.key("elements");
        to.out.string(std::to_string(value.lanes));
    }
    to.out.end_object();
}

}  // namespace sluice::interchange
