#include "driver/element_bytes.h"

#include <cstring>

#include "support/check.h"

namespace sluice::driver {

namespace {

template <class Visit> void visit_type(code::Scalar type, Visit&& visit) {
    using code::Scalar;
    switch (type) {
        case Scalar::Bool:
            return visit(bool());
        case Scalar::Int8:
            return visit(std::int8_t());
        case Scalar::Int16:
            return visit(std::int16_t());
        case Scalar::Int32:
            return visit(std::int32_t());
        case Scalar::Int64:
            return visit(std::int64_t());
        case Scalar::UInt8:
            return visit(std::uint8_t());
        case Scalar::UInt16:
            return visit(std::uint16_t());
        case Scalar::UInt32:
            return visit(std::uint32_t());
        case Scalar::UInt64:
            return visit(std::uint64_t());
        case Scalar::Float32:
            return visit(float());
        case Scalar::Float64:
            return visit(double());
        case Scalar::Complex64:
            return visit(std::complex<float>());
        case Scalar::Complex128:
            return visit(std::complex<double>());
        default:
            check(false, "an element of type ", code::scalar_name(type), " is taken for a number");
    }
}

template <class T> inline constexpr bool is_complex_type = requires(T value) {
    value.real();
};

}  // namespace

ir::Number load_number(code::Scalar type, const std::byte* from) {
    ir::Number result;
    visit_type(type, [&](auto value) {
        std::memcpy(&value, from, sizeof value);
        if constexpr (is_complex_type<decltype(value)>)
            result = std::complex<double>(value);
        else if constexpr (std::is_floating_point_v<decltype(value)>)
            result = static_cast<double>(value);
        else
            result = static_cast<std::int64_t>(value);
    });
    return result;
}

void store_number(const ir::Number& number, code::Scalar type, std::byte* to) {
    visit_type(type, [&](auto value) {
        using T = decltype(value);
        if constexpr (is_complex_type<T>)
            value = T(number.complex());
        else
            value = number.integral ? static_cast<T>(number.integer) : static_cast<T>(number.real.real());
        std::memcpy(to, &value, sizeof value);
    });
}

}  // namespace sluice::driver
