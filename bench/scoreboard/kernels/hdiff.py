"""Horizontal diffusion of a weather model: Laplacian, limited fluxes, their divergence."""
import numpy as np

SIZES = {"tiny": (6, 7, 4), "S": (64, 64, 60), "paper": (256, 256, 160)}


def inputs(rng, I, J, K):
    return {"field": rng.random((I + 4, J + 4, K)), "result": rng.random((I, J, K)), "coefficient": rng.random((I, J, K))}


def hdiff(field, result, coefficient):
    laplacian = 4.0 * field[1:-1, 1:-1, :] - (field[2:, 1:-1, :] + field[:-2, 1:-1, :] + field[1:-1, 2:, :] + field[1:-1, :-2, :])
    flux_x = laplacian[1:, 1:-1, :] - laplacian[:-1, 1:-1, :]
    flux_x = np.where(flux_x * (field[2:-1, 2:-2, :] - field[1:-2, 2:-2, :]) > 0, 0.0, flux_x)
    flux_y = laplacian[1:-1, 1:, :] - laplacian[1:-1, :-1, :]
    flux_y = np.where(flux_y * (field[2:-2, 2:-1, :] - field[2:-2, 1:-2, :]) > 0, 0.0, flux_y)
    result[:] = field[2:-2, 2:-2, :] - coefficient * (flux_x[1:, :, :] - flux_x[:-1, :, :] + flux_y[:, 1:, :] - flux_y[:, :-1, :])
