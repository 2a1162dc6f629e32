"""Cholesky factor in the lower triangle, row by row: PolyBench's cholesky."""
import numpy as np

SIZES = {"tiny": (12,), "S": (100,), "paper": (2000,), "LARGE": (2000,)}


def inputs(rng, N):
    A = rng.random((N, N))
    return {"A": A @ A.T + N * np.eye(N)}


def cholesky(A):
    N = A.shape[0]
    for i in range(N):
        for j in range(i):
            A[i, j] = (A[i, j] - np.dot(A[i, :j], A[j, :j])) / A[j, j]
        A[i, i] = np.sqrt(A[i, i] - np.dot(A[i, :i], A[i, :i]))
