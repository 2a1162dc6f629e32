"""Arrays that are unpacked, ranges from their end, and other small things that Python's programs are full of."""
import copy

import numpy as np
import pytest

import sluice

A = np.random.default_rng(0).normal(size=(5, 2))
V = np.random.default_rng(1).normal(size=3)


def unpack_T(h):
    x, y = h.T
    return x + y


def unpack_arr(a):
    x, y, z = a
    return x + y * z


def unpack_enum(p):
    s = 0.
    for k, (x, y) in enumerate(p):
        s += k * x * y
    return s


def unpack_row(p):
    s = 0.
    for k in range(len(p)):
        x, y = p[k]
        s += k * x * y
    return s


def unpack_write(p):
    x, y = p.T
    x += 1
    y[0] = 7
    return x.sum()


def unpack_swap(p):
    p[0], p[1] = p[1].copy(), p[0].copy()
    return p


def range_rev(n):
    s = 0
    for i in range(n)[::-1]:
        s = 2*s + i
    return s, i


def reversed_range(n):
    s = 0
    for i in reversed(range(n)):
        s = 2*s + i
    for i in reversed(range(1, n, 2)):
        s = 3*s + i
    for i in reversed(range(n, 0, -2)):
        s = 5*s + i
    for i in reversed(range(n, 2)):
        s = 7*s + i
    return s


def enum_start(b):
    s = 0.
    for j, c in enumerate(b, start=1):
        s += j * c
    return s


def nans(b):
    best = float('inf')
    worst = -float('inf')
    m = float("nan")
    for v in b:
        best = min(best, v)
        worst = max(worst, v)
    return best, worst, m, float('-inf')


def not_type(m):
    return not m[0], not 0.0, not (m[0] > 0), m is None


def same(got, wanted):
    if isinstance(wanted, tuple):
        return isinstance(got, tuple) and len(got) == len(wanted) and all(map(same, got, wanted))
    return type(got) is type(wanted) and np.allclose(got, wanted, rtol=1e-12, atol=0, equal_nan=True)


@pytest.mark.parametrize("function, arguments", [
    (unpack_T, (A,)), (unpack_arr, (V,)), (unpack_enum, (A,)), (unpack_row, (A,)), (unpack_write, (A,)), (unpack_swap, (A,)), (range_rev, (5,)), (reversed_range, (5,)), (enum_start, (V,)), (nans, (V,)), (not_type, (V,))])
def test_means_what_python_means(function, arguments):
    ours, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
    assert same(sluice.program(strict=True)(function)(*ours), function(*theirs))
    assert all(map(same, ours, theirs))


def test_as_many_values_as_targets():
    def two(a):
        x, y = a
        return x + y

    with pytest.raises(sluice.CompileError, match="cannot unpack 3 values into 2 targets"):
        sluice.program(strict=True)(two)(V)
    N = sluice.symbol("N")

    @sluice.program
    def sized(a: sluice.float64[N]):
        x, y = a
        return x + y

    assert sized(V[:2].copy()) == V[0] + V[1]
    with pytest.raises(ValueError, match="unpacked"):
        sized(V)
