// Type traits over NumPy's scalar types, without the standard library.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace sluice {

using float16 = _Float16;

template <class T, class U> inline constexpr bool same = __is_same(T, U);
template <class T> inline constexpr bool is_floating =
    same<T, double> || same<T, float> || same<T, float16> || same<T, long double>;
template <class T> inline constexpr bool is_signed_integer =
    same<T, signed char> || same<T, short> || same<T, int> || same<T, long> || same<T, long long> || same<T, char>;
template <class T> inline constexpr bool is_unsigned_integer =
    same<T, unsigned char> || same<T, unsigned short> || same<T, unsigned> || same<T, unsigned long> || same<T, unsigned long long>;
template <class T> inline constexpr bool is_integer = is_signed_integer<T> || is_unsigned_integer<T>;

template <bool condition, class T, class U> struct Conditional { using type = T; };
template <class T, class U> struct Conditional<false, T, U> { using type = U; };
template <bool condition, class T, class U> using conditional = typename Conditional<condition, T, U>::type;

/// Where a function of floating-point numbers computes: integers go through double.
template <class T> using floating_of = conditional<is_floating<T>, T, double>;

/// The unsigned integer of a size: the bits of a value.
template <size_t bytes> struct BitsOf {};
template <> struct BitsOf<1> { using type = uint8_t; };
template <> struct BitsOf<2> { using type = uint16_t; };
template <> struct BitsOf<4> { using type = uint32_t; };
template <> struct BitsOf<8> { using type = uint64_t; };
template <size_t bytes> struct SignedOf {};
template <> struct SignedOf<1> { using type = int8_t; };
template <> struct SignedOf<2> { using type = int16_t; };
template <> struct SignedOf<4> { using type = int32_t; };
template <> struct SignedOf<8> { using type = int64_t; };
template <class T> using bits_of = typename BitsOf<sizeof(T)>::type;

/// A value that takes part in arithmetic; tells plain numbers from complex ones and vectors, which have overloads of their own.
template <class T>
concept Number = is_floating<T> || is_integer<T> || same<T, bool>;
template <class T>
concept Integer = is_integer<T> || same<T, bool>;
template <class T>
concept Floating = is_floating<T>;

/// Name of a type from outside template deduction: both operands of a function need not deduce the same type.
template <class T> struct Identity { using type = T; };
template <class T> using plain = typename Identity<T>::type;

}  // namespace sluice
