// Type inference over the Python subset with NumPy's promotion rules.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "code/ast.h"
#include "code/dtype.h"
#include "support/result.h"

namespace sluice::code {

/// The type of a name or an expression. Python literals are `weak` (NEP 50): they adopt the other operand's type within
/// their kind, so float32 + 1.0 is float32.
struct Type {
    DType dtype;
    bool weak = false;
    bool operator==(const Type&) const = default;
};

/// Looks a name up; nullopt if unknown. A name bound to an array yields its element type: `x[i]` and `x` both have it.
using TypeEnvironment = std::function<std::optional<Type>(const std::string&)>;

/// Errors: T001 unknown name, T002 operand types that do not go together, T003 unknown function, T004 wrong argument count.
Result<Type> infer(const Expr& e, const TypeEnvironment& environment);
/// Result type of a binary operator under NumPy's rules: `/` of integers is float64, comparisons are bool, `**` keeps kind, ...
Result<Type> infer_binary(BinaryOp op, const Type& left, const Type& right);
/// NumPy promotion of two possibly weak operands.
Type promote(const Type& a, const Type& b);

/// Types of all local variables that a tasklet body assigns, in order of first assignment (the first assignment's promoted
/// type over all assignments to that name). Names that the environment knows are not local.
Result<std::map<std::string, Type>> infer_locals(const Body& body, const TypeEnvironment& environment);

/// A function that tasklets and programs may call: math functions under their NumPy and Python names.
struct Function {
    std::string_view name;  ///< Canonical: `sqrt`, `minimum`, `where`, ...
    int arity;              ///< Number of arguments.
    enum class ResultRule : std::uint8_t { Same, Float, Bool, RealOfComplex, Integer } result;
};
/// `sqrt`, `math.sqrt`, `np.sqrt`, `numpy.sqrt`, `dace.math.sqrt` and synonyms (`fabs`, `absolute`) name one function.
const Function* find_function(std::string_view spelled);

}  // namespace sluice::code
