"""Control: position and speed of a vehicle tracked by a Kalman filter.

R. E. Kalman, A new approach to linear filtering and prediction problems, 1960.
"""
import numpy as np

import sluice


@sluice.program
def kalman(measurements, F, H, Q, R, x, P):
    estimates = np.zeros((len(measurements), len(x)))
    for t, z in enumerate(measurements):
        x = F @ x
        P = F @ P @ F.T + Q
        S = H @ P @ H.T + R
        K = P @ H.T @ np.linalg.inv(S)
        x = x + K @ (z - H @ x)
        P = (np.eye(len(x)) - K @ H) @ P
        estimates[t] = x
    return estimates


def inputs(size):
    steps = {"small": 15, "large": 3000}[size]
    rng = np.random.default_rng(16)
    dt = 0.1
    F = np.eye(4) + dt * np.eye(4, k=2)
    H = np.eye(2, 4)
    angle = np.linspace(0, 6, steps)
    path = np.stack([angle * np.cos(angle), angle * np.sin(angle)], axis=1)
    return {"measurements": path + 0.3 * rng.standard_normal(path.shape), "F": F, "H": H, "Q": 0.05 * np.eye(4), "R": 0.09 * np.eye(2),
            "x": np.zeros(4), "P": np.eye(4)}


def picture(inputs, result):
    z = inputs["measurements"]
    return {"measured": (z[::10, 0], z[::10, 1], "points"), "estimated": (result[:, 0], result[:, 1])}
