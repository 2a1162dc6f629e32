// Which values an index may have that data decide.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "code/ast.h"
#include "code/dtype.h"
#include "symbolic/expr.h"

namespace sluice::schedule {

using AffineOf = std::function<std::optional<symbolic::Expr>(const code::Expr&)>;
/// Of an input or a computation.
using TypeOf = std::function<std::optional<code::DType>(const std::string&)>;
/// Conditions that hold where an expression is evaluated.
using Guards = std::vector<const code::Expr*>;

/// A condition on `index` that the value of the expression fulfils: affine, and true where nothing is known. Sums of data say
/// nothing, because integers of few bits wrap.
symbolic::Expr range_of(const code::Expr& e, const symbolic::Expr& index, const Guards& guards, const AffineOf& affine,
                        const TypeOf& type);

}  // namespace sluice::schedule
