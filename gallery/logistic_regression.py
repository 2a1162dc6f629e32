"""Machine learning: logistic regression by Newton's method.

Iteratively reweighted least squares with a small ridge (Hastie, Tibshirani and Friedman, The Elements of Statistical Learning,
section 4.4.1).
"""
import numpy as np

import sluice


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


@sluice.program
def logistic_regression(X, y, ridge, iterations):
    n, k = X.shape
    X = np.hstack([np.ones((n, 1)), X])
    weights = np.zeros(k + 1)
    losses = np.zeros(iterations)
    for step in range(iterations):
        p = sigmoid(X @ weights)
        losses[step] = -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))
        gradient = X.T @ (p - y) + ridge * weights
        hessian = X.T @ (X * (p * (1 - p))[:, None]) + ridge * np.eye(k + 1)
        weights -= np.linalg.solve(hessian, gradient)
    return weights, losses


def inputs(size):
    n, k, iterations = {"small": (60, 3, 4), "large": (100_000, 8, 8)}[size]
    rng = np.random.default_rng(23)
    X = rng.standard_normal((n, k))
    chance = sigmoid(0.5 + X @ rng.standard_normal(k))
    return {"X": X, "y": (rng.random(n) < chance).astype(np.float64), "ridge": 1e-3, "iterations": iterations}


def picture(inputs, result):
    return {"loss": (np.arange(len(result[1])), result[1])}
