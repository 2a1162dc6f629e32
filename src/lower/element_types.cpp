#include "lower/element_types.h"

namespace sluice::lower {

using code::Scalar;

void require_computable(const DType& type, const std::string& what, const Span& where, const std::string& path) {
    if (type.compound) {
        const bool holds = type.compound->kind == code::CompoundKind::Pointer || type.compound->kind == code::CompoundKind::Struct;
        for (const auto& [name, field] : type.compound->fields)
            if (holds) require_computable(field, what, where, path);
        return;
    }
    switch (type.scalar) {
        case Scalar::BFloat16:
        case Scalar::Float8E4M3:
        case Scalar::Float8E5M2:
        case Scalar::String:
            refuse({"L020",
                    what + " has type " + std::string(code::scalar_name(type.scalar)) + ", which a CPU program cannot compute with",
                    where, path, "use float16, float32 or float64"});
        default:
            return;
    }
}

}  // namespace sluice::lower
