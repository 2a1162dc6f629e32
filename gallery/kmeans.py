"""Machine learning: k-means clustering of points.

Lloyd's algorithm (S. P. Lloyd, Least squares quantization in PCM, 1982): assign each point to its nearest centre, move each centre
to the mean of its points, until nothing changes.
"""
import numpy as np

import sluice


@sluice.program
def kmeans(points, centres, iterations):
    k = centres.shape[0]
    centres = centres.copy()
    labels = np.zeros(len(points), dtype=np.int64)
    for _ in range(iterations):
        distances = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
        labels = distances.argmin(axis=1)
        previous = centres.copy()
        for j in range(k):
            members = points[labels == j]
            if len(members) > 0:
                centres[j] = members.mean(axis=0)
        if np.allclose(previous, centres):
            break
    return centres, labels


def inputs(size):
    n = {"small": 60, "large": 20000}[size]
    rng = np.random.default_rng(4)
    middles = rng.uniform(-4, 4, (6, 2))
    points = np.concatenate([middle + 0.6 * rng.standard_normal((n // 6, 2)) for middle in middles])
    return {"points": points, "centres": points[::n // 6][:6].copy(), "iterations": 20}


def picture(inputs, result):
    centres, labels = result
    points = inputs["points"]
    curves = {f"cluster {j}": (points[labels == j][:300, 0], points[labels == j][:300, 1], "points") for j in range(len(centres))}
    return {**curves, "centres": (centres[:, 0], centres[:, 1], "points")}
