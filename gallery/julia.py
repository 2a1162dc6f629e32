"""Fractals: escape times of a Julia set.

Points of the plane iterate z -> z^2 + c until they leave the disc of radius 2 (G. Julia, 1918).
"""
import numpy as np

import sluice


@sluice.program
def julia(width, height, c, iterations):
    x = np.linspace(-1.6, 1.6, width)
    y = np.linspace(-1.1, 1.1, height)
    z = x[None, :] + 1j * y[:, None]
    count = np.zeros((height, width), dtype=np.int64)
    for _ in range(iterations):
        inside = np.abs(z) < 2.0
        z[inside] = z[inside] ** 2 + c
        count[inside] += 1
    return count


def inputs(size):
    width, iterations = {"small": (48, 20), "large": (480, 60)}[size]
    return {"width": width, "height": width * 2 // 3, "c": -0.79 + 0.15j, "iterations": iterations}


def picture(inputs, result):
    return np.sqrt(result)
