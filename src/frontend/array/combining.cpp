// Element-wise values: operands broadcast to one shape, in the types that NumPy gives them; numbers as integers of symbols.
#include <algorithm>
#include <set>

#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/array_program.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

// ---- combining ----------------------------------------------------------------------------------------------------------
bool ArrayProgram::same_size(const Expr& a, const Expr& b) const {
    if (a == b || symbolic::is_yes(symbolic::decide(symbolic::equal(a, b), assumptions_))) return true;
    for (const auto& [one, other] : checked_)
        if ((one == a && other == b) || (one == b && other == a)) return true;
    return false;
}

namespace {

/// One element is there to be spread over the dimension, or there are none in both.
ExprPtr may_spread(const Expr& one_or_none, const Expr& size, const Span& span) {
    const auto is = [&](const Expr& other) {
        return make_compare(ir::to_code(one_or_none), code::CompareOp::Eq, ir::to_code(other), span);
    };
    return std::make_shared<const code::Expr>(code::Expr{code::BoolExpr{false, {is(Expr(1)), is(size)}}, span});
}

}  // namespace

std::vector<Expr> ArrayProgram::broadcast(const std::vector<std::vector<Expr>>& shapes, const Span& span) {
    std::size_t rank = 0;
    for (const auto& shape : shapes) rank = std::max(rank, shape.size());
    std::vector<Expr> result(rank, Expr(1));
    for (const auto& shape : shapes) {
        for (std::size_t r = 0; r < shape.size(); ++r) {
            const Expr& extent = shape[shape.size() - 1 - r];
            Expr& joint = result[rank - 1 - r];
            if (extent.is_integer(1) || same_size(joint, extent)) continue;
            if (joint.is_integer(1)) {
                joint = extent;
                continue;
            }
            const bool joint_is_one = is_one_or_none(joint, assumptions_), extent_is_one = is_one_or_none(extent, assumptions_);
            if (!joint_is_one && !extent_is_one && symbolic::is_no(symbolic::decide(symbolic::equal(joint, extent), assumptions_)))
                refuse("F004",
                       "sizes " + symbolic::to_string(joint) + " and " + symbolic::to_string(extent) +
                           " could not be broadcast together",
                       span, "make both sizes the same expression, or 1 to broadcast");
            if (joint_is_one == extent_is_one)
                require_equal(joint, extent, "operands could not be broadcast together", span);
            else
                require(joint_is_one ? may_spread(joint, extent, span) : may_spread(extent, joint, span),
                        "operands could not be broadcast together: sizes " + symbolic::to_string(joint) + " and " +
                            symbolic::to_string(extent) + " differ",
                        span);
            if (joint_is_one && !extent_is_one) joint = extent;
        }
    }
    return result;
}

Value ArrayProgram::broadcast_to(const Value& value, const std::vector<Expr>& shape, const Span& span) const {
    if (value.rank() > shape.size())
        refuse("F004", "a value of " + std::to_string(value.rank()) + " dimensions does not fit " + std::to_string(shape.size()),
               span, "index or reduce the value");
    symbolic::Substitution fixed;
    for (std::size_t r = 0; r < value.rank(); ++r) {
        const Expr& own = value.shape[value.rank() - 1 - r];
        const Expr& wanted = shape[shape.size() - 1 - r];
        const bool spread = is_one_or_none(own, assumptions_) && !same_size(own, wanted);
        if ((own.is_integer(1) && !wanted.is_integer(1)) || spread) fixed.emplace(iteration_name(r), Expr(0));
    }
    Value result = fixed.empty() ? value : substitute(value, fixed);
    result.shape = shape;
    return result;
}

