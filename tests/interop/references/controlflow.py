"""Loops and branches with break and continue."""
import numpy as np


def cases(random):
    for break_at in (None, 5):
        A = np.round(random.random(24) * 6 - 3, 3)
        B = np.round(random.random(24) * 6 - 3, 3)
        B[[7, 11]] = 0
        if break_at:
            A[break_at] = 70
        yield dict(A=A, B=B, nn=3, N=24)


def run(A, B, N, **_):
    for i in range(1, N - 1):
        if A[i] > 0:
            B[i] = A[i - 1] + A[i + 1]
        elif A[i] < -1:
            B[i] = 0
        else:
            B[i] = -A[i]
    k = 0
    while k < N:
        A[k] = A[k] * 2
        if A[k] > 100:
            break
        k += 1
    for j in range(N - 1, 0, -2):
        if B[j] == 0:
            continue
        B[j] = B[j] - 1
    B[0] = 1
