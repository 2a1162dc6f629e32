"""C = alpha A B + beta C with a symmetric A of which the lower half is stored: PolyBench's symm."""
import numpy as np

SIZES = {"tiny": (10, 12), "S": (40, 50), "paper": (1000, 1200), "LARGE": (1000, 1200)}


def inputs(rng, M, N):
    return {"alpha": 1.5, "beta": 1.2, "C": rng.random((M, N)), "A": rng.random((M, M)), "B": rng.random((M, N))}


def symm(alpha, beta, C, A, B):
    C *= beta
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[:i, j] += alpha * B[i, j] * A[i, :i]
            C[i, j] += alpha * B[i, j] * A[i, i] + alpha * (B[:i, j] @ A[i, :i])
