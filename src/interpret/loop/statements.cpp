// Statements that one thread carries out at once, and the bodies that hold them.
#include <algorithm>
#include <cstring>
#include <limits>

#include "interpret/instructions.h"
#include "interpret/loop/planner.h"
#include "interpret/reference_numbers.h"
#include "loop/text.h"
#include "loop/walk.h"
#include "support/formatted_number.h"

namespace sluice::interpret::loops {

using code::CompoundKind;
using code::ReductionType;
using loop::DType;

Planner::Planner(Machine& machine) : machine_(machine) {}

const FunctionPlan& make_plan(Machine& machine) {
    return Planner(machine).run();
}

const FunctionPlan& Planner::run() {
    const loop::Module& module = machine_.module();
    for (const std::string* text : {&module.global_code, &module.init_code, &module.exit_code})
        if (!text->empty())
            fail({"I007",
                  "`" + module.name + "` holds C++ of the user's, which only a compiler can carry out",
                  {},
                  module.name,
                  "compile the program instead",
                  {}});
    for (const loop::Function& each : module.functions) {
        machine_.functions.push_back(function(each, false));
        callable_[each.name] = machine_.functions.back().get();
    }
    machine_.functions.push_back(function(module.program, true));
    return *machine_.functions.back();
}

std::unique_ptr<FunctionPlan> Planner::function(const loop::Function& source, bool is_program) {
    auto plan = std::make_unique<FunctionPlan>();
    plan->source = function_ = &source;
    names_.clear();
    slots_ = 0;
    const loop::Module& module = machine_.module();
    std::size_t global = 0;
    for (const loop::ConstantTable& table : module.constants)
        plan->globals.emplace_back(define(table.name, table.type, table.scalar ? NameKind::Variable : NameKind::Buffer).slot,
                                   global++);
    for (const loop::Allocate& buffer : module.persistent) {
        if (is_program) plan->globals.emplace_back(define(buffer.name, buffer.type, NameKind::Buffer).slot, global);
        ++global;
    }
    for (const loop::Parameter& p : source.parameters) {
        using Kind = loop::Parameter::Kind;
        const NameKind kind = p.kind == Kind::Buffer   ? NameKind::Buffer
                              : p.kind == Kind::Stream ? NameKind::Stream
                                                       : NameKind::Variable;
        plan->parameters.push_back(define(p.name, p.type, kind).slot);
    }
    plan->body = body(source.body);
    plan->slots = slots_;
    return plan;
}

Planner::Binding Planner::define(const std::string& name, const DType& type, NameKind kind) {
    return names_.insert_or_assign(name, Binding{slots_++, type, kind}).first->second;
}

const Planner::Binding& Planner::find(const std::string& name) const {
    const auto found = names_.find(name);
    check(found != names_.end(), "the loop IR uses ", name, ", which is not in scope");
    return found->second;
}

void Planner::refuse(const std::string& what, const std::string& remedy) const {
    machine_.fail_at(at_, "I007", what, remedy);
}

Steps Planner::body(const loop::Body& statements) {
    const auto outer = names_;
    Steps result;
    for (const loop::Statement& statement : statements) {
        if (const auto* label = std::get_if<loop::Label>(&statement.node)) {
            result.labels.emplace_back(label->name, result.steps.size());
            result.only_leaves = false;
        }
        result.steps.push_back(step(statement));
        result.only_leaves = result.only_leaves && result.steps.back().leaf;
    }
    names_ = outer;
    return result;
}

Step Planner::step(const loop::Statement& statement) {
    Step result;
    const StatementId outer = at_;
    result.id = at_ = machine_.add_statement(statement, *function_);
    result.leaf = std::visit([&](const auto& n) { return leaf(n); }, statement.node);
    if (!result.leaf) result.compound = compound(statement);
    at_ = outer;
    return result;
}

Combine Planner::combination(ReductionType op, const DType& type) {
    const auto lanes = static_cast<std::uint32_t>(type.lanes);
    const Scalar scalar = type.scalar;
    const auto by = [&](Operation operation, bool truth_value = false) -> Combine {
        if (!operation) refuse("an update combines elements for which it has no meaning", "compile the program instead");
        return [operation, lanes, truth_value, scalar](Thread&, const Cell* a, const Cell* b, Cell* out) {
            for (std::uint32_t lane = 0; lane < lanes; ++lane) {
                out[lane] = apply(operation, a[lane], b[lane]);
                if (truth_value) out[lane] = convert(out[lane], Scalar::Bool, scalar);
            }
        };
    };
    using Op = code::BinaryOp;
    switch (op) {
        case ReductionType::Sum:
            return by(arithmetic(Op::Add, scalar));
        case ReductionType::Product:
            return by(arithmetic(Op::Mul, scalar));
        case ReductionType::Sub:
            return by(arithmetic(Op::Sub, scalar));
        case ReductionType::Div:
            return by(arithmetic(Op::Div, scalar));
        case ReductionType::BitwiseAnd:
            return by(arithmetic(Op::BitAnd, scalar));
        case ReductionType::BitwiseOr:
            return by(arithmetic(Op::BitOr, scalar));
        case ReductionType::BitwiseXor:
            return by(arithmetic(Op::BitXor, scalar));
        case ReductionType::Min:
            return by(interpret::function("minimum", 2, scalar));
        case ReductionType::Max:
            return by(interpret::function("maximum", 2, scalar));
        case ReductionType::LogicalAnd:
            return by(interpret::function("logical_and", 2, scalar), true);
        case ReductionType::LogicalOr:
            return by(interpret::function("logical_or", 2, scalar), true);
        case ReductionType::LogicalXor:
            return by(interpret::function("logical_xor", 2, scalar), true);
        case ReductionType::Exchange:
            return [lanes](Thread&, const Cell*, const Cell* b, Cell* out) { std::copy_n(b, lanes, out); };
        case ReductionType::Custom:
            break;
    }
    check(false, "a custom combination without its expression");
    return {};
}

std::function<void(Thread&)> Planner::update(const loop::Update& n) {
    const Binding target = find(n.buffer);
    const Code incoming = value(n.value);
    const DType type = n.value->type;
    if (type.compound) refuse("an update combines structures", "compile the program instead");
    const std::size_t step = code::size_in_bytes(target.type), bytes = code::size_in_bytes(type);
    Combine combine;
    if (n.op == ReductionType::Custom) {
        const auto outer = names_;
        const Binding before = define(n.old_name, type, NameKind::Variable), after = define(n.new_name, type, NameKind::Variable);
        const Code combined = value(n.combine);
        names_ = outer;
        combine = [&machine = machine_, before, after, combined, type](Thread& thread, const Cell* a, const Cell* b, Cell* out) {
            for (const auto& [slot, cells] : {std::pair{before.slot, a}, std::pair{after.slot, b}}) {
                Slot& own = thread.frame->declare(slot);
                machine.allocate(own, {}, type, 1, true, false);
                machine.write(thread, own.pointer, type, cells);
            }
            combined.run(thread, out);
        };
    } else {
        combine = combination(n.op, type);
    }
    const How how = n.conflict == loop::Conflict::None ? How::Plain : How::Atomic;
    const bool reads = n.op != ReductionType::Exchange || !n.before.empty();
    const std::optional<std::uint32_t> kept = n.before.empty() ? std::nullopt : std::optional(find(n.before).slot);
    return [&machine = machine_, kept, slot = target.slot, name = n.buffer, at = n.index ? index(n.index) : Whole(), incoming, type,
            step, bytes, combine, how, reads](Thread& thread) {
        std::vector<Cell> many(type.lanes > 1 ? std::size_t{3} * type.lanes : 0);
        Cell few[3];
        Cell* cells = type.lanes > 1 ? many.data() : few;
        Cell *before = cells, *next = cells + type.lanes, *after = next + type.lanes;
        const std::int64_t number = at ? at(thread) : 0;
        incoming.run(thread, next);
        const Pointer place = machine.element(thread, thread.frame->slots[slot], name, number, step, bytes);
        if (reads) machine.read(thread, place, type, before, how);
        combine(thread, before, next, after);
        machine.write(thread, place, type, after, how);
        if (kept) machine.write(thread, thread.frame->slots[*kept]->pointer, type, before);
    };
}

std::function<void(Thread&)> Planner::grow(const loop::Grow& n) {
    const Binding buffer = find(n.buffer);
    return [&machine = machine_, slot = buffer.slot, type = buffer.type, size = whole(n.size), name = n.buffer](Thread& thread) {
        Slot& grown = *thread.frame->slots[slot];
        const std::int64_t elements = size(thread);
        const std::size_t held = grown.pointer.memory->bytes;
        if (elements < 0 || static_cast<std::size_t>(elements) * code::size_in_bytes(type) <= held) return;
        const std::unique_ptr<Allocation> before = std::move(grown.own);
        machine.allocate(grown, name, type, elements, false);
        machine.copy(thread, grown.pointer, {before->data, before.get()}, held);
    };
}

namespace {

/// Memory that a library's function is handed.
class Window final : public ir::Memory {
public:
    Window(Machine& machine, Thread& thread, Pointer base, DType type)
        : machine_(machine), thread_(thread), base_(base), type_(std::move(type)), size_(code::size_in_bytes(type_)) {}
    ir::Number read(std::int64_t at) override {
        Cell cell;
        machine_.read(thread_, place(at), type_, &cell);
        return number_of(cell, type_.scalar);
    }
    void write(std::int64_t at, const ir::Number& value) override {
        const Cell cell = cell_of(value, type_.scalar);
        machine_.write(thread_, place(at), type_, &cell);
    }

private:
    Pointer place(std::int64_t at) const {
        Pointer result = base_;
        result.at += at * static_cast<std::int64_t>(size_);
        machine_.check_bounds(thread_, result, size_, "an argument");
        return result;
    }
    Machine& machine_;
    Thread& thread_;
    Pointer base_;
    DType type_;
    std::size_t size_;
};

}  // namespace

std::function<void(Thread&)> Planner::call_library(const loop::Extern& n) {
    const auto run = machine_.options().functions ? machine_.options().functions(n.function) : nullptr;
    if (!run) refuse("nobody has said what `" + n.function + "` computes", "choose an expansion that calls no library");
    std::vector<Code> arguments;
    for (const loop::ValuePtr& argument : n.arguments) arguments.push_back(value(argument));
    return [&machine = machine_, arguments, run](Thread& thread) {
        std::vector<std::unique_ptr<Window>> windows;
        std::vector<ir::CallValue> values;
        for (const Code& argument : arguments) {
            if (!argument.type.compound) {
                values.emplace_back(number_of(argument.one(thread), argument.type.scalar));
                continue;
            }
            windows.push_back(std::make_unique<Window>(machine, thread, argument.one(thread).as<Pointer>(),
                                                       argument.type.compound->fields.at(0).second));
            values.emplace_back(windows.back().get());
        }
        run(values);
    };
}

std::function<void(Thread&)> Planner::drain(const loop::Drain& n) {
    const Binding stream = find(n.stream);
    return [&machine = machine_, slot = stream.slot, at = index(n.index), to = value(n.destination),
            limit = n.limit ? index(n.limit) : Whole(), size = code::size_in_bytes(stream.type)](Thread& thread) {
        auto& queue = machine.queue(thread, slot, at(thread));
        Pointer place = to.one(thread).as<Pointer>();
        for (std::int64_t left = limit ? limit(thread) : std::numeric_limits<std::int64_t>::max(); left > 0 && !queue.empty();
             --left) {
            machine.check_bounds(thread, place, size, "the destination");
            machine.note_write(thread, place, size, How::Plain);
            std::memcpy(place.at, queue.front().data(), size);
            queue.pop_front();
            place.at += size;
            machine.announce();
        }
    };
}

std::function<void(Thread&)> Planner::failure(const loop::Fail& n) {
    std::vector<Whole> arguments;
    for (const loop::ValuePtr& argument : n.arguments) arguments.push_back(index(argument));
    return [&machine = machine_, message = n.message, arguments](Thread& thread) {
        std::string text = message;
        for (const Whole& argument : arguments)
            if (const std::size_t at = text.find("{}"); at != std::string::npos)
                text.replace(at, 2, std::to_string(argument(thread)));
        machine.fail_at(thread.at, "I010", with_numbers_written(text), "pass values for which the check holds");
    };
}

template <class Node> std::function<void(Thread&)> Planner::leaf(const Node& node) {
    Machine& machine = machine_;
    return std::visit(
        loop::Overloaded{
            [&](const loop::Declare* n) -> std::function<void(Thread&)> {
                const Code first = n->value ? value(n->value) : Code{};
                const Binding own = define(n->name, n->type, NameKind::Variable);
                return [&machine, slot = own.slot, first, name = n->name, type = n->type](Thread& thread) {
                    std::vector<Cell> many(type.compound || type.lanes == 1 ? 0 : type.lanes);
                    Cell few;
                    Cell* cells = many.empty() ? &few : many.data();
                    if (first.run) first.run(thread, cells);
                    Slot& variable = thread.frame->declare(slot);
                    Machine::keep_for(thread, machine.allocate(variable, name, type, 1, false));
                    if (first.run) machine.write(thread, variable.pointer, type, cells);
                };
            },
            [&](const loop::Assign* n) -> std::function<void(Thread&)> {
                const DType type = n->value->type;
                return [&machine, slot = find(n->name).slot, next = value(n->value), type](Thread& thread) {
                    std::vector<Cell> cells(type.compound ? 1 : type.lanes);
                    next.run(thread, cells.data());
                    machine.write(thread, thread.frame->slots[slot]->pointer, type, cells.data());
                };
            },
            [&](const loop::Store* n) -> std::function<void(Thread&)> {
                const Binding buffer = find(n->buffer);
                const DType type = n->value->type;
                return [&machine, slot = buffer.slot, name = n->buffer, at = index(n->index), next = value(n->value), type,
                        step = code::size_in_bytes(buffer.type), bytes = code::size_in_bytes(type)](Thread& thread) {
                    std::vector<Cell> many(type.compound || type.lanes == 1 ? 0 : type.lanes);
                    Cell few;
                    Cell* cells = many.empty() ? &few : many.data();
                    const std::int64_t number = at(thread);
                    next.run(thread, cells);
                    machine.write(thread, machine.element(thread, thread.frame->slots[slot], name, number, step, bytes), type,
                                  cells);
                };
            },
            [&](const loop::Update* n) { return update(*n); },
            [&](const loop::Allocate* n) -> std::function<void(Thread&)> {
                const Whole size = whole(n->size);
                const Binding own = define(n->name, n->type, NameKind::Buffer);
                if (n->space == loop::Space::Shared)
                    return [&machine, slot = own.slot, size, name = n->name, type = n->type, zero = n->zero](Thread& thread) {
                        std::unique_ptr<Slot>& shared = (*thread.position->shared)[slot];
                        if (!shared) {
                            shared = std::make_unique<Slot>();
                            machine.allocate(*shared, name, type, size(thread), zero);
                        }
                        thread.frame->slots[slot] = shared.get();
                    };
                return [&machine, slot = own.slot, size, name = n->name, type = n->type, zero = n->zero](Thread& thread) {
                    const std::int64_t elements = size(thread);
                    Machine::keep_for(thread, machine.allocate(thread.frame->declare(slot), name, type, elements, zero));
                };
            },
            [&](const loop::Grow* n) { return grow(*n); },
            [&](const loop::AllocateStream* n) -> std::function<void(Thread&)> {
                const Whole count = whole(n->count), capacity = whole(n->capacity);
                const Binding own = define(n->name, n->type, NameKind::Stream);
                return [slot = own.slot, count, capacity, name = n->name, size = code::size_in_bytes(n->type)](Thread& thread) {
                    auto queues = std::make_unique<Queues>();
                    queues->name = name;
                    queues->element = size;
                    queues->capacity = capacity(thread);
                    queues->queues.resize(static_cast<std::size_t>(std::max<std::int64_t>(count(thread), 0)));
                    Slot& stream = thread.frame->declare(slot);
                    stream.own_queues = std::move(queues);
                    stream.queues = stream.own_queues.get();
                };
            },
            [&](const loop::Alias* n) -> std::function<void(Thread&)> {
                const Code to = n->address ? value(n->address) : Code{};
                const Binding own = define(n->name, n->type, NameKind::Buffer);
                return [slot = own.slot, to](Thread& thread) {
                    const Pointer at = to.run ? to.one(thread).as<Pointer>() : Pointer{};
                    thread.frame->declare(slot).pointer = at;
                };
            },
            [&](const loop::Rebind* n) -> std::function<void(Thread&)> {
                return [slot = find(n->name).slot, to = value(n->address)](Thread& thread) {
                    thread.frame->slots[slot]->pointer = to.one(thread).as<Pointer>();
                };
            },
            [&](const loop::CopyContiguous* n) -> std::function<void(Thread&)> {
                if (n->queued) return nullptr;
                return [&machine, to = value(n->destination), from = value(n->source), count = whole(n->count),
                        size = code::size_in_bytes(n->type)](Thread& thread) {
                    const std::int64_t elements = count(thread);
                    const Pointer target = to.one(thread).as<Pointer>(), source = from.one(thread).as<Pointer>();
                    const std::size_t bytes = static_cast<std::size_t>(std::max<std::int64_t>(elements, 0)) * size;
                    if (bytes == 0) return;
                    machine.copy(thread, target, source, bytes);
                };
            },
            [&](const loop::Prefetch*) -> std::function<void(Thread&)> { return [](Thread&) {}; },
            [&](const loop::Event*) -> std::function<void(Thread&)> { return [](Thread&) {}; },
            [&](const loop::ZeroFill* n) -> std::function<void(Thread&)> {
                return [&machine, to = value(n->destination), count = whole(n->count),
                        size = code::size_in_bytes(n->type)](Thread& thread) {
                    const std::int64_t elements = count(thread);
                    const Pointer target = to.one(thread).as<Pointer>();
                    const std::size_t bytes = static_cast<std::size_t>(std::max<std::int64_t>(elements, 0)) * size;
                    if (bytes == 0) return;
                    machine.check_bounds(thread, target, bytes, "the destination");
                    machine.note_write(thread, target, bytes, How::Plain);
                    std::memset(target.at, 0, bytes);
                };
            },
            [&](const loop::Drain* n) { return drain(*n); },
            [&](const loop::Extern* n) { return call_library(*n); },
            [&](const loop::Verbatim*) -> std::function<void(Thread&)> {
                refuse("only a compiler can carry out C++", "write the tasklet in Python, or compile the program");
            },
            [&](const loop::Fail* n) { return failure(*n); },
            [&](const loop::Break*) -> std::function<void(Thread&)> { return [](Thread& thread) { thread.flow = Flow::Break; }; },
            [&](const loop::Continue*) -> std::function<void(Thread&)> {
                return [](Thread& thread) { thread.flow = Flow::Continue; };
            },
            [&](const loop::Return*) -> std::function<void(Thread&)> { return [](Thread& thread) { thread.flow = Flow::Return; }; },
            [&](const loop::Label*) -> std::function<void(Thread&)> { return [](Thread&) {}; },
            [&](const loop::Goto* n) -> std::function<void(Thread&)> {
                return [label = &n->label](Thread& thread) {
                    thread.flow = Flow::Goto;
                    thread.label = label;
                };
            },
            [&](const auto*) -> std::function<void(Thread&)> { return nullptr; },
        },
        std::variant<const Node*>(&node));
}

}  // namespace sluice::interpret::loops
