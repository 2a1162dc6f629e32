// The machine's numbers: a register that holds any element, the C++ type behind each element type, and conversion between them.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "code/dtype.h"
#include "support/check.h"

namespace sluice::interpret {

using code::DType;
using code::Scalar;

/// One element of any type. A vector takes as many registers as it has lanes.
struct alignas(16) Cell {
    std::array<std::byte, 16> bytes{};

    template <class T> T as() const {
        T value;
        std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
    template <class T> void set(T value) { std::memcpy(bytes.data(), &value, sizeof value); }
};
template <class T> Cell cell(T value) {
    Cell result;
    result.set(value);
    return result;
}

using Half = _Float16;
/// The upper half of a float, rounded to nearest even.
struct BFloat {
    std::uint16_t bits = 0;

    BFloat() = default;
    explicit BFloat(float value) {
        const auto wide = std::bit_cast<std::uint32_t>(value);
        bits = static_cast<std::uint16_t>(value != value ? (wide >> 16) | 0x40u : (wide + 0x7fffu + ((wide >> 16) & 1u)) >> 16);
    }
    operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
};
using Complex64 = std::complex<float>;
using Complex128 = std::complex<double>;

template <class T> inline constexpr bool is_complex_number = std::is_same_v<T, Complex64> || std::is_same_v<T, Complex128>;
template <class T> inline constexpr bool is_real_number =
    std::is_same_v<T, double> || std::is_same_v<T, float> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat>;
template <class T> inline constexpr bool is_bool = std::is_same_v<T, bool>;
template <class T> inline constexpr bool is_whole = std::is_integral_v<T> && !is_bool<T>;

/// Where arithmetic on T is carried out before it is rounded to T: the narrow floats compute as float.
template <class T> using Wide = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat>, float, T>;

/// Calls visit.template operator()<T>() with the C++ type of the scalar; false if the machine has none.
template <class Visit> bool visit_scalar(Scalar scalar, Visit&& visit) {
    switch (scalar) {
        case Scalar::Bool:
            return visit.template operator()<bool>(), true;
        case Scalar::Int8:
            return visit.template operator()<std::int8_t>(), true;
        case Scalar::Int16:
            return visit.template operator()<std::int16_t>(), true;
        case Scalar::Int32:
            return visit.template operator()<std::int32_t>(), true;
        case Scalar::Int64:
            return visit.template operator()<std::int64_t>(), true;
        case Scalar::UInt8:
            return visit.template operator()<std::uint8_t>(), true;
        case Scalar::UInt16:
            return visit.template operator()<std::uint16_t>(), true;
        case Scalar::UInt32:
            return visit.template operator()<std::uint32_t>(), true;
        case Scalar::UInt64:
            return visit.template operator()<std::uint64_t>(), true;
        case Scalar::BFloat16:
            return visit.template operator()<BFloat>(), true;
        case Scalar::Float16:
            return visit.template operator()<Half>(), true;
        case Scalar::Float32:
            return visit.template operator()<float>(), true;
        case Scalar::Float64:
            return visit.template operator()<double>(), true;
        case Scalar::Complex64:
            return visit.template operator()<Complex64>(), true;
        case Scalar::Complex128:
            return visit.template operator()<Complex128>(), true;
        case Scalar::Void:
        case Scalar::Float8E4M3:
        case Scalar::Float8E5M2:
        case Scalar::String:
            return false;
    }
    return false;
}

template <class T> bool truth(T value) {
    if constexpr (is_complex_number<T>)
        return value.real() != 0 || value.imag() != 0;
    else
        return value != T(0);
}

/// Set by a conversion of a number that fits no integer of 64 bits.
inline thread_local bool converted_beyond_range = false;

/// C's conversion; a number that does not fit an integer becomes what the processor makes of it (the smallest integer).
template <class To> To whole_from(double value) {
    if constexpr (std::is_same_v<To, std::uint64_t>) {
        if (value >= 9223372036854775808.0 && value < 18446744073709551616.0)
            return static_cast<std::uint64_t>(value - 9223372036854775808.0) + (std::uint64_t{1} << 63);
    }
    if (!(value >= -9223372036854775808.0 && value < 9223372036854775808.0)) {
        converted_beyond_range = true;
        return static_cast<To>(std::numeric_limits<std::int64_t>::min());
    }
    return static_cast<To>(static_cast<std::int64_t>(value));
}

template <class To, class From> To number(From value) {
    if constexpr (std::is_same_v<To, From>) {
        return value;
    } else if constexpr (is_bool<To>) {
        return truth(value);
    } else if constexpr (is_complex_number<To>) {
        using Part = typename To::value_type;
        if constexpr (is_complex_number<From>)
            return To(static_cast<Part>(value.real()), static_cast<Part>(value.imag()));
        else
            return To(static_cast<Part>(static_cast<Wide<From>>(value)), Part(0));
    } else if constexpr (is_complex_number<From>) {
        return number<To>(value.real());
    } else if constexpr (is_whole<To>) {
        if constexpr (is_real_number<From>)
            return whole_from<To>(static_cast<double>(static_cast<Wide<From>>(value)));
        else
            return static_cast<To>(value);
    } else if constexpr (std::is_same_v<To, BFloat>) {
        return BFloat(static_cast<float>(static_cast<Wide<From>>(value)));
    } else {
        return static_cast<To>(static_cast<Wide<From>>(value));
    }
}

/// An element in memory, as a register. Any byte but zero is a true bool.
inline Cell load(const std::byte* from, Scalar scalar, std::size_t size) {
    Cell result;
    if (scalar == Scalar::Bool)
        result.set(from[0] != std::byte{0});
    else
        std::memcpy(result.bytes.data(), from, size);
    return result;
}

/// Converts a register; both types must be ones that visit_scalar knows.
Cell convert(const Cell& value, Scalar from, Scalar to);

}  // namespace sluice::interpret
