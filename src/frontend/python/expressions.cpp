// Operators and names: an expression tree becomes one element-wise value.
#include <algorithm>
#include <set>

#include "code/print.h"
#include "code/walk.h"
#include "frontend/python/bindings.h"
#include "frontend/python/collections.h"
#include "frontend/python/diagnostics.h"
#include "frontend/python/domain.h"
#include "frontend/python/inlining.h"
#include "frontend/python/lists.h"
#include "frontend/python/messages.h"
#include "frontend/python/overflow.h"
#include "frontend/python/prelude.h"
#include "frontend/python/syntax.h"
#include "frontend/python/tables.h"
#include "frontend/python/unbound.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;
using symbolic::Truth;

Value Translator::evaluate(const ExprPtr& e) {
    if (asserted_)
        if (const auto part = asserted_->find(e.get()); part != asserted_->end() && part->second) return *part->second;
    const std::optional<Target> around = std::exchange(hint_, std::exchange(next_hint_, std::nullopt));
    const std::string around_name = std::exchange(name_, std::exchange(next_name_, {}));
    Value value = evaluate_node(e);
    hint_ = around;
    name_ = around_name;
    return value;
}

std::vector<Value> Translator::evaluate_all(const std::vector<ExprPtr>& list) {
    std::vector<Value> values;
    std::size_t effects = 0;  // The last that changes arrays: what is read before it is read there.
    for (std::size_t at = 0; at < list.size(); ++at)
        if (has_effects(list[at])) effects = at;
    for (std::size_t at = 0; at < list.size(); ++at) {
        values.push_back(evaluate(list[at]));
        if (at < effects) values.back() = settled(values.back());
    }
    return values;
}

/// Whether evaluating the expression may change arrays or raise: it calls a program, writes into an `out`, or asks a list that
/// the run knows for an element.
bool Translator::has_effects(const ExprPtr& e) const {
    std::set<const Stmt*> entered;
    const auto is_of_the_run = [&](ExprPtr root) {
        while (std::holds_alternative<SubscriptExpr>(root->node)) root = std::get<SubscriptExpr>(root->node).object;
        const auto variable = variables_.find(std::string(name_of(root)));
        return variable != variables_.end() && !variable->second.value.list.empty();
    };
    const auto may_write = [&](const auto& self, const ExprPtr& one) -> bool {
        if (std::holds_alternative<SubscriptExpr>(one->node) && is_of_the_run(one)) return true;
        if (const auto* call = std::get_if<CallExpr>(&one->node)) {
            if (!message_function(*call->function, bindings_).empty()) return true;
            const auto* method = std::get_if<AttributeExpr>(&call->function->node);
            if (method && is_of_the_run(method->object)) return true;
            if (const auto object = variables_.find(method ? std::string(name_of(method->object)) : std::string());
                object != variables_.end() && object->second.value.kind == Value::Kind::Generator)
                return true;
            if (const auto own = name_of(call->function); own == kFind || own == kFindKey) return true;
            const auto variable = variables_.find(std::string(name_of(call->function)));
            const StmtPtr called = variable != variables_.end() ? variable->second.value.function : nullptr;
            if (called && entered.insert(called.get()).second) {
                const Body& body = std::get<FunctionStmt>(called->node).body;
                const auto* single = body.size() == 1 ? std::get_if<ReturnStmt>(&body[0]->node) : nullptr;
                if (!single || !single->value || self(self, single->value)) return true;
            }
            const auto bound = bindings_.find(std::string(name_of(call->function)));
            if (bound != bindings_.end() &&
                (std::holds_alternative<ProgramBinding>(bound->second) || std::holds_alternative<GraphBinding>(bound->second)))
                return true;
            if (std::ranges::any_of(call->keywords, [](const Keyword& keyword) { return keyword.name == "out"; })) return true;
        }
        bool found = false;
        for_each_child(*one, [&](const ExprPtr& child) { found = found || self(self, child); });
        return found;
    };
    return may_write(may_write, e);
}

namespace {

/// Python computes with its bools as integers, NumPy with its own as bools.
bool is_python_bool(const Value& value) {
    return value.is_scalar() && value.type.weak && value.type.dtype == DType(Scalar::Bool);
}

/// `5 ** -1`, which is 0.2 in Python.
bool is_python_fraction(const Value& base, const Value& power) {
    const auto whole = [](const Value& one) { return one.is_scalar() && one.type.weak && code::is_integer(one.type.dtype.scalar); };
    if (!whole(base) || !whole(power)) return false;
    const auto constant = constant_value(*power.code, {});
    const auto* exponent = constant ? std::get_if<std::int64_t>(&constant->value) : nullptr;
    return exponent && *exponent < 0;
}

}  // namespace

