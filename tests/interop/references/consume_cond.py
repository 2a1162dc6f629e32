"""Adds what a stream was filled with, until it is empty."""
import numpy as np


def cases(random):
    yield dict(A=random.random(33), B=np.array([1.0]), N=33)


def run(A, B, **_):
    B[0] += A.sum()
