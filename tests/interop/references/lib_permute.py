"""The dimensions of a tensor, permuted."""
import numpy as np


def cases(random):
    yield dict(A=random.random((3, 4, 5)), C=random.random((5, 3, 4)), M=3, N=4, K=5)


def run(A, C, **_):
    C[:] = np.transpose(A, (2, 0, 1))
