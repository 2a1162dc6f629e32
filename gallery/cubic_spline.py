"""Interpolation: a natural cubic spline through points, evaluated on a fine grid.

The second derivatives solve a tridiagonal system, by the Thomas algorithm (Press et al., Numerical Recipes, section 3.3).
"""
import numpy as np

import sluice


def second_derivatives(x, y):
    n = len(x)
    m, c = np.zeros(n), np.zeros(n)
    for i in range(1, n - 1):
        left, right = x[i] - x[i - 1], x[i + 1] - x[i]
        slope = (y[i + 1] - y[i]) / right - (y[i] - y[i - 1]) / left
        pivot = 2 * (left + right) - left * c[i - 1]
        c[i] = right / pivot
        m[i] = (6 * slope - left * m[i - 1]) / pivot
    for i in range(n - 2, 0, -1):
        m[i] -= c[i] * m[i + 1]
    return m


@sluice.program
def cubic_spline(x, y, at):
    m = second_derivatives(x, y)
    i = np.clip(np.searchsorted(x, at) - 1, 0, len(x) - 2)
    h = x[i + 1] - x[i]
    a, b = (x[i + 1] - at) / h, (at - x[i]) / h
    return a * y[i] + b * y[i + 1] + ((a ** 3 - a) * m[i] + (b ** 3 - b) * m[i + 1]) * h ** 2 / 6


def inputs(size):
    knots, points = {"small": (12, 50), "large": (5000, 200_000)}[size]
    rng = np.random.default_rng(20)
    x = np.cumsum(0.2 + rng.random(knots))
    return {"x": x, "y": np.sin(x) + 0.2 * rng.standard_normal(knots), "at": np.linspace(x[0], x[-1], points)}


def picture(inputs, result):
    end = inputs["x"][min(11, len(inputs["x"]) - 1)]
    shown, knots = inputs["at"] <= end, inputs["x"] <= end
    return {"spline": (inputs["at"][shown], result[shown]), "knots": (inputs["x"][knots], inputs["y"][knots], "points")}
