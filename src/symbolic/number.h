// A constant coefficient: an exact 64-bit rational, or a double once a real constant took part.
//
// Exact arithmetic that leaves 64 bits throws Overflow; the constructors of expressions catch it and keep the operation unfolded.
#pragma once

#include <cstdint>
#include <optional>

namespace sluice::symbolic {

struct Overflow {};

class Number {
public:
    Number() = default;
    Number(std::int64_t value) : numerator_(value) {}
    static Number ratio(std::int64_t numerator, std::int64_t denominator);
    static Number real(double value);

    bool is_real() const { return is_real_; }
    bool is_integer() const { return !is_real_ && denominator_ == 1; }
    bool is_zero() const { return !is_real_ && numerator_ == 0; }
    bool is_one() const { return is_integer() && numerator_ == 1; }
    std::int64_t numerator() const { return numerator_; }
    std::int64_t denominator() const { return denominator_; }
    double as_double() const;
    int sign() const;
    /// -1, 0, 1; a NaN compares as 0.
    int compare(const Number& other) const;
    /// Largest integer not above; exact numbers only.
    std::int64_t floor() const;

    friend Number operator+(const Number& a, const Number& b);
    friend Number operator-(const Number& a, const Number& b);
    friend Number operator*(const Number& a, const Number& b);
    /// Divisor not zero.
    friend Number operator/(const Number& a, const Number& b);
    Number operator-() const { return Number(0) - *this; }
    bool operator==(const Number&) const = default;
    /// Any total order, for use as a key.
    auto operator<=>(const Number&) const = default;

private:
    std::int64_t numerator_ = 0;
    std::int64_t denominator_ = 1;
    double real_ = 0;
    bool is_real_ = false;
};

/// base ** exponent; nullopt for zero to a negative power.
std::optional<Number> power(const Number& base, std::int64_t exponent);

/// Python's rounding to minus infinity; divisor not 0. Throws Overflow for min // -1.
std::int64_t floor_quotient(std::int64_t a, std::int64_t b);
std::int64_t floor_remainder(std::int64_t a, std::int64_t b);
std::int64_t checked_add(std::int64_t a, std::int64_t b);
std::int64_t checked_multiply(std::int64_t a, std::int64_t b);
/// Non-negative; gcd(0, 0) is 0.
std::int64_t greatest_common_divisor(std::int64_t a, std::int64_t b);

}  // namespace sluice::symbolic
