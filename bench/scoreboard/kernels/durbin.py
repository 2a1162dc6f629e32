"""Levinson and Durbin's recursion for a Toeplitz system: PolyBench's durbin."""
import numpy as np

SIZES = {"tiny": (12,), "S": (1000,), "paper": (16000,), "LARGE": (2000,)}


def inputs(rng, N):
    return {"r": (rng.random(N) - 0.5) / (4.0 * N)}


def durbin(r):
    y = np.empty_like(r)
    alpha = -r[0]
    beta = 1.0
    y[0] = alpha
    for k in range(1, r.shape[0]):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return y
