// Numbers of elements: integer arithmetic that knows when a value no longer fits 64 bits, so that a product of sizes that wraps is
// not taken for a small one.
#pragma once

#include "integer.h"

namespace sluice {

class Extent {
public:
    constexpr Extent(int64_t value) : value_(value) {}

    int64_t value() const { return value_; }
    bool fits() const { return fits_; }

    friend Extent operator+(Extent a, Extent b) {
        int64_t sum;
        const bool fits = !__builtin_add_overflow(a.value_, b.value_, &sum);
        return {a, b, sum, fits};
    }
    friend Extent operator-(Extent a, Extent b) {
        int64_t difference;
        const bool fits = !__builtin_sub_overflow(a.value_, b.value_, &difference);
        return {a, b, difference, fits};
    }
    friend Extent operator*(Extent a, Extent b) {
        int64_t product;
        const bool fits = !__builtin_mul_overflow(a.value_, b.value_, &product);
        return {a, b, product, fits};
    }
    friend Extent operator-(Extent a) { return Extent(0) - a; }
    friend Extent operator/(Extent a, Extent b) { return {a, b, b.value_ == 0 ? 0 : a.value_ / b.value_, true}; }
    friend Extent operator%(Extent a, Extent b) { return {a, b, b.value_ == 0 ? 0 : a.value_ % b.value_, true}; }
    /// The same of any function of integers that stays between them.
    template <class Function> friend Extent combined(Extent a, Extent b, Function function) {
        return {a, b, function(a.value_, b.value_), true};
    }

private:
    Extent(Extent a, Extent b, int64_t value, bool fits) : value_(value), fits_(fits && a.fits_ && b.fits_) {}

    int64_t value_;
    bool fits_ = true;
};

}  // namespace sluice

// Names that symbolic expressions print.
inline sluice::Extent sluice_floor_div(sluice::Extent a, sluice::Extent b) {
    return combined(a, b, [](int64_t x, int64_t y) { return sluice::floor_divide<int64_t>(x, y); });
}
inline sluice::Extent sluice_floor_mod(sluice::Extent a, sluice::Extent b) {
    return combined(a, b, [](int64_t x, int64_t y) { return sluice::remainder<int64_t>(x, y); });
}
inline sluice::Extent sluice_min(sluice::Extent a, sluice::Extent b) {
    return combined(a, b, [](int64_t x, int64_t y) { return sluice::minimum<int64_t>(x, y); });
}
inline sluice::Extent sluice_max(sluice::Extent a, sluice::Extent b) {
    return combined(a, b, [](int64_t x, int64_t y) { return sluice::maximum<int64_t>(x, y); });
}
inline sluice::Extent sluice_ipow(sluice::Extent base, int64_t exponent) {
    sluice::Extent result = 1;
    for (; exponent > 0 && result.fits(); --exponent) result = result * base;
    return result;
}
