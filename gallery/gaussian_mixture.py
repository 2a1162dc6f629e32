"""Statistics: a mixture of normal distributions fitted by expectation maximization.

A. P. Dempster, N. M. Laird and D. B. Rubin, Maximum likelihood from incomplete data via the EM algorithm, 1977.
"""
import numpy as np

import sluice


@sluice.program
def gaussian_mixture(x, means, deviations, weights, iterations):
    likelihood = np.zeros(iterations)
    for step in range(iterations):
        z = (x[:, None] - means) / deviations
        density = weights * np.exp(-0.5 * z ** 2) / (deviations * np.sqrt(2 * np.pi))
        total = density.sum(axis=1, keepdims=True)
        likelihood[step] = np.log(total).sum()
        responsibility = density / total
        size = responsibility.sum(axis=0)
        means = (responsibility * x[:, None]).sum(axis=0) / size
        deviations = np.sqrt((responsibility * (x[:, None] - means) ** 2).sum(axis=0) / size)
        weights = size / len(x)
    return means, deviations, weights, likelihood


def inputs(size):
    n, iterations = {"small": (90, 4), "large": (40_000, 20)}[size]
    rng = np.random.default_rng(26)
    x = np.concatenate([rng.normal(-2, 0.5, n // 3), rng.normal(0.5, 0.8, n // 3), rng.normal(3, 0.4, n // 3)])
    return {"x": x, "means": np.array([-1.0, 0.0, 1.0]), "deviations": np.ones(3), "weights": np.full(3, 1 / 3), "iterations": iterations}


def picture(inputs, result):
    means, deviations, weights, _ = result
    at = np.linspace(-4, 5, 200)
    density = weights * np.exp(-0.5 * ((at[:, None] - means) / deviations) ** 2) / (deviations * np.sqrt(2 * np.pi))
    return {"mixture": (at, density.sum(axis=1)), **{f"component {k}": (at, density[:, k]) for k in range(3)}}
