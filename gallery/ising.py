"""Physics: the Ising model of a magnet below its critical temperature.

N. Metropolis et al., 1953, with a checkerboard update so that neighbours never flip together; the random numbers are given.
"""
import numpy as np

import sluice


@sluice.program
def ising(spins, beta, random):
    rows, columns = np.indices(spins.shape)
    black = (rows + columns) % 2 == 0
    magnetization = []
    for sweep in range(random.shape[0]):
        for colour in (black, ~black):
            neighbours = np.roll(spins, 1, 0) + np.roll(spins, -1, 0) + np.roll(spins, 1, 1) + np.roll(spins, -1, 1)
            energy = 2 * spins * neighbours
            flip = colour & (random[sweep] < np.exp(-beta * energy))
            spins[flip] *= -1
        magnetization.append(spins.mean())
    return spins, np.array(magnetization)


def inputs(size):
    n, sweeps = {"small": (16, 5), "large": (256, 40)}[size]
    rng = np.random.default_rng(18)
    return {"spins": rng.choice(np.array([-1, 1]), (n, n)), "beta": 0.6, "random": rng.random((sweeps, n, n))}


def picture(inputs, result):
    return result[0]
