// Slices that have names, and numpy.s_: slices.cpp says which.
#pragma once

#include "code/ast.h"
#include "frontend/python/frontend.h"

namespace sluice::frontend {

/// The function with such slices where they are indices; itself where there are none.
code::StmtPtr with_slices(const code::StmtPtr& function, const Bindings& globals);

}  // namespace sluice::frontend
