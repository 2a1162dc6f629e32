"""Slices whose step only the run knows go in both directions."""
import numpy as np
import pytest

import sluice
from against_numpy import differences


def turned(x, a, b, s):
    return x[::s]


def part(x, a, b, s):
    y = x[a:b:s]
    return y * 2, len(y)


def written(x, a, b, s):
    x[a:b:s] = -1
    x[::s] += 0.5
    return x.sum()


def rows(x, a, b, s):
    m = x.reshape(5, 2)
    return m[::s, ::-s] + 1


def computed_step(x, a, b, s):
    t = s * 2 - 1 if s > 0 else s
    return x[b:a:t].copy()


@pytest.mark.parametrize("function", [turned, part, written, rows, computed_step])
@pytest.mark.parametrize("size", [10, 0])
def test_both_directions(function, size):
    if function is rows and size == 0:
        pytest.skip("nothing to reshape")
    program = sluice.program(function, strict=True)
    for a, b in ((8, 2), (2, 8), (20, -20), (-1, -11), (0, 0), (-3, 3)):
        for s in (1, 2, 3, 20, -1, -2, -3, -20):
            ours, theirs = np.arange(float(size)), np.arange(float(size))
            got, wanted = program(ours, a, b, s), function(theirs, a, b, s)
            assert not differences(wanted, got, "result") and not differences(theirs, ours, "x"), (a, b, s)


def numbers_that_sizes_follow_from(x, k):
    y = np.zeros(4)
    for i in range(4):
        y[i] = x[(i + k) % 4]
    z = x[k % 5:] * 2
    if k < 0:
        y[0] = k // 2
    return np.roll(x, k), x[k:], y, z, abs(k), max(k, 0), x[k // 3]


def test_numbers_that_sizes_follow_from_may_be_negative():
    program = sluice.program(numbers_that_sizes_follow_from, strict=True)
    for k in (1, -2, -4, 0, 3, -9):
        x = np.arange(5.0)
        for got, wanted in zip(program(x, k), numbers_that_sizes_follow_from(x, k)):
            assert np.array_equal(got, wanted), k


def test_a_step_of_zero():
    with pytest.raises(ValueError, match="slice step cannot be zero"):
        sluice.program(turned, strict=True)(np.arange(3.0), 0, 0, 0)
