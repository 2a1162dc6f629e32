"""Each row of a three-dimensional array times a matrix: PolyBench's doitgen."""
import numpy as np

SIZES = {"tiny": (4, 5, 6), "S": (60, 60, 128), "paper": (220, 250, 270), "LARGE": (150, 140, 160)}


def inputs(rng, NR, NQ, NP):
    return {"A": rng.random((NR, NQ, NP)), "C4": rng.random((NP, NP)) / NP}


def doitgen(A, C4):
    for r in range(A.shape[0]):
        A[r] = A[r] @ C4
