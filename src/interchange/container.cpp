// Data descriptors. Strides, size and offset that follow from the shape are left to the shape on reading and spelled out on
// writing, as DaCe does. Classes of old releases (`View`, `Reference`, `StructArray`) read as their successors.
#include <array>

#include "interchange/elements.h"
#include "interchange/foreign.h"
#include "interchange/read_values.h"
#include "interchange/write_values.h"
#include "ir/strides.h"

namespace sluice::interchange {

namespace {

enum class Family { Array, Scalar, Stream, Structure, ContainerArray };

struct ClassName {
    std::string_view name;
    Family family;
    Binding binding;
    bool current = true;  ///< False: an old name, only read.
};
constexpr std::array<ClassName, 15> kClasses = {{
    {"Array", Family::Array, Binding::Own},
    {"Scalar", Family::Scalar, Binding::Own},
    {"Stream", Family::Stream, Binding::Own},
    {"Structure", Family::Structure, Binding::Own},
    {"ContainerArray", Family::ContainerArray, Binding::Own},
    {"ArrayView", Family::Array, Binding::View},
    {"ArrayReference", Family::Array, Binding::Reference},
    {"StructureView", Family::Structure, Binding::View},
    {"StructureReference", Family::Structure, Binding::Reference},
    {"ContainerView", Family::ContainerArray, Binding::View},
    {"ContainerArrayReference", Family::ContainerArray, Binding::Reference},
    {"View", Family::Array, Binding::View, false},
    {"Reference", Family::Array, Binding::Reference, false},
    {"StructArray", Family::ContainerArray, Binding::Own, false},
    {"ParameterArray", Family::Array, Binding::Own, false},  // its class name stays among the extras
}};

// Products of many symbolic sums expand; beyond this rank nothing is derived from the shape.
constexpr std::size_t kMaxDerivedRank = 12;

Expr product(const std::vector<Expr>& shape) {
    Expr size = 1;
    for (const Expr& extent : shape) size = size * extent;
    return size;
}

void leave_to_shape(Array& layout, const std::vector<Expr>& shape) {
    if (std::all_of(layout.offset.begin(), layout.offset.end(), [](const Expr& e) { return e.is_integer(0); }))
        layout.offset.clear();
    if (shape.size() > kMaxDerivedRank) return;
    if (layout.strides == ir::dense_strides(shape)) layout.strides.clear();
    if (layout.total_size == product(shape)) layout.total_size = 0;
}

Array spell_out(const Array& layout, const std::vector<Expr>& shape) {
    Array full = layout;
    if (full.strides.empty()) full.strides = ir::dense_strides(shape);
    if (full.total_size.is_integer(0)) full.total_size = product(shape);
    if (full.offset.empty()) full.offset.assign(shape.size(), Expr(0));
    return full;
}

void read_members(Reader& reader, Value& value, OrderedMap<Cow<Container>>& out) {
    const auto one = [&](const std::string& name, Value& descriptor) {
        Container member;
        read_container(reader, descriptor, member);
        out.set(name, Cow<Container>(std::move(member)));
    };
    if (Value::Object* object = value.object()) {
        for (Member& member : *object) {
            const Place here(reader, member.key);
            one(member.key, member.value);
        }
        return;
    }
    if (!value.is_array()) reader.fail_type(value, "an array of pairs");
    for (std::size_t i = 0; i < value.array()->size(); ++i) {
        const Place here(reader, i);
        Value::Array* pair = (*value.array())[i].array();
        if (!pair || pair->size() != 2 || !(*pair)[0].is_string())
            reader.fail_type((*value.array())[i], "a pair of name and descriptor");
        const Place there(reader, 1);
        one(*(*pair)[0].string(), (*pair)[1]);
    }
}

void read_kind(Reader& reader, Members& attributes, Family family, Container& out) {
    switch (family) {
        case Family::Array: {
            Array array;
            read_fields(reader, attributes, array);
            leave_to_shape(array, out.shape);
            out.kind = std::move(array);
            break;
        }
        case Family::Scalar: {
            Scalar scalar;
            read_fields(reader, attributes, scalar);
            out.kind = scalar;
            out.shape.clear();
            break;
        }
        case Family::Stream: {
            Stream stream;
            read_fields(reader, attributes, stream);
            if (std::all_of(stream.offset.begin(), stream.offset.end(), [](const Expr& e) { return e.is_integer(0); }))
                stream.offset.clear();
            out.kind = std::move(stream);
            break;
        }
        case Family::Structure: {
            Structure structure;
            read_fields(reader, attributes, structure);
            out.kind = std::move(structure);
            out.shape.clear();
            break;
        }
        case Family::ContainerArray: {
            ContainerArray array;
            read_fields(reader, attributes, array.layout);
            leave_to_shape(array.layout, out.shape);
            if (Value* element = attributes.take("stype")) {
                const Place here(reader, "stype");
                Container inner;
                read_container(reader, *element, inner);
                array.element = Cow<Container>(std::move(inner));
            }
            out.kind = std::move(array);
            break;
        }
    }
}

struct ClassOf {
    Binding binding;
    Family operator()(const Array&) const { return Family::Array; }
    Family operator()(const Scalar&) const { return Family::Scalar; }
    Family operator()(const Stream&) const { return Family::Stream; }
    Family operator()(const Structure&) const { return Family::Structure; }
    Family operator()(const ContainerArray&) const { return Family::ContainerArray; }
    Family operator()(const ForeignContainer&) const { return Family::Array; }
};

std::string class_name(const Container& container, const Value& extra) {
    if (const auto* foreign = std::get_if<ForeignContainer>(&container.kind)) return foreign->type;
    const Value* type = extra.find("class");
    if (type && type->is_string()) return *type->string();
    const Family family = std::visit(ClassOf{container.binding}, container.kind);
    for (const ClassName& each : kClasses)
        if (each.current && each.family == family && each.binding == container.binding) return std::string(each.name);
    for (const ClassName& each : kClasses)
        if (each.current && each.family == family) return std::string(each.name);
    return "Array";
}

void write_layout(Element& element, const Array& layout, const std::vector<Expr>& shape) {
    Emitter& to = element.emitter;
    Array full = spell_out(layout, shape);
    if (const auto start = full.start_offset.constant(); start && *start != 0) {
        element.key("start_offset").integer(*start);
        full.start_offset = 0;
    }
    if (full.total_size.is_integer(0)) {  // an array without elements
        element.key("total_size");
        write(to, full.total_size);
    }
    write_fields(element, full);
}

}  // namespace

void read_container(Reader& reader, Value& value, Container& out) {
    Members keys(reader, value);
    std::string type;
    {
        Value& name = keys.need("type");
        const Place here(reader, "type");
        read(reader, name, type);
    }
    Value none{Value::Object{}};
    Value* found = keys.take("attributes");
    const Place here(reader, "attributes");
    Members attributes(reader, found ? *found : none);
    read_fields(reader, attributes, out);
    const ClassName* known = nullptr;
    for (const ClassName& each : kClasses)
        if (each.name == type) known = &each;
    if (known) {
        out.binding = known->binding;
        read_kind(reader, attributes, known->family, out);
    } else {
        out.kind = ForeignContainer{type};
    }
    Value::Object rest_of_attributes = attributes.rest();
    Value rest{std::move(rest_of_attributes)};
    if (!known) to_plain_dialect(rest, reader);
    Members left(reader, rest);
    read_metadata(reader, keys, left, out.metadata);
    if (type == "ParameterArray") {
        Value extra = parse_extra(out.metadata);
        extra.object()->push_back({"class", Value{type}});
        out.metadata.extra = to_compact_text(extra);
    }
}

void write_container(Emitter& to, const Container& container) {
    Value extra = parse_extra(container.metadata);
    const std::string type = class_name(container, extra);
    const bool foreign = std::holds_alternative<ForeignContainer>(container.kind);
    std::erase_if(*extra.object(), [](const Member& member) { return member.key == "class"; });
    if (foreign)
        if (Value* attributes = extra.find("attributes")) to_file_dialect(*attributes, to);
    Element element(to, type, std::move(extra));
    element.begin_attributes();
    const bool single = std::holds_alternative<Scalar>(container.kind) || std::holds_alternative<Structure>(container.kind);
    write_fields(element, container);
    if (single) {
        element.key("shape").begin_array();
        to.out.string("1");
        to.out.end_array();
    }
    std::visit(
        [&](const auto& kind) {
            using Kind = std::decay_t<decltype(kind)>;
            if constexpr (std::is_same_v<Kind, Array>) {
                write_layout(element, kind, container.shape);
            } else if constexpr (std::is_same_v<Kind, ContainerArray>) {
                write_layout(element, kind.layout, container.shape);
                if (kind.element) {
                    element.key("stype");
                    write_container(to, **kind.element);
                }
            } else if constexpr (std::is_same_v<Kind, Stream>) {
                Stream full = kind;
                if (full.offset.empty()) full.offset.assign(container.shape.size(), Expr(0));
                write_fields(element, full);
            } else if constexpr (!std::is_same_v<Kind, ForeignContainer>) {
                write_fields(element, kind);
            }
        },
        container.kind);
    write_metadata(element, container.metadata);
    element.end_attributes();
    element.end();
}

void read(Reader& reader, Value& value, OrderedMap<Cow<Container>>& out) {
    read_members(reader, value, out);
}

void write(Emitter& to, const OrderedMap<Cow<Container>>& value) {
    to.out.begin_array();
    for (const auto& [name, member] : value) {
        to.out.begin_array();
        to.out.string(name);
        write_container(to, *member);
        to.out.end_array();
    }
    to.out.end_array();
}

const Container* resolve_data(const Sdfg& sdfg, const std::string& data) {
    std::size_t dot = data.find('.');
    const Container* container = sdfg.containers.find(std::string_view(data).substr(0, dot));
    while (container && dot != std::string::npos) {
        const std::size_t begin = dot + 1;
        dot = data.find('.', begin);
        const auto* structure = std::get_if<Structure>(&container->kind);
        if (!structure) return nullptr;
        const Cow<Container>* member =
            structure->members.find(std::string_view(data).substr(begin, dot == std::string::npos ? dot : dot - begin));
        container = member ? &**member : nullptr;
    }
    return container;
}

}  // namespace sluice::interchange