Value Translator::evaluate_binary(const BinaryExpr& n, const Span& span) {
    const std::vector<Value> operands = evaluate_all({n.left, n.right});
    const auto is_list = [](const Value& one) { return !one.list.empty() || (one.kind == Value::Kind::Tuple && one.of_list); };
    const bool grown = !operands[0].list.empty() || !operands[1].list.empty();
    if (n.op == BinaryOp::Add && grown && std::ranges::all_of(operands, is_list))
        return Lists(*this).sum(operands[0], operands[1], n.right->span);
    Overflow(*this).check(n, operands[0], operands[1], span);
    return binary(n.op, operands[0], operands[1], span);
}

Value Translator::binary(BinaryOp op, const Value& left, const Value& right, const Span& span) {
    const auto is_array = [](const Value& one) { return one.is_elements() && one.rank() > 0 && one.list.empty(); };
    if (!left.list.empty() || !right.list.empty()) {  // NumPy makes an array of it beside one.
        if (!is_array(left)) Lists::refuse_as_array(right, span);
        if (!is_array(right)) Lists::refuse_as_array(left, span);
        return binary(op, as_array(left, span), as_array(right, span), span);
    }
    if (op == BinaryOp::MatMul) return product(left, right, span);
    if (left.kind == Value::Kind::Text && right.kind == Value::Kind::Text && op == BinaryOp::Add)
        return text_value(make_text(*text_of(left.code) + *text_of(right.code), span));
    if (left.kind == Value::Kind::Tuple && right.kind == Value::Kind::Tuple && op == BinaryOp::Add) {
        Value joined = left;
        joined.objects = {context_.new_object()};
        joined.elements.insert(joined.elements.end(), right.elements.begin(), right.elements.end());
        return joined;
    }
    if (left.kind == Value::Kind::Tuple && op == BinaryOp::Mul && right.is_scalar()) {
        const auto times = as_integer(right);
        if (left.of_list && !(times && times->is_integer()))
            return Lists(*this).repeated(left, integer_of(right, span, "times"), span);
        if (times && times->is_integer()) {
            const Value once = settled(left);
            Value repeated = tuple({});
            repeated.of_list = left.of_list;
            repeated.objects = {context_.new_object()};
            for (std::int64_t at = 0; at < times->integer(); ++at)
                repeated.elements.insert(repeated.elements.end(), once.elements.begin(), once.elements.end());
            return repeated;
        }
    }
    for (const auto& [one, other] : {std::pair(left, right), std::pair(right, left)})
        if (one.kind == Value::Kind::Tuple && other.rank() == 0)
            unsupported("arithmetic with a tuple", span, "write np.array(...) where an array is meant");
    const bool bits = op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor;
    if (!bits && is_python_bool(left) && is_python_bool(right))
        return binary(op, convert(left, Scalar::Int64, true, span), convert(right, Scalar::Int64, true, span), span);
    Overflow(*this).refuse_constants(op, left, right, span);
    Overflow(*this).require_fits(left, right, span);
    Domain(*this).check(op, left, right, span);
    if (op == BinaryOp::Pow && is_python_fraction(left, right))
        return binary(op, convert(left, Scalar::Float64, true, span), convert(right, Scalar::Float64, true, span), span);
    if (op == BinaryOp::Pow) Domain(*this).require_whole_power(left, right, span);
    if (op == BinaryOp::ShiftLeft || op == BinaryOp::ShiftRight) return shifted(op, left, right, span);
    return combine({left, right}, span, [&](const auto& c) { return make_binary(op, c[0], c[1], span); });
}

/// Bits that are shifted by all of them or more are gone, as in NumPy; the processor would take the count modulo the width.
Value Translator::shifted(BinaryOp op, const Value& left, const Value& right, const Span& span) {
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
    return result;
}

