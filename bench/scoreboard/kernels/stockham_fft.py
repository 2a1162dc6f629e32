"""The fast Fourier transform of length R**K by Stockham's method, which sorts as it goes."""
import numpy as np

SIZES = {"tiny": (2, 4), "S": (2, 15), "paper": (4, 10)}


def inputs(rng, R, K):
    return {"R": R, "K": K, "x": rng.random(R ** K) + 1j * rng.random(R ** K)}


def stockham_fft(R, K, x):
    N = R ** K
    roots = np.exp(-2j * np.pi * np.outer(np.arange(R), np.arange(R)) / R)
    y = x.copy()
    for stage in range(K):
        rest = R ** (K - stage - 1)
        done = R ** stage
        twiddles = np.exp(-2j * np.pi * np.outer(np.arange(R), np.arange(rest)) / (R * rest))
        butterflies = (roots @ y.reshape(R, N // R)).reshape(R, rest, done)
        y = np.transpose(butterflies * twiddles[:, :, None], (1, 0, 2)).reshape(N)
    return y
