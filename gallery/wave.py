"""Physics: waves on a periodic membrane.

Second-order leapfrog in time and centred differences in space, by np.roll (R. Courant, K. Friedrichs and H. Lewy, 1928).
"""
import numpy as np

import sluice


def laplacian(u):
    return np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u


@sluice.program
def wave(u, courant, steps):
    previous = u.copy()
    for _ in range(steps):
        u, previous = 2 * u - previous + courant ** 2 * laplacian(u), u
    return u


def inputs(size):
    n, steps = {"small": (32, 8), "large": (400, 60)}[size]
    y, x = np.mgrid[-1:1:n * 1j, -1:1:n * 1j]
    return {"u": np.exp(-200 * ((x - 0.3) ** 2 + y ** 2)) + np.exp(-200 * ((x + 0.4) ** 2 + (y - 0.2) ** 2)), "courant": 0.5, "steps": steps}


def picture(inputs, result):
    return result
