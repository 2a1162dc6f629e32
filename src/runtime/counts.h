// Single draws from the distributions of counts of NumPy, bit for bit, as distributions.h has those of real numbers.
#pragma once

#include <stdint.h>

#include "distributions.h"

namespace sluice::random {

/// Products of uniform draws; from 10 on Hoermann, The Transformed Rejection Method for Generating Poisson Random Variables, 1993.
struct Poisson {
    template <class Generator> static int64_t draw(Generator& generator, double lam) {
        if (lam == 0) return 0;
        if (lam < 10) {
            const double end = __builtin_exp(-lam);
            double product = 1.0;
            for (int64_t count = 0;; ++count) {
                product *= generator.uniform();
                if (!(product > end)) return count;
            }
        }
        const double root = __builtin_sqrt(lam), log_lam = __builtin_log(lam);
        const double b = 0.931 + product(2.53, root), a = -0.059 + product(0.02483, b);
        const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), right = 0.9277 - 3.6224 / (b - 2);
        for (;;) {
            const double u = generator.uniform() - 0.5, v = generator.uniform(), distance = 0.5 - __builtin_fabs(u);
            const auto k = int64_t(__builtin_floor(product(2 * a / distance + b, u) + lam + 0.43));
            if (distance >= 0.07 && v <= right) return k;
            if (k < 0 || (distance < 0.013 && v > distance)) continue;
            const double at_most = product(double(k), log_lam) - lam - log_gamma(double(k + 1));
            if (__builtin_log(v) + __builtin_log(inverse_alpha) - __builtin_log(a / (distance * distance) + b) <= at_most) return k;
        }
    }

private:
    /// Zhang and Jin, Computation of Special Functions, 1996.
    static double log_gamma(double x) {
        constexpr double kTerms[] = {8.333333333333333e-02, -2.777777777777778e-03, 7.936507936507937e-04, -5.952380952380952e-04,
                                     8.417508417508418e-04, -1.917526917526918e-03, 6.410256410256410e-03, -2.955065359477124e-02,
                                     1.796443723688307e-01, -1.39243221690590e+00};
        if (x == 1.0 || x == 2.0) return 0.0;
        const auto steps = x <= 7.0 ? int64_t(7 - x) : 0;
        double at = x + double(steps), sum = kTerms[9];
        const double inverse = 1.0 / (at * at);
        for (int k = 8; k >= 0; --k) sum = product(sum, inverse) + kTerms[k];
        double result = sum / at + 0.5 * 1.8378770664093453 + product(at - 0.5, __builtin_log(at)) - at;
        for (int64_t k = 0; k < steps; ++k) {
            result -= __builtin_log(at - 1.0);
            at -= 1.0;
        }
        return result;
    }
};

struct NegativeBinomial {
    template <class Generator> static int64_t draw(Generator& generator, double n, double p) {
        return Poisson::draw(generator, Gamma::draw(generator, n, (1 - p) / p));
    }
};

struct Geometric {
    template <class Generator> static int64_t draw(Generator& generator, double p) {
        if (p < 0.333333333333333333333333) {
            if constexpr (kLegacy<Generator>)
                return int64_t(__builtin_ceil(__builtin_log1p(-generator.uniform()) / __builtin_log1p(-p)));
            const double drawn = __builtin_ceil(-generator.exponential() / __builtin_log1p(-p));
            return drawn >= 9.223372036854776e18 ? INT64_MAX : int64_t(drawn);
        }
        double sum = p, term = p;
        const double u = generator.uniform();
        int64_t count = 1;
        for (; u > sum; ++count) {
            term *= 1.0 - p;
            sum += term;
        }
        return count;
    }
};

