"""Finance: an Asian option by Monte Carlo with antithetic paths.

P. Glasserman, Monte Carlo Methods in Financial Engineering, sections 1.1 and 4.2; the normal numbers are given.
"""
import numpy as np

import sluice


@sluice.program
def asian_option(spot, strike, rate, volatility, years, normals):
    paths, steps = normals.shape
    dt = years / steps
    drift = (rate - 0.5 * volatility ** 2) * dt
    payoffs = np.zeros(paths)
    for sign in (1.0, -1.0):
        logs = np.cumsum(drift + sign * volatility * np.sqrt(dt) * normals, axis=1)
        average = (spot * np.exp(logs)).mean(axis=1)
        payoffs += 0.5 * np.maximum(average - strike, 0.0)
    discounted = np.exp(-rate * years) * payoffs
    return discounted.mean(), discounted.std() / np.sqrt(paths)


def inputs(size):
    paths, steps = {"small": (50, 8), "large": (20_000, 52)}[size]
    normals = np.random.default_rng(29).standard_normal((paths, steps))
    return {"spot": 100.0, "strike": 100.0, "rate": 0.03, "volatility": 0.2, "years": 1.0, "normals": normals}
