// Type inference of expressions: literals, names, operators, calls, casts, subscripts and fields.
#include "code/infer.h"

#include <algorithm>

#include "code/operators.h"
#include "code/walk.h"

namespace sluice::code {
namespace {

class Inference {
public:
    explicit Inference(const TypeEnvironment& environment) : environment_(environment) {}

    Type type_of(const Expr& e) const {
        return std::visit([&](const auto& n) { return node(n, e.span); }, e.node);
    }

private:
    Type node(const NameExpr& n, const Span& where) const {
        if (std::optional<Type> type = environment_(n.id)) return *type;
        if (named_constant(n.id)) return {DType(Scalar::Float64), true};
        fail({"T001",
              "`" + n.id + "` is not defined here",
              where,
              {},
              "assign it first, or add a connector or symbol of that name",
              {}});
    }

    Type node(const ConstantExpr& n, const Span&) const {
        return std::visit(Overloaded{
                              [](NoneValue) {
                                  return Type{DType(), false};
                              },
                              [](EllipsisValue) {
                                  return Type{DType(), false};
                              },
                              [](bool) {
                                  return Type{DType(Scalar::Bool), true};
                              },
                              [](std::int64_t) {
                                  return Type{DType(Scalar::Int64), true};
                              },
                              [](double) {
                                  return Type{DType(Scalar::Float64), true};
                              },
                              [](ImaginaryValue) {
                                  return Type{DType(Scalar::Complex128), true};
                              },
                              [](const std::string&) {
                                  return Type{DType(Scalar::String), false};
                              },
                          },
                          n.value);
    }

    Type node(const UnaryExpr& n, const Span& where) const { return unary_type(n.op, type_of(*n.operand), where); }

    Type node(const BinaryExpr& n, const Span& where) const {
        const Type type = binary_type(n.op, type_of(*n.left), type_of(*n.right), where);
        // Python's own integers become floats under a negative exponent, which only a literal shows.
        const auto* sign = std::get_if<UnaryExpr>(&n.right->node);
        if (n.op == BinaryOp::Pow && type == Type{DType(Scalar::Int64), true} && sign && sign->op == UnaryOp::Minus)
            return {DType(Scalar::Float64), true};
        return type;
    }

    Type node(const BoolExpr& n, const Span& where) const { return truth_of(n.operands, where); }

    Type node(const CompareExpr& n, const Span& where) const {
        for (std::size_t i = 0; i < n.ops.size(); ++i) {
            if (n.ops[i] >= CompareOp::Is) continue;
            const Type left = type_of(*n.operands[i]), right = type_of(*n.operands[i + 1]);
            if (left.dtype.is_void() || right.dtype.is_void()) continue;  // a comparison with None
            common_type(left, right, where);
        }
        return truth_of(n.operands, where);
    }

    // A bool of as many lanes as the operands have.
    Type truth_of(const std::vector<ExprPtr>& operands, const Span& where) const {
        Type truth{DType(Scalar::Bool), true};
        for (const ExprPtr& operand : operands) {
            const Type type = type_of(*operand);
            if (!type.weak) truth = common_type({truth.dtype, false}, {DType(Scalar::Bool, type.dtype.lanes), false}, where);
        }
        return truth;
    }

    Type node(const ConditionalExpr& n, const Span& where) const {
        type_of(*n.condition);
        return common_type(type_of(*n.if_true), type_of(*n.if_false), where);
    }

    Type node(const CallExpr& n, const Span& where) const {
        const std::string spelled = dotted_name(*n.function);
        if (const std::optional<DType> target = spelled.empty() ? std::nullopt : cast_target(spelled))
            return cast(n, spelled, *target, where);
        if (const Function* function = spelled.empty() ? nullptr : find_function(spelled)) {
            refuse_keywords(n, spelled);
            return call_type(*function, spelled, types_of(n.arguments), where);
        }
        if (const std::optional<Type> method = method_call(n, where)) return *method;
        if (const std::optional<Type> type = spelled.empty() ? std::nullopt : environment_(spelled);
            type && type->dtype.compound && type->dtype.compound->kind == CompoundKind::Callback)
            return callback(n, spelled, *type->dtype.compound, where);
        fail({"T003",
              spelled.empty() ? "this is not a function that can be called" : "`" + spelled + "` is not a known function",
              n.function->span,
              {},
              "use a function of `math` or NumPy, or write out what it computes",
              {}});
    }

    std::vector<Type> types_of(const std::vector<ExprPtr>& expressions) const {
        std::vector<Type> types;
        for (const ExprPtr& e : expressions) types.push_back(type_of(*e));
        return types;
    }

    static void refuse_keywords(const CallExpr& n, const std::string& spelled) {
        if (!n.keywords.empty())
            fail({"T004",
                  "`" + spelled + "` takes no keyword argument `" + n.keywords[0].name + "`",
                  n.keywords[0].value->span,
                  {},
                  "give the arguments by position",
                  {}});
    }

    static void require_count(const CallExpr& n, const std::string& spelled, std::size_t count, const Span& where) {
        refuse_keywords(n, spelled);
        if (n.arguments.size() != count)
            fail({"T004",
                  "`" + spelled + "` takes " + std::to_string(count) + (count == 1 ? " argument, not " : " arguments, not ") +
                      std::to_string(n.arguments.size()),
                  where,
                  {},
                  "give it the arguments it takes",
                  {}});
    }

