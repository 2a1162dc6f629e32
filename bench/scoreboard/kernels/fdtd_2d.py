"""Finite differences in the time domain: an electromagnetic wave in two dimensions. PolyBench's fdtd-2d."""
import numpy as np

SIZES = {"tiny": (3, 12, 14), "S": (20, 200, 220), "paper": (500, 1000, 1200), "LARGE": (500, 1000, 1200)}


def inputs(rng, TMAX, NX, NY):
    return {"TMAX": TMAX, "ex": rng.random((NX, NY)), "ey": rng.random((NX, NY)), "hz": rng.random((NX, NY)), "source": rng.random(TMAX)}


def fdtd_2d(TMAX, ex, ey, hz, source):
    for t in range(TMAX):
        ey[0, :] = source[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
