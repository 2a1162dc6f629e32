"""Dynamical systems: the Lorenz attractor from many starting points at once.

Classical fourth-order Runge-Kutta on E. N. Lorenz, Deterministic nonperiodic flow, 1963.
"""
import numpy as np

import sluice


def lorenz(state, sigma=10.0, rho=28.0, beta=8.0 / 3.0):
    x, y, z = state
    return np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])


def rk4_step(f, y, h):
    k1 = f(y)
    k2 = f(y + h / 2 * k1)
    k3 = f(y + h / 2 * k2)
    k4 = f(y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


@sluice.program
def runge_kutta(y, h, steps):
    trajectory = np.empty((steps + 1,) + y.shape)
    trajectory[0] = y
    for step in range(steps):
        y = rk4_step(lorenz, y, h)
        trajectory[step + 1] = y
    return trajectory


def inputs(size):
    particles, steps = {"small": (5, 20), "large": (100, 1000)}[size]
    rng = np.random.default_rng(11)
    return {"y": np.array([[1.0], [1.0], [20.0]]) + 0.01 * rng.standard_normal((3, particles)), "h": 0.01, "steps": steps}


def picture(inputs, result):
    return {"x against z": (result[:, 0, 0], result[:, 2, 0])}
