// Write conflicts: one atomic instruction, compare-exchange, a lock; and what OpenMP reductions are called.
#include "codegen/cpu/printer.h"
#include "codegen/cpu/types.h"
#include "loop/walk.h"
#include "support/check.h"

namespace sluice::codegen {

using code::DType;
using code::ReductionType;
using code::Scalar;

void Printer::print(const loop::Update& s) {
    const std::string target = s.index ? element(s.buffer, s.index, s.value->type) : s.buffer;
    switch (s.conflict) {
        case loop::Conflict::None:
            return sum_of_products(s, target) ? void() : plain_update(s, target);
        case loop::Conflict::Atomic:
            return atomic_update(s, target);
        case loop::Conflict::CompareExchange:
        case loop::Conflict::Critical:
            return exchange_update(s, target);
    }
}

bool Printer::sum_of_products(const loop::Update& s, const std::string& target) {
    const DType& element_type = s.value->type;
    const auto* product = std::get_if<loop::Binary>(&s.value->node);
    const bool real = element_type.scalar == Scalar::Float64 || element_type.scalar == Scalar::Float32;
    if (s.op != ReductionType::Sum || !product || product->op != loop::BinaryOp::Mul || element_type.compound || !real)
        return false;
    if (product->left->type != element_type || product->right->type != element_type) return false;
    need(element_type.is_vector() ? "vector_math.h" : "multiply_add.h");
    out_.line(target + " = " + runtime("multiply_add") + "(" + value(product->left) + ", " + value(product->right) + ", " + target +
              ");");
    return true;
}

// A complex sum is two independent sums of its parts.
void Printer::atomic_update(const loop::Update& s, const std::string& target) {
    const DType& element_type = s.value->type;
    const char* assignment = compound_assignment(s.op);
    if (is_plain_number(element_type) && element_type.scalar != Scalar::Bool) {
        if (assignment) {
            out_.flush_left("#pragma omp atomic");
            return out_.line(target + assignment + value(s.value) + ";");
        }
        if (s.op == ReductionType::Exchange) {
            out_.flush_left("#pragma omp atomic write");
            return out_.line(target + " = " + value(s.value) + ";");
        }
    }
    const bool additive = s.op == ReductionType::Sum || s.op == ReductionType::Sub;
    if (element_type.is_scalar() && code::is_complex(element_type.scalar) && additive) {
        const std::string incoming = own("incoming");
        out_.open("{");
        out_.line("const " + type(element_type) + " " + incoming + " = " + value(s.value) + ";");
        for (const char* part : {".real", ".imag"}) {
            out_.flush_left("#pragma omp atomic");
            out_.line(target + part + assignment + incoming + part + ";");
        }
        return out_.close();
    }
    exchange_update(s, target);
}

void Printer::exchange_update(const loop::Update& s, const std::string& target) {
    need("atomic.h");
    const std::string element_type = type(s.value->type);
    const bool custom = s.op == ReductionType::Custom;
    const std::string before = custom ? s.old_name : own("before"), incoming = custom ? s.new_name : own("incoming");
    if (custom) scope_[before] = scope_[incoming] = {s.value->type};
    const std::string function = runtime(s.conflict == loop::Conflict::Critical ? "update_locked" : "update_atomically");
    out_.open("{");
    out_.line("const " + element_type + " " + incoming + " = " + value(s.value) + ";");
    out_.line(function + "(&" + target + ", [&]([[maybe_unused]] const " + element_type + " " + before + ") -> " + element_type +
              " { return " + combined(s, before, incoming) + "; });");
    out_.close();
}

std::string Printer::reduction_identifier(ReductionType op, const DType& element_type) {
    const bool plain = is_plain_number(element_type), integer = plain && code::is_integer(element_type.scalar);
    switch (op) {
        case ReductionType::Sum:
        case ReductionType::Sub:
            if (plain) return element_type.scalar == Scalar::Bool ? "||" : "+";
            break;
        case ReductionType::Product:
        case ReductionType::Div:
            if (plain) return element_type.scalar == Scalar::Bool ? "&&" : "*";
            break;
        case ReductionType::Min:
            if (integer) return "min";
            break;
        case ReductionType::Max:
            if (integer) return "max";
            break;
        case ReductionType::LogicalAnd:
            if (plain) return "&&";
            break;
        case ReductionType::LogicalOr:
            if (plain) return "||";
            break;
        case ReductionType::BitwiseAnd:
            if (plain) return "&";
            break;
        case ReductionType::BitwiseOr:
            if (plain) return "|";
            break;
        case ReductionType::BitwiseXor:
            if (plain) return "^";
            break;
        default:
            break;
    }
    const double infinity = __builtin_inf();
    struct Own {
        const char* name;
        double neutral;
    };
    const auto chosen = [&]() -> Own {
        switch (op) {
            case ReductionType::Sum:
            case ReductionType::Sub:
                return {"add", 0};
            case ReductionType::Product:
            case ReductionType::Div:
                return {"multiply", 1};
            case ReductionType::Min:
                return {"minimum", infinity};
            case ReductionType::Max:
                return {"maximum", -infinity};
            case ReductionType::LogicalAnd:
                return {"logical_and", 1};
            case ReductionType::LogicalOr:
                return {"logical_or", 0};
            case ReductionType::LogicalXor:
                return {"logical_xor", 0};
            default:
                return {nullptr, 0};
        }
    }();
    check(chosen.name != nullptr, "a parallel reduction cannot combine values of type ", code::to_string(element_type),
          " by this operator");
    need(element_type.is_vector() ? "vector_math.h" : "math.h");
    const std::string name = own(std::string(chosen.name) + "_of_" + std::string(code::scalar_name(element_type.scalar)) +
                                 (element_type.is_vector() ? "x" + std::to_string(element_type.lanes) : ""));
    const std::string spelled = type(element_type);
    const bool minimal = element_type.scalar == Scalar::Bool && (op == ReductionType::Min || op == ReductionType::Max);
    const double neutral = minimal ? (op == ReductionType::Min ? 1 : 0) : chosen.neutral;
    const std::string initial =
        element_type.scalar == Scalar::Bool || code::is_integer(element_type.scalar)
            ? integer_literal(static_cast<std::int64_t>(neutral), element_type)
            : float_literal(neutral, code::is_complex(element_type.scalar) && neutral != 0 && neutral != 1 ? neutral : 0,
                            element_type);
    declared_reductions_[name] = "#pragma omp declare reduction(" + name + " : " + spelled + " : omp_out = " + spelled +
                                 "(sluice::" + chosen.name + "(omp_out, omp_in))) initializer(omp_priv = " + initial + ")";
    return name;
}

}  // namespace sluice::codegen
