"""Azimuthal integration: the mean of the data in each of npt rings, by histograms."""
import numpy as np

SIZES = {"tiny": (400, 10), "S": (400000, 1000), "paper": (1000000, 1000)}


def inputs(rng, N, npt):
    return {"data": rng.random(N), "radius": rng.random(N), "npt": npt}


def azimint_hist(data, radius, npt):
    count = np.histogram(radius, npt)[0]
    total = np.histogram(radius, npt, weights=data)[0]
    return total / count
