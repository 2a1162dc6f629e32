"""histogram: many pixels count into few bins at the same time, a write conflict resolved by a sum."""
import numpy as np

import sluice

H, W = sluice.symbol("H"), sluice.symbol("W")


@sluice.program
def histogram(image: sluice.uint8[H, W], counts: sluice.int64[256]):
    for i, j in sluice.map[0:H, 0:W]:
        counts[image[i, j]] += 1


def reference(image, counts):
    counts += np.bincount(image.ravel(), minlength=256)


def inputs(size):
    h, w = {"small": (30, 40), "large": (4096, 8192)}[size]
    rng = np.random.default_rng(4)
    return {"image": rng.integers(0, 256, (h, w), dtype=np.uint8), "counts": np.zeros(256, dtype=np.int64)}
