"""Correlation matrix of the columns: PolyBench's correlation."""
import numpy as np

SIZES = {"tiny": (12, 15), "S": (500, 600), "paper": (1200, 1400), "LARGE": (1200, 1400)}


def inputs(rng, M, N):
    return {"data": rng.random((N, M))}


def correlation(data):
    N, M = data.shape
    mean = np.mean(data, axis=0)
    deviation = np.sqrt(np.mean((data - mean) ** 2, axis=0))
    deviation[deviation <= 0.1] = 1.0
    data -= mean
    data /= np.sqrt(1.0 * N) * deviation
    result = np.eye(M)
    for i in range(M - 1):
        result[i, i + 1:] = data[:, i] @ data[:, i + 1:]
        result[i + 1:, i] = result[i, i + 1:]
    return result