namespace {

/// The types of the result where operands have several: one for each combination.
void add_types_by_operands(Value& result, const std::vector<Value>& operands, const code::Expr& skeleton) {
    constexpr std::size_t kMostCombinations = 64;
    std::size_t combinations = 1;
    for (const Value& operand : operands) {
        combinations = std::min(kMostCombinations, combinations * (1 + operand.other_types.size()));
        result.type_sources.insert(operand.type_sources.begin(), operand.type_sources.end());
    }
    for (std::size_t which = 0; which < combinations; ++which) {
        std::vector<Type> types;
        for (std::size_t rest = which; const Value& operand : operands) {
            const std::size_t own = rest % (1 + operand.other_types.size());
            rest /= 1 + operand.other_types.size();
            types.push_back(own == 0 ? operand.type : operand.other_types[own - 1]);
        }
        const auto type = code::infer(skeleton, [&](const std::string& name) -> std::optional<Type> {
            return types[static_cast<std::size_t>(std::stoi(name.substr(2)))];
        });
        Value one;
        if (type.ok()) one.type = *type, add_types_of(result, one);
    }
    if (result.other_types.empty()) result.type_sources.clear();
}

/// The type_code of an expression of numbers as the run computes it; null where nobody knows. `skeleton`: with names for operands;
/// `built`: the same with their codes.
ExprPtr which_type(const ExprPtr& skeleton, const ExprPtr& built, const std::vector<ExprPtr>& operands) {
    const Span& span = built->span;
    const auto both = [&](const ExprPtr& a, const ExprPtr& b) {
        return a && b ? make_binary(BinaryOp::BitOr, a, b, span) : nullptr;
    };
    const auto of = [&](const ExprPtr& a, const ExprPtr& b) { return which_type(a, b, operands); };
    if (const std::string name(name_of(skeleton)); name.starts_with("__")) return operands.at(std::stoul(name.substr(2)));
    if (const auto* constant = std::get_if<ConstantExpr>(&skeleton->node))
        return make_integer(std::holds_alternative<double>(constant->value) ? 1 : 0, span);
    if (const auto* n = std::get_if<UnaryExpr>(&skeleton->node))
        return n->op == UnaryOp::Not ? nullptr : of(n->operand, std::get<UnaryExpr>(built->node).operand);
    if (const auto* n = std::get_if<BinaryExpr>(&skeleton->node)) {
        const auto& with_codes = std::get<BinaryExpr>(built->node);
        const ExprPtr joint = both(of(n->left, with_codes.left), of(n->right, with_codes.right));
        return n->op == BinaryOp::Pow ? nullptr : n->op == BinaryOp::Div ? both(joint, make_integer(1, span)) : joint;
    }
    if (const auto* n = std::get_if<CompareExpr>(&skeleton->node)) {
        const auto& with_codes = std::get<CompareExpr>(built->node);
        ExprPtr joint = make_integer(0, span);
        for (std::size_t at = 0; at < n->operands.size(); ++at) joint = both(joint, of(n->operands[at], with_codes.operands[at]));
        return joint ? make_binary(BinaryOp::BitAnd, joint, make_integer(2, span), span) : nullptr;
    }
    if (const auto* n = std::get_if<ConditionalExpr>(&skeleton->node)) {
        const auto& with_codes = std::get<ConditionalExpr>(built->node);
        const ExprPtr then = of(n->if_true, with_codes.if_true), otherwise = of(n->if_false, with_codes.if_false);
        return then && otherwise ? make_conditional(with_codes.condition, then, otherwise, span) : nullptr;
    }
    return nullptr;
}

/// Adds it to a number whose operands know theirs.
void add_which_type(Value& result, const std::vector<Value>& operands, const ExprPtr& skeleton) {
    const auto all = [&](const auto& fits) { return fits(result.type) && std::ranges::all_of(result.other_types, fits); };
    const auto is_truth = [](const Type& type) { return type.dtype == DType(Scalar::Bool); };
    const auto is_wide = [](const Type& type) {
        return type.dtype == DType(Scalar::Int64) || type.dtype == DType(Scalar::Float64);
    };
    if (!all(is_truth) && !all(is_wide)) return;  // type_code tells no others.
    std::vector<ExprPtr> codes;
    Value which = integer(0);
    which.operands = result.operands;
    for (const Value& operand : operands) {
        codes.push_back(operand.which                 ? operand.which->code
                        : operand.other_types.empty() ? make_integer(type_code(operand.type))
                                                      : nullptr);
        if (operand.which) which.operands.insert(operand.which->operands.begin(), operand.which->operands.end());
    }
    which.code = which_type(skeleton, result.code, codes);
    if (which.code) result.which = std::make_shared<const Value>(std::move(which));
}

}  // namespace

