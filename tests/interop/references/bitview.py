"""The bits of A's second row as integers."""
import numpy as np


def cases(random):
    yield dict(A=random.random((4, 15)), B=np.zeros(15, np.int64), M=4, N=15)


def run(A, B, **_):
    B[:] = A[1].view(np.int64)
