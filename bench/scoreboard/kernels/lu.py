"""LU decomposition in place, without pivots: PolyBench's lu."""
import numpy as np

SIZES = {"tiny": (12,), "S": (60,), "paper": (2000,), "LARGE": (2000,)}


def inputs(rng, N):
    return {"A": rng.random((N, N)) + N * np.eye(N)}


def lu(A):
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] = (A[i, j] - A[i, :j] @ A[:j, j]) / A[j, j]
        for j in range(i, A.shape[0]):
            A[i, j] -= A[i, :i] @ A[:i, j]
