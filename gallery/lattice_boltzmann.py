"""Fluid dynamics: flow around a cylinder with the lattice Boltzmann method.

D2Q9 lattice, single relaxation time (Y. H. Qian, D. d'Humieres and P. Lallemand, 1992), bounce-back at the cylinder.
"""
import numpy as np

import sluice

CX = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1])
CY = np.array([0, 0, 1, 0, -1, 1, 1, -1, -1])
WEIGHTS = np.array([4 / 9] + 4 * [1 / 9] + 4 * [1 / 36])
OPPOSITE = np.array([0, 3, 4, 1, 2, 7, 8, 5, 6])


def equilibrium(density, ux, uy):
    cu = CX[:, None, None] * ux + CY[:, None, None] * uy
    return WEIGHTS[:, None, None] * density * (1 + 3 * cu + 4.5 * cu ** 2 - 1.5 * (ux ** 2 + uy ** 2))


@sluice.program
def lattice_boltzmann(f, solid, tau, steps):
    density = f.sum(axis=0)
    ux, uy = np.zeros_like(density), np.zeros_like(density)
    for _ in range(steps):
        for i in range(9):
            f[i] = np.roll(np.roll(f[i], CX[i], axis=1), CY[i], axis=0)
        bounced = f[OPPOSITE][:, solid]
        density = f.sum(axis=0)
        ux = (CX[:, None, None] * f).sum(axis=0) / density
        uy = (CY[:, None, None] * f).sum(axis=0) / density
        f += (equilibrium(density, ux, uy) - f) / tau
        f[:, solid] = bounced
    curl = np.roll(uy, -1, 1) - np.roll(uy, 1, 1) - np.roll(ux, -1, 0) + np.roll(ux, 1, 0)
    return np.where(solid, 0.0, curl)


def inputs(size):
    ny, nx, steps = {"small": (12, 24, 4), "large": (80, 200, 60)}[size]
    y, x = np.mgrid[0:ny, 0:nx]
    solid = (x - nx / 4) ** 2 + (y - ny / 2) ** 2 < (ny / 8) ** 2
    f = np.ones((9, ny, nx)) * WEIGHTS[:, None, None]
    f[1] *= 1.3
    return {"f": f, "solid": solid, "tau": 0.6, "steps": steps}


def picture(inputs, result):
    return result
