"""mandelbrot: every pixel iterates until it diverges, a data-dependent loop inside a parallel map."""
import numpy as np

import sluice

H, W = sluice.symbol("H"), sluice.symbol("W")


@sluice.program
def mandelbrot(iterations: sluice.int64[H, W], limit: sluice.int64):
    for y, x in sluice.map[0:H, 0:W]:
        c_re = -2.0 + 3.0 * x / W
        c_im = -1.5 + 3.0 * y / H
        re = 0.0
        im = 0.0
        n = 0
        while re * re + im * im <= 4.0 and n < limit:
            next_re = re * re - im * im + c_re
            im = 2.0 * re * im + c_im
            re = next_re
            n = n + 1
        iterations[y, x] = n


def reference(iterations, limit):
    h, w = iterations.shape
    c_re, c_im = np.broadcast_arrays(-2.0 + 3.0 * np.arange(w)[None, :] / w, -1.5 + 3.0 * np.arange(h)[:, None] / h)
    re, im = np.zeros((h, w)), np.zeros((h, w))
    iterations[:] = 0
    for _ in range(limit):
        active = re * re + im * im <= 4.0
        iterations += active
        re, im = np.where(active, re * re - im * im + c_re, re), np.where(active, 2.0 * re * im + c_im, im)


def inputs(size):
    h, w, limit = {"small": (24, 32, 50), "large": (1024, 1024, 200)}[size]
    return {"iterations": np.zeros((h, w), dtype=np.int64), "limit": limit}
