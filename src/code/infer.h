// Type inference over the Python subset with NumPy's promotion rules.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

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
/// `and`, `or` and `not` yield the truth value, a bool, whatever their operands.
Result<Type> infer(const Expr& e, const TypeEnvironment& environment);
/// Result type of a binary operator under NumPy's rules: `/` of integers is float64, comparisons are bool, `**` keeps kind, ...
Result<Type> infer_binary(BinaryOp op, const Type& left, const Type& right);
/// NumPy promotion of two possibly weak operands; void if they have no common type.
Type promote(const Type& a, const Type& b);

/// Types of all local variables that a tasklet body assigns, in order of first assignment (the first assignment's promoted
/// type over all assignments to that name). Names that the environment knows are not local.
Result<std::map<std::string, Type>> infer_locals(const Body& body, const TypeEnvironment& environment);

/// A function that tasklets and programs may call: math functions under their NumPy and Python names.
struct Function {
    std::string_view name;  ///< Canonical: `sqrt`, `minimum`, `where`, ...
    int arity;              ///< Number of arguments; the least number where max_arity is larger.
    /// Float: an integer becomes the float that holds its width (int8 float16, int16 float32, else float64).
    enum class ResultRule : std::uint8_t { Same, Float, Bool, RealOfComplex, Integer } result;
    int max_arity = arity;
    enum class Operands : std::uint8_t { Any, Real, Integral } operands = Operands::Any;
    /// What Same makes of a bool.
    enum class OfBool : std::uint8_t { Bool, Int8, Refused } of_bool = OfBool::Bool;
    std::optional<BinaryOp> op = {};  ///< Set if the function is this operator: `add`, `power`, `bitwise_and`, ...
};
/// `sqrt`, `math.sqrt`, `np.sqrt`, `numpy.sqrt`, `dace.math.sqrt` and synonyms (`fabs`, `absolute`) name one function.
/// `min` and `max` are `minimum` and `maximum` of any number of arguments; `np.min` is a reduction and none of these.
const Function* find_function(std::string_view spelled);
/// The type that a call of `spelled` casts to: `float64`, `np.int32`, `dace.float32`, `sluice.bool_`, `int`, `float`, `complex`.
std::optional<DType> cast_target(std::string_view spelled);
/// `math.pi`, `np.inf` and their kin.
std::optional<double> named_constant(std::string_view spelled);

}  // namespace sluice::code
