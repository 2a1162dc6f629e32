// Questions about types that are answered now: isinstance, callable and hasattr. A number whose type the path decides has an answer
// where all of its types have the same.
#include <algorithm>
#include <set>

#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/translator.h"

namespace sluice::frontend {

using namespace code;

namespace {

bool is_array(const Value& value) {
    return value.is_elements() && value.list.empty() && (value.rank() > 0 || value.of_rank_0);
}

bool is_list(const Value& value) {
    return !value.list.empty() || (value.kind == Value::Kind::Tuple && value.of_list);
}

/// Of a number: Python's bool is an int, NumPy's float64 a float, and complex128 a complex.
std::optional<bool> number_is(const Type& type, const std::string& named, const std::optional<DType>& wanted) {
    const Scalar scalar = type.dtype.scalar;
    const bool integer = is_integer(scalar), real = is_floating(scalar);
    if (named == "int") return type.weak && (integer || scalar == Scalar::Bool);
    if (named == "bool") return type.weak && scalar == Scalar::Bool;
    if (named == "float") return scalar == Scalar::Float64;
    if (named == "complex") return scalar == Scalar::Complex128;
    if (named == "numpy.generic") return !type.weak;
    if (named == "numpy.number") return !type.weak && scalar != Scalar::Bool;
    if (named == "numpy.integer") return !type.weak && integer;
    if (named == "numpy.signedinteger") return !type.weak && integer && is_signed(scalar);
    if (named == "numpy.unsignedinteger") return !type.weak && integer && !is_signed(scalar);
    if (named == "numpy.inexact") return !type.weak && (real || is_complex(scalar));
    if (named == "numpy.floating") return !type.weak && real;
    if (named == "numpy.complexfloating") return !type.weak && is_complex(scalar);
    if (named == "tuple" || named == "list" || named == "dict" || named == "str" || named == "numpy.ndarray") return false;
    return wanted ? std::optional(!type.weak && type.dtype == *wanted) : std::nullopt;
}

std::optional<bool> value_is(const Value& value, const std::string& named, const std::optional<DType>& wanted) {
    static const std::set<std::string> kOfCollections{"tuple", "list", "dict", "str", "numpy.ndarray"};
    const bool of_numbers = wanted || number_is({}, named, wanted).has_value();
    if (!of_numbers && !kOfCollections.contains(named)) return std::nullopt;
    const bool tuple = value.kind == Value::Kind::Tuple;
    if (value.kind == Value::Kind::None || value.kind == Value::Kind::Function) return false;
    if (value.kind == Value::Kind::Text) return named == "str";
    if (is_list(value)) return named == "list";
    if (tuple) return value.of_keys ? named == "dict" : named == "tuple";
    if (is_array(value)) return named == "numpy.ndarray";
    if (!value.is_scalar()) return std::nullopt;
    const auto answer = number_is(value.type, named, wanted);
    for (const Type& other : value.other_types)
        if (number_is(other, named, wanted) != answer) return std::nullopt;
    return answer;
}

std::optional<bool> is_instance(const Value& value, const ExprPtr& type, const Bindings& bindings) {
    std::vector<ExprPtr> several = elements_of(type);
    if (const auto* either = std::get_if<BinaryExpr>(&type->node); either && either->op == BinaryOp::BitOr)
        several = {either->left, either->right};
    if (several.size() != 1 || several[0] != type) {
        std::optional<bool> any = false;
        for (const ExprPtr& one : several) {
            const auto answer = is_instance(value, one, bindings);
            if (answer && *answer) return true;
            if (!answer) any = std::nullopt;
        }
        return any;
    }
    const std::string plain(name_of(type)), qualified = qualified_name(*type, bindings);
    static const std::set<std::string> kOfPython{"int", "bool", "float", "complex", "tuple", "list", "dict", "str"};
    const bool of_python = kOfPython.contains(plain) && !bindings.contains(plain);
    return value_is(value, of_python ? plain : qualified, of_python ? std::nullopt : dtype_of(*type, bindings));
}

std::optional<bool> has_attribute(const Value& value, const std::string& name) {
    static const std::set<std::string> kOfNumPy{"shape", "ndim",   "dtype", "size", "T",   "astype",   "item",
                                                "copy",  "tolist", "sum",   "mean", "max", "__array__"};
    static const std::set<std::string> kOfSequences{"__len__", "__iter__", "__getitem__"};
    const bool sequence = is_list(value) || value.kind == Value::Kind::Tuple || is_array(value);
    if (kOfSequences.contains(name) && sequence) return true;
    if (name == "__call__") return value.kind == Value::Kind::Function;
    if (!kOfNumPy.contains(name) || !value.is_elements() || is_list(value)) return std::nullopt;
    if (is_array(value)) return true;
    if (!value.other_types.empty()) return std::nullopt;
    return !value.type.weak;
}

}  // namespace

bool Translator::asks_for_types(const ExprPtr& e) const {
    const auto* call = std::get_if<CallExpr>(&e->node);
    const std::string name(call ? name_of(call->function) : std::string_view());
    const bool asks = name == "isinstance" || name == "hasattr" || name == "callable";
    return asks && !bindings_.contains(name) && !variables_.contains(name) && call->keywords.empty() &&
           call->arguments.size() == (name == "callable" ? 1 : 2);
}

/// The answer to such a question; nullopt where only the run knows, or another room.
std::optional<bool> Translator::known_of_types(const CallExpr& call) {
    if (qualified_name(*call.function, bindings_) == "numpy._same_kind") {
        const Type from = as_array(evaluate(call.arguments.at(0)), call.function->span).type;
        return can_cast(from, evaluate(call.arguments.at(1)).type.dtype);
    }
    if (!asks_for_types(make_expression(call, call.function->span))) return std::nullopt;
    const Value value = evaluate(call.arguments[0]);
    const std::string name(name_of(call.function));
    if (!prelude_prefix_.empty() && name == "isinstance") {  // The prelude asks how something is given: lists are tuples to it.
        if (name_of(call.arguments[1]) == "tuple") return value.kind == Value::Kind::Tuple;
        return value.is_scalar() && value.type == Type{Scalar::Int64, true};
    }
    if (name == "callable") return value.kind == Value::Kind::Function;
    if (name == "isinstance") return is_instance(value, call.arguments[1], bindings_);
    const std::string* attribute = text_of(call.arguments[1]);
    return attribute ? has_attribute(value, *attribute) : std::nullopt;
}

}  // namespace sluice::frontend
