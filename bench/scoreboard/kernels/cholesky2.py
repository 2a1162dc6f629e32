"""Cholesky factor in the lower triangle by the library, the upper one kept."""
import numpy as np

SIZES = {"tiny": (12,), "S": (1000,), "paper": (2000,)}


def inputs(rng, N):
    A = rng.random((N, N))
    return {"A": A @ A.T + N * np.eye(N)}


def cholesky2(A):
    A[:] = np.linalg.cholesky(A) + np.triu(A, k=1)
