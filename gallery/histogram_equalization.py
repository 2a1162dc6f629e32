"""Image processing: contrast of a grey image improved by equalizing its histogram.

Grey values go through their own cumulative distribution (Gonzalez and Woods, Digital Image Processing, section 3.3).
"""
import numpy as np

import sluice


@sluice.program
def histogram_equalization(image):
    counts, _ = np.histogram(image, bins=256, range=(0, 256))
    cdf = counts.cumsum()
    lowest = cdf[cdf > 0][0]
    table = np.round((cdf - lowest) / (image.size - lowest) * 255)
    return np.clip(table, 0, 255).astype(np.uint8)[image]


def inputs(size):
    n = {"small": 40, "large": 1200}[size]
    rng = np.random.default_rng(3)
    y, x = np.mgrid[0:1:n * 1j, 0:1:n * 1j]
    grey = 110 + 20 * np.sin(20 * x * y) + 15 * np.cos(11 * (x - y)) + 2 * rng.standard_normal((n, n))
    return {"image": grey.astype(np.uint8)}


def picture(inputs, result):
    return np.hstack([inputs["image"], result]) / 255
