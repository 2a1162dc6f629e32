// Exact rational arithmetic in 64 bits, computed in 128 and narrowed with a check.
#include "symbolic/number.h"

#include <cmath>
#include <limits>

#include "support/check.h"

namespace sluice::symbolic {

namespace {

using Wide = __int128;

Wide wide_gcd(Wide a, Wide b) {
    if (a < 0) a = -a;
    if (b < 0) b = -b;
    while (b != 0) {
        const Wide rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

std::int64_t narrow(Wide value) {
    if (value > std::numeric_limits<std::int64_t>::max() || value < std::numeric_limits<std::int64_t>::min()) throw Overflow{};
    return static_cast<std::int64_t>(value);
}

Number reduced(Wide numerator, Wide denominator) {
    if (denominator < 0) {
        numerator = -numerator;
        denominator = -denominator;
    }
    if (denominator != 1) {
        const Wide divisor = wide_gcd(numerator, denominator);
        numerator /= divisor;
        denominator /= divisor;
    }
    const std::int64_t narrow_denominator = narrow(denominator);
    if (narrow_denominator == 1) return Number(narrow(numerator));
    return Number::ratio(narrow(numerator), narrow_denominator);
}

}  // namespace

Number Number::ratio(std::int64_t numerator, std::int64_t denominator) {
    check(denominator != 0, "rational number with denominator 0");
    Number result;
    if (denominator > 0 && wide_gcd(numerator, denominator) == 1) {
        result.numerator_ = numerator;
        result.denominator_ = denominator;
        return result;
    }
    return reduced(numerator, denominator);
}

Number Number::real(double value) {
    Number result;
    result.real_ = std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
    result.is_real_ = true;
    return result;
}

double Number::as_double() const {
    return is_real_ ? real_ : static_cast<double>(numerator_) / static_cast<double>(denominator_);
}

int Number::sign() const {
    if (is_real_) return real_ < 0 ? -1 : real_ > 0 ? 1 : 0;
    return numerator_ < 0 ? -1 : numerator_ > 0 ? 1 : 0;
}

int Number::compare(const Number& other) const {
    if (is_real_ || other.is_real_) {
        const double a = as_double(), b = other.as_double();
        return a < b ? -1 : a > b ? 1 : 0;
    }
    if (denominator_ == other.denominator_) return numerator_ < other.numerator_ ? -1 : numerator_ > other.numerator_ ? 1 : 0;
    const Wide a = Wide(numerator_) * other.denominator_, b = Wide(other.numerator_) * denominator_;
    return a < b ? -1 : a > b ? 1 : 0;
}

std::int64_t Number::floor() const {
    return floor_quotient(numerator_, denominator_);
}

Number operator+(const Number& a, const Number& b) {
    if (a.is_real_ || b.is_real_) return Number::real(a.as_double() + b.as_double());
    if (a.denominator_ == 1 && b.denominator_ == 1) return Number(checked_add(a.numerator_, b.numerator_));
    Wide left, right, sum;
    left = Wide(a.numerator_) * b.denominator_;
    right = Wide(b.numerator_) * a.denominator_;
    if (__builtin_add_overflow(left, right, &sum)) throw Overflow{};
    return reduced(sum, Wide(a.denominator_) * b.denominator_);
}

Number operator-(const Number& a, const Number& b) {
    if (a.is_real_ || b.is_real_) {
        if (a.is_zero()) return Number::real(-b.real_);
        return Number::real(a.as_double() - b.as_double());
    }
    if (a.denominator_ == 1 && b.denominator_ == 1) {
        std::int64_t difference;
        if (__builtin_sub_overflow(a.numerator_, b.numerator_, &difference)) throw Overflow{};
        return Number(difference);
    }
    Wide left, right, wide_difference;
    left = Wide(a.numerator_) * b.denominator_;
    right = Wide(b.numerator_) * a.denominator_;
    if (__builtin_sub_overflow(left, right, &wide_difference)) throw Overflow{};
    return reduced(wide_difference, Wide(a.denominator_) * b.denominator_);
}

Number operator*(const Number& a, const Number& b) {
    if (a.is_real_ || b.is_real_) return Number::real(a.as_double() * b.as_double());
    if (a.denominator_ == 1 && b.denominator_ == 1) return Number(checked_multiply(a.numerator_, b.numerator_));
    return reduced(Wide(a.numerator_) * b.numerator_, Wide(a.denominator_) * b.denominator_);
}

Number operator/(const Number& a, const Number& b) {
    if (a.is_real_ || b.is_real_) return Number::real(a.as_double() / b.as_double());
    check(b.numerator_ != 0, "division of a constant by 0");
    return reduced(Wide(a.numerator_) * b.denominator_, Wide(a.denominator_) * b.numerator_);
}

std::optional<Number> power(const Number& base, std::int64_t exponent) {
    if (base.is_real()) return Number::real(std::pow(base.as_double(), static_cast<double>(exponent)));
    if (exponent < 0) {
        if (base.is_zero()) return std::nullopt;
        if (exponent == std::numeric_limits<std::int64_t>::min()) throw Overflow{};
        return power(Number(1) / base, -exponent);
    }
    Number result = 1, square = base;
    while (exponent != 0) {
        if (exponent & 1) result = result * square;
        exponent >>= 1;
        if (exponent != 0) square = square * square;
    }
    return result;
}

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
    if (b == -1 && a == std::numeric_limits<std::int64_t>::min()) throw Overflow{};
    const std::int64_t quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

std::int64_t floor_remainder(std::int64_t a, std::int64_t b) {
    if (b == -1) return 0;
    const std::int64_t remainder = a % b;
    return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

std::int64_t checked_add(std::int64_t a, std::int64_t b) {
    std::int64_t sum;
    if (__builtin_add_overflow(a, b, &sum)) throw Overflow{};
    return sum;
}

std::int64_t checked_multiply(std::int64_t a, std::int64_t b) {
    std::int64_t product;
    if (__builtin_mul_overflow(a, b, &product)) throw Overflow{};
    return product;
}

std::int64_t greatest_common_divisor(std::int64_t a, std::int64_t b) {
    if (a == 1 || b == 1) return 1;
    return narrow(wide_gcd(a, b));
}

}  // namespace sluice::symbolic
