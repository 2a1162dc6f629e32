"""Statistics: principal components of correlated measurements.

K. Pearson, On lines and planes of closest fit to systems of points in space, 1901, by the singular value decomposition.
"""
import numpy as np

import sluice


@sluice.program
def principal_components(samples, count):
    standardized = (samples - samples.mean(axis=0)) / samples.std(axis=0, ddof=1)
    _, singular, directions = np.linalg.svd(standardized, full_matrices=False)
    variance = singular ** 2 / (len(samples) - 1)
    scores = standardized @ directions[:count].T
    return scores, variance / variance.sum()


def inputs(size):
    n, k = {"small": (40, 5), "large": (4000, 40)}[size]
    rng = np.random.default_rng(35)
    hidden = rng.standard_normal((n, 3)) * np.array([3.0, 2.0, 1.0])
    return {"samples": hidden @ rng.standard_normal((3, k)) + 0.5 * rng.standard_normal((n, k)), "count": 2}


def picture(inputs, result):
    scores = result[0][:500]
    return {"first against second component": (scores[:, 0], scores[:, 1], "points")}
