#include "transform/reduce/identity.h"

#include <limits>

namespace sluice::transform {

namespace {

/// The largest (smallest) value of the type, as Python text; empty for what has none.
std::string extreme(code::Scalar type, bool largest) {
    using enum code::Scalar;
    const auto text = [&](auto zero) {
        using T = decltype(zero);
        return std::to_string(largest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min());
    };
    switch (type) {
        case Float16:
        case Float32:
        case Float64:
            return largest ? "math.inf" : "-math.inf";
        case Int8:
            return text(std::int8_t());
        case Int16:
            return text(std::int16_t());
        case Int32:
            return text(std::int32_t());
        case Int64:
            return largest ? text(std::int64_t()) : "-" + std::to_string(std::numeric_limits<std::int64_t>::max()) + " - 1";
        case UInt8:
            return text(std::uint8_t());
        case UInt16:
            return text(std::uint16_t());
        case UInt32:
            return text(std::uint32_t());
        default:
            return "";
    }
}

}  // namespace

std::string identity_text(code::ReductionType operation, const code::DType& type) {
    switch (code::identity_of(operation, type)) {
        case code::Identity::None:
            return "";
        case code::Identity::Zero:
            return "0";
        case code::Identity::One:
            return "1";
        case code::Identity::AllOnes:
            return "-1";
        case code::Identity::Largest:
            return extreme(type.scalar, true);
        case code::Identity::Smallest:
            return extreme(type.scalar, false);
    }
    return "";
}

}  // namespace sluice::transform
