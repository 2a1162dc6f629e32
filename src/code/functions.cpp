// The table of functions that programs may call, their synonyms, the cast calls and the named constants.
#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

#include "code/c_functions.h"
#include "code/infer.h"

namespace sluice::code {
namespace {

using Rule = Function::ResultRule;
using Operands = Function::Operands;
using OfBool = Function::OfBool;

constexpr int kMany = std::numeric_limits<int>::max();

Function unary(std::string_view name, Rule rule, Operands operands = Operands::Any, OfBool of_bool = OfBool::Bool) {
    return {name, 1, rule, 1, operands, of_bool, {}};
}
Function binary(std::string_view name, Rule rule, Operands operands = Operands::Any, OfBool of_bool = OfBool::Bool) {
    return {name, 2, rule, 2, operands, of_bool, {}};
}
Function operation(std::string_view name, BinaryOp op) {
    return {name, 2, Rule::Same, 2, Operands::Any, OfBool::Bool, op};
}

std::vector<Function> make_functions() {
    std::vector<Function> all = {
        unary("abs", Rule::RealOfComplex),
        unary("real", Rule::RealOfComplex),
        unary("imag", Rule::RealOfComplex),
        unary("angle", Rule::Float),  // and real, see infer
        unary("conj", Rule::Same, Operands::Any, OfBool::Int8),
        unary("square", Rule::Same, Operands::Any, OfBool::Int8),
        unary("reciprocal", Rule::Same, Operands::Any, OfBool::Int8),
        unary("negative", Rule::Same, Operands::Any, OfBool::Refused),
        unary("positive", Rule::Same, Operands::Any, OfBool::Refused),
        unary("sign", Rule::Same, Operands::Any, OfBool::Refused),
        unary("invert", Rule::Same, Operands::Integral),
        unary("len", Rule::Integer),
        binary("int_ceil", Rule::Same, Operands::Integral),
        binary("fmod", Rule::Same, Operands::Real, OfBool::Int8),
        binary("fmin", Rule::Same),
        binary("fmax", Rule::Same),
        {"minimum", 2, Rule::Same, kMany, Operands::Any, OfBool::Bool, {}},
        {"maximum", 2, Rule::Same, kMany, Operands::Any, OfBool::Bool, {}},
        // (at, size, axis): where an index lies that counts from the end where it is negative; an IndexError where that is outside.
        {"checked_index", 3, Rule::Same, 3, Operands::Integral, OfBool::Int8, {}},
        {"where", 3, Rule::Same, 3, Operands::Any, OfBool::Bool, {}},
        {"clip", 3, Rule::Same, 3, Operands::Any, OfBool::Bool, {}},
        operation("add", BinaryOp::Add),
        operation("subtract", BinaryOp::Sub),
        operation("multiply", BinaryOp::Mul),
        operation("divide", BinaryOp::Div),
        operation("floor_divide", BinaryOp::FloorDiv),
        operation("mod", BinaryOp::Mod),
        operation("power", BinaryOp::Pow),
        operation("bitwise_and", BinaryOp::BitAnd),
        operation("bitwise_or", BinaryOp::BitOr),
        operation("bitwise_xor", BinaryOp::BitXor),
        operation("left_shift", BinaryOp::ShiftLeft),
        operation("right_shift", BinaryOp::ShiftRight),
    };
    for (const char* name : {"floor", "ceil", "trunc"}) all.push_back(unary(name, Rule::Same, Operands::Real));
    for (const char* name : {"sqrt", "exp",  "exp2", "expm1", "log",  "log2", "log10", "log1p", "sin",   "cos", "tan",
                             "asin", "acos", "atan", "sinh",  "cosh", "tanh", "asinh", "acosh", "atanh", "rint"})
        all.push_back(unary(name, Rule::Float));
    for (const OfOne& row : kOfOne) all.push_back(unary(row.name, Rule::Float, Operands::Real));
    for (const OfTwo& row : kOfTwo) all.push_back(binary(row.name, Rule::Float, Operands::Real));
    for (const char* name : {"deg2rad", "rad2deg"}) all.push_back(unary(name, Rule::Float, Operands::Real));
    all.push_back(binary("heaviside", Rule::Float, Operands::Real));
    for (const char* name : {"isnan", "isinf", "isfinite", "logical_not"}) all.push_back(unary(name, Rule::Bool));
    all.push_back(unary("signbit", Rule::Bool, Operands::Real));
    for (const char* name :
         {"logical_and", "logical_or", "logical_xor", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal"})
        all.push_back(binary(name, Rule::Bool));
    return all;
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 23> kSynonyms = {{{"fabs", "abs"},
                                                                                      {"absolute", "abs"},
                                                                                      {"arcsin", "asin"},
                                                                                      {"arccos", "acos"},
                                                                                      {"arctan", "atan"},
                                                                                      {"arctan2", "atan2"},
                                                                                      {"arcsinh", "asinh"},
                                                                                      {"arccosh", "acosh"},
                                                                                      {"arctanh", "atanh"},
                                                                                      {"round", "rint"},
                                                                                      {"fix", "trunc"},
                                                                                      {"pow", "power"},
                                                                                      {"remainder", "mod"},
                                                                                      {"int_floor", "floor_divide"},
                                                                                      {"conjugate", "conj"},
                                                                                      {"true_divide", "divide"},
                                                                                      {"bitwise_not", "invert"},
                                                                                      {"bitwise_invert", "invert"},
                                                                                      {"bitwise_left_shift", "left_shift"},
                                                                                      {"bitwise_right_shift", "right_shift"},
                                                                                      {"phase", "angle"},
                                                                                      {"radians", "deg2rad"},
                                                                                      {"degrees", "rad2deg"}}};

// `np.sqrt` is `sqrt` of a module that has it; nullopt for any other dotted name.
std::optional<std::string_view> without_module(std::string_view spelled) {
    const std::size_t dot = spelled.rfind('.');
    if (dot == std::string_view::npos) return spelled;
    static constexpr std::array<std::string_view, 8> kModules = {"np",   "numpy",     "math",   "cmath",
                                                                 "dace", "dace.math", "sluice", "sluice.math"};
    if (std::find(kModules.begin(), kModules.end(), spelled.substr(0, dot)) == kModules.end()) return {};
    return spelled.substr(dot + 1);
}

}  // namespace

const Function* find_function(std::string_view spelled) {
    static const std::vector<Function> functions = make_functions();
    static const std::unordered_map<std::string_view, const Function*> by_name = [] {
        std::unordered_map<std::string_view, const Function*> names;
        for (const Function& function : functions) names.emplace(function.name, &function);
        for (const auto& [synonym, name] : kSynonyms) names.emplace(synonym, names.at(name));
        return names;
    }();
    if (spelled == "min") return by_name.at("minimum");
    if (spelled == "max") return by_name.at("maximum");
    if (spelled == "math.remainder") return nullptr;  // IEEE remainder, not Python's `%`
    const std::optional<std::string_view> name = without_module(spelled);
    if (!name) return nullptr;
    const auto found = by_name.find(*name);
    return found == by_name.end() ? nullptr : found->second;
}

std::optional<DType> cast_target(std::string_view spelled) {
    const std::optional<std::string_view> name = without_module(spelled);
    if (!name || spelled.starts_with("math.") || spelled.starts_with("cmath.")) return {};
    if (*name == "complex") return DType(Scalar::Complex128);
    static constexpr std::array<std::pair<std::string_view, Scalar>, 12> kNumpyNames = {{{"half", Scalar::Float16},
                                                                                         {"single", Scalar::Float32},
                                                                                         {"double", Scalar::Float64},
                                                                                         {"float_", Scalar::Float64},
                                                                                         {"csingle", Scalar::Complex64},
                                                                                         {"cdouble", Scalar::Complex128},
                                                                                         {"intc", Scalar::Int32},
                                                                                         {"uintc", Scalar::UInt32},
                                                                                         {"int_", Scalar::Int64},
                                                                                         {"uint", Scalar::UInt64},
                                                                                         {"intp", Scalar::Int64},
                                                                                         {"uintp", Scalar::UInt64}}};
    if (name->size() != spelled.size())
        for (const auto& [alias, scalar] : kNumpyNames)
            if (alias == *name) return DType(scalar);
    std::optional<DType> type = parse_dtype(*name);
    if (!type || !type->is_scalar() || type->scalar == Scalar::String) return {};
    return type;
}

std::optional<double> named_constant(std::string_view spelled) {
    static constexpr std::array<std::pair<std::string_view, double>, 8> kConstants = {{
        {"pi", 3.141592653589793},
        {"e", 2.718281828459045},
        {"tau", 6.283185307179586},
        {"euler_gamma", 0.5772156649015329},
        {"inf", std::numeric_limits<double>::infinity()},
        {"nan", std::numeric_limits<double>::quiet_NaN()},
        {"Inf", std::numeric_limits<double>::infinity()},
        {"NaN", std::numeric_limits<double>::quiet_NaN()},
    }};
    const std::optional<std::string_view> name = without_module(spelled);
    // Alone, as DaCe prints numbers: what could not be anything else. `float('-inf')` has its text from here, too.
    if (name && name->size() == spelled.size()) {
        if (spelled == "inf") return std::numeric_limits<double>::infinity();
        if (spelled == "-inf") return -std::numeric_limits<double>::infinity();
        if (spelled == "nan") return std::numeric_limits<double>::quiet_NaN();
    }
    if (!name || name->size() == spelled.size()) return {};
    for (const auto& [constant, value] : kConstants)
        if (constant == *name) return value;
    return {};
}

}  // namespace sluice::code
