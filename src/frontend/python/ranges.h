// Ranges that have names or stand for arrays: ranges.cpp says which.
#pragma once

#include "code/ast.h"
#include "frontend/python/frontend.h"

namespace sluice::frontend {

/// The function with such ranges as loops and lists know them; itself where there are none.
code::StmtPtr with_ranges(const code::StmtPtr& function, const Bindings& globals);

}  // namespace sluice::frontend
