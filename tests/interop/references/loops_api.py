"""Loops of every kind, the last with break, continue and return; then a named region."""


def cases(random):
    for first, stop in ((0.25, 0), (7.5, 0), (0.25, 1), (0.25, -2)):
        A = random.random(9)
        A[0] = first
        yield dict(A=A, stop=stop, N=9)


def run(A, stop, N, **_):
    i = 0
    while True:
        A[i] += 1
        i += 1
        if not i < N:
            break
    j = 0
    while True:
        A[0] += 1
        if not A[0] > j:
            break
        j += 2
    A[:4] += 1
    while stop == 0:
        A[0] += 1
        if A[0] > 10:
            break
        if A[0] > 5:
            continue
        return
    A[1] += 1
