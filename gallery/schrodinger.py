"""Physics: a quantum wave packet at a barrier.

Crank-Nicolson in one dimension; each step solves a tridiagonal system with complex numbers (A. Goldberg, H. M. Schey and
J. L. Schwartz, Computer-generated motion pictures of one-dimensional quantum-mechanical transmission, 1967).
"""
import numpy as np

import sluice


@sluice.program
def schrodinger(psi, potential, dx, dt, steps):
    n = len(psi)
    off = -1j * dt / (4 * dx ** 2)
    diagonal = 1 + 1j * dt / 2 * (1 / dx ** 2 + potential)
    ratio = np.zeros(n, dtype=np.complex128)
    density = np.zeros((steps, n))
    for step in range(steps):
        right = np.conj(diagonal) * psi
        right[1:] -= off * psi[:-1]
        right[:-1] -= off * psi[1:]
        ratio[0] = off / diagonal[0]
        psi[0] = right[0] / diagonal[0]
        for i in range(1, n):
            pivot = diagonal[i] - off * ratio[i - 1]
            ratio[i] = off / pivot
            psi[i] = (right[i] - off * psi[i - 1]) / pivot
        for i in range(n - 2, -1, -1):
            psi[i] -= ratio[i] * psi[i + 1]
        density[step] = np.abs(psi) ** 2
    return density


def inputs(size):
    n, steps = {"small": (60, 4), "large": (800, 150)}[size]
    x = np.linspace(0, 20, n)
    psi = np.exp(-(x - 6) ** 2) * np.exp(4j * x)
    return {"psi": psi / np.linalg.norm(psi), "potential": np.where(np.abs(x - 10) < 0.25, 8.0, 0.0), "dx": x[1] - x[0], "dt": 0.01, "steps": steps}


def picture(inputs, result):
    return np.sqrt(result)