Value Translator::evaluate_node(const ExprPtr& e) {
    if (const auto* name = std::get_if<NameExpr>(&e->node)) return evaluate_name(e, name->id);
    if (const auto constant = constant_value(*e, bindings_)) {
        static constexpr Scalar kWeak[] = {Scalar::Bool, Scalar::Int64, Scalar::Float64, Scalar::Complex128};
        const Type weak{kWeak[constant->value.index()], true};
        if (constant->dtype && code::is_floating(constant->dtype->scalar))
            return cast(number(literal_of(*constant, e->span), weak), *constant->dtype, e->span);
        return number(literal_of(*constant, e->span), constant->dtype ? Type{*constant->dtype, false} : weak);
    }
    return std::visit(
        Overloaded{
            [&](const UnaryExpr& n) {
                Value operand = n.op == UnaryOp::Not ? evaluate_truth(n.operand) : evaluate(n.operand);
                Lists::refuse_as_array(operand, e->span);
                if (n.op != UnaryOp::Not && is_python_bool(operand)) operand = convert(operand, Scalar::Int64, true, e->span);
                Value result = combine({operand}, e->span, [&](const auto& c) { return make_unary(n.op, c[0], e->span); });
                if (n.op == UnaryOp::Not) result.type.weak = true;  // Python's bool, whatever it is asked of.
                return result;
            },
            [&](const BinaryExpr& n) { return evaluate_binary(n, e->span); },
            [&](const BoolExpr& n) { return evaluate_boolean(e, n, false); },
            [&](const CompareExpr& n) {
                if (const auto truth = decided(e)) return number(make_boolean(*truth, e->span), {Scalar::Bool, true});
                if (std::ranges::find(n.ops, CompareOp::In) != n.ops.end() ||
                    std::ranges::find(n.ops, CompareOp::NotIn) != n.ops.end()) {
                    if (n.ops.size() > 1) unsupported("a chain of comparisons with `in`", e->span, "write `and`");
                    const Value inside = Collections(*this).membership(n.operands[0], n.operands[1], e->span);
                    if (n.ops[0] == CompareOp::In) return inside;
                    return combine({inside}, e->span, [&](const auto& c) { return make_unary(UnaryOp::Not, c[0], e->span); });
                }
                if (std::ranges::find(n.ops, CompareOp::Is) != n.ops.end() ||
                    std::ranges::find(n.ops, CompareOp::IsNot) != n.ops.end()) {
                    const bool first = is_none(n.operands[0]);
                    if (n.ops.size() > 1 || (!first && !is_none(n.operands[1])))
                        unsupported("`is` between values", e->span, "compare with == or with None");
                    const bool none = evaluate(n.operands[first ? 1 : 0]).kind == Value::Kind::None;
                    return number(make_boolean(none == (n.ops[0] == CompareOp::Is), e->span), {Scalar::Bool, true});
                }
                std::vector<Value> operands = evaluate_all(n.operands);
                if (n.ops.size() == 1 && (n.ops[0] == CompareOp::Eq || n.ops[0] == CompareOp::Ne) &&
                    (!operands[0].list.empty() || !operands[1].list.empty())) {
                    const Value same = Lists(*this).equal(operands[0], operands[1], e->span);
                    if (n.ops[0] == CompareOp::Eq) return same;
                    return combine({same}, e->span, [&](const auto& c) { return make_unary(UnaryOp::Not, c[0], e->span); });
                }
                for (const Value& operand : operands) Lists::refuse_as_array(operand, e->span);
                const auto are_tuples = [&](std::size_t i) {
                    return operands[i].kind == Value::Kind::Tuple && operands[i + 1].kind == Value::Kind::Tuple;
                };
                if (operands.size() == 2 && are_tuples(0))
                    return Collections(*this).compare(n.ops[0], operands[0], operands[1], e->span);
                for (std::size_t i = 0; i + 1 < operands.size(); ++i)
                    if (are_tuples(i)) unsupported("a chain of comparisons of tuples", e->span, "write `and`");
                operands = Overflow(*this).comparable(std::move(operands), e->span);
                if (n.ops.size() > 1)
                    for (const Value& operand : operands) refuse_array_truth(operand, e->span);
                return combine(operands, e->span, [&](const auto& c) {
                    return std::make_shared<const code::Expr>(code::Expr{CompareExpr{n.ops, c}, e->span});
                });
            },
            [&](const ConditionalExpr& n) { return evaluate_conditional(e, n); },
            [&](const CallExpr& n) { return call(e, n); },
            [&](const AttributeExpr& n) { return evaluate_attribute(e, n); },
            [&](const SubscriptExpr& n) {
                const std::string maker = qualified_name(*n.object, bindings_);
                if (maker == "numpy.mgrid" || maker == "numpy.ogrid" || maker == "numpy.r_" || maker == "numpy.c_")
                    return coordinates(maker, n.index, e->span);
                return index(evaluate(n.object), n.index, e->span);
            },
            [&](const TupleExpr& n) { return Collections(*this).elements(n.elements); },
            [&](const ListExpr& n) {
                Value list = Collections(*this).elements(n.elements);
                list.of_list = true;
                list.objects = {context_.new_object()};
                return list;
            },
            [&](const ConstantExpr& n) -> Value {
                if (std::holds_alternative<NoneValue>(n.value)) {
                    return none_value();
                }
                if (text_of(e)) return text_value(e);
                unsupported("a value of this kind", e->span, "programs compute with numbers and arrays");
            },
            [&](const SliceExpr&) -> Value { unsupported("a slice outside of a subscript", e->span, "use it in A[...]"); },
            [&](const LambdaExpr& n) { return Inlining::lambda_value(n, e->span); },
            [&](const StarredExpr&) -> Value { unsupported("a starred expression", e->span, "write out the elements"); },
            [&](const NamedExpr& n) {
                assign_to(n.target, n.value);
                return evaluate(n.target);
            },
            [&](const DictExpr& n) { return Collections(*this).dictionary(n); },
            [&](const ComprehensionExpr& n) {
                Value list = Collections(*this).comprehension(n, e->span);
                list.of_list = list.kind == Value::Kind::Tuple && !list.of_keys;
                list.objects = {context_.new_object()};
                return list;
            },
            [&](const NameExpr&) -> Value { return {}; },
        },
        e->node);
}

