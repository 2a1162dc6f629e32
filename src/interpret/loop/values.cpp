// Values as functions of a thread, lane by lane for vectors. Operators are C's; functions are those of the first oracle, so that a
// difference between the two is one of loops and memory.
#include <algorithm>

#include "code/infer.h"
#include "interpret/instructions.h"
#include "interpret/loop/planner.h"
#include "loop/text.h"
#include "loop/walk.h"

namespace sluice::interpret::loops {

using code::CompoundKind;
using loop::BinaryOp;
using loop::DType;

namespace {

constexpr std::size_t kMostLanes = 64;

bool is_pointer(const DType& type) {
    return type.compound && type.compound->kind == CompoundKind::Pointer;
}
bool is_struct(const DType& type) {
    return type.compound && type.compound->kind == CompoundKind::Struct;
}

Operation operation_of(BinaryOp op, Scalar scalar) {
    switch (op) {
        case BinaryOp::Add:
            return arithmetic(code::BinaryOp::Add, scalar);
        case BinaryOp::Sub:
            return arithmetic(code::BinaryOp::Sub, scalar);
        case BinaryOp::Mul:
            return arithmetic(code::BinaryOp::Mul, scalar);
        case BinaryOp::Div:
            return arithmetic(code::BinaryOp::Div, scalar);
        case BinaryOp::Rem:
            return function("fmod", 2, scalar);
        case BinaryOp::BitAnd:
            return arithmetic(code::BinaryOp::BitAnd, scalar);
        case BinaryOp::BitOr:
            return arithmetic(code::BinaryOp::BitOr, scalar);
        case BinaryOp::BitXor:
            return arithmetic(code::BinaryOp::BitXor, scalar);
        case BinaryOp::ShiftLeft:
            return arithmetic(code::BinaryOp::ShiftLeft, scalar);
        case BinaryOp::ShiftRight:
            return arithmetic(code::BinaryOp::ShiftRight, scalar);
        case BinaryOp::Equal:
            return comparison(code::CompareOp::Eq, scalar);
        case BinaryOp::NotEqual:
            return comparison(code::CompareOp::Ne, scalar);
        case BinaryOp::Less:
            return comparison(code::CompareOp::Lt, scalar);
        case BinaryOp::LessEqual:
            return comparison(code::CompareOp::Le, scalar);
        case BinaryOp::Greater:
            return comparison(code::CompareOp::Gt, scalar);
        case BinaryOp::GreaterEqual:
            return comparison(code::CompareOp::Ge, scalar);
        case BinaryOp::LogicalAnd:
            return function("logical_and", 2, scalar);
        case BinaryOp::LogicalOr:
            return function("logical_or", 2, scalar);
    }
    return nullptr;
}

/// Bytes from the start of a structure, as a C compiler lays it out.
std::size_t offset_of(const DType& structure, const std::string& name, DType& field) {
    std::size_t offset = 0;
    for (const auto& [each, type] : structure.compound->fields) {
        const std::size_t size = code::size_in_bytes(type);
        const std::size_t alignment = code::size_in_bytes(DType::structure("", {{"first", Scalar::Int8}, {"second", type}})) - size;
        offset = (offset + alignment - 1) / alignment * alignment;
        field = type;
        if (each == name) return offset;
        offset += size;
    }
    check(false, "a structure without the field ", name);
    return 0;
}

}  // namespace

Code Planner::literal(const DType& type, const Cell& cell) {
    return {type, [cell, lanes = type.compound ? 1 : type.lanes](Thread&, Cell* out) { std::fill_n(out, lanes, cell); }};
}

Whole Planner::index(const loop::ValuePtr& v) {
    if (!v) return [](Thread&) -> std::int64_t { return 0; };
    if (const auto* n = std::get_if<loop::Index>(&v->node)) return whole(n->expr);
    if (const auto* n = std::get_if<loop::IntegerLiteral>(&v->node)) return [at = n->value](Thread&) { return at; };
    return
        [code = value(v)](Thread& thread) { return convert(code.one(thread), code.type.scalar, Scalar::Int64).as<std::int64_t>(); };
}

Code Planner::load(const std::string& buffer, const loop::ValuePtr& at, const DType& type) {
    const Binding binding = find(buffer);
    const std::size_t step = code::size_in_bytes(binding.type), bytes = code::size_in_bytes(type);
    if (!at)
        return {type, [&machine = machine_, slot = binding.slot, type](Thread& thread, Cell* out) {
                    machine.read(thread, thread.frame->slots[slot]->pointer, type, out);
                }};
    return {type,
            [&machine = machine_, slot = binding.slot, buffer, where = index(at), step, bytes, type](Thread& thread, Cell* out) {
                const std::int64_t number = where(thread);
                machine.read(thread, machine.element(thread, thread.frame->slots[slot], buffer, number, step, bytes), type, out);
            }};
}

Code Planner::unary(const loop::Value& v, const loop::Unary& n) {
    const Code operand = value(n.operand);
    const Scalar scalar = operand.type.scalar;
    const Operation operation = n.op == loop::UnaryOp::Negate   ? negation(scalar)
                                : n.op == loop::UnaryOp::BitNot ? inversion(scalar)
                                                                : interpret::function("logical_not", 1, scalar);
    if (!operation) refuse("`" + loop::to_text(v) + "` has no meaning for its operand", "compile the program instead");
    return {v.type, [operand, operation, lanes = v.type.lanes](Thread& thread, Cell* out) {
                operand.run(thread, out);
                for (std::uint32_t lane = 0; lane < lanes; ++lane) out[lane] = apply(operation, out[lane]);
            }};
}

Code Planner::binary(const loop::Value& v, const loop::Binary& n) {
    const Code left = value(n.left), right = value(n.right);
    const bool ends = n.op == BinaryOp::LogicalAnd || n.op == BinaryOp::LogicalOr;
    if (ends && left.type == DType(Scalar::Bool))
        return {v.type, [left, right, stop = n.op == BinaryOp::LogicalOr](Thread& thread, Cell* out) {
                    left.run(thread, out);
                    if (out->as<bool>() != stop) right.run(thread, out);
                }};
    const Operation operation = left.type.compound ? nullptr : operation_of(n.op, left.type.scalar);
    if (!operation) refuse("`" + loop::to_text(v) + "` has no meaning for its operands", "compile the program instead");
    if (left.registers() == 1)
        return {v.type, [left, right, operation](Thread& thread, Cell* out) {
                    const Cell a = left.one(thread);
                    *out = apply(operation, a, right.one(thread));
                }};
    return {v.type, [left, right, operation, lanes = left.registers()](Thread& thread, Cell* out) {
                std::vector<Cell> b(lanes);
                left.run(thread, out);
                right.run(thread, b.data());
                for (std::size_t lane = 0; lane < lanes; ++lane) out[lane] = apply(operation, out[lane], b[lane]);
            }};
}

Code Planner::select(const loop::Value& v, const loop::Select& n) {
    const Code condition = value(n.condition), yes = value(n.if_true), no = value(n.if_false);
    if (condition.registers() == 1)
        return {v.type, [condition, yes, no](Thread& thread, Cell* out) { (condition.holds(thread) ? yes : no).run(thread, out); }};
    return {v.type, [condition, yes, no, lanes = condition.registers()](Thread& thread, Cell* out) {
                std::vector<Cell> chosen(lanes), other(lanes);
                condition.run(thread, chosen.data());
                yes.run(thread, out);
                no.run(thread, other.data());
                for (std::size_t lane = 0; lane < lanes; ++lane)
                    if (!chosen[lane].as<bool>()) out[lane] = other[lane];
            }};
}

Code Planner::cast(const loop::Value& v, const loop::Cast& n) {
    const Code operand = value(n.operand);
    if (v.type.compound && operand.type.compound) return {v.type, operand.run};
    const Operation operation = v.type.compound || operand.type.compound ? nullptr : conversion(operand.type.scalar, v.type.scalar);
    if (!operation) refuse("`" + loop::to_text(v) + "` converts what only C++ converts", "compile the program instead");
    const bool spreads = operand.registers() == 1;
    return {v.type, [operand, operation, spreads, lanes = v.type.lanes](Thread& thread, Cell* out) {
                operand.run(thread, out);
                for (std::uint32_t lane = lanes; lane-- > 0;) out[lane] = apply(operation, out[spreads ? 0 : lane]);
            }};
}

Code Planner::call(const loop::Value& v, const loop::Call& n) {
    std::vector<Code> arguments;
    for (const loop::ValuePtr& argument : n.arguments) arguments.push_back(value(argument));
    check(!arguments.empty() && arguments.size() <= 3, "a call of ", n.function, " with ", arguments.size(), " arguments");
    const code::Function* known = code::find_function(n.function);
    Scalar operand = arguments[0].type.scalar;
    for (const Code& argument : arguments) operand = code::promote(DType(operand), DType(argument.type.scalar)).scalar;
    using Rule = code::Function::ResultRule;
    if (known && known->result == Rule::Float && !code::is_floating(operand) && !code::is_complex(operand)) operand = v.type.scalar;
    Operation operation = interpret::function(n.function, arguments.size(), operand);
    if (!operation && known && known->op) operation = arithmetic(*known->op, operand);
    if (!operation && n.function == "mod") operation = arithmetic(code::BinaryOp::Mod, operand);
    if (!operation)
        refuse("`" + loop::to_text(v) + "` calls a function that has no definition for " + std::string(code::scalar_name(operand)),
               "compile the program instead");
    Scalar result = operand;
    if (known && known->result == Rule::Bool) result = Scalar::Bool;
    if (known && known->result == Rule::RealOfComplex && code::is_complex(operand))
        result = operand == Scalar::Complex64 ? Scalar::Float32 : Scalar::Float64;
    const Scalar to = v.type.scalar;
    if (v.type.lanes == 1)
        return {v.type, [arguments, operation, operand, result, to](Thread& thread, Cell* out) {
                    Cell values[3];
                    for (std::size_t at = 0; at < arguments.size(); ++at)
                        values[at] = convert(arguments[at].one(thread), arguments[at].type.scalar, operand);
                    *out = convert(apply(operation, values[0], values[1], values[2]), result, to);
                }};
    return {v.type, [arguments, operation, operand, result, to, lanes = v.type.lanes](Thread& thread, Cell* out) {
                Cell values[3][kMostLanes];
                for (std::size_t at = 0; at < arguments.size(); ++at) {
                    const Code& argument = arguments[at];
                    argument.run(thread, values[at]);
                    for (std::uint32_t lane = lanes; lane-- > 0;)
                        values[at][lane] = convert(values[at][argument.registers() == 1 ? 0 : lane], argument.type.scalar, operand);
                }
                for (std::uint32_t lane = 0; lane < lanes; ++lane)
                    out[lane] = convert(apply(operation, values[0][lane], values[1][lane], values[2][lane]), result, to);
            }};
}

Code Planner::member(const loop::Value& v, const loop::Member& n) {
    const Code object = value(n.object);
    const DType structure = is_pointer(object.type) ? object.type.compound->fields.at(0).second : object.type;
    check(is_struct(structure), "a member of what is no structure");
    DType field;
    const std::size_t offset = offset_of(structure, n.name, field);
    const auto place = [&machine = machine_, object, offset, name = n.name](Thread& thread) {
        Pointer at = object.one(thread).as<Pointer>();
        machine.check_bounds(thread, at, 1, name);
        at.at += offset;
        return at;
    };
    if (n.address) return {v.type, [place](Thread& thread, Cell* out) { out->set(place(thread)); }};
    return {v.type, [&machine = machine_, place, type = v.type, name = n.name](Thread& thread, Cell* out) {
                const Pointer at = place(thread);
                machine.check_bounds(thread, at, code::size_in_bytes(type), name);
                machine.read(thread, at, type, out);
            }};
}

Code Planner::value(const loop::ValuePtr& v) {
    check(v != nullptr, "a value is missing");
    if (v->type.compound && !is_pointer(v->type) && !is_struct(v->type))
        refuse("`" + loop::to_text(*v) + "` is of a type that only C++ knows", "compile the program instead");
    if (!v->type.compound && v->type.lanes > kMostLanes)
        refuse("`" + loop::to_text(*v) + "` has more lanes than any processor", "use vectors of at most 64 elements");
    return std::visit(loop::Overloaded{
                          [&](const loop::IntegerLiteral& n) {
                              if (is_pointer(v->type)) return literal(v->type, cell(Pointer{}));
                              return literal(v->type, convert(cell(n.value), Scalar::Int64, v->type.scalar));
                          },
                          [&](const loop::FloatLiteral& n) {
                              return literal(v->type,
                                             convert(cell(Complex128(n.real, n.imaginary)), Scalar::Complex128, v->type.scalar));
                          },
                          [&](const loop::Variable& n) { return load(n.name, nullptr, v->type); },
                          [&](const loop::Index& n) {
                              return Code{v->type, [code = whole(n.expr), to = v->type.scalar](Thread& thread, Cell* out) {
                                              *out = convert(cell(code(thread)), Scalar::Int64, to);
                                          }};
                          },
                          [&](const loop::Load& n) { return load(n.buffer, n.index, v->type); },
                          [&](const loop::Address& n) {
                              const Binding binding = find(n.buffer);
                              return Code{v->type, [slot = binding.slot, where = index(n.index),
                                                    step = code::size_in_bytes(binding.type)](Thread& thread, Cell* out) {
                                              Pointer at = thread.frame->slots[slot]->pointer;
                                              if (at.at) at.at += where(thread) * static_cast<std::int64_t>(step);
                                              out->set(at);
                                          }};
                          },
                          [&](const loop::Unary& n) { return unary(*v, n); },
                          [&](const loop::Binary& n) { return binary(*v, n); },
                          [&](const loop::Select& n) { return select(*v, n); },
                          [&](const loop::Cast& n) { return cast(*v, n); },
                          [&](const loop::Call& n) { return call(*v, n); },
                          [&](const loop::Member& n) { return member(*v, n); },
                          [&](const loop::StreamSize& n) {
                              return Code{v->type, [&machine = machine_, slot = find(n.stream).slot, where = index(n.index),
                                                    to = v->type.scalar](Thread& thread, Cell* out) {
                                              const auto& queue = machine.queue(thread, slot, where(thread));
                                              *out = convert(cell(static_cast<std::int64_t>(queue.size())), Scalar::Int64, to);
                                          }};
                          },
                      },
                      v->node);
}

}  // namespace sluice::interpret::loops
