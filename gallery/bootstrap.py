"""Statistics: bootstrap confidence intervals of a mean, a median and a correlation.

B. Efron, Bootstrap methods: another look at the jackknife, 1979; the resampled indices are given.
"""
import numpy as np

import sluice


@sluice.program
def bootstrap(x, y, resamples):
    xs, ys = x[resamples], y[resamples]
    means = xs.mean(axis=1)
    medians = np.median(xs, axis=1)
    dx = xs - xs.mean(axis=1, keepdims=True)
    dy = ys - ys.mean(axis=1, keepdims=True)
    correlations = (dx * dy).sum(axis=1) / np.sqrt((dx ** 2).sum(axis=1) * (dy ** 2).sum(axis=1))
    intervals = np.stack([np.percentile(means, [2.5, 97.5]), np.percentile(medians, [2.5, 97.5]), np.percentile(correlations, [2.5, 97.5])])
    return intervals, correlations


def inputs(size):
    n, count = {"small": (30, 40), "large": (500, 2000)}[size]
    rng = np.random.default_rng(15)
    x = rng.gamma(2.0, 1.5, n)
    return {"x": x, "y": 0.6 * x + rng.standard_normal(n), "resamples": rng.integers(0, n, (count, n))}


def picture(inputs, result):
    counts, edges = np.histogram(result[1], bins=30)
    return {"correlation": ((edges[1:] + edges[:-1]) / 2, counts)}
