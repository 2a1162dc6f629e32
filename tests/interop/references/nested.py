"""Every row times a factor, by a nested call."""


def cases(random):
    yield dict(A=random.random((7, 19)), f=1.75, M=7, N=19)


def run(A, f, **_):
    A *= f