Value ArrayProgram::combine(const std::vector<Value>& operands, const Span& span,
                            const std::function<ExprPtr(const std::vector<ExprPtr>&)>& build) {
    std::vector<std::vector<Expr>> shapes;
    std::vector<ExprPtr> skeleton, codes;
    if (std::ranges::any_of(operands, [](const Value& one) { return one.kind == Value::Kind::Tuple; })) {
        const Restored hint(hint_, {});  // That is where the result goes.
        const Restored wanted(name_, {});
        std::vector<Value> arrays;  // A list beside an array is one.
        for (const Value& one : operands) arrays.push_back(as_array(one, span));
        return combine(arrays, span, build);
    }
    for (std::size_t at = 0; at < operands.size(); ++at) {
        require_value(operands[at], "TypeError: unsupported operand type: 'NoneType'", span);
        if (!operands[at].is_elements()) unsupported("arithmetic with a tuple, a stream or None", span, "use numbers and arrays");
        shapes.push_back(operands[at].shape);
        skeleton.push_back(make_name("__" + std::to_string(at), span));
    }
    const auto type = code::infer(*build(skeleton), [&](const std::string& name) -> std::optional<Type> {
        return operands[static_cast<std::size_t>(std::stoi(name.substr(2)))].type;
    });
    if (!type.ok()) {
        Diagnostic diagnostic = type.error();
        if (!diagnostic.where.known()) diagnostic.where = span;
        fail(std::move(diagnostic));
    }
    Value result;
    result.type = *type;
    result.shape = broadcast(shapes, span);
    Type joint{DType(Scalar::Bool), true}, written = joint;
    const auto is_typed = [](const Value& one) {  // Its text is that of a number of Python's.
        return one.is_symbolic() && !one.type.weak && code::is_integer(one.type.dtype.scalar);
    };
    for (const Value& operand : operands) {
        joint = code::promote(joint, operand.type);
        written = code::promote(written, is_typed(operand) ? Type{DType(Scalar::Int64), true} : operand.type);
    }
    const bool says_types = !(written.dtype == joint.dtype);
    for (const Value& operand : operands) {
        const Value fitted = broadcast_to(operand, result.shape, span);
        // A number of Python's takes the type that it meets.
        const bool adapts = operand.type.weak && !joint.weak && !operand.operands.empty() && !(operand.type.dtype == joint.dtype) &&
                            !joint.dtype.is_void();
        const bool typed = says_types && is_typed(operand);
        const DType& type_of_code = typed ? operand.type.dtype : joint.dtype;
        codes.push_back(adapts || typed ? make_call(code::to_string(type_of_code), {fitted.code}, span) : fitted.code);
        result.operands.insert(fitted.operands.begin(), fitted.operands.end());
    }
    result.code = build(codes);
    if (std::ranges::any_of(operands, [](const Value& one) { return !one.other_types.empty(); }))
        add_types_by_operands(result, operands, *build(skeleton));
    if (std::ranges::any_of(operands, [](const Value& one) { return one.which != nullptr; }) && result.rank() == 0)
        add_which_type(result, operands, build(skeleton));
    return result;
}

Value ArrayProgram::call_ufunc(const std::string& canonical, const std::vector<Value>& operands, const Span& span) {
    // The real part of what is real is the array itself, not a copy.
    if (canonical == "real" && as_view(operands[0]) && !code::is_complex(operands[0].type.dtype.scalar)) return operands[0];
    return combine(operands, span, [&](const std::vector<ExprPtr>& codes) { return make_call(canonical, codes, span); });
}

