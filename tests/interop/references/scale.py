"""A *= 2."""


def cases(random):
    yield dict(A=random.random(14), N=14)


def run(A, **_):
    A *= 2
