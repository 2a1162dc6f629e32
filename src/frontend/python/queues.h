// Queues of `collections`: lists whose first element is taken as fast as the last.
#pragma once

#include "code/ast.h"
#include "frontend/python/bindings.h"

namespace sluice::frontend {

/// The function with lists in place of names that are bound to new queues alone; null if it has none.
code::StmtPtr with_queues(const code::StmtPtr& function, const Bindings& globals);

}  // namespace sluice::frontend
