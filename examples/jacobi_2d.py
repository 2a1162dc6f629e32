"""jacobi_2d: a five-point stencil, iterated between two grids (PolyBench, NPBench)."""
import numpy as np

import sluice

N = sluice.symbol("N")


@sluice.program
def jacobi_2d(TSTEPS: sluice.int64, A: sluice.float64[N, N], B: sluice.float64[N, N]):
    for t in range(1, TSTEPS):
        B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
        A[1:-1, 1:-1] = 0.2 * (B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1])


def inputs(size):
    steps, n = {"small": (5, 32), "large": (100, 2800)}[size]
    i, j = np.indices((n, n), dtype=np.float64)
    return {"TSTEPS": steps, "A": i * (j + 2) / n, "B": i * (j + 3) / n}
