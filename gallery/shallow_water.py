"""Oceanography: a drop falls into a basin of shallow water.

Conservation of mass and momentum by the Lax-Friedrichs scheme, walls reflect (R. J. LeVeque, Finite Volume Methods for
Hyperbolic Problems, chapter 13).
"""
import numpy as np

import sluice


def reflect(h, hu, hv):
    h[0, :], h[-1, :], h[:, 0], h[:, -1] = h[1, :], h[-2, :], h[:, 1], h[:, -2]
    hu[0, :], hu[-1, :], hu[:, 0], hu[:, -1] = hu[1, :], hu[-2, :], -hu[:, 1], -hu[:, -2]
    hv[0, :], hv[-1, :], hv[:, 0], hv[:, -1] = -hv[1, :], -hv[-2, :], hv[:, 1], hv[:, -2]


def step_of(q, flux_x, flux_y, ratio):
    mean = 0.25 * (q[1:-1, 2:] + q[1:-1, :-2] + q[2:, 1:-1] + q[:-2, 1:-1])
    return mean - 0.5 * ratio * (flux_x[1:-1, 2:] - flux_x[1:-1, :-2] + flux_y[2:, 1:-1] - flux_y[:-2, 1:-1])


@sluice.program
def shallow_water(h, gravity, ratio, steps):
    hu, hv = np.zeros_like(h), np.zeros_like(h)
    for _ in range(steps):
        u, v = hu / h, hv / h
        pressure = 0.5 * gravity * h ** 2
        new_h = step_of(h, hu, hv, ratio)
        new_hu = step_of(hu, hu * u + pressure, hu * v, ratio)
        new_hv = step_of(hv, hv * u, hv * v + pressure, ratio)
        h[1:-1, 1:-1], hu[1:-1, 1:-1], hv[1:-1, 1:-1] = new_h, new_hu, new_hv
        reflect(h, hu, hv)
    return h


def inputs(size):
    n, steps = {"small": (24, 5), "large": (256, 80)}[size]
    y, x = np.mgrid[-1:1:n * 1j, -1:1:n * 1j]
    return {"h": 1.0 + 0.4 * np.exp(-40 * ((x + 0.3) ** 2 + (y - 0.2) ** 2)), "gravity": 9.81, "ratio": 0.1, "steps": steps}


def picture(inputs, result):
    return result
