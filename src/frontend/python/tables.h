// Dictionaries and sets whose keys the run decides, as lists of keys and of values: tables.cpp says which.
#pragma once

#include "code/ast.h"
#include "frontend/python/frontend.h"

namespace sluice::frontend {

/// Functions that only the written-out function calls: the place of a key in the list of keys, or its length; the same, KeyError
/// where it is not in it.
inline constexpr const char* kFind = "<find>";
inline constexpr const char* kFindKey = "<find key>";
/// What the names of values that one statement stores in a table begin with: nobody else has such a name.
inline constexpr const char* kOfTableStatement = "__table_";

/// The function with such names replaced; null where there are none.
code::StmtPtr with_tables(const code::StmtPtr& function, const Bindings& globals);

}  // namespace sluice::frontend
