// Values as expressions with the fewest parentheses. C computes small integers in `int`, so their results are cut back to
// their type where they arise.
#include <algorithm>
#include <cctype>

#include "codegen/c_like/printer.h"
#include "codegen/c_like/types.h"
#include "loop/identifier.h"
#include "loop/walk.h"
#include "support/check.h"

namespace sluice::codegen {

namespace {

using code::DType;
using code::Scalar;
using loop::BinaryOp;
using symbolic::Kind;

struct Operator {
    const char* text;
    Level level;
};

Operator spelled(BinaryOp op) {
    switch (op) {
        case BinaryOp::Add:
            return {" + ", Level::Sum};
        case BinaryOp::Sub:
            return {" - ", Level::Sum};
        case BinaryOp::Mul:
            return {" * ", Level::Product};
        case BinaryOp::Div:
            return {" / ", Level::Product};
        case BinaryOp::Rem:
            return {" % ", Level::Product};
        case BinaryOp::BitAnd:
            return {" & ", Level::BitAnd};
        case BinaryOp::BitOr:
            return {" | ", Level::BitOr};
        case BinaryOp::BitXor:
            return {" ^ ", Level::BitXor};
        case BinaryOp::ShiftLeft:
            return {" << ", Level::Shift};
        case BinaryOp::ShiftRight:
            return {" >> ", Level::Shift};
        case BinaryOp::Equal:
            return {" == ", Level::Equal};
        case BinaryOp::NotEqual:
            return {" != ", Level::Equal};
        case BinaryOp::Less:
            return {" < ", Level::Compare};
        case BinaryOp::LessEqual:
            return {" <= ", Level::Compare};
        case BinaryOp::Greater:
            return {" > ", Level::Compare};
        case BinaryOp::GreaterEqual:
            return {" >= ", Level::Compare};
        case BinaryOp::LogicalAnd:
            return {" && ", Level::And};
        case BinaryOp::LogicalOr:
            return {" || ", Level::Or};
    }
    return {};
}

bool is_arithmetic(Level level) {
    return level >= Level::Sum || level == Level::Shift;
}

// What surrounds bitwise operators and shifts is put in parentheses even where C needs none: few readers know that table.
Level operand_level(Level level, bool right) {
    if (level == Level::BitAnd || level == Level::BitOr || level == Level::BitXor || level == Level::Shift) return Level::Unary;
    return right ? Level(static_cast<int>(level) + 1) : level;
}

// Binding strength of the text that symbolic::to_cpp gives.
Level level_of(const symbolic::Expr& e, const std::string& text) {
    switch (e.kind()) {
        case Kind::Symbol:
            return Level::Atom;
        case Kind::Integer:
            return e.integer() < 0 ? Level::Unary : Level::Atom;
        default:
            break;
    }
    for (const char c : text)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return e.kind() == Kind::Add ? Level::Sum : Level::Select;
    return Level::Atom;
}

bool contains(const symbolic::Expr& e, bool (*wanted)(Kind)) {
    if (wanted(e.kind())) return true;
    for (const symbolic::Expr& operand : e.operands())
        if (contains(operand, wanted)) return true;
    return false;
}

bool divides(const symbolic::Expr& e) {
    return contains(e, [](Kind kind) { return kind == Kind::FloorDivide || kind == Kind::Modulo; });
}

// Whether runtime/extent.h has what the text computes with.
bool has_checked_form(const symbolic::Expr& e) {
    const auto all = [&](bool rationals) {
        return std::ranges::all_of(e.operands(), [&](const symbolic::Expr& operand) {
            return (rationals && operand.kind() == Kind::Rational) || has_checked_form(operand);
        });
    };
    switch (e.kind()) {
        case Kind::Integer:
        case Kind::Symbol:
            return true;
        case Kind::Add:
        case Kind::Multiply:
            return all(true);
        case Kind::Power:
            return e.operands()[1].is_integer() && e.operands()[1].integer() >= 0 && all(false);
        case Kind::FloorDivide:
        case Kind::Modulo:
        case Kind::Minimum:
        case Kind::Maximum:
            return all(false);
        default:
            return false;
    }
}

// Whether the text may call functions of the runtime.
bool uses_runtime(const symbolic::Expr& e) {
    return contains(e, [](Kind kind) {
        return kind == Kind::FloorDivide || kind == Kind::Modulo || kind == Kind::Minimum || kind == Kind::Maximum ||
               kind == Kind::Power || kind == Kind::Call;
    });
}

}  // namespace

std::string CLikePrinter::value(const loop::Value& v, Level least) {
    Text printed = print_value(v);
    return printed.level < least ? "(" + printed.text + ")" : std::move(printed.text);
}

std::string CLikePrinter::value(const loop::ValuePtr& v, Level least) {
    check(v != nullptr, "a value is missing");
    return value(*v, least);
}

std::string CLikePrinter::expr(const symbolic::Expr& e) {
    static const symbolic::Assumptions none;
    std::string text = divides(e) ? symbolic::to_cpp(e, assumptions_for(e)) : symbolic::to_cpp(e, none);
    if (text.find('(') != std::string::npos && uses_runtime(e)) need_index_functions();
    return text;
}

std::string CLikePrinter::extent(const symbolic::Expr& size, const std::string& before, const std::string& after) {
    static const symbolic::Assumptions none;
    if (size.is_integer()) return symbolic::to_cpp(size, none);
    if (!has_checked_form(size)) return expr(size);
    symbolic::Substitution checked;
    for (const std::string& name : symbolic::free_symbols(size)) checked.emplace(name, symbolic::symbol(before + name + after));
    return symbolic::to_cpp(symbolic::substitute(size, checked), none);
}

symbolic::Assumptions CLikePrinter::assumptions_for(const symbolic::Expr& e) const {
    symbolic::Assumptions result;
    std::set<std::string> seen;
    std::vector<symbolic::Expr> pending{e};
    while (!pending.empty()) {
        const std::set<std::string> symbols = symbolic::free_symbols(pending.back());
        pending.pop_back();
        for (const std::string& name : symbols) {
            if (!seen.insert(name).second) continue;
            const auto open =
                std::find_if(open_loops_.rbegin(), open_loops_.rend(), [&](const OpenLoop& l) { return l.variable == name; });
            if (open == open_loops_.rend()) {
                if (!sizes_.contains(name)) result.assume_any(name);
                continue;
            }
            const auto step = open->step.constant();
            if (!step && !symbolic::is_yes(symbolic::decide(symbolic::less(0, open->step), assumptions_for(open->step))))
                result.assume_any(name);
            else if (step.value_or(1) < 0)
                result.assume_in(name, open->end + 1, open->begin + 1);
            else
                result.assume_in(name, open->begin, open->end);
            pending.push_back(open->begin);
            pending.push_back(open->end);
        }
    }
    return result;
}

std::string CLikePrinter::subscript(const loop::ValuePtr& index) {
    check(index != nullptr, "an index is missing");
    if (const auto* n = std::get_if<loop::Index>(&index->node)) return expr(n->expr);
    if (const auto* n = std::get_if<loop::IntegerLiteral>(&index->node)) return std::to_string(n->value);
    return value(index);
}

std::string CLikePrinter::element(const std::string& buffer, const loop::ValuePtr& index, const DType& type) {
    const auto found = scope_.find(buffer);
    check(found != scope_.end(), "the printer knows no buffer named ", buffer);
    const DType& held = found->second.type;
    if (type.lanes > 1 && held.lanes == 1 && !held.compound) return lanes("&" + buffer + "[" + subscript(index) + "]", type);
    return buffer + "[" + subscript(index) + "]";
}

Text CLikePrinter::print_value(const loop::Value& v) {
    return std::visit(
        loop::Overloaded{
            [&](const loop::IntegerLiteral& n) {
                type(v.type);
                return Text{integer(n.value, v.type), n.value < 0 && v.type.is_scalar() ? Level::Unary : Level::Atom};
            },
            [&](const loop::FloatLiteral& n) {
                type(v.type);
                std::string text = real(n.real, n.imaginary, v.type);
                return Text{text, text[0] == '-' ? Level::Unary : Level::Atom};
            },
            [&](const loop::Variable& n) { return Text{n.name}; },
            [&](const loop::Index& n) {
                if (const auto constant = n.expr.constant())
                    return Text{integer(*constant, v.type), *constant < 0 ? Level::Unary : Level::Atom};
                std::string text = expr(n.expr);
                const bool untyped = n.expr.kind() == Kind::Select && v.type == DType(Scalar::Int64);
                if (untyped) return Text{converted("int64_t", text)};
                const Level level = level_of(n.expr, text);
                return Text{std::move(text), level};
            },
            [&](const loop::Load& n) { return Text{element(n.buffer, n.index, v.type)}; },
            [&](const loop::Address& n) { return print_address(n); },
            [&](const loop::Unary& n) { return print_unary(v, n); },
            [&](const loop::Binary& n) { return print_binary(v, n); },
            [&](const loop::Select& n) {
                if (v.type.is_vector()) return print_lanes_choice(v, n);
                return Text{
                    value(n.condition, Level::Or) + " ? " + value(n.if_true, Level::Or) + " : " + value(n.if_false, Level::Select),
                    Level::Select};
            },
            [&](const loop::Cast& n) { return print_cast(v, n); },
            [&](const loop::Call& n) { return print_call(v, n); },
            [&](const loop::Member& n) {
                const bool pointer = n.object->type.compound && n.object->type.compound->kind == code::CompoundKind::Pointer;
                const std::string field = value(n.object, Level::Atom) + (pointer ? "->" : ".") + loop::identifier(n.name);
                return n.address ? Text{"&" + field, Level::Unary} : Text{field};
            },
            [&](const loop::StreamSize& n) { return print_stream_size(n); },
        },
        v.node);
}

Text CLikePrinter::print_address(const loop::Address& n) {
    if (const auto* zero = n.index ? std::get_if<loop::Index>(&n.index->node) : nullptr; zero && zero->expr.is_integer(0))
        return {n.buffer};
    return {"&" + n.buffer + "[" + subscript(n.index) + "]", Level::Unary};
}

Text CLikePrinter::print_unary(const loop::Value& v, const loop::Unary& n) {
    const std::string operand = value(n.operand, Level::Unary);
    if (n.op == loop::UnaryOp::LogicalNot) return {"!" + operand, Level::Unary};
    if (n.op == loop::UnaryOp::BitNot && v.type == DType(Scalar::Bool)) return {"!" + operand, Level::Unary};
    const std::string text = (n.op == loop::UnaryOp::Negate ? operand[0] == '-' ? "- " : "-" : "~") + operand;
    if (is_narrow(v.type)) return {converted(type(v.type), text)};
    return {text, Level::Unary};
}

Text CLikePrinter::print_binary(const loop::Value& v, const loop::Binary& n) {
    const Operator op = spelled(n.op);
    std::string text = value(n.left, operand_level(op.level, false)) + op.text + value(n.right, operand_level(op.level, true));
    if (is_arithmetic(op.level) && is_narrow(v.type)) return {converted(type(v.type), text)};
    if (op.level == Level::BitAnd || op.level == Level::BitOr || op.level == Level::BitXor) {
        if (is_narrow(v.type)) return {converted(type(v.type), text)};
    }
    return {std::move(text), op.level};
}

}  // namespace sluice::codegen
