// jacobi_2d as a careful programmer writes it.
#include <cstdint>

extern "C" __attribute__((visibility("default"))) void jacobi_2d(std::int64_t steps, std::int64_t n, double* __restrict__ a,
                                                                 double* __restrict__ b) {
    for (std::int64_t t = 1; t < steps; ++t) {
#pragma omp parallel for
        for (std::int64_t i = 1; i < n - 1; ++i)
            for (std::int64_t j = 1; j < n - 1; ++j)
                b[i * n + j] = 0.2 * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i + 1) * n + j] + a[(i - 1) * n + j]);
#pragma omp parallel for
        for (std::int64_t i = 1; i < n - 1; ++i)
            for (std::int64_t j = 1; j < n - 1; ++j)
                a[i * n + j] = 0.2 * (b[i * n + j] + b[i * n + j - 1] + b[i * n + j + 1] + b[(i + 1) * n + j] + b[(i - 1) * n + j]);
    }
}
