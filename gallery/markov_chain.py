"""Statistics: the parameters of a decay curve sampled by random-walk Metropolis.

W. K. Hastings, Monte Carlo sampling methods using Markov chains and their applications, 1970; steps and uniform numbers are given.
"""
import numpy as np

import sluice


def log_posterior(parameters, t, y, noise):
    amplitude, rate, offset = parameters
    if amplitude <= 0 or rate <= 0:
        return -np.inf
    residuals = y - (amplitude * np.exp(-rate * t) + offset)
    return -0.5 * np.sum((residuals / noise) ** 2) - 0.5 * offset ** 2


@sluice.program
def markov_chain(t, y, noise, start, steps, uniform):
    n = len(steps)
    chain = np.zeros((n, len(start)))
    current = start.copy()
    log_p = log_posterior(current, t, y, noise)
    accepted = 0
    for i in range(n):
        proposal = current + steps[i]
        log_q = log_posterior(proposal, t, y, noise)
        if np.log(uniform[i]) < log_q - log_p:
            current, log_p = proposal, log_q
            accepted += 1
        chain[i] = current
    return chain, accepted / n


def inputs(size):
    n = {"small": 40, "large": 8000}[size]
    rng = np.random.default_rng(28)
    t = np.linspace(0, 5, 60)
    return {"t": t, "y": 2.0 * np.exp(-0.8 * t) + 0.3 + 0.1 * rng.standard_normal(60), "noise": 0.1, "start": np.array([1.0, 1.0, 0.0]),
            "steps": np.array([0.04, 0.03, 0.015]) * rng.standard_normal((n, 3)), "uniform": rng.random(n)}


def picture(inputs, result):
    return {name: (np.arange(len(result[0])), result[0][:, k]) for k, name in enumerate(["amplitude", "rate", "offset"])}
