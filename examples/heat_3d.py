"""heat_3d: the heat equation on a cube by a seven-point stencil (PolyBench, NPBench)."""
import numpy as np

import sluice

N = sluice.symbol("N")


@sluice.program
def heat_3d(TSTEPS: sluice.int64, A: sluice.float64[N, N, N], B: sluice.float64[N, N, N]):
    for t in range(1, TSTEPS):
        B[1:-1, 1:-1, 1:-1] = (0.125 * (A[2:, 1:-1, 1:-1] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[:-2, 1:-1, 1:-1]) + 0.125 *
                               (A[1:-1, 2:, 1:-1] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[1:-1, :-2, 1:-1]) + 0.125 *
                               (A[1:-1, 1:-1, 2:] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[1:-1, 1:-1, :-2]) + A[1:-1, 1:-1, 1:-1])
        A[1:-1, 1:-1, 1:-1] = (0.125 * (B[2:, 1:-1, 1:-1] - 2.0 * B[1:-1, 1:-1, 1:-1] + B[:-2, 1:-1, 1:-1]) + 0.125 *
                               (B[1:-1, 2:, 1:-1] - 2.0 * B[1:-1, 1:-1, 1:-1] + B[1:-1, :-2, 1:-1]) + 0.125 *
                               (B[1:-1, 1:-1, 2:] - 2.0 * B[1:-1, 1:-1, 1:-1] + B[1:-1, 1:-1, :-2]) + B[1:-1, 1:-1, 1:-1])


def inputs(size):
    steps, n = {"small": (5, 12), "large": (100, 120)}[size]
    i, j, k = np.indices((n, n, n), dtype=np.float64)
    grid = (i + j + (n - k)) * 10 / n
    return {"TSTEPS": steps, "A": grid, "B": grid.copy()}
