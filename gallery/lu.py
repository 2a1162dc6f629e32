"""Linear algebra: a system solved by LU factorization with partial pivoting.

G. H. Golub and C. F. Van Loan, Matrix Computations, algorithm 3.4.1, then forward and back substitution.
"""
import numpy as np

import sluice


@sluice.program
def lu(A, b):
    n = len(b)
    A, x = A.copy(), b.copy()
    for k in range(n - 1):
        pivot = k + np.argmax(np.abs(A[k:, k]))
        if pivot != k:
            A[[k, pivot]] = A[[pivot, k]]
            x[[k, pivot]] = x[[pivot, k]]
        A[k + 1:, k] /= A[k, k]
        A[k + 1:, k + 1:] -= np.outer(A[k + 1:, k], A[k, k + 1:])
    for i in range(1, n):
        x[i] -= A[i, :i] @ x[:i]
    for i in range(n - 1, -1, -1):
        x[i] = (x[i] - A[i, i + 1:] @ x[i + 1:]) / A[i, i]
    return x


def inputs(size):
    n = {"small": 20, "large": 400}[size]
    rng = np.random.default_rng(7)
    return {"A": rng.standard_normal((n, n)), "b": rng.standard_normal(n)}
