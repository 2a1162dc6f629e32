"""axpy: y += a * x, the first level of BLAS."""
import numpy as np

import sluice

N = sluice.symbol("N")


@sluice.program
def axpy(a: sluice.float64, x: sluice.float64[N], y: sluice.float64[N]):
    y += a * x


def inputs(size):
    n = {"small": 1_000, "large": 20_000_000}[size]
    rng = np.random.default_rng(1)
    return {"a": 2.5, "x": rng.random(n), "y": rng.random(n)}
