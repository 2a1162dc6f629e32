// The parts of a list that grows: columns and the elements that consist of them.
#pragma once

#include <set>
#include <string>
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

/// Whether the body has a statement or call that changes the list of this name, or an element of it, or asks where one is.
bool changes_list(const code::Body& body, const std::string& name);
/// `a[:i]`: how many elements it has, only the run knows.
bool slices_by_the_run(const code::Body& body, const std::string& name);
/// Adds the names that are bound to one of these.
void add_aliases(const code::Body& body, std::set<std::string>& names);

}  // namespace sluice::frontend
