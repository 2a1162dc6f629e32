"""Alternating directions implicit heat diffusion, two tridiagonal sweeps a step: PolyBench's adi."""
import numpy as np

SIZES = {"tiny": (2, 12), "S": (5, 100), "paper": (100, 200), "LARGE": (500, 1000)}


def inputs(rng, TSTEPS, N):
    return {"TSTEPS": TSTEPS, "u": rng.random((N, N))}


def adi(TSTEPS, u):
    N = u.shape[0]
    v = np.zeros_like(u)
    p = np.zeros_like(u)
    q = np.zeros_like(u)
    rows = 2.0 * N * N / TSTEPS
    columns = 1.0 * N * N / TSTEPS
    a = -0.5 * rows
    b = 1.0 + rows
    d = -0.5 * columns
    e = 1.0 + columns
    for t in range(TSTEPS):
        v[0, 1:N - 1] = 1.0
        p[1:N - 1, 0] = 0.0
        q[1:N - 1, 0] = 1.0
        for j in range(1, N - 1):
            pivot = a * p[1:N - 1, j - 1] + b
            p[1:N - 1, j] = -a / pivot
            q[1:N - 1, j] = (-d * u[j, 0:N - 2] + (1.0 + 2.0 * d) * u[j, 1:N - 1] - d * u[j, 2:N] - a * q[1:N - 1, j - 1]) / pivot
        v[N - 1, 1:N - 1] = 1.0
        for j in range(N - 2, 0, -1):
            v[j, 1:N - 1] = p[1:N - 1, j] * v[j + 1, 1:N - 1] + q[1:N - 1, j]
        u[1:N - 1, 0] = 1.0
        p[1:N - 1, 0] = 0.0
        q[1:N - 1, 0] = 1.0
        for j in range(1, N - 1):
            pivot = d * p[1:N - 1, j - 1] + e
            p[1:N - 1, j] = -d / pivot
            q[1:N - 1, j] = (-a * v[0:N - 2, j] + (1.0 + 2.0 * a) * v[1:N - 1, j] - a * v[2:N, j] - d * q[1:N - 1, j - 1]) / pivot
        u[1:N - 1, N - 1] = 1.0
        for j in range(N - 2, 0, -1):
            u[1:N - 1, j] = p[1:N - 1, j] * u[1:N - 1, j + 1] + q[1:N - 1, j]
