// Structures and arrays of containers: their types in the module, their members as buffers of the function.
#pragma once

#include <functional>

#include "lower/context.h"

namespace sluice::lower {

/// What one element of the container is in memory: its element type; of a structure the struct; of an array of containers a
/// pointer.
DType memory_type(const ir::Container& container);

using BindSlot = std::function<void(const std::string& name, Slot slot)>;

/// Names every member of a structure that lies in `structure` (a buffer of one struct): `csr.indptr` as `csr_indptr`. Members of a
/// structure that nobody writes become values where they are scalars.
void bind_members(FunctionContext& function, const std::string& path, const Slot& structure, bool written, const BindSlot& bind,
                  Body& body);
/// The members of every structure argument.
void add_structure_members(FunctionContext& function, const std::set<std::string>& written, Body& body);

/// Memory for a structure or an array of containers: allocates what the pointers in it lead to, and sets them.
class StructureAllocation {
public:
    /// Emits a buffer of `elements` elements of the type and says its name.
    using MakeBuffer = std::function<std::string(const std::string& hint, const DType& type, const Expr& elements)>;
    StructureAllocation(FunctionContext& function, MakeBuffer make, BindSlot bind, Body& body)
        : function_(function), make_(std::move(make)), bind_(std::move(bind)), body_(body) {}

    /// Allocates the transient and binds its name and those of its members.
    void allocate(const std::string& name, const ir::Container& container, Slot slot);

private:
    std::string block(const std::string& path, const ir::Container& container, const Expr& copies, const Slot* bound);
    void point(const std::string& field, const ValuePtr& at, const ir::Container& target, const std::string& block,
               const Expr& copy, Body& body);
    void link_members(const std::string& path, const ir::Structure& structure, const std::string& objects, const Expr& copies,
                      const Slot* bound);
    void over_copies(const Expr& copies, const std::function<void(const Expr& copy, Body& body)>& emit_one);

    FunctionContext& function_;
    MakeBuffer make_;
    BindSlot bind_;
    Body& body_;
};

}  // namespace sluice::lower
