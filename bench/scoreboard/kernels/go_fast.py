"""The hyperbolic tangents of a matrix's diagonal added to each element (the example of Numba's manual)."""
import numpy as np

SIZES = {"tiny": (12,), "S": (2000,), "paper": (12500,)}


def inputs(rng, N):
    return {"a": rng.random((N, N))}


def go_fast(a):
    trace = 0.0
    for i in range(a.shape[0]):
        trace += np.tanh(a[i, i])
    return a + trace
