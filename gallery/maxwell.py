"""Physics: a light pulse at a piece of glass.

Finite differences in time and space on a staggered grid, transverse magnetic mode (K. Yee, 1966).
"""
import numpy as np

import sluice


@sluice.program
def maxwell(permittivity, courant, steps, row, column):
    Ez = np.zeros_like(permittivity)
    Hx = np.zeros_like(permittivity)
    Hy = np.zeros_like(permittivity)
    probe = np.zeros(steps)
    for t in range(steps):
        Hx[:-1, :] -= courant * (Ez[1:, :] - Ez[:-1, :])
        Hy[:, :-1] += courant * (Ez[:, 1:] - Ez[:, :-1])
        Ez[1:, 1:] += courant / permittivity[1:, 1:] * (Hy[1:, 1:] - Hy[1:, :-1] - Hx[1:, 1:] + Hx[:-1, 1:])
        Ez[row, column] += np.exp(-((t - 30) / 10) ** 2)
        probe[t] = Ez[row, -column]
    return Ez, probe


def inputs(size):
    n, steps = {"small": (40, 30), "large": (300, 200)}[size]
    permittivity = np.ones((n, n))
    permittivity[:, n // 2:2 * n // 3] = 4.0
    return {"permittivity": permittivity, "courant": 0.5, "steps": steps, "row": n // 2, "column": n // 4}


def picture(inputs, result):
    return np.cbrt(result[0])
