// Element types in the textual form. Unlike to_string of the code room, structs and callbacks are written in full.
#include "ir/text/values.h"

namespace sluice::ir::text {

namespace {

void write_fields_of(Writer& out, const code::Compound& compound) {
    out << "{";
    bool first = true;
    for (const auto& [name, type] : compound.fields) {
        if (!std::exchange(first, false)) out << ", ";
        write_connector(out, name);
        out << ": ";
        write_type(out, type);
    }
    for (const auto& [name, length] : compound.lengths) {
        out << "; ";
        write_connector(out, name);
        out << "=";
        write_quoted(out, length);
    }
    out << "}";
}

template <class Types, class TypeOf> void write_list(Writer& out, const Types& types, TypeOf&& type_of) {
    out << "(";
    bool first = true;
    for (const auto& type : types) {
        if (!std::exchange(first, false)) out << ", ";
        write_type(out, type_of(type));
    }
    out << ")";
}

std::vector<DType> read_list(Cursor& in) {
    std::vector<DType> types;
    in.expect("(");
    while (!in.accept(")")) {
        if (!types.empty()) in.expect(",");
        types.push_back(read_type(in));
    }
    return types;
}

DType read_structure(Cursor& in) {
    std::string name = in.name();
    std::vector<std::pair<std::string, DType>> fields;
    std::vector<std::pair<std::string, std::string>> lengths;
    in.expect("{");
    while (!in.next_is(";") && !in.next_is("}")) {
        if (!fields.empty()) in.expect(",");
        std::string field = in.connector();
        in.expect(":");
        fields.emplace_back(std::move(field), read_type(in));
    }
    while (in.accept(";")) {
        std::string field = in.connector();
        in.expect("=");
        lengths.emplace_back(std::move(field), in.name());
    }
    in.expect("}");
    return DType::structure(std::move(name), std::move(fields), std::move(lengths));
}

DType read_vector(Cursor& in) {
    in.expect("<");
    DType type = read_type(in);
    in.expect(",");
    in.space();
    const std::size_t begin = in.position();
    const std::int64_t lanes = in.integer();
    if (lanes < 1 || lanes > 4096 || type.compound)
        in.error_at(in.span_from(begin), "X008", "a vector has 1 to 4096 lanes of a scalar type",
                    "write for example vector<float32, 8>");
    type.lanes = static_cast<std::uint32_t>(lanes);
    in.expect(">");
    return type;
}

}  // namespace

void write_type(Writer& out, const DType& type) {
    if (!type.compound) {
        if (type.lanes == 1)
            out << code::scalar_name(type.scalar);
        else
            out << "vector<" << code::scalar_name(type.scalar) << ", " << std::to_string(type.lanes) << ">";
        return;
    }
    switch (type.compound->kind) {
        case code::CompoundKind::Pointer:
            out << "pointer<";
            write_type(out, type.compound->fields.at(0).second);
            out << ">";
            break;
        case code::CompoundKind::Struct:
            out << "struct ";
            write_name(out, type.compound->name);
            out << " ";
            write_fields_of(out, *type.compound);
            break;
        case code::CompoundKind::Opaque:
            out << "opaque<";
            write_name(out, type.compound->name);
            out << ">";
            break;
        case code::CompoundKind::Callback:
            out << "callback";
            write_list(out, type.compound->fields, [](const auto& field) { return field.second; });
            out << " -> ";
            write_list(out, type.compound->results, [](const DType& result) { return result; });
            break;
    }
}

DType read_type(Cursor& in) {
    const Cursor::Level level(in);
    in.space();
    const std::size_t begin = in.position();
    const std::string word(in.identifier());
    if (word == "vector") return read_vector(in);
    if (word == "struct") return read_structure(in);
    if (word == "pointer") {
        in.expect("<");
        DType target = read_type(in);
        in.expect(">");
        return DType::pointer(std::move(target));
    }
    if (word == "opaque") {
        in.expect("<");
        std::string name = in.name();
        in.expect(">");
        return DType::opaque(std::move(name));
    }
    if (word == "callback") {
        std::vector<DType> arguments = read_list(in);
        in.expect("->");
        return DType::callback(std::move(arguments), read_list(in));
    }
    for (auto at = static_cast<int>(code::Scalar::Void); at <= static_cast<int>(code::Scalar::String); ++at)
        if (word == code::scalar_name(static_cast<code::Scalar>(at))) return static_cast<code::Scalar>(at);
    if (const auto type = code::parse_dtype(word)) return *type;
    unknown_word(in, begin, "type", word, "");
}

}  // namespace sluice::ir::text
