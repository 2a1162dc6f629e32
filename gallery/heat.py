"""Physics: heat spreads in a plate with a hot and a cold edge.

Forward Euler in time, five-point Laplacian in space; np.roll gives the neighbours and the edges are held fixed.
"""
import numpy as np

import sluice


@sluice.program
def heat(u, diffusivity, dx, dt, steps):
    history = []
    for _ in range(steps):
        lap = (np.roll(u, 1, axis=0) + np.roll(u, -1, axis=0) + np.roll(u, 1, axis=1) + np.roll(u, -1, axis=1) - 4 * u) / dx ** 2
        u = u + dt * diffusivity * lap
        u[0, :] = 1.0
        u[-1, :] = 0.0
        u[:, 0] = u[:, 1]
        u[:, -1] = u[:, -2]
        history.append(u.mean())
    return u, np.array(history)


def inputs(size):
    n, steps = {"small": (24, 10), "large": (300, 100)}[size]
    dx = 1.0 / n
    u = np.zeros((n, n))
    u[n // 3:n // 2, n // 4:3 * n // 4] = 2.0
    return {"u": u, "diffusivity": 0.1, "dx": dx, "dt": 0.2 * dx ** 2 / 0.1, "steps": steps}


def picture(inputs, result):
    return result[0]
