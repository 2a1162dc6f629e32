#include "codegen/c_like/types.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "loop/identifier.h"
#include "support/check.h"

namespace sluice::codegen {

using code::CompoundKind;
using code::DType;
using code::Scalar;

std::string scalar_type(code::Scalar scalar) {
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
    throw InternalError("C-like languages have no type for " + std::string(code::scalar_name(scalar)),
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
