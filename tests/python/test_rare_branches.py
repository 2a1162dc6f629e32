"""Searches for extremes in explicit loops, whose compiled loops look a block of iterations ahead: Python's results, bit by bit, of NaN,
zeros of both signs, equal elements, and of sizes around a block."""
import numpy as np
import pytest

import sluice


def largest(x):
    m = x[0]
    k = 0
    for i in range(1, len(x)):
        if x[i] > m:
            m = x[i]
            k = i
    return m, k


def last_of_the_smallest(x):
    m = x[0]
    k = 0
    for i in range(len(x)):
        if x[i] <= m:
            m = x[i]
            k = i
    return m, k


def both(x):
    low = high = x[0]
    for v in x:
        if v < low:
            low = v
        elif v > high:
            high = v
    return low, high, v


def built_in(x):
    m = x[0]
    for i in range(1, len(x)):
        m = max(m, x[i])
    return m


def nearest(x):
    best = 1e300
    at = (0, 0)
    d = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            d = abs(x[i] - x[j])
            if d < best:
                best = d
                at = (i, j)
    return best, at, d


def nearest_other(x, o):
    for i in range(len(o)):
        b = 1e300
        for j in range(len(x)):
            d = x[j] - o[i]
            if d < 0:
                d = -d
            if d < b and d > 0:
                b = d
        o[i] = b
    return o


def of_rows(a):
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > out[i]:
                out[i] = a[i, j]
    return out


def records(x):
    found = np.zeros(len(x), np.int64)
    n = 0
    m = x[0]
    for i in range(len(x)):
        if x[i] >= m:
            m = x[i]
            found[n] = i
            n += 1
    return found, n


def same(mine, expected):
    if isinstance(expected, tuple):
        return len(mine) == len(expected) and all(map(same, mine, expected))
    return np.asarray(mine).tobytes() == np.asarray(expected).tobytes()


def vectors(n):
    random = np.random.default_rng(n)
    x = random.random(n)
    yield x
    yield np.sort(x)
    yield np.sort(x)[::-1].copy()
    yield np.round(x * 4) / 4
    for share in (0.02, 0.5):
        holes = x.copy()
        holes[random.random(n) < share] = np.nan
        yield holes
        holes = holes.copy()
        holes[0] = np.nan
        yield holes
    yield np.where(random.random(n) < 0.5, 0.0, -0.0)
    yield np.full(n, np.inf)
    yield x[::-1]
    yield (x * 100).astype(np.int64)
    yield x.astype(np.float32)


@pytest.mark.parametrize("function", [largest, last_of_the_smallest, both, built_in, records], ids=lambda f: f.__name__)
def test_searches(function):
    program = sluice.program(function)
    for n in (1, 2, 15, 16, 17, 63, 64, 65, 66, 129, 300, 4000):
        for x in vectors(n):
            if n > 2 or (x.dtype == np.float64 and x.flags.c_contiguous):  # A version each.
                assert same(program(x), function(x)), (n, x)


def test_rows_and_pairs():
    pairs, rows, others = sluice.program(nearest), sluice.program(of_rows), sluice.program(nearest_other)
    for n in (2, 3, 20, 65, 150):
        for x in vectors(n):
            if x.dtype == np.float64:
                assert same(pairs(x), nearest(x)), (n, x)
                y = x[::-1].copy()
                assert same(others(x, y.copy()), nearest_other(x, y.copy())), (n, x)
    for n in (1, 16, 64, 200):
        for x in vectors(7 * n):
            a = x.reshape(7, n)
            assert same(rows(a), of_rows(a)), a
            assert same(rows(a.T), of_rows(a.T)), a
