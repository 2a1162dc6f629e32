"""y = alpha A x + beta B x."""
import numpy as np

SIZES = {"tiny": (12,), "S": (2000,), "paper": (8000,), "LARGE": (1300,)}


def inputs(rng, N):
    return {"alpha": 1.5, "beta": 1.2, "A": rng.random((N, N)), "B": rng.random((N, N)), "x": rng.random(N)}


def gesummv(alpha, beta, A, B, x):
    return alpha * (A @ x) + beta * (B @ x)
