// Updates that assignments in the body of a map say: `A[k] = A[k] + e`, `A[k] = max(A[k], e)`. Points of a map have no order, so an
// element that several of them read and write is an update with a conflict resolution, or a race.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "code/ast.h"
#include "frontend/python/frontend.h"

namespace sluice::frontend {

/// `A[k] += e` for `A[k] = A[k] + e` and its kin; nullopt: the assignment is no such update.
std::optional<code::AugAssignStmt> update_said_by(const code::ExprPtr& target, const code::ExprPtr& value);

/// `A[k] = max(A[k], e)`, or min, or NumPy's maximum and minimum.
struct ExtremeUpdate {
    code::ExprPtr other;
    /// `lambda a, b: ...`. Python's first argument stays unless the second is beyond it, which NaN is not; NumPy's maximum is NaN
    /// then.
    std::string resolution;
};
std::optional<ExtremeUpdate> extreme_said_by(const code::ExprPtr& target, const code::ExprPtr& value, const Bindings& bindings);

/// Does the body assign or update elements of one array at two different places, `A[i] += x` and `A[i + 1] += x`? What is one
/// point's own at either may be another's at both. `container_of`: where the elements of a name lie, which views share.
bool updates_several_places(const code::Body& body, const std::function<std::string(const std::string&)>& container_of);

}  // namespace sluice::frontend
