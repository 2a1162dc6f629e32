"""gemm: C = alpha * A @ B + beta * C, the third level of BLAS."""
import numpy as np

import sluice

M, N, K = sluice.symbol("M"), sluice.symbol("N"), sluice.symbol("K")


@sluice.program
def gemm(alpha: sluice.float64, beta: sluice.float64, C: sluice.float64[M, N], A: sluice.float64[M, K], B: sluice.float64[K, N]):
    C[:] = alpha * (A @ B) + beta * C


def inputs(size):
    m, n, k = {"small": (40, 50, 60), "large": (1000, 1100, 1200)}[size]
    rng = np.random.default_rng(2)
    return {"alpha": 1.5, "beta": 1.2, "C": rng.random((m, n)), "A": rng.random((m, k)), "B": rng.random((k, n))}
