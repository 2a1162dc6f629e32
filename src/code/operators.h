// What the operators of the subset yield; shared by expression inference and the function calls that are operators.
#pragma once

#include "code/infer.h"

namespace sluice::code {

/// As the public functions, but throw Failure T002 at `where`.
Type binary_type(BinaryOp op, const Type& left, const Type& right, const Span& where);
Type unary_type(UnaryOp op, const Type& operand, const Span& where);
/// The common type, or T002.
Type common_type(const Type& a, const Type& b, const Span& where);
/// A call of `function`, which the source spells `spelled`, with operands of these types. Throws T002 and T004.
Type call_type(const Function& function, std::string_view spelled, const std::vector<Type>& arguments, const Span& where);
[[noreturn]] void refuse_types(const std::string& message, const std::string& remedy, const Span& where);

}  // namespace sluice::code