Value Translator::evaluate_name(const ExprPtr& e, const std::string& id) {
    if (const auto known = variables_.find(id); known != variables_.end()) {
        const Value& value = read_variable(id, known->second);
        if (value.is_symbolic()) need_symbols(ir::free_names(*value.code));
        return value;
    }
    if (const auto bound = bindings_.find(id); bound != bindings_.end()) {
        if (const auto* program = std::get_if<ProgramBinding>(&bound->second)) {
            Value function;
            function.kind = Value::Kind::Function;
            function.function = program->program->function;
            function.program = program->program;
            return function;
        }
        if (const auto* symbol = std::get_if<SymbolBinding>(&bound->second)) {
            need_symbols({symbol->name});
            return number(make_name(symbol->name, e->span), {symbol->dtype, true});
        }
        if (const auto* constant = std::get_if<NumberBinding>(&bound->second)) {
            static constexpr Scalar kWeak[] = {Scalar::Bool, Scalar::Int64, Scalar::Float64, Scalar::Complex128};
            return number(literal_of(*constant, e->span),
                          constant->dtype ? Type{*constant->dtype, false} : Type{kWeak[constant->value.index()], true});
        }
        if (const auto* expression = std::get_if<ExpressionBinding>(&bound->second)) {
            need_symbols(symbolic::free_symbols(expression->value));
            return symbolic_value(expression->value, e->span);
        }
        if (std::holds_alternative<FunctionBinding>(bound->second) && qualified_name(*e, bindings_) != "numpy.newaxis") {
            Value function;
            function.kind = Value::Kind::Function;
            function.code = e;
            return function;
        }
        if (const std::string name = qualified_name(*e, bindings_); name == "numpy.newaxis") {
            return none_value();
        }
    }
    if (context_.bindings.contains(id)) Unbound(*this).read(id, e->span);
    refuse("F002", "the name " + id + " is not known", e->span,
           "declare a symbol with sluice.symbol('" + id + "'), or a parameter");
}

Value Translator::evaluate_attribute(const ExprPtr& e, const AttributeExpr& node) {
    if (const std::string name = qualified_name(*e, bindings_); !name.empty()) {
        if (const auto value = Messages(*this).attribute(name, e->span)) return *value;
        if (name == "numpy.newaxis") {
            return none_value();
        }
        if (!code::find_function(name) && !signature_of(name) && !find_in_prelude(name))
            refuse("F006", name + " is not a value that programs know", e->span, "use a number or an array");
        Value function;
        function.kind = Value::Kind::Function;
        function.code = e;
        return function;
    }
    if (auto limit = limit_of_type(node, e->span)) return *limit;
    const Value object = evaluate(node.object);
    Lists::refuse_as_array(object, e->span);
    Domain(*this).require_value(object, "AttributeError: 'NoneType' object has no attribute '" + node.name + "'", e->span);
    if (!object.is_elements()) unsupported("the attribute " + node.name, e->span, "use arrays");
    if (node.name == "T") return transpose(object, {}, e->span);
    if (node.name == "flat") {  // Also where a reshape would be a copy it stands for the elements themselves.
        Value flat = reshape(object, {Expr(-1)}, e->span);
        if (std::exchange(flat.copied, false)) flat.sees_through.emplace();
        return flat;
    }
    if (node.name == "shape") {
        std::vector<Value> sizes;
        for (const Expr& extent : object.shape) sizes.push_back(symbolic_value(extent, e->span));
        return tuple(std::move(sizes));
    }
    if (node.name == "size") {
        Expr size = 1;
        for (const Expr& extent : object.shape) size = size * extent;
        return symbolic_value(size, e->span);
    }
    if (node.name == "ndim") return integer(static_cast<std::int64_t>(object.rank()));
    if (node.name == "mT" && object.rank() > 1) {
        const auto rank = static_cast<std::int64_t>(object.rank());
        return move_axes(object, {rank - 1}, {rank - 2}, e->span);
    }
    if (node.name == "itemsize" || node.name == "nbytes") {
        Expr bytes = static_cast<std::int64_t>(code::size_in_bytes(strong(object.type)));
        if (node.name == "nbytes")
            for (const Expr& extent : object.shape) bytes = bytes * extent;
        return symbolic_value(bytes, e->span);
    }
    if (node.name == "real" || node.name == "imag") return call_ufunc(node.name, {object}, e->span);
    refuse("F006", "arrays have no attribute " + node.name + " in programs", e->span,
           "known: T, mT, flat, shape, size, ndim, itemsize, nbytes, real, imag");
}

