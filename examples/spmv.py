"""spmv: a sparse matrix in CSR form times a vector; the inner range and the gathered element depend on data."""
import numpy as np

import sluice

H, W, nnz = sluice.symbol("H"), sluice.symbol("W"), sluice.symbol("nnz")


@sluice.program
def spmv(row: sluice.int64[H + 1], col: sluice.int64[nnz], val: sluice.float64[nnz], x: sluice.float64[W], y: sluice.float64[H]):
    for i in sluice.map[0:H]:
        y[i] = 0.0
        for j in sluice.map[row[i]:row[i + 1]]:
            y[i] += val[j] * x[col[j]]


def reference(row, col, val, x, y):
    products = np.append(val * x[col], 0.0)
    y[:] = np.where(row[:-1] < row[1:], np.add.reduceat(products, row[:-1]), 0.0)


def inputs(size):
    h, w, per_row = {"small": (50, 40, 5), "large": (200_000, 200_000, 40)}[size]
    rng = np.random.default_rng(3)
    row = np.zeros(h + 1, dtype=np.int64)
    row[1:] = np.cumsum(rng.integers(0, 2 * per_row, h))
    entries = int(row[-1])
    return {
        "row": row, "col": rng.integers(0, w, entries), "val": rng.random(entries), "x": rng.random(w), "y": np.zeros(h),
    }
