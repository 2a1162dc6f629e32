"""A sparse matrix in compressed rows times a vector."""
import numpy as np

SIZES = {"tiny": (20, 20, 60), "S": (4096, 4096, 8192), "paper": (131072, 131072, 262144)}


def inputs(rng, M, N, nnz):
    row = np.sort(rng.integers(0, M, nnz))
    start = np.searchsorted(row, np.arange(M + 1)).astype(np.uint32)
    return {"start": start, "column": rng.integers(0, N, nnz).astype(np.uint32), "value": rng.random(nnz), "x": rng.random(N)}


def spmv(start, column, value, x):
    y = np.empty(start.size - 1, dtype=value.dtype)
    for i in range(start.size - 1):
        columns = column[start[i]:start[i + 1]]
        values = value[start[i]:start[i + 1]]
        y[i] = values @ x[columns]
    return y
