"""Bioinformatics: the most likely hidden states of a DNA sequence.

A. Viterbi, 1967, in logarithms; islands of many C and G in a hidden Markov model (R. Durbin et al., Biological Sequence
Analysis, chapter 3).
"""
import numpy as np

import sluice


@sluice.program
def viterbi(sequence, start, transition, emission):
    n, states = len(sequence), len(start)
    log_t, log_e = np.log(transition), np.log(emission)
    score = np.log(start) + log_e[:, sequence[0]]
    back = np.zeros((n, states), dtype=np.int64)
    for t in range(1, n):
        candidates = score[:, None] + log_t
        back[t] = candidates.argmax(axis=0)
        score = candidates.max(axis=0) + log_e[:, sequence[t]]
    path = np.zeros(n, dtype=np.int64)
    path[-1] = score.argmax()
    for t in range(n - 1, 0, -1):
        path[t - 1] = back[t, path[t]]
    return path, score.max()


def inputs(size):
    n = {"small": 40, "large": 10_000}[size]
    rng = np.random.default_rng(30)
    transition = np.array([[0.99, 0.01], [0.02, 0.98]])
    emission = np.array([[0.3, 0.2, 0.2, 0.3], [0.1, 0.4, 0.4, 0.1]])
    island = np.cumsum(rng.random(n) < 0.01) % 2
    sequence = np.array([rng.choice(4, p=emission[state]) for state in island])
    return {"sequence": sequence, "start": np.array([0.5, 0.5]), "transition": transition, "emission": emission}


def picture(inputs, result):
    return {"state": (np.arange(min(1000, len(result[0]))), result[0][:1000])}
