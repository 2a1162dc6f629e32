// Python's arithmetic for programs over one memory (heap.h): integers of 64 bits, floats, and numbers of which only the run knows
// which they are. What Python would raise, or what does not fit, is a Raised.
#pragma once

#include "abi.h"

extern "C" {
double strtod(const char*, char**) noexcept;
}

namespace sluice::heap {

/// What ends a program: one of these, or a `raise` of its own, from kFirstRaise on.
enum Why : int64_t {
    kNothing,
    kOverflow,
    kZeroDivision,
    kZeroFloorDivision,
    kZeroModulo,
    kZeroRealDivision,
    kZeroRealFloorDivision,
    kZeroRealModulo,
    kZeroPower,
    kDomain,
    kFloatRange,
    kShift,
    kDepth,
    kUnbound,
    kBeyond,
    kMemory,
    kPython,
    kFirstRaise
};
struct Raised {
    int64_t why;
};
[[noreturn, gnu::cold, gnu::noinline]] inline void raise(int64_t why) {
    throw Raised{why};
}

/// A variable that has no value yet.
template <class T> T unbound() {
    raise(kUnbound);
}
/// How often a range is gone through.
inline uint64_t steps(int64_t begin, int64_t end, int64_t step) {
    if (step == 0) raise(kDomain);
    if (step > 0) return begin < end ? (uint64_t(end) - uint64_t(begin) - 1) / uint64_t(step) + 1 : 0;
    return begin > end ? (uint64_t(begin) - uint64_t(end) - 1) / (0 - uint64_t(step)) + 1 : 0;
}

/// A number of which only the run knows whether it is an integer or a float.
struct Open {
    int64_t whole = 0;
    double real = 0;
    bool is_real = false;
    Open() = default;
    Open(int64_t value) : whole(value) {}
    Open(double value) : real(value), is_real(true) {}
    double as_real() const { return is_real ? real : double(whole); }
};

// ---- integers -------------------------------------------------------------------------------------------------------------
inline int64_t add(int64_t a, int64_t b) {
    int64_t r;
    if (__builtin_expect(__builtin_add_overflow(a, b, &r), 0)) raise(kOverflow);
    return r;
}
inline int64_t sub(int64_t a, int64_t b) {
    int64_t r;
    if (__builtin_expect(__builtin_sub_overflow(a, b, &r), 0)) raise(kOverflow);
    return r;
}
inline int64_t mul(int64_t a, int64_t b) {
    int64_t r;
    if (__builtin_expect(__builtin_mul_overflow(a, b, &r), 0)) raise(kOverflow);
    return r;
}
inline int64_t neg(int64_t a) {
    return sub(0, a);
}
inline int64_t absolute(int64_t a) {
    return a < 0 ? neg(a) : a;
}
inline int64_t floordiv(int64_t a, int64_t b) {
    if (__builtin_expect(b == 0, 0)) raise(kZeroFloorDivision);
    if (__builtin_expect(b == -1, 0)) return neg(a);
    const int64_t q = a / b;
    return q - ((a % b != 0) & ((a ^ b) < 0));
}
inline int64_t mod(int64_t a, int64_t b) {
    if (__builtin_expect(b == 0, 0)) raise(kZeroModulo);
    if (__builtin_expect(b == -1, 0)) return 0;
    const int64_t r = a % b;
    return r + (((r != 0) & ((r ^ b) < 0)) ? b : 0);
}
/// The quotient of integers that doubles hold is rounded once.
inline double truediv(int64_t a, int64_t b) {
    constexpr int64_t kExact = int64_t(1) << 53;
    if (__builtin_expect(b == 0, 0)) raise(kZeroDivision);
    if (__builtin_expect(a > kExact || a < -kExact || b > kExact || b < -kExact, 0)) raise(kBeyond);
    return double(a) / double(b);
}
inline int64_t power(int64_t a, int64_t b) {
    if (b < 0) raise(kBeyond);  // A float in Python.
    int64_t result = 1;
    for (int64_t base = a;;) {
        if (b & 1) result = mul(result, base);
        if ((b >>= 1) == 0) return result;
        if (base == 0 || base == 1 || (base == -1 && (b & 1) == 0)) return base == 0 ? 0 : result;
        base = mul(base, base);
    }
}
inline int64_t shl(int64_t a, int64_t b) {
    if (b < 0) raise(kShift);
    if (a == 0) return 0;
    if (b > 62) raise(kOverflow);
    return mul(a, int64_t(1) << b);
}
inline int64_t shr(int64_t a, int64_t b) {
    if (b < 0) raise(kShift);
    return a >> (b > 63 ? 63 : b);
}

// ---- floats ---------------------------------------------------------------------------------------------------------------
inline double add(double a, double b) {
    return a + b;
}
inline double sub(double a, double b) {
    return a - b;
}
inline double mul(double a, double b) {
    return a * b;
}
inline double neg(double a) {
    return -a;
}
inline double absolute(double a) {
    return __builtin_fabs(a);
}
inline double truediv(double a, double b) {
    if (__builtin_expect(b == 0, 0)) raise(kZeroRealDivision);
    return a / b;
}
/// As CPython's float_divmod.
inline double mod(double a, double b) {
    if (b == 0) raise(kZeroRealModulo);
    const double r = __builtin_fmod(a, b);
    if (r == 0) return __builtin_copysign(0.0, b);
    return (r < 0) != (b < 0) ? r + b : r;
}
inline double floordiv(double a, double b) {
    if (b == 0) raise(kZeroRealFloorDivision);
    double r = __builtin_fmod(a, b), q = (a - r) / b;
    if (r != 0 && (b < 0) != (r < 0)) q -= 1.0;
    if (q == 0) return __builtin_copysign(0.0, a / b);
    const double whole = __builtin_floor(q);
    return q - whole > 0.5 ? whole + 1.0 : whole;
}
inline double power(double a, double b) {
    if (a == 0 && b < 0) raise(kZeroPower);
    if (a < 0 && __builtin_isfinite(a) && __builtin_isfinite(b) && b != __builtin_floor(b)) raise(kBeyond);  // Complex in Python.
    const double r = __builtin_pow(a, b);
    if (__builtin_isinf(r) && __builtin_isfinite(a) && __builtin_isfinite(b)) raise(kFloatRange);
    return r;
}
inline int64_t to_integer(double a) {
    if (!(a > -9223372036854775808.0 && a < 9223372036854775808.0)) raise(kBeyond);
    return int64_t(a);
}
inline int64_t to_integer(int64_t a) {
    return a;
}
inline int64_t to_integer(Open a) {
    return a.is_real ? to_integer(a.real) : a.whole;
}
template <class T> double to_real(T a) {
    return double(a);
}
inline double to_real(Open a) {
    return a.as_real();
}
/// To the nearest, halves to even.
inline int64_t rounded(double a) {
    return to_integer(__builtin_nearbyint(a));
}
inline int64_t rounded(int64_t a) {
    return a;
}
inline double rounded(double a, int64_t digits) {
    if (!__builtin_isfinite(a)) return a;
    if (digits > 300 || digits < 0) raise(kBeyond);
    char text[700];
    __builtin_snprintf(text, sizeof text, "%.*f", int(digits), a);
    return strtod(text, nullptr);
}
inline int64_t rounded(Open a) {
    return a.is_real ? rounded(a.real) : a.whole;
}
inline Open rounded(Open a, int64_t digits) {
    if (!a.is_real && digits < 0) raise(kBeyond);
    return a.is_real ? Open(rounded(a.real, digits)) : a;
}
/// A function of math's, with its errors.
template <class F> double checked(const F& f, double a) {
    const double r = f(a);
    if (__builtin_expect(__builtin_isnan(r) && !__builtin_isnan(a), 0)) raise(kDomain);
    if (__builtin_expect(__builtin_isinf(r) && __builtin_isfinite(a), 0)) raise(kFloatRange);
    return r;
}
inline int64_t gcd(int64_t a, int64_t b) {
    for (a = absolute(a), b = absolute(b); b != 0;) {
        const int64_t r = a % b;
        a = b, b = r;
    }
    return a;
}
inline int64_t isqrt(int64_t n) {
    if (n < 0) raise(kDomain);
    int64_t r = int64_t(__builtin_sqrt(double(n)));
    while (r > 3037000499 || r * r > n) --r;
    while (r < 3037000499 && (r + 1) * (r + 1) <= n) ++r;
    return r;
}
inline int64_t factorial(int64_t n) {
    if (n < 0) raise(kDomain);
    int64_t r = 1;
    for (int64_t k = 2; k <= n; ++k) r = mul(r, k);
    return r;
}

// ---- numbers of several types ----------------------------------------------------------------------------------------------
template <class F> Open of_open(const F& f, Open a, Open b) {
    return a.is_real || b.is_real ? Open(f(a.as_real(), b.as_real())) : Open(f(a.whole, b.whole));
}
inline Open add(Open a, Open b) {
    return of_open([](auto x, auto y) { return add(x, y); }, a, b);
}
inline Open sub(Open a, Open b) {
    return of_open([](auto x, auto y) { return sub(x, y); }, a, b);
}
inline Open mul(Open a, Open b) {
    return of_open([](auto x, auto y) { return mul(x, y); }, a, b);
}
inline Open floordiv(Open a, Open b) {
    return of_open([](auto x, auto y) { return floordiv(x, y); }, a, b);
}
inline Open mod(Open a, Open b) {
    return of_open([](auto x, auto y) { return mod(x, y); }, a, b);
}
inline Open truediv(Open a, Open b) {
    return of_open([](auto x, auto y) { return truediv(x, y); }, a, b);
}
inline Open power(Open a, Open b) {
    return of_open([](auto x, auto y) { return power(x, y); }, a, b);
}
inline Open neg(Open a) {
    return a.is_real ? Open(-a.real) : Open(neg(a.whole));
}
inline Open absolute(Open a) {
    return a.is_real ? Open(absolute(a.real)) : Open(absolute(a.whole));
}
template <class T> bool truth(T a) {
    return a != 0;
}
inline bool truth(const Open& a) {
    return a.is_real ? a.real != 0 : a.whole != 0;
}
/// -1, 0, 1, or 2 where one is NaN: exact for integers that no double holds.
inline int order(int64_t a, int64_t b) {
    return a < b ? -1 : a > b;
}
inline int order(bool a, bool b) {
    return int(a) - int(b);
}
inline int order(double a, double b) {
    return a < b ? -1 : a > b ? 1 : a == b ? 0 : 2;
}
inline int order(int64_t a, double b) {
    if (b != b) return 2;
    if (b >= 9223372036854775808.0) return -1;
    if (b < -9223372036854775808.0) return 1;
    const double whole = __builtin_trunc(b);
    const int first = order(a, int64_t(whole));
    return first != 0 ? first : order(whole, b);
}
inline int order(double a, int64_t b) {
    const int other = order(b, a);
    return other == 2 ? 2 : -other;
}
inline int order(Open a, Open b) {
    return a.is_real ? (b.is_real ? order(a.real, b.real) : order(a.real, b.whole))
                     : (b.is_real ? order(a.whole, b.real) : order(a.whole, b.whole));
}
inline bool operator==(Open a, Open b) {
    return order(a, b) == 0;
}

}  // namespace sluice::heap
