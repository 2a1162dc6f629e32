// Look-ups by name: what the grammar alone can answer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/sdfg.h"

namespace sluice::ir {

/// A container by its name, or a member of a structure by its path: `csr.indptr`. A member of an array of structures is
/// reached through its element: `cells.mass`. Null if there is none.
const Container* find_container(const Sdfg& sdfg, std::string_view dotted);

/// `csr` of `csr.indptr`.
std::string_view root_name(std::string_view dotted);

/// Pointer to a struct of the structure's name with a field for each member: scalars by value, everything else by pointer.
/// The dtype of a structure's container unless a file says otherwise.
DType structure_type(const Structure& structure);

/// Parameters of the compiled function, in order: arg_names, then the remaining non-transient containers and the remaining
/// declared symbols that no transition, loop, map or consume scope of this SDFG defines, both sorted together by name.
std::vector<std::string> arguments(const Sdfg& sdfg);

/// Does the node open a scope: the entry of a map or consume scope?
bool is_entry(const Node& node);
/// What the property says; unset: whether its code prints.
bool has_side_effects(const Tasklet& tasklet);

/// Does the node close a scope?
bool is_exit(const Node& node);

/// The entry that an exit names; an invalid id for every other node.
NodeId entry_of_exit(const Node& node);

/// Does what stands in the outputs take part in the result: a reduction without identity, a `beta` other than 0?
bool updates_output(const LibraryNode& node);

/// Symbols that the graph itself gives a value: targets of transitions, loop variables. Sorted, without duplicates.
std::vector<std::string> assigned_symbols(const Sdfg& sdfg);

/// Is the container to lie in a device's memory of constants, location["memory"] = "constant"?
inline constexpr const char* kMemoryLocation = "memory";
inline constexpr const char* kConstantMemory = "constant";
bool lies_in_constant_memory(const Container& container);
/// What every device has of it.
inline constexpr std::int64_t kConstantMemoryBytes = 64 * 1024;

/// Letters, digits and underscores, not starting with a digit, not empty.
bool is_identifier(std::string_view name);

}  // namespace sluice::ir
