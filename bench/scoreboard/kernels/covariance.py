"""Covariance matrix of the columns, row by row: PolyBench's covariance."""
import numpy as np

SIZES = {"tiny": (12, 15), "S": (500, 600), "paper": (1200, 1400), "LARGE": (1200, 1400)}


def inputs(rng, M, N):
    return {"data": rng.random((N, M))}


def covariance(data):
    N, M = data.shape
    data -= np.mean(data, axis=0)
    result = np.zeros((M, M))
    for i in range(M):
        result[i, i:] = data[:, i] @ data[:, i:] / (N - 1.0)
        result[i:, i] = result[i, i:]
    return result
