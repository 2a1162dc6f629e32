"""Chemistry: a fluid of Lennard-Jones particles in a periodic box.

Velocity Verlet with minimum images (L. Verlet, Computer "experiments" on classical fluids, 1967).
"""
import numpy as np

import sluice


def forces(r, box, cutoff):
    n = len(r)
    force = np.zeros_like(r)
    energy = 0.0
    for i in range(n - 1):
        d = r[i] - r[i + 1:]
        d -= box * np.round(d / box)
        d2 = np.sum(d * d, axis=1)
        near = d2 < cutoff ** 2
        inverse6 = np.where(near, 1.0 / d2 ** 3, 0.0)
        energy += np.sum(4 * inverse6 * (inverse6 - 1))
        f = (24 * inverse6 * (2 * inverse6 - 1) / d2)[:, None] * d
        force[i] += f.sum(axis=0)
        force[i + 1:] -= f
    return force, energy


@sluice.program
def molecular_dynamics(r, v, box, cutoff, dt, steps):
    energies = np.zeros((steps, 2))
    f, potential = forces(r, box, cutoff)
    for step in range(steps):
        v += 0.5 * dt * f
        r = (r + dt * v) % box
        f, potential = forces(r, box, cutoff)
        v += 0.5 * dt * f
        energies[step, 0] = potential
        energies[step, 1] = 0.5 * np.sum(v ** 2)
    return r, energies


def inputs(size):
    side, steps = {"small": (3, 3), "large": (6, 20)}[size]
    rng = np.random.default_rng(31)
    spacing = 1.2
    r = spacing * (np.indices((side, side, side)).reshape(3, -1).T + 0.5)
    return {"r": r, "v": 0.5 * rng.standard_normal(r.shape), "box": side * spacing, "cutoff": min(2.5, side * spacing / 2), "dt": 0.004, "steps": steps}


def picture(inputs, result):
    potential, kinetic = result[1].T
    time = inputs["dt"] * np.arange(len(potential))
    return {"potential": (time, potential), "kinetic": (time, kinetic), "sum": (time, potential + kinetic)}
