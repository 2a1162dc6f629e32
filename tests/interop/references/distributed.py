"""Declares process grids and computes nothing."""


def cases(random):
    yield dict(A=random.random((5, 5)), N=5)


def run(**_):
    pass
