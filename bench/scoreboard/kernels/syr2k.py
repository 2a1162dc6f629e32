"""C = alpha A B^T + alpha B A^T + beta C in the lower triangle: PolyBench's syr2k."""
import numpy as np

SIZES = {"tiny": (10, 12), "S": (35, 50), "paper": (1000, 1200), "LARGE": (1000, 1200)}


def inputs(rng, M, N):
    return {"alpha": 1.5, "beta": 1.2, "C": rng.random((N, N)), "A": rng.random((N, M)), "B": rng.random((N, M))}


def syr2k(alpha, beta, C, A, B):
    for i in range(A.shape[0]):
        C[i, :i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, :i + 1] += A[:i + 1, k] * (alpha * B[i, k]) + B[:i + 1, k] * (alpha * A[i, k])
