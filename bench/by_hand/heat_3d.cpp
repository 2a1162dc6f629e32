// heat_3d as a careful programmer writes it.
#include <cstdint>

static inline void step(std::int64_t n, const double* __restrict__ a, double* __restrict__ b) {
#pragma omp parallel for
    for (std::int64_t i = 1; i < n - 1; ++i)
        for (std::int64_t j = 1; j < n - 1; ++j)
            for (std::int64_t k = 1; k < n - 1; ++k) {
                const std::int64_t at = (i * n + j) * n + k;
                b[at] = 0.125 * (a[at + n * n] - 2.0 * a[at] + a[at - n * n]) + 0.125 * (a[at + n] - 2.0 * a[at] + a[at - n]) +
                        0.125 * (a[at + 1] - 2.0 * a[at] + a[at - 1]) + a[at];
            }
}

extern "C" __attribute__((visibility("default"))) void heat_3d(std::int64_t steps, std::int64_t n, double* __restrict__ a,
                                                               double* __restrict__ b) {
    for (std::int64_t t = 1; t < steps; ++t) {
        step(n, a, b);
        step(n, b, a);
    }
}
