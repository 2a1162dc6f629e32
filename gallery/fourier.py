"""Signal processing: the fast Fourier transform of a chirp, window by window.

Radix 2 with bit reversal (J. W. Cooley and J. W. Tukey, An algorithm for the machine calculation of complex Fourier series, 1965),
under a Hann window.
"""
import numpy as np

import sluice


def fft(x):
    n = len(x)
    bits = int(np.log2(n))
    index = np.arange(n)
    reverse = np.zeros(n, dtype=np.int64)
    for b in range(bits):
        reverse |= ((index >> b) & 1) << (bits - 1 - b)
    y = x[reverse].astype(np.complex128)
    size = 2
    while size <= n:
        blocks = y.reshape(-1, size)
        twiddle = np.exp(-2j * np.pi * np.arange(size // 2) / size)
        even, odd = blocks[:, :size // 2].copy(), twiddle * blocks[:, size // 2:]
        blocks[:, :size // 2] = even + odd
        blocks[:, size // 2:] = even - odd
        size *= 2
    return y


@sluice.program
def fourier(signal, window, hop):
    count = (len(signal) - window) // hop + 1
    taper = np.hanning(window)
    power = np.zeros((count, window // 2))
    for k in range(count):
        spectrum = fft(taper * signal[k * hop:k * hop + window])
        power[k] = np.abs(spectrum[:window // 2]) ** 2
    return power


def inputs(size):
    n, window = {"small": (128, 32), "large": (60_000, 512)}[size]
    t = np.linspace(0, 1, n)
    return {"signal": np.sin(n * t ** 2) + 0.5 * np.sin(0.8 * n * t), "window": window, "hop": window // 2}


def picture(inputs, result):
    return np.log1p(result.T[::-1])
