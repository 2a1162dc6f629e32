"""A contour integral over points in the complex plane, a linear system at each (eigenvalues in a ring)."""
import numpy as np

SIZES = {"tiny": (4, 6, 2, 4), "S": (50, 150, 2, 32), "paper": (500, 1000, 2, 32)}


def inputs(rng, NR, NM, slab_per_bc, points):
    def complex_of(*shape):
        return rng.random(shape) + 1j * rng.random(shape)
    return {"NR": NR, "NM": NM, "slab_per_bc": slab_per_bc, "Ham": complex_of(slab_per_bc + 1, NR, NR), "int_pts": complex_of(points),
            "Y": complex_of(NR, NM)}


def contour_integral(NR, NM, slab_per_bc, Ham, int_pts, Y):
    P0 = np.zeros((NR, NM), dtype=np.complex128)
    P1 = np.zeros((NR, NM), dtype=np.complex128)
    for z in int_pts:
        T = np.zeros((NR, NR), dtype=np.complex128)
        for n in range(slab_per_bc + 1):
            T += np.power(z, slab_per_bc / 2 - n) * Ham[n]
        X = np.linalg.solve(T, Y)
        if np.abs(z) < 1.0:
            X = -X
        P0 += X
        P1 += z * X
    return P0, P1
