"""A block of A to every second row of B, then a column of B to another."""


def cases(random):
    yield dict(A=random.random((11, 13)), B=random.random((20, 20)), N=11, M=13)


def run(A, B, **_):
    B[0:10:2, 1:8] = A[3:8, 2:9]
    B[5:10, 1] = B[0:5, 0].copy()
