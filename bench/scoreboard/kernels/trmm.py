"""B = alpha A^T B with a unit lower triangular A: PolyBench's trmm."""
import numpy as np

SIZES = {"tiny": (10, 12), "S": (65, 80), "paper": (1000, 1200), "LARGE": (1000, 1200)}


def inputs(rng, M, N):
    return {"alpha": 1.5, "A": rng.random((M, M)), "B": rng.random((M, N))}


def trmm(alpha, A, B):
    for i in range(B.shape[0]):
        for j in range(B.shape[1]):
            B[i, j] += np.dot(A[i + 1:, i], B[i + 1:, j])
    B *= alpha
