"""Two matrix-vector products, one with the transposed matrix: PolyBench's mvt."""
import numpy as np

SIZES = {"tiny": (12,), "S": (5500,), "paper": (11000,), "LARGE": (2000,)}


def inputs(rng, N):
    return {"x1": rng.random(N), "x2": rng.random(N), "y1": rng.random(N), "y2": rng.random(N), "A": rng.random((N, N))}


def mvt(x1, x2, y1, y2, A):
    x1 += A @ y1
    x2 += y2 @ A
