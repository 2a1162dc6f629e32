// Python expressions as typed values with NumPy's semantics: promotion made explicit by casts, Python's operators by calls where
// C's differ. What names mean is asked of a Meaning.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "code/ast.h"
#include "code/infer.h"
#include "lower/context.h"

namespace sluice::lower {

/// A value and whether its type is weak (a Python number, which adopts the other operand's type).
struct Typed {
    ValuePtr value;
    bool weak = false;
    code::Type type() const { return {value->type, weak}; }
};

/// What names mean where an expression stands.
struct Meaning {
    std::function<std::optional<Typed>(const std::string&)> name;
    /// `name[indices]`
    std::function<std::optional<Typed>(const std::string&, const std::vector<ValuePtr>&)> element;
    /// `len(name)`: how many elements wait in a stream.
    std::function<std::optional<Typed>(const std::string&)> length;
    std::string path;  ///< For refusals.
};

/// Refuses with L010 a construct that has no value, L011 an unknown name; T0nn come from type inference.
Typed lower_expression(const code::Expr& e, const Meaning& meaning);
/// As a condition: Python's truth of the value.
ValuePtr lower_condition(const code::Expr& e, const Meaning& meaning);
/// left op right under NumPy's rules.
Typed lower_binary(code::BinaryOp op, const Typed& left, const Typed& right, const std::string& path);

/// The value in another type; literals change at once.
ValuePtr convert(const ValuePtr& value, const DType& type);
ValuePtr truth_of(const ValuePtr& value);

/// The value as index arithmetic over 64-bit variables, if it is that.
std::optional<Expr> as_index(const loop::Value& value);
/// base + sum of indices[d] * strides[d], symbolic as far as it goes.
ValuePtr flat_value(const Expr& base, const std::vector<ValuePtr>& indices, const std::vector<Expr>& strides);

}  // namespace sluice::lower
