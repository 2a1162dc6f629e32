"""The Mandelbrot set with masks: how many steps each point takes to leave, and where it stands."""
import numpy as np

SIZES = {"tiny": (-1.75, 0.25, 15, -1.0, 1.0, 15, 10, 2.0), "S": (-1.75, 0.25, 125, -1.0, 1.0, 125, 60, 2.0),
         "paper": (-2.25, 0.75, 1000, -1.25, 1.25, 1000, 200, 2.0)}


def inputs(rng, xmin, xmax, XN, ymin, ymax, YN, maxiter, horizon):
    return {"xmin": xmin, "xmax": xmax, "ymin": ymin, "ymax": ymax, "XN": XN, "YN": YN, "maxiter": maxiter, "horizon": horizon}


def mandelbrot1(xmin, xmax, ymin, ymax, XN, YN, maxiter, horizon):
    X = np.linspace(xmin, xmax, XN)
    Y = np.linspace(ymin, ymax, YN)
    C = X + Y[:, None] * 1j
    steps = np.zeros(C.shape, dtype=np.int64)
    Z = np.zeros(C.shape, dtype=np.complex128)
    for n in range(maxiter):
        inside = np.abs(Z) < horizon
        steps[inside] = n
        Z[inside] = Z[inside] ** 2 + C[inside]
    steps[steps == maxiter - 1] = 0
    return Z, steps
