// The operators and functions of the format's expressions, by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "symbolic/expr.h"

namespace sluice::interchange {

/// Value of a binary operator token; the bit operators become calls.
symbolic::Expr binary_value(std::string_view op, const symbolic::Expr& left, const symbolic::Expr& right);
/// `~x`: a logical Not of conditions (DaCe prints it so), a bitwise one of numbers.
symbolic::Expr invert(const symbolic::Expr& operand);
/// A call of one of the format's functions, or of an unknown one (kept verbatim).
symbolic::Expr function_value(const std::string& name, std::vector<symbolic::Expr> arguments);
/// `pi`, `oo`, `nan`, ...: constants, kept as calls without arguments. `E` and `I` are plain symbols in the legacy dialect.
bool is_named_constant(std::string_view name, bool dollar);
bool is_condition(const symbolic::Expr& e);
/// `int64`, `float32_t`, ...: `dace.int64(x)` in the `$` dialect.
bool is_cast(std::string_view name);

}  // namespace sluice::interchange