Value ArrayProgram::cast(const Value& value, const DType& type, const Span& span) {
    require_value(value, "TypeError: the argument must be a real number, not 'NoneType'", span);
    if (!value.is_elements()) unsupported("a conversion of this value", span, "convert numbers and arrays");
    if (value.type == Type{type, false} && value.other_types.empty() && value.rank() == 0) return value;
    Value result = value;
    result.type = {type, false};
    result.other_types.clear();
    result.type_sources.clear();
    result.which = nullptr;
    if (as_integer(value) && type == DType(Scalar::Int64)) return result;  // A size stays symbolic.
    result = combine({value}, span, [&](const auto& c) { return make_call(code::to_string(type), c, span); });
    result.type = {type, false};
    result.other_types.clear();
    result.type_sources.clear();
    result.which = nullptr;
    return result;
}

/// The operands in the type that `dtype=` has a ufunc compute in.
std::vector<Value> ArrayProgram::in_type(const std::vector<Value>& operands, const DType& type, const std::string& name,
                                         const Span& span) {
    std::vector<Value> result;
    for (const Value& operand : operands) {
        if (!can_cast(operand.type, type))
            refuse("F009",
                   "Cannot cast " + name + " input from " + code::to_string(strong(operand.type)) + " to " + code::to_string(type) +
                       " with casting rule 'same_kind'",
                   span, "convert it: x.astype(...)");
        result.push_back(cast(operand, type, span));
    }
    return result;
}

/// NumPy's rounding to decimals: scaled, rounded to even, scaled back.
Value ArrayProgram::rounded(const Value& value, std::int64_t decimals, const Span& span) {
    if (!code::is_floating(value.type.dtype.scalar) && !code::is_complex(value.type.dtype.scalar)) {
        if (decimals >= 0) return cast(value, strong(value.type), span);
        const Value real = cast(value, Scalar::Float64, span);
        return cast(rounded(real, decimals, span), strong(value.type), span);
    }
    if (decimals == 0) return call_ufunc("rint", {value}, span);
    double scale = 1;
    for (std::int64_t at = 0; at < std::abs(decimals); ++at) scale *= 10;
    return combine({value}, span, [&](const auto& c) {
        const BinaryOp there = decimals > 0 ? BinaryOp::Mul : BinaryOp::Div, back = decimals > 0 ? BinaryOp::Div : BinaryOp::Mul;
        const ExprPtr scaled = make_binary(there, c[0], make_real(scale), span);
        return make_binary(back, make_call("rint", {scaled}, span), make_real(scale), span);
    });
}

/// Bits that are shifted by all of them or more are gone, as in NumPy; the processor would take the count modulo the width.
Value ArrayProgram::shifted(BinaryOp op, const Value& left, const Value& right, const Span& span) {
    const auto shift = [&](const auto& c) { return make_binary(op, c[0], c[1], span); };
    const Value plain = combine({left, right}, span, shift);
    const auto bits = static_cast<std::int64_t>(8 * code::size_in_bytes(strong(plain.type)));
    if (const auto count = as_integer(right); count && count->is_integer() && count->integer() >= 0 && count->integer() < bits)
        return plain;
    Value result = combine({left, right}, span, [&](const auto& c) {
        const ExprPtr fits = std::make_shared<const code::Expr>(
            code::Expr{CompareExpr{{CompareOp::Le, CompareOp::Lt}, {make_integer(0), c[1], make_integer(bits)}}, span});
        const ExprPtr sign =
            make_conditional(make_compare(c[0], CompareOp::Lt, make_integer(0), span), make_integer(-1), make_integer(0));
        return make_conditional(fits, shift(c), op == BinaryOp::ShiftLeft ? make_integer(0) : sign, span);
    });
    result.type = plain.type;
    result.other_types = plain.other_types;
    return result;
}