/// Inversion where few are expected, else Kachitvichyanukul and Schmeiser, Binomial Random Variate Generation, 1988.
struct Binomial {
    template <class Generator> static int64_t draw(Generator& generator, double trials, double p) {
        const auto n = int64_t(trials);
        if (!kLegacy<Generator> && (n == 0 || p == 0.0)) return 0;
        if (p <= 0.5) return p * trials <= 30.0 ? by_inversion(generator, n, p) : by_rejection(generator, n, p);
        const double q = 1.0 - p;
        return n - (q * trials <= 30.0 ? by_inversion(generator, n, q) : by_rejection(generator, n, q));
    }

private:
    template <class Generator> static int64_t by_inversion(Generator& generator, int64_t n, double p) {
        const double q = 1.0 - p, none = __builtin_exp(double(n) * __builtin_log1p(-p)), mean = double(n) * p;
        const double far = mean + product(10.0, __builtin_sqrt(product(mean, q) + 1));
        const auto bound = int64_t(double(n) < far ? double(n) : far);
        int64_t count = 0;
        double chance = none, u = generator.uniform();
        while (u > chance) {
            if (++count > bound) {
                count = 0;
                chance = none;
                u = generator.uniform();
            } else {
                u -= chance;
                chance = (double(n - count + 1) * p * chance) / (double(count) * q);
            }
        }
        return count;
    }
    /// Stirling's correction of log(x!).
    static double correction(double x) {
        const double square = x * x;
        return (13680.0 - (462.0 - (132.0 - (99.0 - 140.0 / square) / square) / square) / square) / x / 166320.0;
    }
    template <class Generator> static int64_t by_rejection(Generator& generator, int64_t n, double p) {
        const double r = p < 1.0 - p ? p : 1.0 - p, q = 1.0 - r, most_likely = product(double(n), r) + r;
        const auto m = int64_t(__builtin_floor(most_likely));
        const double spread = double(n) * r * q;
        const double p1 = __builtin_floor(product(2.195, __builtin_sqrt(spread)) - product(4.6, q)) + 0.5;
        const double middle = double(m) + 0.5, left = middle - p1, right = middle + p1, c = 0.134 + 20.5 / (15.3 + double(m));
        const auto slope = [](double a) { return a * (1.0 + a / 2.0); };
        const double left_slope = slope((most_likely - left) / (most_likely - product(left, r)));
        const double right_slope = slope((right - most_likely) / (right * q));
        const double p2 = p1 * (1.0 + 2.0 * c), p3 = p2 + c / left_slope, p4 = p3 + c / right_slope;
        for (;;) {
            const double u = generator.uniform() * p4;
            double v = generator.uniform();
            if (u <= p1) return int64_t(__builtin_floor(middle - product(p1, v) + u));
            int64_t y;
            if (u <= p2) {
                const double x = left + (u - p1) / c;
                v = product(v, c) + 1.0 - __builtin_fabs(double(m) - x + 0.5) / p1;
                if (v > 1.0) continue;
                y = int64_t(__builtin_floor(x));
            } else if (u <= p3) {
                y = int64_t(__builtin_floor(left + __builtin_log(v) / left_slope));
                if (y < 0 || v == 0.0) continue;
                v = v * (u - p2) * left_slope;
            } else {
                y = int64_t(__builtin_floor(right - __builtin_log(v) / right_slope));
                if (y > n || v == 0.0) continue;
                v = v * (u - p3) * right_slope;
            }
            const int64_t k = y > m ? y - m : m - y;
            if (k <= 20 || double(k) >= spread / 2.0 - 1) {
                const double s = r / q, a = s * double(n + 1);
                double f = 1.0;
                for (int64_t i = m + 1; i <= y; ++i) f *= a / double(i) - s;
                for (int64_t i = y + 1; i <= m; ++i) f /= a / double(i) - s;
                if (v > f) continue;
                return y;
            }
            const double size = double(k);
            const double rho = (size / spread) * ((product(size, size / 3.0 + 0.625) + 0.16666666666666666) / spread + 0.5);
            const double t = double(-k * k) / (2 * spread), log_v = __builtin_log(v);
            if (log_v < t - rho) return y;
            if (log_v > t + rho) continue;
            const double x1 = double(y + 1), f1 = double(m + 1), z = double(n + 1 - m), w = double(n - y + 1);
            const double bound = product(middle, __builtin_log(f1 / x1)) + product(double(n - m) + 0.5, __builtin_log(z / w)) +
                                 product(double(y - m), __builtin_log(w * r / (x1 * q))) + correction(f1) + correction(z) +
                                 correction(x1) + correction(w);
            if (log_v > bound) continue;
            return y;
        }
    }
};

}  // namespace sluice::random
