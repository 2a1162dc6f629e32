"""Graphics: spheres and a floor drawn by ray marching of signed distances.

Sphere tracing (J. C. Hart, Sphere tracing: a geometric method for the antialiased ray tracing of implicit surfaces, 1996).
"""
import numpy as np

import sluice


def scene(x, y, z):
    ball = np.sqrt(x ** 2 + y ** 2 + (z - 4.0) ** 2) - 1.0
    small = np.sqrt((x - 1.2) ** 2 + (y + 0.5) ** 2 + (z - 3.0) ** 2) - 0.4
    return np.minimum(np.minimum(ball, small), y + 1.0)


@sluice.program
def ray_marching(width, height, steps):
    v, u = np.meshgrid(np.linspace(0.75, -0.75, height), np.linspace(-1, 1, width), indexing="ij")
    length = np.sqrt(u ** 2 + v ** 2 + 1.0)
    dx, dy, dz = u / length, v / length, 1.0 / length
    t = np.zeros((height, width))
    for _ in range(steps):
        t += scene(t * dx, t * dy, t * dz)
        t = np.minimum(t, 20.0)
    x, y, z = t * dx, t * dy, t * dz
    e = 1e-4
    nx = scene(x + e, y, z) - scene(x - e, y, z)
    ny = scene(x, y + e, z) - scene(x, y - e, z)
    nz = scene(x, y, z + e) - scene(x, y, z - e)
    norm = np.sqrt(nx ** 2 + ny ** 2 + nz ** 2) + 1e-12
    light = np.clip((0.5 * nx + 0.8 * ny - 0.4 * nz) / norm, 0, 1)
    return np.where(t < 20.0, 0.15 + 0.85 * light, 0.0)


def inputs(size):
    width, steps = {"small": (40, 10), "large": (400, 50)}[size]
    return {"width": width, "height": width * 3 // 4, "steps": steps}


def picture(inputs, result):
    return result