    // `float(x)` is a Python number, hence weak; `np.float64(x)` is a NumPy one. `complex(re, im)` takes two arguments.
    // The text of `float('inf')`.
    static bool is_number_text(const Expr& argument) {
        const auto* constant = std::get_if<ConstantExpr>(&argument.node);
        const auto* text = constant ? std::get_if<std::string>(&constant->value) : nullptr;
        return text && named_constant(*text);
    }

    Type cast(const CallExpr& n, const std::string& spelled, const DType& target, const Span& where) const {
        if (!(is_complex(target.scalar) && n.arguments.size() == 2)) require_count(n, spelled, 1, where);
        const bool python = spelled == "int" || spelled == "float" || spelled == "complex" || spelled == "bool";
        if (n.arguments.size() == 1 && is_number_text(*n.arguments[0])) return {target, python};
        std::uint32_t lanes = 1;
        for (const Type& type : types_of(n.arguments)) lanes = std::max(lanes, type.dtype.lanes);
        return {DType(target.scalar, lanes), python && lanes == 1};
    }

    // `x.conj()`, `x.astype(float32)`, `x.item()`.
    std::optional<Type> method_call(const CallExpr& n, const Span& where) const {
        const auto* method = std::get_if<AttributeExpr>(&n.function->node);
        if (!method) return {};
        if (method->name == "conj" || method->name == "conjugate") {
            require_count(n, method->name, 0, where);
            return call_type(*find_function("conj"), method->name, {type_of(*method->object)}, where);
        }
        if (method->name == "item") {
            require_count(n, method->name, 0, where);
            return Type{type_of(*method->object).dtype, true};
        }
        if (method->name != "astype") return {};
        require_count(n, method->name, 1, where);
        const std::optional<DType> target = cast_target(dotted_name(*n.arguments[0]));
        if (!target) refuse_types("this is not an element type", "name one, for example `float32`", n.arguments[0]->span);
        return Type{DType(target->scalar, type_of(*method->object).dtype.lanes), false};
    }

    Type callback(const CallExpr& n, const std::string& spelled, const Compound& signature, const Span& where) const {
        require_count(n, spelled, signature.fields.size(), where);
        types_of(n.arguments);
        return {signature.results.size() == 1 ? signature.results[0] : DType(), false};
    }

    Type node(const AttributeExpr& n, const Span& where) const {
        const std::string object = dotted_name(*n.object);
        if (!object.empty()) {
            const std::string spelled = object + "." + n.name;
            if (named_constant(spelled)) return {DType(Scalar::Float64), true};
            if (const std::optional<Type> type = environment_(spelled)) return *type;
        }
        const Type type = type_of(*n.object);
        if (n.name == "real" || n.name == "imag") return call_type(*find_function(n.name), n.name, {type}, where);
        const Compound* compound = type.dtype.compound.get();
        if (compound && compound->kind == CompoundKind::Pointer) compound = compound->fields.at(0).second.compound.get();
        if (compound && compound->kind == CompoundKind::Struct)
            for (const auto& [name, field] : compound->fields)
                if (name == n.name) return {field, false};
        refuse_types("a value of type " + to_string(type.dtype) + " has no field `" + n.name + "`", "use a field that the type has",
                     where);
    }

    Type node(const SubscriptExpr& n, const Span&) const {
        const Type type = type_of(*n.object);
        check_index(*n.index);
        const Compound* compound = type.dtype.compound.get();
        if (compound && compound->kind == CompoundKind::Pointer) return {compound->fields.at(0).second, false};
        return type;
    }

    // Names in an index must be known; whether the index is an integer is the business of whoever knows the container.
    void check_index(const Expr& index) const {
        if (std::holds_alternative<SliceExpr>(index.node) || std::holds_alternative<TupleExpr>(index.node))
            for_each_child(index, [&](const ExprPtr& part) { check_index(*part); });
        else
            type_of(index);
    }

    Type node(const ListExpr& n, const Span& where) const {
        if (n.elements.empty()) refuse_types("an empty list has no element type", "use `np.empty`", where);
        Type type = type_of(*n.elements[0]);
        for (const ExprPtr& element : n.elements) type = common_type(type, type_of(*element), where);
        return type;
    }

    Type node(const TupleExpr&, const Span& where) const {
        refuse_types("a tuple is not a value here", "use its elements one by one", where);
    }
    Type node(const SliceExpr&, const Span& where) const {
        refuse_types("a slice is not a value", "use it between the brackets of a subscript", where);
    }
    Type node(const StarredExpr&, const Span& where) const {
        refuse_types("a starred expression is not a value", "use its elements one by one", where);
    }
    Type node(const NamedExpr& n, const Span&) const { return type_of(*n.value); }
    Type node(const DictExpr&, const Span& where) const {
        refuse_types("a dictionary is not a value here", "use its values one by one", where);
    }
    Type node(const ComprehensionExpr&, const Span& where) const {
        refuse_types("a comprehension is not a value here", "write a loop", where);
    }
    Type node(const LambdaExpr&, const Span& where) const {
        refuse_types("a lambda is not a value here", "write out what it computes", where);
    }

    const TypeEnvironment& environment_;
};

}  // namespace

Result<Type> infer(const Expr& e, const TypeEnvironment& environment) {
    return capture([&] { return Inference(environment).type_of(e); });
}

}  // namespace sluice::code
