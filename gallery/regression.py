"""Statistics: multiple linear regression with standard errors and R squared.

Ordinary least squares by the normal equations (Seber and Lee, Linear Regression Analysis, chapter 3).
"""
import numpy as np

import sluice


@sluice.program
def regression(X, y):
    n, k = X.shape
    design = np.column_stack([np.ones(n), X])
    gram = design.T @ design
    beta = np.linalg.solve(gram, design.T @ y)
    residuals = y - design @ beta
    variance = residuals @ residuals / (n - k - 1)
    errors = np.sqrt(variance * np.diag(np.linalg.inv(gram)))
    r2 = 1 - np.sum(residuals ** 2) / np.sum((y - y.mean()) ** 2)
    return beta, errors, r2


def inputs(size):
    n, k = {"small": (50, 3), "large": (200_000, 12)}[size]
    rng = np.random.default_rng(12)
    X = rng.standard_normal((n, k))
    return {"X": X, "y": 1.5 + X @ rng.standard_normal(k) + 0.5 * rng.standard_normal(n)}
