"""Loops over tuples of indices: np.ndindex, np.ndenumerate, itertools' product and combinations, as Python runs them."""
import itertools
from itertools import combinations, product

import numpy as np
import pytest

import sluice


def index_all(A):
    for i, j in np.ndindex(*A.shape):
        A[i, j] = i * 10 + j
    return A


def index_by_tuples(A):
    out = np.zeros(A.shape)
    for index in np.ndindex(A.shape):
        out[index] = A[index] * 2
    return out


def sizes_given(A):
    total = 0.0
    for i, j in np.ndindex(2, A.shape[1] - 1):
        total += A[i, j] * A[i, j + 1]
    return total


def elements_with_places(A):
    s = 0.0
    for (i, j), v in np.ndenumerate(A):
        if v < 0.5:
            continue
        s += v * i - j
    return s


def elements_in_place(A):
    for index, v in np.ndenumerate(A):
        A[index] = v * 2
    return A


def one_dimension(A):
    out = np.zeros(A.shape[0])
    for (i,), v in np.ndenumerate(A[:, 0]):
        out[i] = v + i
    return out


def leaves_both(n):
    c = 0
    for i, j in itertools.product(range(n), range(1, n, 2)):
        if i * j > 12:
            break
        c += i + j
    else:
        c = -1
    return c, i, j


def changes_what_it_counts_to(n):
    s = 0
    for i, j, k in product(range(n), repeat=3):
        s += i * j - k
        n = 100
        i = 50
    return s


def nothing_to_count(n):
    i = j = -7
    for i, j in product(range(n), range(n - 3)):
        pass
    return i, j


def pairs(x):
    e = 0.0
    for i, j in combinations(range(len(x)), 2):
        e += 1.0 / np.abs(x[i, 0] - x[j, 0])
    return e


def triples(x):
    total = np.zeros(3)
    for i, j, k in itertools.combinations(range(1, x.shape[0]), 3):
        total += np.cross(x[i] - x[j], x[k])
    return total


def with_replacement(n):
    out = np.zeros((n, n))
    for i, j in itertools.combinations_with_replacement(range(n), 2):
        out[i, j] += i + 2 * j
        if out[i, j] > 10:
            return out
    return out


R = np.random.default_rng(0)


def of_arrays(A):
    for x, y in product(A[0], A[1]):
        A[0, 0] += x * y
    return A[0, 0]


@pytest.mark.parametrize("function, arguments", [
    (index_all, (R.random((3, 4)),)), (index_all, (np.zeros((0, 4)),)), (index_by_tuples, (R.random((3, 2, 2)),)), (index_by_tuples, (R.random(3),)),
    (sizes_given, (R.random((3, 4)),)), (elements_with_places, (R.random((3, 4)),)), (elements_in_place, (R.random((3, 3)),)), (one_dimension, (R.random((4, 2)),)),
    (leaves_both, (5,)), (leaves_both, (3,)), (changes_what_it_counts_to, (4,)), (nothing_to_count, (3,)), (nothing_to_count, (5,)),
    (of_arrays, (R.random((3, 3)),)), (pairs, (R.random((6, 1)),)), (triples, (R.random((6, 3)),)), (with_replacement, (6,)), (with_replacement, (3,)),
], ids=lambda one: getattr(one, "__name__", ""))
def test_as_python(function, arguments):
    def copies():
        return [one.copy() if isinstance(one, np.ndarray) else one for one in arguments]
    program, given, plain = sluice.program(function), copies(), copies()
    got, wanted = program(*given), function(*plain)
    np.testing.assert_allclose(got, wanted, rtol=1e-12)
    for one, other in zip(given, plain):
        np.testing.assert_array_equal(one, other)


def too_many_names(A):
    for i, j, k in np.ndindex(A.shape):
        A[i, j] = k


@pytest.mark.parametrize("function, says", [(too_many_names, "tuples of 2 are unpacked into 3")])
def test_what_is_refused(function, says):
    arguments = (np.ones((3, 3)), 2)[:function.__code__.co_argcount]
    with pytest.raises(sluice.CompileError, match=says):
        sluice.program(function)(*arguments)


def test_names_that_the_function_imports():
    @sluice.program
    def closest(x):
        from itertools import combinations as pairs
        best = 10.0
        for i, j in pairs(range(x.shape[0]), 2):
            best = min(best, abs(x[i] - x[j]))
        return best
    x = R.random(9)
    assert closest(x) == closest.f(x)
