"""C = alpha * A @ B + beta * C."""


def cases(random):
    yield dict(alpha=1.5, beta=-0.75, A=random.random((17, 23)), B=random.random((23, 11)), C=random.random((17, 11)), M=17, N=11,
               K=23)


def run(alpha, beta, A, B, C, **_):
    C[:] = alpha * A @ B + beta * C
