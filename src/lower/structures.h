// Structures: their types in the module, and their members as buffers of the function.
#pragma once

#include "lower/context.h"

namespace sluice::lower {

/// Names every member of every structure argument, `csr.indptr` as `csr_indptr`.
void add_structure_members(FunctionContext& function, Body& body);

}  // namespace sluice::lower
