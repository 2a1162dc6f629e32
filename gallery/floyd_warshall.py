"""Graphs: shortest paths between all pairs of nodes.

R. W. Floyd, Algorithm 97: Shortest path, 1962; one matrix update for each intermediate node.
"""
import numpy as np

import sluice


@sluice.program
def floyd_warshall(weights):
    distance = weights.copy()
    n = distance.shape[0]
    for k in range(n):
        distance = np.minimum(distance, distance[:, k:k + 1] + distance[k:k + 1, :])
    return distance


def inputs(size):
    n = {"small": 20, "large": 300}[size]
    rng = np.random.default_rng(10)
    where = rng.random((n, 2))
    where = where[where[:, 0].argsort()]
    lengths = np.sqrt(((where[:, None] - where[None]) ** 2).sum(axis=2))
    weights = np.where(lengths < 0.3, lengths, np.inf)
    np.fill_diagonal(weights, 0.0)
    return {"weights": weights}


def picture(inputs, result):
    return np.where(np.isfinite(result), result, 0.0)
