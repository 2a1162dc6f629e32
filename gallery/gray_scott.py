"""Biology: patterns of a reaction-diffusion system.

The Gray-Scott model in the form of J. E. Pearson, Complex patterns in a simple system, 1993.
"""
import numpy as np

import sluice


def laplacian(Z):
    return Z[:-2, 1:-1] + Z[2:, 1:-1] + Z[1:-1, :-2] + Z[1:-1, 2:] - 4 * Z[1:-1, 1:-1]


def periodic(Z):
    Z[0], Z[-1] = Z[-2], Z[1]
    Z[:, 0], Z[:, -1] = Z[:, -2], Z[:, 1]


@sluice.program
def gray_scott(U, V, Du, Dv, feed, kill, steps):
    u, v = U[1:-1, 1:-1], V[1:-1, 1:-1]
    for _ in range(steps):
        Lu, Lv = laplacian(U), laplacian(V)
        uvv = u * v * v
        u += Du * Lu - uvv + feed * (1 - u)
        v += Dv * Lv + uvv - (feed + kill) * v
        periodic(U)
        periodic(V)
    return V


def inputs(size):
    n, steps = {"small": (24, 5), "large": (200, 300)}[size]
    rng = np.random.default_rng(22)
    U, V = np.ones((n + 2, n + 2)), np.zeros((n + 2, n + 2))
    for i, j in rng.integers(n // 8, n - n // 8, (12, 2)):
        U[i - 2:i + 3, j - 2:j + 3], V[i - 2:i + 3, j - 2:j + 3] = 0.5, 0.25
    return {"U": U, "V": V + 0.02 * rng.random(V.shape), "Du": 0.16, "Dv": 0.08, "feed": 0.035, "kill": 0.065, "steps": steps}


def picture(inputs, result):
    return result
