"""C = alpha A B + beta C."""
import numpy as np

SIZES = {"tiny": (10, 11, 12), "S": (1000, 1100, 1200), "paper": (2000, 2300, 2600), "LARGE": (1000, 1100, 1200)}


def inputs(rng, NI, NJ, NK):
    return {"alpha": 1.5, "beta": 1.2, "C": rng.random((NI, NJ)), "A": rng.random((NI, NK)), "B": rng.random((NK, NJ))}


def gemm(alpha, beta, C, A, B):
    C[:] = alpha * A @ B + beta * C
