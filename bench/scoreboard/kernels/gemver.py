"""Two rank-one updates and two matrix-vector products: BLAS's gemver."""
import numpy as np

SIZES = {"tiny": (12,), "S": (1000,), "paper": (8000,), "LARGE": (2000,)}


def inputs(rng, N):
    vectors = {name: rng.random(N) for name in ("u1", "v1", "u2", "v2", "w", "x", "y", "z")}
    return {"alpha": 1.5, "beta": 1.2, "A": rng.random((N, N)), **vectors}


def gemver(alpha, beta, A, u1, v1, u2, v2, w, x, y, z):
    A += np.outer(u1, v1) + np.outer(u2, v2)
    x += beta * (y @ A) + z
    w += alpha * (A @ x)
