// Updates that assignments in the body of a map say: `A[k] = A[k] + e`, `A[k] = max(A[k], e)`. Points of a map have no order, so an
// element that several of them read and write is an update with a conflict resolution, or a race.
#pragma once

#include <optional>
#include <string>

#include "code/ast.h"

namespace sluice::frontend {

/// `A[k] += e` for `A[k] = A[k] + e` and its kin; nullopt: the assignment is no such update.
std::optional<code::AugAssignStmt> update_said_by(const code::ExprPtr& target, const code::ExprPtr& value);

/// `A[k] = max(A[k], e)`, or min.
struct ExtremeUpdate {
    std::string function;  ///< `max`
    code::ExprPtr other;
    std::string
        resolution;  ///< `lambda a, b: ...`, not a maximum, which NaN is: Python's first stays unless the second is beyond it.
};
std::optional<ExtremeUpdate> extreme_said_by(const code::ExprPtr& target, const code::ExprPtr& value);

/// Does the body assign or update elements of one array at two different places, `A[i] += x` and `A[i + 1] += x`? What is one
/// point's own at either may be another's at both.
bool updates_several_places(const code::Body& body);

}  // namespace sluice::frontend
