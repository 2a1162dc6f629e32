"""A product, transposed, in Einstein's notation."""


def cases(random):
    yield dict(A=random.random((4, 7)), C=random.random((7, 5)), D=random.random((5, 4)), M=4, K=7, N=5)


def run(A, C, D, **_):
    D[:] = (A @ C).T
