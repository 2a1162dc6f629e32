"""Channel flow driven by a force, periodic along the channel, until it is steady (Barba and Forsyth, 12 steps, step 12)."""
import numpy as np

SIZES = {"tiny": (9, 9, 2), "S": (61, 61, 5), "paper": (101, 101, 50)}


def inputs(rng, ny, nx, nit):
    return {"nit": nit, "u": np.zeros((ny, nx)), "v": np.zeros((ny, nx)), "p": np.ones((ny, nx)), "dt": 0.1 / ((nx - 1) * (ny - 1)),
            "dx": 2 / (nx - 1), "dy": 2 / (ny - 1), "rho": 1.0, "nu": 0.1, "F": 1.0}


def east(field):
    return np.roll(field, -1, axis=1)[1:-1, :]


def west(field):
    return np.roll(field, 1, axis=1)[1:-1, :]


def channel_flow(nit, u, v, p, dt, dx, dy, rho, nu, F):
    change = 1.0
    steps = 0
    while change > 0.001:
        old_u = u.copy()
        old_v = v.copy()
        u_x = (east(u) - west(u)) / (2 * dx)
        u_y = (u[2:, :] - u[:-2, :]) / (2 * dy)
        v_x = (east(v) - west(v)) / (2 * dx)
        v_y = (v[2:, :] - v[:-2, :]) / (2 * dy)
        source = rho * ((u_x + v_y) / dt - u_x ** 2 - 2 * u_y * v_x - v_y ** 2)
        for sweep in range(nit):
            old_p = p.copy()
            p[1:-1, :] = ((east(old_p) + west(old_p)) * dy ** 2 + (old_p[2:, :] + old_p[:-2, :]) * dx ** 2
                          - dx ** 2 * dy ** 2 * source) / (2 * (dx ** 2 + dy ** 2))
            p[-1, :] = p[-2, :]
            p[0, :] = p[1, :]
        u[1:-1, :] = (old_u[1:-1, :] - old_u[1:-1, :] * dt / dx * (old_u[1:-1, :] - west(old_u))
                      - old_v[1:-1, :] * dt / dy * (old_u[1:-1, :] - old_u[:-2, :])
                      - dt / (2 * rho * dx) * (east(p) - west(p))
                      + nu * dt * ((east(old_u) - 2 * old_u[1:-1, :] + west(old_u)) / dx ** 2
                                   + (old_u[2:, :] - 2 * old_u[1:-1, :] + old_u[:-2, :]) / dy ** 2) + F * dt)
        v[1:-1, :] = (old_v[1:-1, :] - old_u[1:-1, :] * dt / dx * (old_v[1:-1, :] - west(old_v))
                      - old_v[1:-1, :] * dt / dy * (old_v[1:-1, :] - old_v[:-2, :])
                      - dt / (2 * rho * dy) * (p[2:, :] - p[:-2, :])
                      + nu * dt * ((east(old_v) - 2 * old_v[1:-1, :] + west(old_v)) / dx ** 2
                                   + (old_v[2:, :] - 2 * old_v[1:-1, :] + old_v[:-2, :]) / dy ** 2))
        u[0, :] = 0
        u[-1, :] = 0
        v[0, :] = 0
        v[-1, :] = 0
        change = (np.sum(u) - np.sum(old_u)) / np.sum(u)
        steps += 1
    return steps
