"""Bodies under gravitation, leapfrog steps, kinetic and potential energy at each."""
import numpy as np

SIZES = {"tiny": (5, 4, 0.05), "S": (25, 40, 0.05), "paper": (100, 1000, 0.01)}


def inputs(rng, N, steps, dt):
    return {"mass": 20.0 * np.ones(N) / N, "position": rng.standard_normal((N, 3)), "velocity": rng.standard_normal((N, 3)), "steps": steps, "dt": dt,
            "G": 1.0, "softening": 0.1}


def acceleration(mass, position, G, softening):
    dx = position[:, 0] - position[:, 0][:, None]
    dy = position[:, 1] - position[:, 1][:, None]
    dz = position[:, 2] - position[:, 2][:, None]
    inverse = (dx ** 2 + dy ** 2 + dz ** 2 + softening ** 2) ** (-1.5)
    result = np.empty_like(position)
    result[:, 0] = G * (dx * inverse) @ mass
    result[:, 1] = G * (dy * inverse) @ mass
    result[:, 2] = G * (dz * inverse) @ mass
    return result


def potential_energy(mass, position, G):
    total = 0.0
    for i in range(mass.shape[0]):
        for j in range(i + 1, mass.shape[0]):
            distance = np.sqrt((position[j, 0] - position[i, 0]) ** 2 + (position[j, 1] - position[i, 1]) ** 2 + (position[j, 2] - position[i, 2]) ** 2)
            total -= G * mass[i] * mass[j] / distance
    return total


def nbody(mass, position, velocity, steps, dt, G, softening):
    kinetic = np.empty(steps + 1)
    potential = np.empty(steps + 1)
    force = acceleration(mass, position, G, softening)
    kinetic[0] = 0.5 * np.sum(mass * np.sum(velocity ** 2, axis=1))
    potential[0] = potential_energy(mass, position, G)
    for step in range(steps):
        velocity += force * dt / 2.0
        position += velocity * dt
        force = acceleration(mass, position, G, softening)
        velocity += force * dt / 2.0
        kinetic[step + 1] = 0.5 * np.sum(mass * np.sum(velocity ** 2, axis=1))
        potential[step + 1] = potential_energy(mass, position, G)
    return kinetic, potential
