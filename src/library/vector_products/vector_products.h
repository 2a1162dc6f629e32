// Axpy: `_res` = a * `_x` + `_y`.   Ger: `_res` = `_A` + alpha * outer(`_x`, `_y`).   Dot: `_result` = sum of `_x` * `_y`.
#pragma once

#include "library/node_context.h"

namespace sluice::library {

/// Native expansion: a map over the elements.
void expand_axpy(NodeContext& context);
/// Native expansion: a map over the matrix.
void expand_ger(NodeContext& context);
/// Native expansion: contraction.h.
void expand_dot(NodeContext& context);

}  // namespace sluice::library
