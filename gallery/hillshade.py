"""Geography: a shaded relief map of a landscape.

Slope and aspect by central differences, light from the north-west (B. K. P. Horn, Hill shading and the reflectance map, 1981).
"""
import numpy as np

import sluice


@sluice.program
def hillshade(height, spacing, azimuth, altitude):
    dy, dx = np.gradient(height, spacing)
    slope = np.arctan(np.hypot(dx, dy))
    aspect = np.arctan2(-dx, dy)
    azimuth, altitude = np.deg2rad(azimuth), np.deg2rad(altitude)
    shade = np.sin(altitude) * np.cos(slope) + np.cos(altitude) * np.sin(slope) * np.cos(azimuth - aspect)
    return np.clip(shade, 0, 1)


def inputs(size):
    n = {"small": 40, "large": 700}[size]
    rng = np.random.default_rng(34)
    y, x = np.mgrid[0:1:n * 1j, 0:1:n * 1j]
    height = np.zeros((n, n))
    for octave in range(1, 7):
        a, b, phase = rng.uniform(-8, 8, (3, 4)) * 2 ** (octave / 2)
        for k in range(4):
            height += 120 * 2.0 ** -octave * np.sin(a[k] * x + b[k] * y + phase[k])
    return {"height": height, "spacing": 2000 / n, "azimuth": 315.0, "altitude": 45.0}


def picture(inputs, result):
    return result