// ---- combining ----------------------------------------------------------------------------------------------------------
bool Translator::same_size(const Expr& a, const Expr& b) const {
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

std::vector<Expr> Translator::broadcast(const std::vector<std::vector<Expr>>& shapes, const Span& span) {
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
                       "sizes " + symbolic::to_string(joint) + " and " + symbolic::to_string(extent) + " do not go together", span,
                       "make both sizes the same expression, or 1 to broadcast");
            if (joint_is_one == extent_is_one)
                require_equal(joint, extent, "operands do not go together", span);
            else
                require(joint_is_one ? may_spread(joint, extent, span) : may_spread(extent, joint, span),
                        "operands do not go together: sizes " + symbolic::to_string(joint) + " and " + symbolic::to_string(extent) +
                            " differ",
                        span);
            if (joint_is_one && !extent_is_one) joint = extent;
        }
    }
    return result;
}

Value Translator::broadcast_to(const Value& value, const std::vector<Expr>& shape, const Span& span) const {
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

Value Translator::combine(const std::vector<Value>& operands, const Span& span,
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
        Domain(*this).require_value(operands[at], "TypeError: unsupported operand type: 'NoneType'", span);
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
    Type joint{DType(Scalar::Bool), true};
    for (const Value& operand : operands) joint = code::promote(joint, operand.type);
    for (const Value& operand : operands) {
        const Value fitted = broadcast_to(operand, result.shape, span);
        // A number of Python's takes the type that it meets.
        const bool adapts = operand.type.weak && !joint.weak && !operand.operands.empty() && !(operand.type.dtype == joint.dtype) &&
                            !joint.dtype.is_void();
        codes.push_back(adapts ? make_call(code::to_string(joint.dtype), {fitted.code}, span) : fitted.code);
        result.operands.insert(fitted.operands.begin(), fitted.operands.end());
    }
    result.code = build(codes);
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

std::optional<Expr> Translator::as_integer(const Value& value) const {
    if (!value.is_scalar() || !value.is_symbolic() || !code::is_integer(value.type.dtype.scalar)) return std::nullopt;
    if (!tasklet_locals_.empty())
        for (const std::string& name : ir::free_names(*value.code))
            if (tasklet_locals_.contains(name)) return std::nullopt;
    const Result<Expr> symbolic = ir::to_symbolic(*value.code);
    return symbolic.ok() && stays_in_integers(*symbolic) ? std::optional(*symbolic) : std::nullopt;
}

Expr Translator::integer_of(const ExprPtr& e) {
    return integer_of(evaluate(e), e->span);
}

Expr Translator::integer_of(const Value& value, const Span& span, const std::string& base) {
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

/// The value with elements of containers that views in other shapes are of: conditions stand where no view is tied to its base.
Value Translator::seen_through(const Value& value) {
    const bool whole_views = std::ranges::any_of(
        value.operands, [&](const auto& entry) { return entry.second.whole && view_of_.contains(entry.second.data); });
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

std::string Translator::condition_text(const ExprPtr& e) {
    const Value value = seen_through(evaluate_truth(e));
    for (const auto& [id, operand] : value.operands) {
        need_container(operand.data);
        for (const Expr& index : operand.index) need_symbols(symbolic::free_symbols(index));
    }
    return code::to_string(*value.code);
}

}  // namespace sluice::frontend
