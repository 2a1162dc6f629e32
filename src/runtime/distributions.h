// Single draws from the distributions of real numbers of NumPy, bit for bit, over the streams of pcg64.h and mt19937.h. Where the
// methods of Generator and those of RandomState differ by a rounding, so does what is here. Products are rounded before anything is
// added to them.
#pragma once

#include <stdint.h>

#include "mt19937.h"
#include "pcg64.h"

namespace sluice::random {

template <class Generator> constexpr bool kLegacy = false;
template <> inline constexpr bool kLegacy<Mt19937> = true;

/// A power as the C library computes it: of a square that a compiler knows it would make a product, which may round otherwise.
inline double raised(double base, double exponent) {
    const volatile double kept = exponent;
    return __builtin_pow(base, kept);
}

/// Marsaglia and Tsang, A Simple Method for Generating Gamma Variables, 2000; below 1 Best's rejection.
struct Gamma {
    template <class Generator> static double standard(Generator& generator, double shape) {
        if (shape == 1.0) return generator.exponential();
        if (shape == 0.0) return 0.0;
        if (shape < 1.0) {
            for (;;) {
                const double u = generator.uniform(), v = generator.exponential();
                if (u <= 1.0 - shape) {
                    const double x = raised(u, 1.0 / shape);
                    if (x <= v) return x;
                } else {
                    const double y = -__builtin_log((1.0 - u) / shape);
                    const double x = raised(1.0 - shape + product(shape, y), 1.0 / shape);
                    if (x <= v + y) return x;
                }
            }
        }
        const double b = shape - 1.0 / 3.0, c = 1.0 / __builtin_sqrt(9 * b);
        for (;;) {
            double x, v;
            do {
                x = generator.normal();
                v = 1.0 + product(c, x);
            } while (v <= 0.0);
            v = v * v * v;
            const double u = generator.uniform(), square = x * x;
            if (u < 1.0 - product(0.0331 * square, square)) return b * v;
            if (__builtin_log(u) < product(0.5 * x, x) + product(b, 1.0 - v + __builtin_log(v))) return b * v;
        }
    }
    template <class Generator> static double draw(Generator& generator, double shape, double scale) {
        return scale * standard(generator, shape);
    }
};

/// Two gamma variables, or Johnk's rejection where both parameters are at most 1.
struct Beta {
    template <class Generator> static double draw(Generator& generator, double a, double b) {
        if (a > 1.0 || b > 1.0) {
            const double first = Gamma::standard(generator, a), second = Gamma::standard(generator, b);
            return first / (first + second);
        }
        for (;;) {
            const double u = generator.uniform(), v = generator.uniform();
            const double x = raised(u, 1.0 / a), y = raised(v, 1.0 / b), sum = x + y;
            if (sum > 1.0 || (u + v <= 0.0 && !kLegacy<Generator>)) continue;
            if (kLegacy<Generator> ? sum > 0 : x > 0 && y > 0) return x / sum;
            double log_x = __builtin_log(u) / a, log_y = __builtin_log(v) / b;
            const double largest = log_x > log_y ? log_x : log_y;
            log_x -= largest;
            log_y -= largest;
            return __builtin_exp(log_x - __builtin_log(__builtin_exp(log_x) + __builtin_exp(log_y)));
        }
    }
};

struct ChiSquare {
    template <class Generator> static double draw(Generator& generator, double df) {
        return 2.0 * Gamma::standard(generator, df / 2.0);
    }
};

struct F {
    template <class Generator> static double draw(Generator& generator, double first, double second) {
        const double above = ChiSquare::draw(generator, first) * second;
        return above / (ChiSquare::draw(generator, second) * first);
    }
};

struct StandardT {
    template <class Generator> static double draw(Generator& generator, double df) {
        const double above = generator.normal(), below = Gamma::standard(generator, df / 2);
        return __builtin_sqrt(df / 2) * above / __builtin_sqrt(below);
    }
};

struct StandardCauchy {
    template <class Generator> static double draw(Generator& generator, double) {
        const double above = generator.normal();
        return above / generator.normal();
    }
};

struct Lognormal {
    template <class Generator> static double draw(Generator& generator, double mean, double sigma) {
        return __builtin_exp(mean + product(sigma, generator.normal()));
    }
};

struct Pareto {
    template <class Generator> static double draw(Generator& generator, double a) {
        const double power = generator.exponential() / a;
        return kLegacy<Generator> ? __builtin_exp(power) - 1 : __builtin_expm1(power);
    }
};

struct Weibull {
    template <class Generator> static double draw(Generator& generator, double a) {
        return a == 0.0 ? 0.0 : raised(generator.exponential(), 1.0 / a);
    }
};

struct Power {
    template <class Generator> static double draw(Generator& generator, double a) {
        const double drawn = generator.exponential();
        return raised(kLegacy<Generator> ? 1 - __builtin_exp(-drawn) : -__builtin_expm1(-drawn), 1.0 / a);
    }
};

struct Laplace {
    template <class Generator> static double draw(Generator& generator, double loc, double scale) {
        double u;
        do u = generator.uniform();
        while (u == 0.0);
        return u >= 0.5 ? loc - product(scale, __builtin_log(2.0 - u - u)) : loc + product(scale, __builtin_log(u + u));
    }
};

struct Gumbel {
    template <class Generator> static double draw(Generator& generator, double loc, double scale) {
        double u;
        do u = 1.0 - generator.uniform();
        while (u == 1.0);
        return loc - product(scale, __builtin_log(-__builtin_log(u)));
    }
};

struct Logistic {
    template <class Generator> static double draw(Generator& generator, double loc, double scale) {
        double u;
        do u = generator.uniform();
        while (u == 0.0);
        return loc + product(scale, __builtin_log(u / (1.0 - u)));
    }
};

struct Rayleigh {
    template <class Generator> static double draw(Generator& generator, double scale) {
        const double square = kLegacy<Generator> ? -2.0 * __builtin_log1p(-generator.uniform()) : 2.0 * generator.exponential();
        return scale * __builtin_sqrt(square);
    }
};

struct Triangular {
    template <class Generator> static double draw(Generator& generator, double left, double mode, double right) {
        const double base = right - left, u = generator.uniform();
        if (u <= (mode - left) / base) return left + __builtin_sqrt(u * ((mode - left) * base));
        return right - __builtin_sqrt((1.0 - u) * ((right - mode) * base));
    }
};

}  // namespace sluice::random
