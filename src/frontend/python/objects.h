// Objects of the user's classes that a function makes for itself become a variable for each field, and their methods functions
// inside of the function, before anything else is translated:
//     acc = Account(0.5)                            def acc_init(balance): nonlocal acc__balance; acc__balance = balance
//     acc.deposit(t)                        ->      acc_init(0.5)
//     return acc.balance                            acc_deposit(t)
//                                                   return acc__balance
// Branches, loops and every analysis then see variables. object_parts.h says which uses of an object are understood.
#pragma once

#include "code/ast.h"
#include "frontend/python/frontend.h"

namespace sluice::frontend {

/// A name that the written function alone calls: an object that is returned, as its class and the names and values of its fields.
inline constexpr const char* kObject = "<object>";
/// The function without such objects; itself where it makes none. F020 for a use that has no translation.
code::StmtPtr with_fields_as_variables(const code::StmtPtr& function, const Definition& definition);

}  // namespace sluice::frontend
