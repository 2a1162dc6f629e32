"""Products of stacked matrices."""


def cases(random):
    yield dict(A=random.random((3, 4, 5)), C=random.random((3, 5, 6)), D=random.random((3, 4, 6)), B=3, M=4, K=5, N=6)


def run(A, C, D, **_):
    D[:] = A @ C
