#include "codegen/cpu/types.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "support/check.h"

namespace sluice::codegen {

namespace {

using code::DType;
using code::Scalar;

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

std::string qualified_type(const DType& t) {
    if (t.compound) {
        if (t.compound->kind == code::CompoundKind::Pointer) return qualified_type(t.compound->fields.at(0).second) + "*";
        return cpp_type(t);
    }
    const bool ours = t.is_vector() || code::is_complex(t.scalar) || t.scalar == Scalar::Float16;
    if (t.is_vector() && (code::is_complex(t.scalar) || t.scalar == Scalar::Float16))
        return "sluice::vector<sluice::" + cpp_type(DType(t.scalar)) + ", " + std::to_string(t.lanes) + ">";
    return (ours ? "sluice::" : "") + cpp_type(t);
}

}  // namespace sluice::codegen
