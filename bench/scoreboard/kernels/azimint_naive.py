"""Azimuthal integration: the mean of the data in each of npt rings, ring by ring with a mask."""
import numpy as np

SIZES = {"tiny": (400, 10), "S": (400000, 1000), "paper": (1000000, 1000)}


def inputs(rng, N, npt):
    return {"data": rng.random(N), "radius": rng.random(N), "npt": npt}


def azimint_naive(data, radius, npt):
    largest = radius.max()
    result = np.zeros(npt)
    for i in range(npt):
        inner = largest * i / npt
        outer = largest * (i + 1) / npt
        ring = np.logical_and(inner <= radius, radius < outer)
        result[i] = data[ring].mean()
    return result
