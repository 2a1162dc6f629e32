"""(A B) (C D): PolyBench's 3mm."""
import numpy as np

SIZES = {"tiny": (6, 7, 8, 9, 5), "S": (800, 850, 900, 950, 1000), "paper": (3200, 3600, 4000, 4400, 4800), "LARGE": (800, 900, 1000, 1100, 1200)}


def inputs(rng, NI, NJ, NK, NL, NM):
    return {"A": rng.random((NI, NK)), "B": rng.random((NK, NJ)), "C": rng.random((NJ, NM)), "D": rng.random((NM, NL))}


def k3mm(A, B, C, D):
    return (A @ B) @ (C @ D)
