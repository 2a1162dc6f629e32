"""Halves the first element until it is at most one; counts the steps."""
import numpy as np


def cases(random):
    for first in (0.5, 1000.0):
        A = random.random(5)
        A[0] = first
        yield dict(A=A, steps=np.array([-1], np.int64), N=5)


def run(A, steps, **_):
    i = 0
    while A[0] > 1:
        A[0] /= 2
        i += 1
    steps[0] = i
