"""Distances of pairs of points on the unit sphere (haversine formula)."""
import numpy as np

SIZES = {"tiny": (50,), "S": (100000,), "paper": (10000000,)}


def inputs(rng, N):
    return {name: rng.random(N) for name in ("theta_1", "phi_1", "theta_2", "phi_2")}


def arc_distance(theta_1, phi_1, theta_2, phi_2):
    half = np.sin((theta_2 - theta_1) / 2) ** 2 + np.cos(theta_1) * np.cos(theta_2) * np.sin((phi_2 - phi_1) / 2) ** 2
    return 2 * np.arctan2(np.sqrt(half), np.sqrt(1 - half))
