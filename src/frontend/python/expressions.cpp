// Operators and names: an expression tree becomes one element-wise value.
#include <algorithm>
#include <set>

#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/collections.h"
#include "frontend/python/domain.h"
#include "frontend/python/function_values.h"
#include "frontend/python/lists.h"
#include "frontend/python/messages.h"
#include "frontend/python/overflow.h"
#include "frontend/python/prelude.h"
#include "frontend/python/process_grids.h"
#include "frontend/python/signatures.h"
#include "frontend/python/tables.h"
#include "frontend/python/texts.h"
#include "frontend/python/types_by_path.h"
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
    if (value.rank() > 0 && !value.other_types.empty()) TypesByPath(*this).ask(value, e->span);
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
                object != variables_.end() &&
                (object->second.value.kind == Value::Kind::Generator || object->second.value.kind == Value::Kind::Grid))
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
            if (is_given_out(*call, bindings_)) return true;
        }
        bool found = false;
        for_each_child(*one, [&](const ExprPtr& child) { found = found || self(self, child); });
        return found;
    };
    return may_write(may_write, e);
}

namespace {

bool has_ellipsis(const ExprPtr& index) {
    return std::ranges::any_of(elements_of(index), [](const ExprPtr& item) {
        const auto* constant = std::get_if<ConstantExpr>(&item->node);
        return constant && std::holds_alternative<EllipsisValue>(constant->value);
    });
}

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
    if (names_storage(n, bindings_)) return in_storage(n, span);
    const bool closed = n.op == BinaryOp::Add || n.op == BinaryOp::Sub || n.op == BinaryOp::Mul;  // Of what wrapped, modulo 2**64.
    const Restored counts(counts_, counts_ && closed);
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

/// `c is True` of a bool: of Python's, or of a parameter where DaCe's programs are meant, which take it for the value.
std::optional<Value> Translator::is_same_truth(const CompareExpr& n, const Span& span) {
    const auto truth_of = [](const ExprPtr& e) {
        const auto* constant = std::get_if<ConstantExpr>(&e->node);
        return constant ? std::get_if<bool>(&constant->value) : nullptr;
    };
    const std::size_t literal = truth_of(n.operands[0]) ? 0 : 1;
    const bool* wanted = truth_of(n.operands[literal]);
    if (!wanted || n.ops.size() > 1) return std::nullopt;
    const Value value = evaluate(n.operands[1 - literal]);
    const bool number_of_program = context_.program->definition.of_dace && value.is_scalar() && !value.of_rank_0;
    if (!value.is_scalar() || !(value.type.dtype == DType(Scalar::Bool)) || !(value.type.weak || number_of_program))
        return std::nullopt;
    const bool holds = *wanted == (n.ops[0] == CompareOp::Is);
    return combine({value}, span, [&](const auto& c) { return holds ? c[0] : make_unary(UnaryOp::Not, c[0], span); });
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
                Value operand = n.op == UnaryOp::Not ? evaluate_truth(n.operand, true) : evaluate(n.operand);
                Lists::refuse_as_array(operand, e->span);
                if (n.op != UnaryOp::Not && is_python_bool(operand)) operand = convert(operand, Scalar::Int64, true, e->span);
                if (n.op == UnaryOp::Minus) Overflow(*this).check_negation(n.operand, operand, e->span);
                Value result = combine({operand}, e->span, [&](const auto& c) { return make_unary(n.op, c[0], e->span); });
                if (n.op == UnaryOp::Not) {  // Python's bool, whatever it is asked of.
                    result.type.weak = result.type.weak || result.rank() == 0;
                    result.other_types.clear();
                }
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
                    if (const auto same = is_same_truth(n, e->span)) return *same;
                    const bool first = is_none(n.operands[0]);
                    if (n.ops.size() > 1 || (!first && !is_none(n.operands[1])))
                        unsupported("`is` between values", e->span, "compare with == or with None");
                    const bool none = evaluate(n.operands[first ? 1 : 0]).kind == Value::Kind::None;
                    return number(make_boolean(none == (n.ops[0] == CompareOp::Is), e->span), {Scalar::Bool, true});
                }
                std::vector<Value> operands = evaluate_all(n.operands);
                const auto ordered = [](CompareOp op) { return op != CompareOp::Eq && op != CompareOp::Ne; };
                if (auto numbers = Texts::compared(operands, std::ranges::any_of(n.ops, ordered), e->span)) operands = *numbers;
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
                if (n.ops.size() == 1)
                    if (const auto exact = Overflow(*this).compared_exactly(n.ops[0], operands[0], operands[1], e->span))
                        return *exact;
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
                if (const auto element = element_of_rows(n, e->span)) return *element;
                Value element = index(evaluate(n.object), n.index, e->span);
                if (element.is_scalar() && prelude_prefix_.empty() &&
                    has_ellipsis(n.index)) {  // NumPy's is a view without dimensions.
                    element.of_rank_0 = true;
                    element.sees_through.emplace();
                }
                return element;
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
            [&](const LambdaExpr& n) { return FunctionValues::of(n, e->span); },
            [&](const StarredExpr&) -> Value { unsupported("a starred expression", e->span, "write out the elements"); },
            [&](const NamedExpr& n) {
                assign_to(n.target, n.value);
                return evaluate(n.target);
            },
            [&](const DictExpr& n) { return Collections(*this).dictionary(n); },
            [&](const ComprehensionExpr& n) {
                if (!binding_counts({std::make_shared<const Stmt>(Stmt{ExprStmt{e}, e->span})}).empty())
                    unsupported("a name that a comprehension binds around it", e->span, "bind it in a loop");
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
    const std::string import = id == "np"                                        ? "import numpy as np"
                               : id == "numpy" || id == "math" || id == "sluice" ? "import " + id
                                                                                 : "";
    refuse("F002", "the name " + id + " is not known", e->span,
           import.empty() ? "assign it before, or declare a parameter or a symbol: sluice.symbol('" + id + "')"
                          : "write `" + import + "` at the top of the file");
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
    if (object.kind == Value::Kind::Grid) return ProcessGrids(*this).attribute(*object.grid, node.name, e->span);
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

Expr Translator::integer_of(const ExprPtr& e) {
    const Restored counts(counts_, true);
    return integer_of(evaluate(e), e->span);
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
