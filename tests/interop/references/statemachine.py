"""A machine of states whose conditions and assignments read the array."""


def cases(random):
    for flag in (1, 2):
        yield dict(A=random.random(21) * 3, flag=flag, N=21)


def run(A, flag, N, **_):
    i, limit = 0, -(-N // 2)
    while i < limit:
        if A[i] > 1:
            A[i] = A[i] / 2
            i += 1
        else:
            i += flag
