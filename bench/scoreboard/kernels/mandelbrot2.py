"""The Mandelbrot set with a list of the points that have not left, which shrinks."""
import numpy as np

SIZES = {"tiny": (-2.0, 0.5, 15, -1.25, 1.25, 15, 10, 2.0), "S": (-2.0, 0.5, 200, -1.25, 1.25, 200, 40, 2.0),
         "paper": (-2.25, 0.75, 1000, -1.25, 1.25, 1000, 200, 2.0)}


def inputs(rng, xmin, xmax, XN, ymin, ymax, YN, maxiter, horizon):
    return {"xmin": xmin, "xmax": xmax, "ymin": ymin, "ymax": ymax, "XN": XN, "YN": YN, "maxiter": maxiter, "horizon": horizon}


def mandelbrot2(xmin, xmax, ymin, ymax, XN, YN, maxiter, horizon):
    C = (np.linspace(xmin, xmax, XN) + np.linspace(ymin, ymax, YN)[:, None] * 1j).reshape(XN * YN)
    steps = np.zeros(XN * YN, dtype=np.int64)
    last = np.zeros(XN * YN, dtype=np.complex128)
    place = np.arange(XN * YN)
    Z = np.zeros(XN * YN, dtype=np.complex128)
    for n in range(1, maxiter):
        Z = Z * Z + C
        gone = np.abs(Z) > horizon
        steps[place[gone]] = n
        last[place[gone]] = Z[gone]
        rest = np.logical_not(gone)
        Z = Z[rest]
        C = C[rest]
        place = place[rest]
    return last.reshape(YN, XN), steps.reshape(YN, XN)
