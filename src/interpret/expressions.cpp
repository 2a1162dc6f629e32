// Expressions to instructions.
#include "code/walk.h"
#include "interpret/code.h"

namespace sluice::interpret {

void CodeCompiler::refuse(const std::string& what, const Span& where) {
    fail({"I007", what, where, path_, "write it with operations of the language reference", {}});
}

std::size_t CodeCompiler::emit(Operation operation, std::uint32_t to, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    check(operation != nullptr, "an instruction without an operation in ", path_);
    program_.instructions.push_back({operation, to, a, b, c});
    return program_.instructions.size() - 1;
}

Value CodeCompiler::fresh(const DType& type, bool weak) {
    Value value{type.scalar, weak, {}};
    for (std::uint32_t lane = 0; lane < type.lanes; ++lane) value.registers.push_back(new_register());
    return value;
}

Value CodeCompiler::constant(Scalar scalar, const Cell& cell, bool weak) {
    Value value = fresh(scalar, weak);
    program_.registers[value.registers[0]] = cell;
    constants_.emplace(value.registers[0], cell);
    return value;
}

std::optional<std::int64_t> CodeCompiler::known_integer(const Value& value) const {
    if (value.scalar != Scalar::Int64 || value.registers.size() != 1) return std::nullopt;
    const auto found = constants_.find(value.registers[0]);
    return found == constants_.end() ? std::nullopt : std::optional(found->second.as<std::int64_t>());
}

void CodeCompiler::copy(const Value& from, const Value& to) {
    for (std::size_t lane = 0; lane < to.registers.size(); ++lane)
        emit(move(), to.registers[lane], from.registers[from.registers.size() == 1 ? 0 : lane]);
}

Value CodeCompiler::convert(const Value& value, const DType& type) {
    if (value.scalar == type.scalar && value.registers.size() == type.lanes) return value;
    if (type.compound || (type.lanes != value.registers.size() && value.registers.size() != 1))
        refuse("a value of type " + code::to_string(value.type().dtype) + " does not become " + code::to_string(type), {});
    if (value.scalar == type.scalar) return {value.scalar, value.weak, std::vector<std::uint32_t>(type.lanes, value.registers[0])};
    const Operation operation = conversion(value.scalar, type.scalar);
    if (!operation) refuse("there is no arithmetic on the type " + code::to_string(type), {});
    if (value.registers.size() == 1)
        if (const auto known = constants_.find(value.registers[0]); known != constants_.end()) {
            Value result = constant(type.scalar, interpret::convert(known->second, value.scalar, type.scalar), value.weak);
            result.registers.assign(type.lanes, result.registers[0]);
            return result;
        }
    Value result = fresh(DType(type.scalar, static_cast<std::uint32_t>(value.registers.size())), value.weak);
    for (std::size_t lane = 0; lane < value.registers.size(); ++lane)
        emit(operation, result.registers[lane], value.registers[lane]);
    if (result.registers.size() != type.lanes) result.registers.assign(type.lanes, result.registers[0]);
    return result;
}

std::uint32_t CodeCompiler::as_indices(const std::vector<Value>& indices) {
    std::vector<Value> converted;
    for (const Value& index : indices) converted.push_back(convert(index, Scalar::Int64));
    const auto first = static_cast<std::uint32_t>(program_.registers.size());
    for (std::size_t at = 0; at < converted.size(); ++at) new_register();
    for (std::size_t at = 0; at < converted.size(); ++at)
        emit(move(), first + static_cast<std::uint32_t>(at), converted[at].registers[0]);
    return first;
}

void CodeCompiler::land(std::size_t jump_at) {
    program_.instructions[jump_at].c = static_cast<std::uint32_t>(here() - jump_at);
}

void CodeCompiler::jump_to(std::size_t target) {
    const std::size_t at = emit(jump(), 0);
    program_.instructions[at].c = static_cast<std::uint32_t>(static_cast<std::int32_t>(target) - static_cast<std::int32_t>(at));
}

void CodeCompiler::finish() {
    program_.instructions.push_back({});
}

Value CodeCompiler::truth(const Value& value) {
    return convert(value, DType(Scalar::Bool, static_cast<std::uint32_t>(value.registers.size())));
}

Value CodeCompiler::negated(const Value& operand) {
    Value result = fresh(operand.type().dtype, operand.weak);
    for (std::size_t lane = 0; lane < result.registers.size(); ++lane)
        emit(logical_not(), result.registers[lane], operand.registers[lane]);
    return result;
}

Value CodeCompiler::condition(const code::Expr& e) {
    const Value value = truth(expression(e));
    if (value.registers.size() != 1) refuse("a vector has no single truth value", e.span);
    return value;
}

Value CodeCompiler::literal(const code::ConstantExpr& e, const Span& where) {
    if (const auto* value = std::get_if<bool>(&e.value)) return constant(Scalar::Bool, cell(*value), true);
    if (const auto* value = std::get_if<std::int64_t>(&e.value)) return constant(Scalar::Int64, cell(*value), true);
    if (const auto* value = std::get_if<double>(&e.value)) return constant(Scalar::Float64, cell(*value), true);
    if (const auto* value = std::get_if<code::ImaginaryValue>(&e.value))
        return constant(Scalar::Complex128, cell(Complex128(0, value->value)), true);
    refuse("a constant that is no number has no value in a computation", where);
}

Value CodeCompiler::unary(const code::UnaryExpr& e, const Span& where) {
    Value operand = expression(*e.operand);
    if (e.op == code::UnaryOp::Plus) return operand;
    if (e.op == code::UnaryOp::Not) return negated(truth(operand));
    if (e.op == code::UnaryOp::Minus && operand.scalar == Scalar::Bool)
        operand = convert(operand, DType(Scalar::Int64, static_cast<std::uint32_t>(operand.registers.size())));
    const Operation operation = e.op == code::UnaryOp::Minus ? negation(operand.scalar) : inversion(operand.scalar);
    if (!operation) refuse("this operator does not take " + code::to_string(operand.type().dtype), where);
    const bool known = operand.registers.size() == 1 && constants_.contains(operand.registers[0]);
    Value result = fresh(operand.type().dtype, operand.weak);
    for (std::size_t lane = 0; lane < result.registers.size(); ++lane) {
        emit(operation, result.registers[lane], operand.registers[lane]);
        if (!known) continue;
        Execution now{program_.registers.data(), nullptr, nullptr, nullptr};
        operation(&program_.instructions.back(), now);
        program_.instructions.pop_back();
        constants_.emplace(result.registers[lane], program_.registers[result.registers[lane]]);
    }
    return result;
}

Value CodeCompiler::binary(code::BinaryOp op, const Value& left, const Value& right, const Span& where) {
    Result<code::Type> type = code::infer_binary(op, left.type(), right.type());
    if (!type) {
        Diagnostic diagnostic = type.error();
        diagnostic.where = where;
        diagnostic.path = path_;
        fail(std::move(diagnostic));
    }
    const Value a = convert(left, type->dtype), b = convert(right, type->dtype);
    const Operation operation = arithmetic(op, type->dtype.scalar);
    if (!operation) refuse("this operator does not take " + code::to_string(type->dtype), where);
    Value result = fresh(type->dtype, type->weak);
    for (std::size_t lane = 0; lane < result.registers.size(); ++lane)
        emit(operation, result.registers[lane], a.registers[lane], b.registers[lane]);
    return result;
}

Value CodeCompiler::compare(code::CompareOp op, const Value& left, const Value& right, const Span& where) {
    const code::Type type = code::promote(left.type(), right.type());
    const Operation operation = interpret::comparison(op, type.dtype.scalar);
    if (!operation) refuse("these operands cannot be compared", where);
    const Value a = convert(left, type.dtype), b = convert(right, type.dtype);
    Value result = fresh(DType(Scalar::Bool, type.dtype.lanes), left.weak && right.weak);
    for (std::size_t lane = 0; lane < result.registers.size(); ++lane)
        emit(operation, result.registers[lane], a.registers[lane], b.registers[lane]);
    return result;
}

Value CodeCompiler::membership(bool negated_too, const Value& left, const code::Expr& right, const Span& where) {
    const std::vector<code::ExprPtr>* elements = nullptr;
    if (const auto* tuple = std::get_if<code::TupleExpr>(&right.node)) elements = &tuple->elements;
    if (const auto* list = std::get_if<code::ListExpr>(&right.node)) elements = &list->elements;
    if (!elements) refuse("`in` needs a tuple or list of values on its right", where);
    const Value result = fresh(Scalar::Bool, false);
    copy(constant(Scalar::Bool, cell(false), true), result);
    for (const code::ExprPtr& element : *elements) {
        const Value same = compare(code::CompareOp::Eq, left, expression(*element), where);
        emit(function("logical_or", 2, Scalar::Bool), result.registers[0], result.registers[0], same.registers[0]);
    }
    return negated_too ? negated(result) : result;
}

Value CodeCompiler::comparison(const code::CompareExpr& e, const Span& where) {
    std::optional<Value> result;
    Value left = expression(*e.operands[0]);
    for (std::size_t at = 0; at < e.ops.size(); ++at) {
        const code::CompareOp op = e.ops[at];
        if (op == code::CompareOp::In || op == code::CompareOp::NotIn)
            return membership(op == code::CompareOp::NotIn, left, *e.operands[at + 1], where);
        const Value right = expression(*e.operands[at + 1]);
        const Value one = compare(op, left, right, where);
        if (result) {
            const Value both = fresh(one.type().dtype, result->weak && one.weak);
            for (std::size_t lane = 0; lane < both.registers.size(); ++lane)
                emit(function("logical_and", 2, Scalar::Bool), both.registers[lane], result->registers[lane], one.registers[lane]);
            result = both;
        } else {
            result = one;
        }
        left = right;
    }
    return *result;
}

// `and` and `or` yield a truth value and leave the rest unevaluated once they know it.
Value CodeCompiler::boolean(const code::BoolExpr& e) {
    const Value result = fresh(Scalar::Bool, true);
    std::vector<std::size_t> exits;
    bool weak = true;
    for (std::size_t at = 0; at < e.operands.size(); ++at) {
        const Value operand = expression(*e.operands[at]);
        weak = weak && operand.weak;
        const Value holds = truth(operand);
        if (holds.registers.size() != 1) refuse("a vector has no single truth value", e.operands[at]->span);
        emit(move(), result.registers[0], holds.registers[0]);
        if (at + 1 < e.operands.size()) exits.push_back(emit(e.is_and ? jump_if_not() : jump_if(), 0, result.registers[0]));
    }
    for (const std::size_t exit : exits) land(exit);
    return {Scalar::Bool, weak, result.registers};
}

// Only the branch that is taken runs: the other may read out of bounds.
Value CodeCompiler::conditional(const code::ConditionalExpr& e) {
    const auto types = [&](const code::Expr& branch) {
        Program scratch = program_;
        const auto known = constants_;
        const code::Type type = expression(branch).type();
        program_ = std::move(scratch);
        constants_ = known;
        return type;
    };
    const code::Type type = code::promote(types(*e.if_true), types(*e.if_false));
    const Value result = fresh(type.dtype, type.weak);
    const std::size_t to_else = emit(jump_if_not(), 0, condition(*e.condition).registers[0]);
    // The condition's instructions come before the jump; emit() above evaluated them first.
    copy(convert(expression(*e.if_true), type.dtype), result);
    const std::size_t to_end = emit(jump(), 0);
    land(to_else);
    copy(convert(expression(*e.if_false), type.dtype), result);
    land(to_end);
    return result;
}

std::vector<Value> CodeCompiler::indices_of(const code::Expr& index) {
    std::vector<Value> indices;
    const auto add = [&](const code::Expr& one) {
        if (std::holds_alternative<code::SliceExpr>(one.node)) refuse("a slice cannot be used as a value here", one.span);
        indices.push_back(expression(one));
    };
    if (const auto* tuple = std::get_if<code::TupleExpr>(&index.node))
        for (const code::ExprPtr& one : tuple->elements) add(*one);
    else
        add(index);
    return indices;
}

Value CodeCompiler::subscript(const code::SubscriptExpr& e, const Span& where) {
    const std::string name = code::dotted_name(*e.object);
    if (name.empty()) refuse("only a named array can be indexed here", where);
    const auto found = names_.element(*this, name, indices_of(*e.index));
    if (!found) refuse("`" + name + "` has no elements here", where);
    return *found;
}

Value CodeCompiler::attribute(const code::AttributeExpr& e, const code::Expr& whole) {
    const std::string name = code::dotted_name(whole);
    if (!name.empty()) {
        if (const auto found = names_.name(*this, name)) return *found;
        if (const auto number = code::named_constant(name)) return constant(Scalar::Float64, cell(*number), true);
    }
    const Value object = expression(*e.object);
    if (e.name != "real" && e.name != "imag") refuse("`." + e.name + "` is not an attribute known here", whole.span);
    const bool complex = is_complex(object.scalar);
    const Scalar part = !complex ? object.scalar : object.scalar == Scalar::Complex64 ? Scalar::Float32 : Scalar::Float64;
    return apply(e.name, {object}, {DType(part, static_cast<std::uint32_t>(object.registers.size())), object.weak}, whole.span);
}

Value CodeCompiler::expression(const code::Expr& e) {
    return std::visit(code::Overloaded{
                          [&](const code::NameExpr& n) {
                              if (const auto local = locals_.find(n.id); local != locals_.end()) return local->second;
                              const auto found = names_.name(*this, n.id);
                              if (const auto number = found ? std::nullopt : code::named_constant(n.id))
                                  return constant(Scalar::Float64, cell(*number), true);
                              if (!found) refuse("`" + n.id + "` names nothing here", e.span);
                              return *found;
                          },
                          [&](const code::ConstantExpr& n) { return literal(n, e.span); },
                          [&](const code::UnaryExpr& n) { return unary(n, e.span); },
                          [&](const code::BinaryExpr& n) {
                              const Value left = expression(*n.left);
                              return binary(n.op, left, expression(*n.right), e.span);
                          },
                          [&](const code::BoolExpr& n) { return boolean(n); },
                          [&](const code::CompareExpr& n) { return comparison(n, e.span); },
                          [&](const code::ConditionalExpr& n) { return conditional(n); },
                          [&](const code::CallExpr& n) { return call(n, e); },
                          [&](const code::AttributeExpr& n) { return attribute(n, e); },
                          [&](const code::SubscriptExpr& n) { return subscript(n, e.span); },
                          [&](const code::TupleExpr& n) -> Value {
                              if (n.elements.size() == 1) return expression(*n.elements[0]);
                              refuse("a tuple cannot be used as a value here", e.span);
                          },
                          [&](const auto&) -> Value { refuse("this expression has no value in a computation", e.span); },
                      },
                      e.node);
}

}  // namespace sluice::interpret
