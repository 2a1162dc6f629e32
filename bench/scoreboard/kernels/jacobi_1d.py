"""Three-point averages, two arrays in turns: PolyBench's jacobi-1d."""
import numpy as np

SIZES = {"tiny": (4, 20), "S": (800, 3200), "paper": (4000, 32000), "LARGE": (500, 2000)}


def inputs(rng, TSTEPS, N):
    return {"TSTEPS": TSTEPS, "A": rng.random(N), "B": rng.random(N)}


def jacobi_1d(TSTEPS, A, B):
    for t in range(1, TSTEPS):
        B[1:-1] = 0.33333 * (A[:-2] + A[1:-1] + A[2:])
        A[1:-1] = 0.33333 * (B[:-2] + B[1:-1] + B[2:])
