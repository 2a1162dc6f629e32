"""Nussinov's folding of RNA: the most pairs of matching bases. PolyBench's nussinov."""
import numpy as np

SIZES = {"tiny": (12,), "S": (40,), "paper": (500,), "LARGE": (500,)}


def inputs(rng, N):
    return {"bases": rng.integers(0, 4, N).astype(np.int32)}


def nussinov(bases):
    N = bases.shape[0]
    table = np.zeros((N, N), dtype=np.int32)
    for i in range(N - 1, -1, -1):
        for j in range(i + 1, N):
            best = max(table[i, j - 1], table[i + 1, j])
            paired = table[i + 1, j - 1]
            if i < j - 1 and bases[i] + bases[j] == 3:
                paired += 1
            best = max(best, paired)
            for k in range(i + 1, j):
                best = max(best, table[i, k] + table[k + 1, j])
            table[i, j] = best
    return table
