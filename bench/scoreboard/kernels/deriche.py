"""Deriche's recursive edge filter, forwards and backwards along rows and columns: PolyBench's deriche."""
import numpy as np

SIZES = {"tiny": (14, 12), "S": (400, 200), "paper": (7680, 4320), "LARGE": (4096, 2160)}


def inputs(rng, W, H):
    return {"alpha": 0.25, "image": rng.random((W, H))}


def deriche(alpha, image):
    W, H = image.shape
    decay = np.exp(-alpha)
    k = (1.0 - decay) * (1.0 - decay) / (1.0 + 2.0 * alpha * decay - np.exp(2.0 * alpha))
    a1 = k
    a2 = k * decay * (alpha - 1.0)
    a3 = k * decay * (alpha + 1.0)
    a4 = -k * np.exp(-2.0 * alpha)
    b1 = 2.0 ** (-alpha)
    b2 = -np.exp(-2.0 * alpha)
    forward = np.empty_like(image)
    backward = np.empty_like(image)
    forward[:, 0] = a1 * image[:, 0]
    forward[:, 1] = a1 * image[:, 1] + a2 * image[:, 0] + b1 * forward[:, 0]
    for j in range(2, H):
        forward[:, j] = a1 * image[:, j] + a2 * image[:, j - 1] + b1 * forward[:, j - 1] + b2 * forward[:, j - 2]
    backward[:, H - 1] = 0.0
    backward[:, H - 2] = a3 * image[:, H - 1]
    for j in range(H - 3, -1, -1):
        backward[:, j] = a3 * image[:, j + 1] + a4 * image[:, j + 2] + b1 * backward[:, j + 1] + b2 * backward[:, j + 2]
    rows = forward + backward
    forward[0, :] = a1 * rows[0, :]
    forward[1, :] = a1 * rows[1, :] + a2 * rows[0, :] + b1 * forward[0, :]
    for i in range(2, W):
        forward[i, :] = a1 * rows[i, :] + a2 * rows[i - 1, :] + b1 * forward[i - 1, :] + b2 * forward[i - 2, :]
    backward[W - 1, :] = 0.0
    backward[W - 2, :] = a3 * rows[W - 1, :]
    for i in range(W - 3, -1, -1):
        backward[i, :] = a3 * rows[i + 1, :] + a4 * rows[i + 2, :] + b1 * backward[i + 1, :] + b2 * backward[i + 2, :]
    return forward + backward
