// Where the elements of a container lie, and where a memlet points.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lower/expressions.h"
#include "lower/structures.h"

namespace sluice::lower {

/// Element (i, j, ...) lies at start + sum (i_d + offset_d) * strides_d, in elements.
struct Layout {
    std::vector<Expr> shape, strides, offset;
    Expr start = 0;
    Expr total = 1;  ///< Elements to allocate.

    Expr at(const std::vector<Expr>& index) const;
};
/// In the names of the SDFG. Scalars and structures have rank 0; streams count their queues.
Layout layout_of(const ir::Container& container);

/// The symbolic expression in the names of the function. Reads of data stay calls.
Expr resolve(const FunctionContext& function, const Expr& e);
symbolic::Range resolve(const FunctionContext& function, const symbolic::Range& range);
Subset resolve(const FunctionContext& function, const Subset& subset);

/// Indices of a range in the names of the function; 0 if it is empty.
Expr count_of(const FunctionContext& function, const symbolic::Range& range);

/// A symbolic expression of the SDFG as a 64-bit value: index arithmetic, or loads where it reads data.
ValuePtr value_of(const FunctionContext& function, const Expr& e);
/// The same in index arithmetic: what reads data goes into a variable first.
Expr index_of(FunctionContext& function, const Expr& e, const std::string& name_hint, Body& body);

/// What symbols, scalars, constants and arrays mean in conditions and interstate assignments of the function.
Meaning meaning_of(const FunctionContext& function, std::string path);

/// A part of a container.
struct Location {
    const Slot* slot;
    Layout layout;  ///< In the names of the function.
    Subset subset;  ///< In the names of the function; of the container's rank.

    DType element_type() const { return memory_type(*slot->container); }
    bool single() const;
    /// Flat index of the subset's first element.
    Expr first() const;
    /// Dimensions of the subset with more than one element, or all if `all`.
    std::vector<std::size_t> dimensions(bool all) const;
};
/// Refuses a container that the function does not have.
Location locate(const StateContext& state, const std::string& data, const std::optional<Subset>& subset, NodeId at);

/// Value of the location's only element; pointers to all others.
ValuePtr read(const Location& location);
ValuePtr read_at(const Location& location, const ValuePtr& index);
ValuePtr address_of(const Location& location);
/// The element that the indices of a subscript name, counted within the subset (Python: negative counts from the end).
ValuePtr element_index(const Location& location, const std::vector<ValuePtr>& indices, const std::string& path);

}  // namespace sluice::lower
