"""Physics: diffusion of random walkers, and the law of A. Einstein (1905).

The mean square distance grows linearly with time; the program has its own generator of random numbers.
"""
import numpy as np

import sluice


@sluice.program
def random_walk(walkers, steps, seed):
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0.0, 2 * np.pi, (steps, walkers))
    x = np.cumsum(np.cos(angle), axis=0)
    y = np.cumsum(np.sin(angle), axis=0)
    square = (x ** 2 + y ** 2).mean(axis=1)
    time = np.arange(1, steps + 1)
    slope = np.sum((time - time.mean()) * (square - square.mean())) / np.sum((time - time.mean()) ** 2)
    return square, slope, x[:, 0], y[:, 0]


def inputs(size):
    walkers, steps = {"small": (20, 15), "large": (1000, 1000)}[size]
    return {"walkers": walkers, "steps": steps, "seed": 37}


def picture(inputs, result):
    return {"one walker": (result[2], result[3])}
