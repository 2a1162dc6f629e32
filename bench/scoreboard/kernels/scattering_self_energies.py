"""Self-energies of electrons that phonons scatter, as in simulations of nano-devices."""
import numpy as np

SIZES = {"tiny": (2, 3, 2, 2, 2, 3, 2, 2), "S": (2, 4, 2, 2, 2, 6, 2, 3), "paper": (4, 10, 4, 3, 3, 20, 4, 4)}


def inputs(rng, Nkz, NE, Nqz, Nw, N3D, NA, NB, Norb):
    def complex_of(*shape):
        return rng.random(shape) + 1j * rng.random(shape)
    return {"neighbours": rng.integers(0, NA, (NA, NB)), "dH": complex_of(NA, NB, N3D, Norb, Norb), "G": complex_of(Nkz, NE, NA, Norb, Norb),
            "D": complex_of(Nqz, Nw, NA, NB, N3D, N3D), "Sigma": np.zeros((Nkz, NE, NA, Norb, Norb), dtype=np.complex128)}


def scattering_self_energies(neighbours, dH, G, D, Sigma):
    for k in range(G.shape[0]):
        for E in range(G.shape[1]):
            for q in range(D.shape[0]):
                for w in range(D.shape[1]):
                    for i in range(D.shape[-2]):
                        for j in range(D.shape[-1]):
                            for a in range(neighbours.shape[0]):
                                for b in range(neighbours.shape[1]):
                                    if E - w >= 0:
                                        left = G[k, E - w, neighbours[a, b]] @ dH[a, b, i]
                                        right = dH[a, b, j] * D[q, w, a, b, i, j]
                                        Sigma[k, E, a] += left @ right
