"""s = A^T r and q = A p, the two products of a biconjugate gradient step."""
import numpy as np

SIZES = {"tiny": (12, 15), "S": (4000, 5000), "paper": (10000, 12500), "LARGE": (1900, 2100)}


def inputs(rng, M, N):
    return {"A": rng.random((N, M)), "p": rng.random(M), "r": rng.random(N)}


def bicg(A, p, r):
    return r @ A, A @ p
