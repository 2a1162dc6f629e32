// Numbers with NumPy's types, for references: operands are promoted, then the operation computes in the promoted type. Integers
// wrap at its width; real numbers keep double precision.
#pragma once

#include <string>

#include "code/infer.h"
#include "library/operation.h"

namespace sluice::library {

struct TypedNumber {
    ir::Number value;
    code::Type type;
};

/// What an element of the type holds of the number.
ir::Number as_type(const ir::Number& number, code::Scalar type);
TypedNumber operator+(const TypedNumber& a, const TypedNumber& b);
TypedNumber operator*(const TypedNumber& a, const TypedNumber& b);

TypedNumber element(const ir::Operand& operand, std::size_t at);
/// A property: a Python number, which takes on the type of what it is combined with.
TypedNumber factor(const ReferenceCall& call, const std::string& property);

/// The type of a factor as text: a Python number, else a symbol.
code::Type type_of_factor(const std::string& text);

}  // namespace sluice::library
