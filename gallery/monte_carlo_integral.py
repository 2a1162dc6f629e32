"""Monte Carlo: the volume of the six-dimensional unit ball, with its standard error.

Plain Monte Carlo integration (N. Metropolis and S. Ulam, 1949) on points that are given; the exact volume is pi^3 / 6.
"""
import numpy as np

import sluice


@sluice.program
def monte_carlo_integral(points):
    n, dimensions = points.shape
    inside = np.sum(points ** 2, axis=1) <= 1.0
    volume = 2.0 ** dimensions
    estimate = volume * inside.mean()
    running = volume * np.cumsum(inside) / np.arange(1, n + 1)
    error = volume * inside.std(ddof=1) / np.sqrt(n)
    return estimate, error, running


def inputs(size):
    n = {"small": 500, "large": 500_000}[size]
    return {"points": np.random.default_rng(8).uniform(-1, 1, (n, 6))}


def picture(inputs, result):
    running = result[2]
    n = np.arange(1, len(running) + 1)
    shown = np.unique(np.geomspace(10, len(running), 300).astype(int)) - 1
    return {"estimate": (np.log10(n[shown]), running[shown]), "pi^3 / 6": (np.log10(n[shown]), np.full(len(shown), np.pi ** 3 / 6))}
