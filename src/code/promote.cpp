// NumPy 2 promotion (NEP 50, and the table of numpy.promote_types).
#include <algorithm>

#include "code/dtype.h"

namespace sluice::code {
namespace {

bool is_narrow_float(Scalar s) {
    return s == Scalar::Float8E4M3 || s == Scalar::Float8E5M2 || s == Scalar::BFloat16;
}
std::size_t bytes(Scalar s) {
    return size_in_bytes(DType(s));
}
bool is_unsigned(Scalar s) {
    return s >= Scalar::UInt8 && s <= Scalar::UInt64;
}

Scalar promote_integers(Scalar a, Scalar b) {
    if (a == Scalar::Bool) return b;
    if (b == Scalar::Bool) return a;
    if (is_unsigned(a) == is_unsigned(b)) return std::max(a, b);
    const Scalar with_sign = is_unsigned(a) ? b : a, without = is_unsigned(a) ? a : b;
    switch (without) {
        case Scalar::UInt8:
            return std::max(with_sign, Scalar::Int16);
        case Scalar::UInt16:
            return std::max(with_sign, Scalar::Int32);
        case Scalar::UInt32:
            return Scalar::Int64;
        default:
            return Scalar::Float64;
    }
}

Scalar promote_scalars(Scalar a, Scalar b) {
    if (a == b) return a;
    const auto is_numeric = [](Scalar s) { return s != Scalar::Void && s != Scalar::String; };
    if (!is_numeric(a) || !is_numeric(b)) return Scalar::Void;
    if (is_narrow_float(a)) a = Scalar::Float32;
    if (is_narrow_float(b)) b = Scalar::Float32;
    if (is_complex(a) || is_complex(b)) {
        const auto part = [](Scalar s) {
            return s == Scalar::Complex128 ? Scalar::Float64 : s == Scalar::Complex64 ? Scalar::Float32 : s;
        };
        return promote_scalars(part(a), part(b)) == Scalar::Float64 ? Scalar::Complex128 : Scalar::Complex64;
    }
    if (is_floating(a) || is_floating(b)) return std::max(is_floating(a) ? a : float_for(a), is_floating(b) ? b : float_for(b));
    return promote_integers(a, b);
}

}  // namespace

Scalar float_for(Scalar integer) {
    if (integer == Scalar::Bool || bytes(integer) == 1) return Scalar::Float16;
    return bytes(integer) == 2 ? Scalar::Float32 : Scalar::Float64;
}

DType promote(const DType& a, const DType& b) {
    if (a == b) return a;
    if (a.compound || b.compound) return {};
    if (a.lanes != b.lanes && a.lanes != 1 && b.lanes != 1) return {};
    const Scalar scalar = promote_scalars(a.scalar, b.scalar);
    return scalar == Scalar::Void ? DType() : DType(scalar, std::max(a.lanes, b.lanes));
}

}  // namespace sluice::code
