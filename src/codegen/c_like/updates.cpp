// Accumulation where no two writes meet, and what an update combines.
#include "codegen/c_like/printer.h"
#include "codegen/c_like/types.h"
#include "loop/walk.h"
#include "support/check.h"

namespace sluice::codegen {

using code::DType;
using code::ReductionType;
using code::Scalar;

const char* compound_assignment(ReductionType op) {
    switch (op) {
        case ReductionType::Sum:
            return " += ";
        case ReductionType::Product:
            return " *= ";
        case ReductionType::Sub:
            return " -= ";
        case ReductionType::Div:
            return " /= ";
        case ReductionType::BitwiseAnd:
            return " &= ";
        case ReductionType::BitwiseOr:
            return " |= ";
        case ReductionType::BitwiseXor:
            return " ^= ";
        default:
            return nullptr;
    }
}

bool is_plain_number(const DType& type) {
    return type.is_scalar() && !code::is_complex(type.scalar) && type.scalar != Scalar::Float16;
}

std::string CLikePrinter::combined(const loop::Update& s, const std::string& before, const std::string& incoming) {
    const DType& element_type = s.value->type;
    const auto by_function = [&](const char* name) { return combined_by_function(name, element_type, before, incoming); };
    const auto by_operator = [&](const char* op) {
        const std::string text = before + op + incoming;
        return is_narrow(element_type) ? converted(type(element_type), text) : text;
    };
    const auto logical = [&](const char* name) { return converted(type(element_type), by_function(name)); };
    switch (s.op) {
        case ReductionType::Sum:
            return by_operator(" + ");
        case ReductionType::Product:
            return by_operator(" * ");
        case ReductionType::Sub:
            return by_operator(" - ");
        case ReductionType::Div:
            return by_operator(" / ");
        case ReductionType::BitwiseAnd:
            return by_operator(" & ");
        case ReductionType::BitwiseOr:
            return by_operator(" | ");
        case ReductionType::BitwiseXor:
            return by_operator(" ^ ");
        case ReductionType::Min:
            return by_function("minimum");
        case ReductionType::Max:
            return by_function("maximum");
        case ReductionType::LogicalAnd:
            return logical("logical_and");
        case ReductionType::LogicalOr:
            return logical("logical_or");
        case ReductionType::LogicalXor:
            return logical("logical_xor");
        case ReductionType::Exchange:
            return incoming;
        case ReductionType::Custom:
            break;
    }
    return value(s.combine);
}

void CLikePrinter::print(const loop::Update& s) {
    if (s.conflict != loop::Conflict::None) refuse("an update by several threads");
    plain_update(s, s.index ? element(s.buffer, s.index, s.value->type) : s.buffer);
}

void CLikePrinter::plain_update(const loop::Update& s, const std::string& target) {
    const DType& element_type = s.value->type;
    if (s.op == ReductionType::Custom) {
        scope_[s.old_name] = scope_[s.new_name] = {element_type};
        out_.open("{");
        out_.line("const " + type(element_type) + " " + s.old_name + " = " + target + ";");
        out_.line("const " + type(element_type) + " " + s.new_name + " = " + value(s.value) + ";");
        out_.line(target + " = " + value(s.combine) + ";");
        return out_.close();
    }
    const char* assignment = compound_assignment(s.op);
    if (assignment && (is_plain_number(element_type) || s.op != ReductionType::BitwiseAnd))
        return out_.line(target + assignment + value(s.value) + ";");
    out_.line(target + " = " + combined(s, target, value(s.value, Level::Unary)) + ";");
}

}  // namespace sluice::codegen
