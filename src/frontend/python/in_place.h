// What statements may change in place.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "frontend/python/frontend.h"

namespace sluice::frontend {

/// Whether the statements may change an array that has one of these names: by a subscript, an augmented assignment, a method or
/// function that works in place, a function of the user's, or under another name that may mean it or a part of it. The order of
/// statements does not matter; in doubt it is so.
/// `lists`: names that mean lists alone. `xs[i] = value` has another element in one of them, and changes none.
bool may_change_in_place(const code::Body& body, std::set<std::string> names, const Bindings& bindings,
                         const std::set<std::string>& lists = {});

/// The same for statements that run after one that begins in this line, where the names mean the array; in their order, so that a
/// name that has been bound to another array by then may change that.
bool may_change_behind(const code::Body& body, std::uint32_t line, std::set<std::string> names, const Bindings& bindings,
                       const std::set<std::string>& lists = {});

/// Whether a `return` in the statements may hand on an array that has one of these names, or a part of it.
bool may_be_returned(const code::Body& body, std::set<std::string> names, const Bindings& bindings);

/// Names of the function that are bound to new lists and nothing else.
std::set<std::string> names_of_lists(const code::FunctionStmt& function);

}  // namespace sluice::frontend
