"""Five-point averages, two arrays in turns: PolyBench's jacobi-2d."""
import numpy as np

SIZES = {"tiny": (3, 12), "S": (50, 150), "L": (200, 700), "LARGE": (500, 1300)}


def inputs(rng, TSTEPS, N):
    return {"TSTEPS": TSTEPS, "A": rng.random((N, N)), "B": rng.random((N, N))}


def jacobi_2d(TSTEPS, A, B):
    for t in range(1, TSTEPS):
        B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
        A[1:-1, 1:-1] = 0.2 * (B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1])
