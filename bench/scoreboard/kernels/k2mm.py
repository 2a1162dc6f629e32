"""D = alpha A B C + beta D: PolyBench's 2mm."""
import numpy as np

SIZES = {"tiny": (6, 7, 8, 9), "S": (800, 850, 900, 950), "paper": (3200, 3600, 4400, 4800), "LARGE": (800, 900, 1100, 1200)}


def inputs(rng, NI, NJ, NK, NL):
    return {"alpha": 1.5, "beta": 1.2, "A": rng.random((NI, NK)), "B": rng.random((NK, NJ)), "C": rng.random((NJ, NL)), "D": rng.random((NI, NL))}


def k2mm(alpha, beta, A, B, C, D):
    D[:] = alpha * A @ B @ C + beta * D
