"""A lower triangular system: PolyBench's trisolv."""
import numpy as np

SIZES = {"tiny": (12,), "S": (2000,), "paper": (14000,), "LARGE": (2000,)}


def inputs(rng, N):
    return {"L": rng.random((N, N)) / N + np.eye(N), "x": np.zeros(N), "b": rng.random(N)}


def trisolv(L, x, b):
    for i in range(x.shape[0]):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]
