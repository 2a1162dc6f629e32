// The arithmetic that generated code includes, against its definitions and against values that NumPy 2 gives.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include "runtime/complex.h"
#include "runtime/vector_math.h"

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();

TEST(RuntimeMath, IntegerDivisionFollowsPython) {
    for (int a = -128; a < 128; ++a)
        for (int b = -128; b < 128; ++b) {
            const auto q = sluice::floor_divide<std::int8_t>(static_cast<std::int8_t>(a), static_cast<std::int8_t>(b));
            const auto r = sluice::remainder<std::int8_t>(static_cast<std::int8_t>(a), static_cast<std::int8_t>(b));
            if (b == 0) {
                EXPECT_EQ(q, 0);
                EXPECT_EQ(r, 0);
                continue;
            }
            EXPECT_EQ(q, static_cast<std::int8_t>(std::floor(static_cast<double>(a) / b))) << a << " // " << b;
            EXPECT_EQ(r, a - b * static_cast<int>(std::floor(static_cast<double>(a) / b))) << a << " % " << b;
        }
    const std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
    EXPECT_EQ(sluice::floor_divide<std::int64_t>(smallest, -1), smallest);
    EXPECT_EQ(sluice::remainder<std::int64_t>(smallest, -1), 0);
    EXPECT_EQ(sluice_floor_div(-7, 2), -4);
    EXPECT_EQ(sluice_floor_mod(-7, 2), 1);
    EXPECT_EQ(sluice::ceil_divide<std::int64_t>(7, 2), 4);
    EXPECT_EQ(sluice::ceil_divide<std::int64_t>(-7, 2), -3);
}

template <class T, int n> void expect_sums_of_products() {
    sluice::vector<T, n> a, b, c;
    for (int i = 0; i < n; ++i) a[i] = T(i + 1), b[i] = T(0.25 * i), c[i] = T(-3);
    const sluice::vector<T, n> sums = sluice::multiply_add(a, b, c);
    for (int i = 0; i < n; ++i) {
        EXPECT_EQ(sums[i], a[i] * b[i] + c[i]) << "exact whether it is rounded once or twice";
        EXPECT_EQ(sluice::multiply_add<T>(a[i], b[i], c[i]), sums[i]);
    }
}

TEST(RuntimeMath, SumsOfProductsOfEveryWidth) {
    expect_sums_of_products<double, 2>();
    expect_sums_of_products<double, 4>();
    expect_sums_of_products<double, 8>();
    expect_sums_of_products<double, 16>();
    expect_sums_of_products<double, 3>();
    expect_sums_of_products<float, 4>();
    expect_sums_of_products<float, 8>();
    expect_sums_of_products<float, 16>();
    expect_sums_of_products<float, 32>();
    expect_sums_of_products<std::int32_t, 8>();
}

TEST(RuntimeMath, IntegerPowersWrapAndShiftsRunOut) {
    for (int base = -5; base <= 5; ++base) {
        std::int64_t expected = 1;
        for (int exponent = 0; exponent < 20; ++exponent, expected *= base)
            EXPECT_EQ(sluice::ipow<std::int64_t>(base, exponent), expected);
    }
    EXPECT_EQ(sluice::power<std::uint8_t>(3, 6), static_cast<std::uint8_t>(729));
    EXPECT_EQ(sluice::left_shift<std::int32_t>(1, 32), 0);
    EXPECT_EQ(sluice::right_shift<std::int32_t>(-8, 40), -1);
    EXPECT_EQ(sluice::gcd<std::int32_t>(-12, 18), 6);
    EXPECT_EQ(sluice::lcm<std::int32_t>(4, 6), 12);
}

