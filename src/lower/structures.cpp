#include "lower/structures.h"

#include "ir/query.h"

namespace sluice::lower {

namespace {

ValuePtr member(const ValuePtr& object, const std::string& name, const DType& type) {
    return std::make_shared<const loop::Value>(loop::Value{type, loop::Member{object, name}});
}

void add_type(FunctionContext& function, const ir::Structure& structure) {
    if (!function.module.struct_names.insert(structure.name).second) return;
    for (const auto& [name, container] : structure.members)
        if (const auto* inner = std::get_if<ir::Structure>(&container->kind)) add_type(function, *inner);
    const DType pointer = ir::structure_type(structure);
    function.module.module.structs.push_back({structure.name, pointer.compound->fields[0].second.compound->fields});
}

// Scalars are read in place; arrays and nested structures are pointers in the structure.
void add_members(FunctionContext& function, const ir::Structure& structure, const std::string& path, const ValuePtr& object,
                 Body& body) {
    add_type(function, structure);
    for (const auto& [name, cow] : structure.members) {
        const ir::Container& container = *cow;
        const std::string dotted = path + "." + name;
        Slot slot;
        slot.container = &container;
        slot.name = function.names.fresh(dotted);
        if (const auto* inner = std::get_if<ir::Structure>(&container.kind)) {
            const DType type = ir::structure_type(*inner);
            emit(body, loop::Declare{slot.name, type, member(object, name, type), true});
            add_members(function, *inner, dotted, loop::variable(slot.name, type), body);
            continue;
        }
        if (std::holds_alternative<ir::Scalar>(container.kind)) {
            slot.kind = Slot::Kind::Variable;
            emit(body, loop::Declare{slot.name, container.dtype, member(object, name, container.dtype), true});
        } else {
            emit(body, loop::Alias{slot.name, container.dtype, member(object, name, DType::pointer(container.dtype)), false});
        }
        function.slots.insert_or_assign(dotted, std::move(slot));
    }
}

}  // namespace

void add_structure_members(FunctionContext& function, Body& body) {
    for (const auto& [name, container] : function.sdfg.containers) {
        const auto* structure = std::get_if<ir::Structure>(&container.kind);
        const auto slot = function.slots.find(name);
        if (!structure || slot == function.slots.end()) continue;
        add_members(function, *structure, name, loop::variable(slot->second.name, ir::structure_type(*structure)), body);
    }
}

}  // namespace sluice::lower
