"""Fluid dynamics: decaying turbulence in two dimensions.

The vorticity equation, pseudo-spectral in space and Heun's method in time, with the 2/3 rule of S. A. Orszag (1971).
"""
import numpy as np

import sluice


@sluice.program
def turbulence(vorticity, viscosity, dt, steps):
    n = vorticity.shape[0]
    k = np.fft.fftfreq(n, 1.0 / n)
    kx, ky = k[None, :], k[:, None]
    k2 = kx ** 2 + ky ** 2
    inverse = np.where(k2 > 0, 1.0 / np.where(k2 > 0, k2, 1.0), 0.0)
    kept = (np.abs(kx) < n / 3) & (np.abs(ky) < n / 3)
    decay = np.exp(-viscosity * k2 * dt)
    spectrum = np.fft.fft2(vorticity)
    for _ in range(steps):
        slopes = []
        stage = spectrum
        for _ in range(2):
            stream = stage * inverse
            u = np.fft.ifft2(1j * ky * stream).real
            v = np.fft.ifft2(-1j * kx * stream).real
            wx = np.fft.ifft2(1j * kx * stage).real
            wy = np.fft.ifft2(1j * ky * stage).real
            slopes.append(-1.0 * kept * np.fft.fft2(u * wx + v * wy))
            stage = (spectrum + dt * slopes[0]) * decay
        spectrum = (spectrum + 0.5 * dt * slopes[0]) * decay + 0.5 * dt * slopes[1]
    return np.fft.ifft2(spectrum).real


def inputs(size):
    n, steps = {"small": (16, 2), "large": (128, 60)}[size]
    rng = np.random.default_rng(36)
    k = np.fft.fftfreq(n, 1.0 / n)
    k2 = k[None, :] ** 2 + k[:, None] ** 2
    field = np.fft.ifft2(np.fft.fft2(rng.standard_normal((n, n))) * np.exp(-k2 / 30)).real
    return {"vorticity": 10 * field / np.abs(field).max(), "viscosity": 1e-3, "dt": 0.01, "steps": steps}


def picture(inputs, result):
    return result
