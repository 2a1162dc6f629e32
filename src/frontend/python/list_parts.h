// The parts of a list that grows: columns and the elements that consist of them.
#pragma once

#include <vector>

#include "frontend/array/value.h"

namespace sluice::frontend {

inline constexpr const char* kRows = "[]";  ///< Ends the name of the lists that are the elements of another.

/// The numbers and arrays of an element, in order.
std::vector<Value> leaves_of(const Value& value);
/// Tuples as in the element, without what is in them.
Value form_of(const Value& element);
bool same_form(const Value& a, const Value& b);
/// The element of this form that consists of them.
Value with_leaves(const Value& form, const std::vector<Value>& leaves);
/// An element of the column, with the types that it may have to Python.
Value of_column(Value element, const struct ListColumn& column);
/// A column's elements without the list that they are.
Value plain(const Value& list, std::size_t column);

}  // namespace sluice::frontend
