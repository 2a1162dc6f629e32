"""Tasklets run in plain Python: program.f is a reference."""
import sys

import numpy as np
import pytest

import sluice

real = sluice.float64


@sluice.program
def smoothed(A: sluice.float64[10], B: sluice.float64[10], total: sluice.float64[1]):
    for i in sluice.map[1:9]:
        with sluice.tasklet:
            left << A[i - 1]
            right << A[i + 1]
            both = left + right
            mean >> B[i]
            added >> total(1, lambda a, b: a + b)[0]
            mean = both / real(2)
            added = both


def test_plain_python_gives_the_same():
    A = np.random.rand(10)
    results = []
    for run in (smoothed, smoothed.f):
        B, total = np.zeros(10), np.zeros(1)
        before = sys.gettrace()
        run(A, B, total)
        assert sys.gettrace() is before
        results.append((B, total))
    assert np.allclose(results[0][0], results[1][0]) and np.allclose(results[0][1], results[1][1])


def test_errors_inside_are_seen():
    A = np.zeros(3)

    def wrong():
        with sluice.tasklet:
            a << A[0]
            b >> A[5]
            b = a

    with pytest.raises(IndexError):
        wrong()
    with pytest.raises(TypeError, match="takes no arguments"):
        sluice.tasklet(3)


def test_in_program():
    @sluice.program(strict=True)
    def where(A: sluice.float64[2]):
        if sluice.in_program():
            A[:] = 1
        else:
            A[:] = 2

    A = np.zeros(2)
    where(A)
    assert np.all(A == 1)
    where.f(A)
    assert np.all(A == 2)
