"""A matrix times a vector."""


def cases(random):
    yield dict(A=random.random((9, 14)), x=random.random(14), y=random.random(9), M=9, N=14)


def run(A, x, y, **_):
    y[:] = A @ x
