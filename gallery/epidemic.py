"""Epidemiology: an infection that spreads between cities.

The compartments of W. O. Kermack and A. G. McKendrick (1927), susceptible, infected and recovered, coupled by travel.
"""
import numpy as np

import sluice


@sluice.program
def epidemic(S, I, R, travel, beta, gamma, dt, steps):
    totals = np.zeros((steps, 3))
    for step in range(steps):
        N = S + I + R
        pressure = travel @ (I / N)
        infections = beta * S * pressure
        recoveries = gamma * I
        S = S - dt * infections
        I = I + dt * (infections - recoveries)
        R = R + dt * recoveries
        totals[step, 0] = S.sum()
        totals[step, 1] = I.sum()
        totals[step, 2] = R.sum()
    return totals


def inputs(size):
    cities, steps = {"small": (8, 20), "large": (300, 1000)}[size]
    rng = np.random.default_rng(33)
    where = rng.random((cities, 2))
    travel = np.exp(-20 * np.sqrt(((where[:, None] - where[None]) ** 2).sum(axis=2)))
    people = rng.integers(1000, 100_000, cities).astype(np.float64)
    infected = np.zeros(cities)
    infected[0] = 50.0
    return {"S": people - infected, "I": infected, "R": np.zeros(cities), "travel": travel / travel.sum(axis=1, keepdims=True), "beta": 0.35,
            "gamma": 0.1, "dt": 0.2, "steps": steps}


def picture(inputs, result):
    days = inputs["dt"] * np.arange(len(result))
    return {name: (days, result[:, k]) for k, name in enumerate(["susceptible", "infected", "recovered"])}
