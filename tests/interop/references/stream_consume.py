"""Adds the n-th Fibonacci number: every number on the stream is 1 or gives way to the two before it."""
import numpy as np


def cases(random):
    yield dict(iv=np.array([12], np.int32), res=np.array([2], np.float32))


def run(iv, res, **_):
    before, last = 0, 1
    for _ in range(iv[0]):
        before, last = last, before + last
    res[0] += before
