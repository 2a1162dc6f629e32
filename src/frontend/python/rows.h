// Lists of lists of any lengths: adjacency lists, buckets, groups.
#pragma once

#include "code/ast.h"
#include "frontend/python/bindings.h"

namespace sluice::frontend {

/// The function with four lists in place of each name that is bound to new lists of lists alone; null if it has none.
code::StmtPtr with_rows_in_lists(const code::StmtPtr& function, const Bindings& globals);

}  // namespace sluice::frontend
