"""Astronomy: a cluster of stars under their own gravity.

Kick-drift-kick leapfrog with softened Newtonian forces, all pairs (Hut and Makino, The Art of Computational Science, 2007).
"""
import numpy as np

import sluice


def acceleration(position, mass, softening):
    separation = position[None, :, :] - position[:, None, :]
    distance2 = (separation ** 2).sum(axis=-1) + softening ** 2
    return (separation * (mass / distance2 ** 1.5)[:, :, None]).sum(axis=1)


@sluice.program
def nbody(position, velocity, mass, dt, steps, softening):
    energy = np.zeros(steps)
    a = acceleration(position, mass, softening)
    for step in range(steps):
        velocity += 0.5 * dt * a
        position += dt * velocity
        a = acceleration(position, mass, softening)
        velocity += 0.5 * dt * a
        energy[step] = 0.5 * np.sum(mass[:, None] * velocity ** 2)
    return energy


def inputs(size):
    n, steps = {"small": (12, 5), "large": (250, 20)}[size]
    rng = np.random.default_rng(5)
    return {"position": rng.standard_normal((n, 3)), "velocity": 0.3 * rng.standard_normal((n, 3)), "mass": np.full(n, 1.0 / n),
            "dt": 0.01, "steps": steps, "softening": 0.1}


def picture(inputs, result):
    return {"kinetic energy": (inputs["dt"] * np.arange(len(result)), result)}
