"""A[i] = i until i exceeds nn, which ends the program."""


def cases(random):
    for nn in (5, 100, -1):
        yield dict(A=random.random(17), nn=nn, N=17)


def run(A, nn, N, **_):
    for i in range(N):
        if i > nn:
            return
        A[i] = i
