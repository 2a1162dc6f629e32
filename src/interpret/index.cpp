#include "interpret/index.h"

#include <algorithm>

#include "interpret/machine.h"
#include "interpret/whole_numbers.h"

namespace sluice::interpret {

std::int64_t Index::affine(const Frame& frame) const {
    std::int64_t result = constant_;
    for (const auto& [slot, coefficient] : terms_)
        result = whole::add(result, whole::multiply(coefficient, frame.symbols[slot].as<std::int64_t>()));
    return result;
}

std::int64_t Index::stack(const Frame& frame) const {
    std::int64_t values[64];
    std::size_t top = 0;
    for (const Instruction& step : steps_) {
        switch (step.step) {
            case Step::Push:
                values[top++] = step.operand;
                continue;
            case Step::Symbol:
                values[top++] = frame.symbols[static_cast<std::size_t>(step.operand)].as<std::int64_t>();
                continue;
            case Step::Not:
                values[top - 1] = !values[top - 1];
                continue;
            case Step::Select:
                top -= 2;
                values[top - 1] = values[top - 1] ? values[top] : values[top + 1];
                continue;
            default:
                break;
        }
        const std::int64_t b = values[--top];
        std::int64_t& a = values[top - 1];
        switch (step.step) {
            case Step::Add:
                a = whole::add(a, b);
                break;
            case Step::Multiply:
                a = whole::multiply(a, b);
                break;
            case Step::FloorDivide:
                a = whole::floor_divide(a, b);
                break;
            case Step::Modulo:
                a = whole::modulo(a, b);
                break;
            case Step::Minimum:
                a = std::min(a, b);
                break;
            case Step::Maximum:
                a = std::max(a, b);
                break;
            case Step::Equal:
                a = a == b;
                break;
            case Step::Less:
                a = a < b;
                break;
            case Step::LessEqual:
                a = a <= b;
                break;
            case Step::And:
                a = a && b;
                break;
            case Step::Or:
                a = a || b;
                break;
            case Step::Push:
            case Step::Symbol:
            case Step::Not:
            case Step::Select:
                break;
        }
    }
    return values[0];
}

std::int64_t Index::evaluate(Machine& machine, Frame& frame) const {
    switch (kind_) {
        case Kind::Constant:
            return constant_;
        case Kind::Affine:
            return affine(frame);
        case Kind::Stack:
            return stack(frame);
        case Kind::Code:
            code_->run(machine, frame, nullptr);
            return interpret::convert(code_->registers[result_], result_type_, Scalar::Int64).as<std::int64_t>();
        case Kind::Symbolic:
            break;
    }
    std::map<std::string, std::int64_t> symbols;
    for (const auto& [name, slot] : names_) symbols[name] = frame.symbols[slot].as<std::int64_t>();
    Result<std::int64_t> value = symbolic::evaluate(expression_, symbols);
    if (value) return *value;
    if (value.error().code == "S001") whole::overflow();
    fail(value.error());
}

}  // namespace sluice::interpret
