"""Finance: prices of European options.

F. Black and M. Scholes, 1973; the normal distribution by formula 26.2.17 of Abramowitz and Stegun.
"""
import numpy as np

import sluice


def normal_cdf(x):
    k = 1 / (1 + 0.2316419 * np.abs(x))
    polynomial = k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    tail = np.exp(-x ** 2 / 2) / np.sqrt(2 * np.pi) * polynomial
    return np.where(x >= 0, 1 - tail, tail)


@sluice.program
def black_scholes(spot, strike, years, rate, volatility):
    spread = volatility * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + volatility ** 2 / 2) * years) / spread
    d2 = d1 - spread
    discount = strike * np.exp(-rate * years)
    call = spot * normal_cdf(d1) - discount * normal_cdf(d2)
    put = call + discount - spot
    return call, put


def inputs(size):
    n = {"small": 100, "large": 500_000}[size]
    rng = np.random.default_rng(19)
    return {"spot": np.sort(rng.uniform(50, 150, n)), "strike": np.full(n, 100.0), "years": np.full(n, 0.5), "rate": 0.03, "volatility": 0.25}


def picture(inputs, result):
    shown = slice(None, None, max(1, len(inputs["spot"]) // 200))
    return {"call": (inputs["spot"][shown], result[0][shown]), "put": (inputs["spot"][shown], result[1][shown])}
