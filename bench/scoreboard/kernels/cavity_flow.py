"""Lid-driven cavity: incompressible Navier-Stokes, a pressure Poisson equation each step (Barba and Forsyth, 12 steps, step 11)."""
import numpy as np

SIZES = {"tiny": (11, 11, 3, 2), "S": (61, 61, 25, 5), "paper": (101, 101, 700, 50)}


def inputs(rng, ny, nx, nt, nit):
    return {"nt": nt, "nit": nit, "u": np.zeros((ny, nx)), "v": np.zeros((ny, nx)), "p": np.zeros((ny, nx)), "dt": 0.1 / ((nx - 1) * (ny - 1)),
            "dx": 2 / (nx - 1), "dy": 2 / (ny - 1), "rho": 1.0, "nu": 0.1}


def divergence_source(u, v, dt, dx, dy, rho):
    u_x = (u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx)
    u_y = (u[2:, 1:-1] - u[:-2, 1:-1]) / (2 * dy)
    v_x = (v[1:-1, 2:] - v[1:-1, :-2]) / (2 * dx)
    v_y = (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy)
    return rho * ((u_x + v_y) / dt - u_x ** 2 - 2 * u_y * v_x - v_y ** 2)


def cavity_flow(nt, nit, u, v, p, dt, dx, dy, rho, nu):
    for step in range(nt):
        old_u = u.copy()
        old_v = v.copy()
        source = divergence_source(u, v, dt, dx, dy, rho)
        for sweep in range(nit):
            old_p = p.copy()
            p[1:-1, 1:-1] = ((old_p[1:-1, 2:] + old_p[1:-1, :-2]) * dy ** 2 + (old_p[2:, 1:-1] + old_p[:-2, 1:-1]) * dx ** 2
                             - dx ** 2 * dy ** 2 * source) / (2 * (dx ** 2 + dy ** 2))
            p[:, -1] = p[:, -2]
            p[0, :] = p[1, :]
            p[:, 0] = p[:, 1]
            p[-1, :] = 0
        u[1:-1, 1:-1] = (old_u[1:-1, 1:-1] - old_u[1:-1, 1:-1] * dt / dx * (old_u[1:-1, 1:-1] - old_u[1:-1, :-2])
                         - old_v[1:-1, 1:-1] * dt / dy * (old_u[1:-1, 1:-1] - old_u[:-2, 1:-1])
                         - dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, :-2])
                         + nu * dt * ((old_u[1:-1, 2:] - 2 * old_u[1:-1, 1:-1] + old_u[1:-1, :-2]) / dx ** 2
                                      + (old_u[2:, 1:-1] - 2 * old_u[1:-1, 1:-1] + old_u[:-2, 1:-1]) / dy ** 2))
        v[1:-1, 1:-1] = (old_v[1:-1, 1:-1] - old_u[1:-1, 1:-1] * dt / dx * (old_v[1:-1, 1:-1] - old_v[1:-1, :-2])
                         - old_v[1:-1, 1:-1] * dt / dy * (old_v[1:-1, 1:-1] - old_v[:-2, 1:-1])
                         - dt / (2 * rho * dy) * (p[2:, 1:-1] - p[:-2, 1:-1])
                         + nu * dt * ((old_v[1:-1, 2:] - 2 * old_v[1:-1, 1:-1] + old_v[1:-1, :-2]) / dx ** 2
                                      + (old_v[2:, 1:-1] - 2 * old_v[1:-1, 1:-1] + old_v[:-2, 1:-1]) / dy ** 2))
        u[0, :] = 0
        u[:, 0] = 0
        u[:, -1] = 0
        u[-1, :] = 1
        v[0, :] = 0
        v[-1, :] = 0
        v[:, 0] = 0
        v[:, -1] = 0
