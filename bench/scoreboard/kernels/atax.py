"""y = A^T (A x)."""
import numpy as np

SIZES = {"tiny": (12, 15), "S": (4000, 5000), "paper": (10000, 12500), "LARGE": (1900, 2100)}


def inputs(rng, M, N):
    return {"A": rng.random((M, N)), "x": rng.random(N)}


def atax(A, x):
    return (A @ x) @ A
