// Index arithmetic as functions of a thread.
#include <algorithm>

#include "interpret/loop/planner.h"
#include "interpret/whole_numbers.h"

namespace sluice::interpret::loops {

using symbolic::Expr;
using symbolic::Kind;

namespace {

template <class Function> Whole folded(std::vector<Whole> operands, Function function) {
    return [operands = std::move(operands), function](Thread& thread) {
        std::int64_t result = operands[0](thread);
        for (std::size_t at = 1; at < operands.size(); ++at) result = function(result, operands[at](thread));
        return result;
    };
}

bool is_plain(const Expr& e) {
    switch (e.kind()) {
        case Kind::Rational:
        case Kind::Real:
        case Kind::Power:
            return false;
        case Kind::Call:
            return e.name() == "Subscript" && e.operands().size() == 2 && e.operands()[0].is_symbol() && is_plain(e.operands()[1]);
        default:
            return std::ranges::all_of(e.operands(), is_plain);
    }
}

}  // namespace

std::int64_t fail_with(const Diagnostic& problem) {
    Diagnostic named = problem;
    named.code = "I006";
    fail(std::move(named));
}

Whole Planner::whole(const Expr& e) {
    if (e.kind() == Kind::Integer || e.kind() == Kind::Boolean) return [value = e.integer()](Thread&) { return value; };
    const auto element = [&](const std::string& name) -> std::function<std::int64_t(Thread&, std::int64_t)> {
        const Binding binding = find(name);
        const std::size_t size = code::size_in_bytes(binding.type);
        return [&machine = machine_, binding, size, name](Thread& thread, std::int64_t at) {
            Cell cell;
            const Pointer place = machine.element(thread, thread.frame->slots[binding.slot], name, at, size, size);
            machine.read(thread, place, binding.type, &cell);
            return convert(cell, binding.type.scalar, Scalar::Int64).as<std::int64_t>();
        };
    };
    if (e.is_symbol()) return [read = element(e.name())](Thread& thread) { return read(thread, 0); };
    if (!is_plain(e)) {
        std::map<std::string, std::function<std::int64_t(Thread&, std::int64_t)>> reads;
        for (const std::string& name : symbolic::free_symbols(e)) reads.emplace(name, element(name));
        return [e, reads](Thread& thread) {
            symbolic::Environment environment;
            environment.symbol = [&](const std::string& name) -> std::optional<std::int64_t> { return reads.at(name)(thread, 0); };
            environment.call = [&](const std::string& name, std::span<const std::int64_t> at) -> std::optional<std::int64_t> {
                const auto found = reads.find(name);
                if (found == reads.end() || at.size() != 1) return std::nullopt;
                return found->second(thread, at[0]);
            };
            const Result<std::int64_t> value = symbolic::evaluate(e, environment);
            return value ? *value : fail_with(value.error());
        };
    }
    if (e.kind() == Kind::Call)
        return [read = element(e.operands()[0].name()), at = whole(e.operands()[1])](Thread& thread) {
            return read(thread, at(thread));
        };
    std::vector<Whole> operands;
    for (const Expr& operand : e.operands()) operands.push_back(whole(operand));
    const auto pair = [&](auto function) -> Whole {
        return [a = operands.at(0), b = operands.at(1), function](Thread& thread) {
            const std::int64_t left = a(thread);
            return function(left, b(thread));
        };
    };
    switch (e.kind()) {
        case Kind::Add:
            return folded(std::move(operands), whole::add);
        case Kind::Multiply:
            return folded(std::move(operands), whole::multiply);
        case Kind::FloorDivide:
            return pair(whole::floor_divide);
        case Kind::Modulo:
            return pair(whole::modulo);
        case Kind::Minimum:
            return folded(std::move(operands), [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
        case Kind::Maximum:
            return folded(std::move(operands), [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
        case Kind::Equal:
            return pair([](std::int64_t a, std::int64_t b) -> std::int64_t { return a == b; });
        case Kind::Less:
            return pair([](std::int64_t a, std::int64_t b) -> std::int64_t { return a < b; });
        case Kind::LessEqual:
            return pair([](std::int64_t a, std::int64_t b) -> std::int64_t { return a <= b; });
        case Kind::Not:
            return [a = operands[0]](Thread& thread) -> std::int64_t { return !a(thread); };
        case Kind::And:
        case Kind::Or:
            return [operands, ends = e.kind() == Kind::Or](Thread& thread) -> std::int64_t {
                for (const Whole& operand : operands)
                    if ((operand(thread) != 0) == ends) return ends;
                return !ends;
            };
        case Kind::Select:
            return [operands](Thread& thread) { return operands[operands[0](thread) ? 1 : 2](thread); };
        default:
            break;
    }
    refuse("the index `" + symbolic::to_string(e) + "` is of a kind that nobody evaluates", "compile the program instead");
}

}  // namespace sluice::interpret::loops
