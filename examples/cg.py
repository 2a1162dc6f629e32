"""cg: solves A x = b for a symmetric positive definite A by conjugate gradients."""
import numpy as np

import sluice

N = sluice.symbol("N")


@sluice.program
def cg(A: sluice.float64[N, N], b: sluice.float64[N], x: sluice.float64[N], steps: sluice.int64, tolerance: sluice.float64):
    r = b - A @ x
    p = r.copy()
    rr = r @ r
    step = 0
    while step < steps and rr > tolerance:
        Ap = A @ p
        alpha = rr / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        rr_next = r @ r
        p[:] = r + (rr_next / rr) * p
        rr = rr_next
        step = step + 1


def inputs(size):
    n = {"small": 30, "large": 3000}[size]
    rng = np.random.default_rng(7)
    A = rng.random((n, n))
    return {"A": A + A.T + 2 * n * np.eye(n), "b": rng.random(n), "x": np.zeros(n), "steps": 60, "tolerance": 1e-24}
