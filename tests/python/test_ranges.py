"""Ranges as NumPy's arguments and indices, with names, beside arrays and tuples in loops; steps of grids that count points."""
import numpy as np
import pytest

import sluice
from against_numpy import agree


@sluice.program(strict=True)
def as_arrays(x, g, labels, n):
    g[range(g.shape[0]), labels] -= 1
    X, Y = np.meshgrid(range(n), range(len(x)))
    rows = range(1, n)
    return x[range(n)], g, X + Y, np.sum(range(n)), np.interp(rows, range(len(x)), x), x[rows[::2]], rows[-1]


@sluice.program(strict=True)
def counted(x, n):
    inside = [k for k in (-1, 0, 2, 7) if k in range(n)], x[0] in range(3), n not in range(n)
    r = range(n)
    n = 100
    return inside, sum(r), max(r), len(r), [i * k for i in r for k in range(i)], sorted(r, reverse=True), n


@sluice.program(strict=True)
def beside(x, c):
    total = 0.0
    for i, v, w in zip(range(9), x, x[::-1]):
        total += i * v * w
    for i, (a, b) in zip(range(len(x), 0, -3), zip(x, x[1:])):
        total += i * a - b
    for w, v in zip((0.5, 0.25, 0.125), x):
        total += w * v
    for w, i, v in zip([0.5, 0.25, 0.125], range(c), x):
        if v > 0.9:
            break
        total -= w * i * v
    for i, shift, w in zip(range(2), np.array([1, 2, 3]), c * x):
        x = x + i * np.roll(x, shift) * w
    return total, x


@sluice.program(strict=True)
def grids(n, m):
    y, x = np.ogrid[-1.4:1.4:n * 1j, 0:m]
    return y + x, np.mgrid[0:1:complex(0, n), -1:1:1j * m], np.r_[0:2:1j * n]


@sluice.program(strict=True)
def slices_of_lists(i, j):
    t = list(range(6))
    best = t[:]
    for k in range(3):
        t[i:j] = t[i:j][::-1]
        u = t[k:] + [9] + t[:k]
        if u[0] > best[0]:
            best = u[:]
    pairs = [(1, 2.0), (3, 4.0), (5, 6.0)]
    return t, best, pairs[i:], sum(a * b for a, b in pairs[:j]), np.array([0.5, 0.25, 0.125][i:])


X = np.random.default_rng(3).random(7)


def test_ranges_are_arrays_to_numpy():
    agree(as_arrays, X, np.ones((4, 3)), np.array([0, 1, 2, 1]), 4)


@pytest.mark.parametrize("x, n", [(X, 3), (np.array([2.0]), 5), (np.array([2.5, 1.0]), 1)])
def test_ranges_are_counted(x, n):
    agree(counted, x, n)


@pytest.mark.parametrize("c", [3, 1, 0])
def test_ranges_beside_arrays_and_tuples(c):
    agree(beside, X, c)
    agree(beside, X[:2], c)


def test_steps_of_grids_count_points():
    agree(grids, 5, 6)
    agree(grids, -4, 3)


@pytest.mark.parametrize("i, j", [(1, 4), (0, 2), (4, 1), (-2, 9)])
def test_lists_are_sliced_by_the_run(i, j):
    agree(slices_of_lists, i, j)


def test_a_range_is_no_value():
    def given(n):
        return range(n)

    def compared(n):
        return range(n) == range(3)

    for f in (given, compared):
        with pytest.raises(sluice.CompileError):
            sluice.program(f, strict=True)(3)



@sluice.program(strict=True)
def types_of_what_is_asked(x, k):
    out = []
    for i, v in zip(range(k[0], 9), x):
        out.append(i)
    return x[0] in range(3), k[0] in range(9), out


@sluice.program(strict=True)
def bounds_change(x, xs):
    out = []
    for i, v in zip(range(len(xs), 0, -1), x):
        xs.append(i)
        out.append(i)
    for w, i in zip((10, 20, 30, 40), range(len(xs))):
        xs.append(w)
        out.append(w * i)
    return out


def test_what_is_asked_is_a_bool_and_what_counts_an_int():
    got, wanted = types_of_what_is_asked(X, np.array([2, 5])), types_of_what_is_asked.f(X, np.array([2, 5]))
    assert got == wanted and [type(v) for v in (*got[:2], *got[2])] == [type(v) for v in (*wanted[:2], *wanted[2])]


def test_bounds_of_ranges_are_taken_once():
    assert bounds_change(X, [1, 2, 3]) == bounds_change.f(X, [1, 2, 3])


@sluice.program(strict=True)
def indexed_by_a_list_of_the_run(x, n):
    r = n
    n = 7
    return x[list(range(r))], len(range(r)), n


def test_an_array_is_not_indexed_by_a_lists_place():
    agree(indexed_by_a_list_of_the_run, X, 3)  # One over numbers took the list's number in memory for the index.


def test_ranges_are_assigned_to_parts_of_arrays():
    def first_rows(s, t):
        d = np.zeros((s + 1, t + 1), dtype=np.int32)
        d[:, 0] = range(s + 1)
        d[0] = range(t + 1)
        a = np.empty(t, dtype=int)
        r = range(t)
        a[:] = r
        d[1, ::2] = range(0, t + 1, 2)
        xs = [1, 2, 3, 4]
        xs[1:3] = range(5, 8)
        return d, a, xs

    wanted, got = first_rows(3, 4), sluice.program(first_rows, strict=True)(3, 4)
    for one, other in zip(got, wanted, strict=True):
        assert type(one) is type(other)
        np.testing.assert_array_equal(one, other)

    def element():
        xs = [1, 2, 3]
        xs[1] = range(3)
        return xs
    with pytest.raises(sluice.CompileError):
        sluice.program(element, strict=True)()