TEST(RuntimeMath, FloatDivisionFollowsPython) {
    EXPECT_EQ(sluice::floor_divide(-7.5, 2.0), -4);
    EXPECT_EQ(sluice::remainder(-7.5, 2.0), 0.5);
    EXPECT_EQ(sluice::remainder(7.5, -2.0), -0.5);
    EXPECT_EQ(sluice::floor_divide(1.0, 0.1), 9) << "as Python: 0.1 is a little more than a tenth";
    EXPECT_EQ(sluice::floor_divide(1.0, 0.0), kInfinity);
    EXPECT_TRUE(std::isnan(sluice::remainder(1.0, 0.0)));
    EXPECT_TRUE(std::signbit(sluice::remainder(-4.0, -2.0)));
    EXPECT_EQ(sluice::remainder(-1.0, kInfinity), kInfinity);
    EXPECT_EQ(sluice::floor_divide(-1.0, kInfinity), -1);
}

TEST(RuntimeMath, NanAndHalves) {
    EXPECT_TRUE(std::isnan(sluice::minimum(kNan, 1.0)));
    EXPECT_TRUE(std::isnan(sluice::minimum(1.0, kNan)));
    EXPECT_TRUE(std::isnan(sluice::maximum(1.0f, static_cast<float>(kNan))));
    EXPECT_EQ(sluice::fmin(kNan, 1.0), 1);
    EXPECT_EQ(sluice::fmax(1.0, kNan), 1);
    EXPECT_TRUE(std::isnan(sluice::sign(kNan)));
    EXPECT_EQ(sluice::sign(-0.5), -1);
    EXPECT_EQ(sluice::round(2.5), 2);
    EXPECT_EQ(sluice::round(-3.5), -4);
    EXPECT_EQ(sluice::heaviside(0.0, 0.5), 0.5);
    EXPECT_TRUE(sluice::isinf(-kInfinity));
    EXPECT_FALSE(sluice::isfinite(kNan));
    EXPECT_EQ(sluice::clip(5.0, 1.0, 3.0), 3);
    EXPECT_EQ(static_cast<float>(sluice::sqrt(static_cast<_Float16>(2.25f))), 1.5f);
    EXPECT_EQ(sluice::sqrt(std::int32_t(9)), 3.0);
}

TEST(RuntimeMath, ComplexNumbers) {
    using sluice::complex128;
    const auto close = [](complex128 actual, std::complex<double> expected) {
        EXPECT_NEAR(actual.real, expected.real(), 1e-13);
        EXPECT_NEAR(actual.imag, expected.imag(), 1e-13);
    };
    const std::complex<double> numbers[] = {{1, 2}, {-3, 0.5}, {0, -1}, {2.5, 0}};
    for (const auto a : numbers)
        for (const auto b : numbers) {
            const complex128 x(a.real(), a.imag()), y(b.real(), b.imag());
            close(x * y, a * b), close(x / y, a / b), close(sluice::power(x, y), std::pow(a, b));
            close(sluice::exp(x), std::exp(a)), close(sluice::sqrt(x), std::sqrt(a)), close(sluice::arctanh(x), std::atanh(a));
        }
    EXPECT_EQ(sluice::abs(complex128(3, 4)), 5);
    EXPECT_EQ(sluice::power(complex128(0, 1), complex128(2)).real, -1) << "small whole exponents are exact";
    EXPECT_TRUE(sluice::maximum(complex128(1, 5), complex128(2, 0)) == complex128(2, 0));
    EXPECT_EQ(sluice::convert<double>(complex128(7, 8)), 7);
}

TEST(RuntimeMath, VectorsLaneByLane) {
    double data[9] = {0, 1, 4, 9, 16, 25};
    sluice::lanes_at<4>(data + 1) = sluice::sqrt(sluice::lanes_at<4>(data + 1)) * sluice::vector<double, 4>(2.0);
    EXPECT_EQ((std::vector<double>(data, data + 6)), (std::vector<double>{0, 2, 4, 6, 8, 25}));
    sluice::vector<std::int32_t, 3> three(7);
    three[1] = -7;
    EXPECT_EQ(sluice::floor_divide(three, sluice::vector<std::int32_t, 3>(2))[1], -4);
    const auto chosen = sluice::where(three < sluice::vector<std::int32_t, 3>(0), three, sluice::vector<std::int32_t, 3>(1));
    EXPECT_EQ(chosen[1], -7);
    EXPECT_EQ(chosen[2], 1);
}

}  // namespace
