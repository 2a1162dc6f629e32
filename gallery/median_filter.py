"""Image processing: salt-and-pepper noise removed by a median filter.

Each pixel becomes the median of its 3x3 neighbourhood (J. W. Tukey, Exploratory Data Analysis, 1977).
"""
import numpy as np

import sluice


@sluice.program
def median_filter(image):
    height, width = image.shape
    p = np.pad(image, 1, mode="edge")
    windows = np.stack([p[i:i + height, j:j + width] for i in range(3) for j in range(3)])
    return np.median(windows, axis=0)


def inputs(size):
    n = {"small": 32, "large": 400}[size]
    rng = np.random.default_rng(2)
    y, x = np.mgrid[0:1:n * 1j, 0:1:n * 1j]
    image = 0.5 + 0.5 * np.sin(9 * x) * np.cos(7 * y)
    noise = rng.random((n, n))
    image[noise < 0.05] = 0.0
    image[noise > 0.95] = 1.0
    return {"image": image}


def picture(inputs, result):
    return np.hstack([inputs["image"], result])
