#include "lower/structures.h"

#include <algorithm>

#include "ir/query.h"
#include "lower/layout.h"

namespace sluice::lower {

namespace {

ValuePtr member(const ValuePtr& object, const std::string& name, const DType& type) {
    return std::make_shared<const loop::Value>(loop::Value{type, loop::Member{object, name}});
}
ValuePtr member_address(const ValuePtr& object, const std::string& name, const DType& type) {
    return std::make_shared<const loop::Value>(loop::Value{DType::pointer(type), loop::Member{object, name, true}});
}

DType field_type(const ir::Container& container) {
    return std::holds_alternative<ir::Scalar>(container.kind) ? container.dtype : DType::pointer(memory_type(container));
}

DType struct_type(const ir::Structure& structure) {
    std::vector<std::pair<std::string, DType>> fields;
    for (const auto& [name, container] : structure.members) fields.emplace_back(name, field_type(*container));
    return DType::structure(structure.name, std::move(fields));
}

void add_type(FunctionContext& function, const std::string& path, const ir::Container& container, loop::StructType type) {
    std::vector<loop::StructType>& known = function.module.module.structs;
    const auto present = std::ranges::find(known, type.name, &loop::StructType::name);
    if (present == known.end() && ir::is_identifier(type.name)) return known.push_back(std::move(type));
    if (present != known.end() && present->fields == type.fields) return;
    refuse({"L004",
            "the type `" + type.name + "` of structure `" + path + "` is " +
                (present == known.end() ? "no identifier" : "also that of a structure with other members"),
            container.metadata.where, function.path + "/" + path, "give each kind of structure a name of its own"});
}

// The struct types that an element type names, innermost first.
void add_types(FunctionContext& function, const std::string& path, const ir::Container& container, const DType& type) {
    if (!type.compound) return;
    const bool structure = type.compound->kind == code::CompoundKind::Struct;
    if (!structure && type.compound->kind != code::CompoundKind::Pointer) return;
    for (const auto& [name, field] : type.compound->fields) add_types(function, path, container, field);
    if (structure) add_type(function, path, container, {type.compound->name, type.compound->fields});
}

// The struct types that the container's type names, innermost first.
void add_types(FunctionContext& function, const std::string& path, const ir::Container& container) {
    if (const auto* array = std::get_if<ir::ContainerArray>(&container.kind); array && array->element)
        return add_types(function, path, **array->element);
    if (std::holds_alternative<ir::Array>(container.kind) || std::holds_alternative<ir::Scalar>(container.kind))
        return add_types(function, path, container, container.dtype);
    const auto* structure = std::get_if<ir::Structure>(&container.kind);
    if (!structure) return;
    for (const auto& [name, inner] : structure->members) add_types(function, path + "." + name, *inner);
    add_type(function, path, container, {structure->name, struct_type(*structure).compound->fields});
}

void require_memory(const FunctionContext& function, const std::string& path, const ir::Container& container) {
    const bool lacks_element =
        std::holds_alternative<ir::ContainerArray>(container.kind) && !std::get<ir::ContainerArray>(container.kind).element;
    if (lacks_element || std::holds_alternative<ir::Stream>(container.kind) ||
        std::holds_alternative<ir::ForeignContainer>(container.kind))
        refuse({"L004", "member `" + path + "` is of a kind that a structure on a CPU cannot hold", container.metadata.where,
                function.path + "/" + path, "use arrays, scalars and structures as members"});
}

}  // namespace

DType memory_type(const ir::Container& container) {
    if (const auto* structure = std::get_if<ir::Structure>(&container.kind)) return struct_type(*structure);
    if (const auto* array = std::get_if<ir::ContainerArray>(&container.kind); array && array->element)
        return DType::pointer(memory_type(**array->element));
    return container.dtype;
}

void bind_members(FunctionContext& function, const std::string& path, const Slot& structure, bool written, const BindSlot& bind,
                  Body& body) {
    add_types(function, path, *structure.container);
    const ValuePtr object = loop::load(structure.name, loop::index_value(0), memory_type(*structure.container));
    for (const auto& [name, cow] : std::get<ir::Structure>(structure.container->kind).members) {
        const ir::Container& container = *cow;
        const std::string dotted = path + "." + name;
        require_memory(function, dotted, container);
        Slot slot = structure;
        slot.container = &container;
        slot.name = function.names.fresh(dotted);
        const DType type = memory_type(container);
        if (!std::holds_alternative<ir::Scalar>(container.kind)) {
            emit(body, loop::Alias{slot.name, type, member(object, name, DType::pointer(type)), false});
        } else if (written) {
            emit(body, loop::Alias{slot.name, type, member_address(object, name, type), false});
        } else {
            slot.kind = Slot::Kind::Variable;
            emit(body, loop::Declare{slot.name, type, member(object, name, type), true});
        }
        bind(dotted, slot);
        if (std::holds_alternative<ir::Structure>(container.kind)) bind_members(function, dotted, slot, written, bind, body);
    }
}

void add_structure_members(FunctionContext& function, const std::set<std::string>& written, Body& body) {
    for (const auto& [name, container] : function.sdfg.containers) {
        const auto slot = function.slots.find(name);
        if (slot == function.slots.end()) continue;
        add_types(function, name, container);
        if (std::holds_alternative<ir::Structure>(container.kind))
            bind_members(
                function, name, Slot(slot->second), written.contains(name),
                [&](const std::string& dotted, Slot own) { function.slots.insert_or_assign(dotted, std::move(own)); }, body);
    }
}

// ---- transients -----------------------------------------------------------------------------------------------------------

void StructureAllocation::allocate(const std::string& name, const ir::Container& container, Slot slot) {
    add_types(function_, name, container);
    slot.container = &container;
    block(name, container, 1, &slot);
}

void StructureAllocation::over_copies(const Expr& copies, const std::function<void(const Expr& copy, Body& body)>& emit_one) {
    if (copies.is_integer(1)) return emit_one(0, body_);
    ScopedBindings scope(function_);
    loop::For loop;
    loop.variable = function_.names.fresh("copy");
    loop.begin = 0;
    loop.end = copies;
    emit_one(symbolic::symbol(loop.variable), loop.body);
    emit(body_, std::move(loop));
}

// The pointer at an address <- where copy number `copy` of the target begins.
void StructureAllocation::point(const std::string& field, const ValuePtr& at, const ir::Container& target, const std::string& block,
                                const Expr& copy, Body& body) {
    const DType type = memory_type(target);
    const std::string name = function_.names.fresh(field);
    emit(body, loop::Alias{name, DType::pointer(type), at, false});
    const Expr first = copy * resolve(function_, layout_of(target).total);
    emit(body, loop::Store{name, loop::index_value(0), loop::address(block, loop::index_value(first), type)});
}

void StructureAllocation::link_members(const std::string& path, const ir::Structure& structure, const std::string& objects,
                                       const Expr& copies, const Slot* bound) {
    const DType type = struct_type(structure);
    for (const auto& [name, cow] : structure.members) {
        const ir::Container& container = *cow;
        const std::string dotted = path + "." + name, field = name;
        require_memory(function_, dotted, container);
        const auto place = [&](const Expr& copy) {
            return member_address(loop::load(objects, loop::index_value(copy), type), field, field_type(container));
        };
        if (!std::holds_alternative<ir::Scalar>(container.kind)) {
            const std::string own = block(dotted, container, copies, bound);
            over_copies(copies,
                        [&](const Expr& copy, Body& body) { point(dotted + "_place", place(copy), container, own, copy, body); });
        } else if (bound) {
            Slot slot = *bound;
            slot.container = &container;
            slot.name = function_.names.fresh(dotted);
            emit(body_, loop::Alias{slot.name, container.dtype, place(0), false});
            bind_(dotted, std::move(slot));
        }
    }
}

// Copies of the container, one after the other, with all that they point to; one that has a name in the graph is bound to it.
std::string StructureAllocation::block(const std::string& path, const ir::Container& container, const Expr& copies,
                                       const Slot* bound) {
    const Expr elements = copies * resolve(function_, layout_of(container).total);
    const std::string name = make_(path, memory_type(container), elements);
    if (bound) {
        Slot slot = *bound;
        slot.container = &container;
        slot.name = name;
        bind_(path, std::move(slot));
    }
    if (const auto* structure = std::get_if<ir::Structure>(&container.kind)) link_members(path, *structure, name, copies, bound);
    const auto* array = std::get_if<ir::ContainerArray>(&container.kind);
    if (!array) return name;
    if (!array->element) require_memory(function_, path, container);
    const ir::Container& element = **array->element;
    require_memory(function_, path + ".element", element);
    const std::string inner = block(path + ".element", element, elements, nullptr);
    over_copies(elements, [&](const Expr& copy, Body& body) {
        point(path + "_place", loop::address(name, loop::index_value(copy), memory_type(container)), element, inner, copy, body);
    });
    return name;
}

}  // namespace sluice::lower
