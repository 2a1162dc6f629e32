"""A linear system by LU decomposition, forward and backward substitution: PolyBench's ludcmp."""
import numpy as np

SIZES = {"tiny": (12,), "S": (60,), "paper": (2000,), "LARGE": (2000,)}


def inputs(rng, N):
    return {"A": rng.random((N, N)) + N * np.eye(N), "b": rng.random(N)}


def ludcmp(A, b):
    N = A.shape[0]
    x = np.zeros_like(b)
    y = np.zeros_like(b)
    for i in range(N):
        for j in range(i):
            A[i, j] = (A[i, j] - A[i, :j] @ A[:j, j]) / A[j, j]
        for j in range(i, N):
            A[i, j] -= A[i, :i] @ A[:i, j]
    for i in range(N):
        y[i] = b[i] - A[i, :i] @ y[:i]
    for i in range(N - 1, -1, -1):
        x[i] = (y[i] - A[i, i + 1:] @ x[i + 1:]) / A[i, i]
    return x, y
