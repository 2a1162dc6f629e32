"""Image processing: edges of an image by the Sobel operator.

The two 3x3 kernels of I. Sobel and G. Feldman (1968) estimate the gradient; its magnitude is scaled to 0..1.
"""
import numpy as np

import sluice


@sluice.program
def sobel(image):
    p = np.pad(image, 1, mode="edge")
    gx = (p[:-2, 2:] + 2 * p[1:-1, 2:] + p[2:, 2:]) - (p[:-2, :-2] + 2 * p[1:-1, :-2] + p[2:, :-2])
    gy = (p[2:, :-2] + 2 * p[2:, 1:-1] + p[2:, 2:]) - (p[:-2, :-2] + 2 * p[:-2, 1:-1] + p[:-2, 2:])
    magnitude = np.hypot(gx, gy)
    return magnitude / magnitude.max()


def inputs(size):
    n = {"small": 48, "large": 1500}[size]
    y, x = np.mgrid[-1:1:n * 1j, -1:1:n * 1j]
    disc = (x ** 2 + y ** 2 < 0.5) * 1.0
    return {"image": disc + 0.5 * (np.abs(x) + np.abs(y) < 0.4) + 0.1 * np.sin(12 * x * y)}


def picture(inputs, result):
    return result
