"""Gauss-Seidel sweeps of a nine-point average: PolyBench's seidel-2d."""
import numpy as np

SIZES = {"tiny": (2, 10), "S": (8, 50), "paper": (100, 400), "LARGE": (100, 400)}


def inputs(rng, TSTEPS, N):
    return {"TSTEPS": TSTEPS, "A": rng.random((N, N))}


def seidel_2d(TSTEPS, A):
    N = A.shape[0]
    for t in range(TSTEPS):
        for i in range(1, N - 1):
            A[i, 1:-1] += A[i - 1, :-2] + A[i - 1, 1:-1] + A[i - 1, 2:] + A[i, 2:] + A[i + 1, :-2] + A[i + 1, 1:-1] + A[i + 1, 2:]
            for j in range(1, N - 1):
                A[i, j] = (A[i, j] + A[i, j - 1]) / 9.0
