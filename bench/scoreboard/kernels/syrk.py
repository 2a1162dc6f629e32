"""C = alpha A A^T + beta C in the lower triangle: PolyBench's syrk."""
import numpy as np

SIZES = {"tiny": (10, 12), "S": (50, 70), "paper": (1000, 1200), "LARGE": (1000, 1200)}


def inputs(rng, M, N):
    return {"alpha": 1.5, "beta": 1.2, "C": rng.random((N, N)), "A": rng.random((N, M))}


def syrk(alpha, beta, C, A):
    for i in range(A.shape[0]):
        C[i, :i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, :i + 1] += alpha * A[i, k] * A[:i + 1, k]
