"""C = A or B, chosen at run time through a reference."""


def cases(random):
    for c in (1, 0):
        yield dict(A=random.random(12), B=random.random(12), C=random.random(12), c=c, N=12)


def run(A, B, C, c, **_):
    C[:] = A if c > 0 else B
