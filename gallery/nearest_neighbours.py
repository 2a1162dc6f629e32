"""Machine learning: classification by the k nearest neighbours.

T. Cover and P. Hart, Nearest neighbor pattern classification, 1967: the majority among the k closest training points.
"""
import numpy as np

import sluice


@sluice.program
def nearest_neighbours(train, labels, test, k, classes):
    squared = (test ** 2).sum(axis=1)[:, None] - 2 * test @ train.T + (train ** 2).sum(axis=1)[None, :]
    nearest = np.argsort(squared, axis=1)[:, :k]
    votes = labels[nearest]
    counts = np.stack([(votes == c).sum(axis=1) for c in range(classes)], axis=1)
    return counts.argmax(axis=1)


def inputs(size):
    n, m = {"small": (40, 20), "large": (1000, 600)}[size]
    rng = np.random.default_rng(25)
    middles = rng.uniform(-2, 2, (4, 2))
    labels = rng.integers(0, 4, n)
    return {"train": middles[labels] + 0.7 * rng.standard_normal((n, 2)), "labels": labels, "test": rng.uniform(-3, 3, (m, 2)), "k": 7, "classes": 4}


def picture(inputs, result):
    test = inputs["test"]
    return {f"class {c}": (test[result == c, 0], test[result == c, 1], "points") for c in range(inputs["classes"])}
