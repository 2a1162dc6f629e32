"""Vertical advection of a weather model: a tridiagonal system in every column, by Thomas's method."""
import numpy as np

SIZES = {"tiny": (4, 5, 6), "S": (60, 60, 40), "paper": (256, 256, 160)}


def inputs(rng, I, J, K):
    fields = {name: rng.random((I, J, K)) for name in ("utens_stage", "u_stage", "u_pos", "utens")}
    return {**fields, "wcon": rng.random((I + 1, J, K)), "dtr_stage": 3.0 / 20.0}


def vadv(utens_stage, u_stage, u_pos, utens, wcon, dtr_stage):
    I, J, K = u_stage.shape
    above = np.empty((I, J, K))
    right = np.empty((I, J, K))
    for k in range(K):
        explicit = dtr_stage * u_pos[:, :, k] + utens[:, :, k] + utens_stage[:, :, k]
        if k == 0:
            upper = 0.125 * (wcon[1:, :, k + 1] + wcon[:-1, :, k + 1])
            diagonal = dtr_stage - upper
            above[:, :, k] = upper / diagonal
            right[:, :, k] = (explicit - upper * (u_stage[:, :, k + 1] - u_stage[:, :, k])) / diagonal
        elif k < K - 1:
            lower = -0.125 * (wcon[1:, :, k] + wcon[:-1, :, k])
            upper = 0.125 * (wcon[1:, :, k + 1] + wcon[:-1, :, k + 1])
            explicit = explicit - lower * (u_stage[:, :, k - 1] - u_stage[:, :, k]) - upper * (u_stage[:, :, k + 1] - u_stage[:, :, k])
            diagonal = dtr_stage - lower - upper - above[:, :, k - 1] * lower
            above[:, :, k] = upper / diagonal
            right[:, :, k] = (explicit - right[:, :, k - 1] * lower) / diagonal
        else:
            lower = -0.125 * (wcon[1:, :, k] + wcon[:-1, :, k])
            explicit = explicit - lower * (u_stage[:, :, k - 1] - u_stage[:, :, k])
            diagonal = dtr_stage - lower - above[:, :, k - 1] * lower
            right[:, :, k] = (explicit - right[:, :, k - 1] * lower) / diagonal
    solution = right[:, :, K - 1].copy()
    utens_stage[:, :, K - 1] = dtr_stage * (solution - u_pos[:, :, K - 1])
    for k in range(K - 2, -1, -1):
        solution = right[:, :, k] - above[:, :, k] * solution
        utens_stage[:, :, k] = dtr_stage * (solution - u_pos[:, :, k])
