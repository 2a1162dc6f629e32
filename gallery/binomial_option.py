"""Finance: an American put option on a binomial tree.

J. C. Cox, S. A. Ross and M. Rubinstein, Option pricing: a simplified approach, 1979.
"""
import numpy as np

import sluice


@sluice.program
def binomial_option(spot, strike, rate, volatility, years, steps):
    dt = years / steps
    up = np.exp(volatility * np.sqrt(dt))
    down = 1 / up
    p = (np.exp(rate * dt) - down) / (up - down)
    discount = np.exp(-rate * dt)
    prices = spot * up ** np.arange(steps, -steps - 1, -2.0)
    values = np.maximum(strike - prices, 0)
    for step in range(steps - 1, -1, -1):
        held = discount * (p * values[:step + 1] + (1 - p) * values[1:step + 2])
        prices[:step + 1] *= down
        values[:step + 1] = np.maximum(held, strike - prices[:step + 1])
    return values[0]


def inputs(size):
    return {"spot": 100.0, "strike": 110.0, "rate": 0.05, "volatility": 0.3, "years": 1.0, "steps": {"small": 20, "large": 3000}[size]}