// ---- integers -----------------------------------------------------------------------------------------------------------
namespace {

/// Whether symbolic arithmetic computes what Python does: in integers. What is rounded on the way is computed where the program
/// runs.
bool stays_in_integers(const Expr& e) {
    static const std::set<std::string> kFunctions{"abs", "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"};
    if (e.kind() == symbolic::Kind::Real || (e.kind() == symbolic::Kind::Call && !kFunctions.contains(e.name()))) return false;
    return std::ranges::all_of(e.operands(), stays_in_integers);
}

}  // namespace

std::optional<Expr> ArrayProgram::as_integer(const Value& value) const {
    if (!value.is_scalar() || !value.is_symbolic() || !code::is_integer(value.type.dtype.scalar)) return std::nullopt;
    if (!tasklet_locals_.empty())
        for (const std::string& name : ir::free_names(*value.code))
            if (tasklet_locals_.contains(name)) return std::nullopt;
    const Result<Expr> symbolic = ir::to_symbolic(*value.code);
    return symbolic.ok() && stays_in_integers(*symbolic) ? std::optional(*symbolic) : std::nullopt;
}

Expr ArrayProgram::integer_of(const Value& value, const Span& span, const std::string& base) {
    if (const auto known = as_integer(value)) return *known;
    const bool whole = value.is_scalar() && (code::is_integer(value.type.dtype.scalar) || value.type.dtype == DType(Scalar::Bool));
    if (!whole) refuse("F010", "an integer is needed here", span, "use an integer expression; int(...) converts");
    // The value is known at run time only: it becomes a symbol.
    refuse_flat();
    // An array of a size that data decide lives among states: its element is taken in one.
    const bool of_the_run = std::ranges::any_of(value.operands, [&](const auto& entry) {
        const auto& shape = container(entry.second.data).shape;
        return std::ranges::any_of(shape, [&](const Expr& extent) {
            return std::ranges::any_of(symbolic::free_symbols(extent), [&](const auto& s) { return defined_symbols_.contains(s); });
        });
    });
    const Value through = of_the_run ? settled(value) : seen_through(value);
    for (const auto& [id, operand] : through.operands) need_container(operand.data);
    const std::string text = code::to_string(*through.code);
    const Operand* view = as_view(value);
    const std::string name = fresh_symbol(view ? view->data + "_value" : base);
    assumptions_.assume_any(name);
    assign_symbols({{name, text}});
    of_numbers_.insert(name);
    integers_.emplace(name, value);
    return symbolic::symbol(name);
}

/// Whether a view reads its container's memory as elements of another type.
bool ArrayProgram::has_other_elements(const std::string& data) const {
    return !(container(data).dtype == container(root_of(data)).dtype);
}

/// The value with elements of containers that views in other shapes are of: conditions stand where no view is tied to its base.
Value ArrayProgram::seen_through(const Value& value) {
    const bool whole_views = std::ranges::any_of(value.operands, [&](const auto& entry) {
        const Operand& operand = entry.second;
        return view_of_.contains(operand.data) && (operand.whole || has_other_elements(operand.data));
    });
    if (whole_views) return settled(value);
    Value result = value;
    result.operands.clear();
    std::map<std::string, ExprPtr> names;
    for (const auto& [id, operand] : value.operands) {
        Operand base = operand;
        for (auto view = view_of_.find(base.data); view != view_of_.end() && !base.whole; view = view_of_.find(base.data)) {
            const std::vector<Expr>& own = container(base.data).shape;
            const std::vector<Expr>& other = container(view->second).shape;
            Expr place = 0;
            for (std::size_t dim = 0; dim < own.size(); ++dim) place = place * own[dim] + base.index[dim];
            base.index.assign(other.size(), Expr(0));
            for (std::size_t dim = other.size(); dim-- > 1;) {
                base.index[dim] = symbolic::modulo(place, other[dim]);
                place = symbolic::floor_divide(place, other[dim]);
            }
            if (!other.empty()) base.index[0] = place;
            base.data = view->second;
        }
        names.emplace(id, make_name(base.id(), value.code->span));
        result.operands.emplace(base.id(), base);
    }
    result.code = replace_names(value.code, names);
    return result;
}
}  // namespace sluice::frontend
