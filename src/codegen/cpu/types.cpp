#include "codegen/cpu/types.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "loop/identifier.h"
#include "support/check.h"

namespace sluice::codegen {

namespace {

using code::CompoundKind;
using code::DType;
using code::Scalar;

std::string scalar_type(Scalar scalar) {
    switch (scalar) {
        case Scalar::Void:
            return "void";
        case Scalar::Bool:
            return "bool";
        case Scalar::Int8:
            return "int8_t";
        case Scalar::Int16:
            return "int16_t";
        case Scalar::Int32:
            return "int32_t";
        case Scalar::Int64:
            return "int64_t";
        case Scalar::UInt8:
            return "uint8_t";
        case Scalar::UInt16:
            return "uint16_t";
        case Scalar::UInt32:
            return "uint32_t";
        case Scalar::UInt64:
            return "uint64_t";
        case Scalar::Float16:
            return "float16";
        case Scalar::Float32:
            return "float";
        case Scalar::Float64:
            return "double";
        case Scalar::Complex64:
            return "complex64";
        case Scalar::Complex128:
            return "complex128";
        case Scalar::Float8E4M3:
        case Scalar::Float8E5M2:
        case Scalar::BFloat16:
        case Scalar::String:
            break;
    }
    throw InternalError("the CPU printer has no type for " + std::string(code::scalar_name(scalar)),
                        std::source_location::current());
}

std::string compound_type(const DType& type, std::string (*spell)(const DType&)) {
    switch (type.compound->kind) {
        case CompoundKind::Pointer:
            return spell(type.compound->fields.at(0).second) + "*";
        case CompoundKind::Struct:
            return loop::identifier(type.compound->name);
        case CompoundKind::Opaque:
            return type.compound->name;
        case CompoundKind::Callback:
            break;
    }
    std::string text = type.compound->results.empty() ? "void" : spell(type.compound->results[0]);
    text += " (*)(";
    for (std::size_t i = 0; i < type.compound->fields.size(); ++i) text += (i ? ", " : "") + spell(type.compound->fields[i].second);
    return text + ")";
}

std::string real_literal(double value, bool single) {
    const char* suffix = single ? "f" : "";
    if (std::isnan(value)) return fmt::format("__builtin_nan{}(\"\")", suffix);
    if (std::isinf(value)) return fmt::format("{}__builtin_inf{}()", value < 0 ? "-" : "", suffix);
    std::string text = single ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
    if (text.find_first_of(".en") == std::string::npos) text += ".0";
    return text + suffix;
}

}  // namespace

std::string cpp_type(const DType& type) {
    if (type.compound) return compound_type(type, cpp_type);
    if (type.is_vector()) return fmt::format("vector<{}, {}>", scalar_type(type.scalar), type.lanes);
    return scalar_type(type.scalar);
}

std::string c_type(const DType& type) {
    if (type.compound)
        return type.compound->kind == CompoundKind::Struct ? "struct " + loop::identifier(type.compound->name)
                                                           : compound_type(type, c_type);
    switch (type.scalar) {
        case Scalar::Float16:
            return "uint16_t";
        case Scalar::Complex64:
            return "sluice_complex64";
        case Scalar::Complex128:
            return "sluice_complex128";
        default:
            return scalar_type(type.scalar);
    }
}

std::string integer_literal(std::int64_t value, const DType& type) {
    if (type.is_vector()) return cpp_type(type) + "(" + integer_literal(value, type.scalar) + ")";
    if (code::is_floating(type.scalar) || code::is_complex(type.scalar)) return float_literal(static_cast<double>(value), 0, type);
    switch (type.scalar) {
        case Scalar::Bool:
            return value != 0 ? "true" : "false";
        case Scalar::Int32:
            return value == std::numeric_limits<std::int32_t>::min() ? "(-2147483647 - 1)" : std::to_string(value);
        case Scalar::Int64:
            return value == std::numeric_limits<std::int64_t>::min() ? "(-9223372036854775807L - 1)" : std::to_string(value) + "L";
        case Scalar::UInt32:
            return std::to_string(static_cast<std::uint32_t>(value)) + "u";
        case Scalar::UInt64:
            return std::to_string(static_cast<std::uint64_t>(value)) + "ul";
        default:
            return cpp_type(type) + "(" + std::to_string(value) + ")";
    }
}

std::string float_literal(double real, double imaginary, const DType& type) {
    if (type.is_vector()) return cpp_type(type) + "(" + float_literal(real, imaginary, type.scalar) + ")";
    switch (type.scalar) {
        case Scalar::Float64:
            return real_literal(real, false);
        case Scalar::Float32:
            return real_literal(real, true);
        case Scalar::Float16:
            return "float16(" + real_literal(real, true) + ")";
        case Scalar::Complex64:
            return "complex64(" + real_literal(real, true) + ", " + real_literal(imaginary, true) + ")";
        case Scalar::Complex128:
            return "complex128(" + real_literal(real, false) + ", " + real_literal(imaginary, false) + ")";
        default:
            return cpp_type(type) + "(" + real_literal(real, false) + ")";
    }
}

bool is_narrow(const DType& type) {
    if (!type.is_scalar()) return false;
    switch (type.scalar) {
        case Scalar::Bool:
        case Scalar::Int8:
        case Scalar::Int16:
        case Scalar::UInt8:
        case Scalar::UInt16:
        case Scalar::Float16:
            return true;
        default:
            return false;
    }
}

}  // namespace sluice::codegen
