"""Linear algebra: conjugate gradients with a sparse matrix in CSR form.

M. R. Hestenes and E. Stiefel, 1952, with the Jacobi preconditioner; the matrix is a five-point Laplacian.
"""
import numpy as np

import sluice


def multiply(indptr, indices, data, x):
    y = np.zeros_like(x)
    for i in range(len(indptr) - 1):
        begin, end = indptr[i], indptr[i + 1]
        y[i] = data[begin:end] @ x[indices[begin:end]]
    return y


@sluice.program
def sparse_cg(indptr, indices, data, diagonal, b, tolerance):
    x = np.zeros_like(b)
    r = b - multiply(indptr, indices, data, x)
    z = r / diagonal
    p = z.copy()
    rz = r @ z
    steps = 0
    while np.sqrt(r @ r) > tolerance and steps < 500:
        Ap = multiply(indptr, indices, data, p)
        alpha = rz / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        z = r / diagonal
        rz, previous = r @ z, rz
        p = z + rz / previous * p
        steps += 1
    return x, steps


def inputs(size):
    n = {"small": 6, "large": 40}[size]
    node = np.arange(n * n).reshape(n, n)
    rows, columns, values = [node.ravel()], [node.ravel()], [np.full(n * n, 4.0)]
    for a, b in ((node[1:], node[:-1]), (node[:, 1:], node[:, :-1])):
        rows += [a.ravel(), b.ravel()]
        columns += [b.ravel(), a.ravel()]
        values += [np.full(a.size, -1.0)] * 2
    rows, columns, values = map(np.concatenate, (rows, columns, values))
    order = np.lexsort((columns, rows))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n * n))])
    b = np.zeros(n * n)
    b[node[n // 2, n // 3]], b[node[n // 4, 2 * n // 3]] = 1.0, -1.0
    return {"indptr": indptr, "indices": columns[order], "data": values[order], "diagonal": np.full(n * n, 4.0), "b": b, "tolerance": 1e-8}


def picture(inputs, result):
    n = int(np.sqrt(len(result[0])))
    return result[0].reshape(n, n)
