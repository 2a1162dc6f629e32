"""Image processing: Gaussian blur of a colour image, one axis after the other.

The two-dimensional Gaussian is a product of two one-dimensional ones; edges are reflected (Gonzalez and Woods, Digital Image
Processing, chapter 3).
"""
import numpy as np

import sluice


def gaussian(sigma, radius):
    x = np.arange(-radius, radius + 1)
    weights = np.exp(-0.5 * (x / sigma) ** 2)
    return weights / weights.sum()


@sluice.program
def gaussian_blur(image, sigma, radius):
    height, width, _ = image.shape
    weights = gaussian(sigma, radius)
    padded = np.pad(image, ((radius, radius), (radius, radius), (0, 0)), mode="reflect")
    rows = np.zeros((height, width + 2 * radius, 3))
    for k in range(2 * radius + 1):
        rows += weights[k] * padded[k:k + height]
    blurred = np.zeros_like(image)
    for k in range(2 * radius + 1):
        blurred += weights[k] * rows[:, k:k + width]
    return blurred


def inputs(size):
    n = {"small": 40, "large": 600}[size]
    rng = np.random.default_rng(1)
    blocks = rng.random((8, 8, 3))
    return {"image": blocks.repeat(n // 8, axis=0).repeat(n // 8, axis=1), "sigma": n / 60, "radius": max(2, n // 40)}


def picture(inputs, result):
    return result
