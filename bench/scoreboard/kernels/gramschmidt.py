"""QR decomposition by the modified method of Gram and Schmidt: PolyBench's gramschmidt."""
import numpy as np

SIZES = {"tiny": (14, 10), "S": (70, 60), "paper": (240, 200), "LARGE": (1000, 1200)}


def inputs(rng, M, N):
    return {"A": rng.random((M, N)) + np.eye(M, N)}


def gramschmidt(A):
    N = A.shape[1]
    Q = np.zeros_like(A)
    R = np.zeros((N, N))
    for k in range(N):
        R[k, k] = np.sqrt(np.dot(A[:, k], A[:, k]))
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, N):
            R[k, j] = np.dot(Q[:, k], A[:, j])
            A[:, j] -= Q[:, k] * R[k, j]
    return Q, R
