"""What an iteration reads before it binds it is the previous iteration's; the first one raises Python's error, if it reads it."""
import copy

import numpy as np
import pytest

import sluice

V, A = np.array([0.5, 0.25, 0.75, 0.75, 0.125]), np.arange(12.0).reshape(4, 3) % 5


def number(x):
    total = 0.0
    for i in range(len(x)):
        if i > 0:
            total += x[i] * before
        before = x[i]
    return total


def view(x):
    total = np.zeros(2)
    for i in range(4):
        if i > 0:
            total = total + part
        part = x[i:i + 2]
    return total


def computed_array(x):
    total = np.zeros(5)
    for i in range(4):
        if i > 0:
            total = total + scaled
        scaled = x * i
    return total


def short_circuit(x):
    rises = 0
    for i in range(len(x)):
        if i > 0 and x[i] > before:
            rises += 1
        before = x[i]
    return rises


def conditional_expression(x):
    total = 0.0
    for i in range(len(x)):
        total += before if i > 0 else 0.0
        before = x[i]
    return total


def conditional_array(x, n):
    for i in range(n):
        v = x * 0.1 if i == 0 else 0.9 * v + x * 0.1
        x = x - v
    return x


def run_lengths(x):
    lengths = []
    for i, value in enumerate(x):
        if i == 0 or value != last:
            lengths.append(1)
        else:
            lengths[-1] += 1
        last = value
    return np.array(lengths)


def two_loops(a):
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if i > 0 or j > 0:
                total += last * a[i, j]
            last = a[i, j]
    return total, last


def head_of_while(x):
    i = 0
    while i == 0 or step > 1e-3:
        y = 0.5 * (x + 2 / x)
        step = abs(y - x)
        x = y
        i += 1
    return x, i


def inner_function(x):
    def variation(v):
        for i in range(len(v)):
            if i > 0:
                total = total + abs(v[i] - before)
            else:
                total = 0.0
            before = v[i]
        return total
    return variation(x) + variation(x[::-1])


def names_that_change_places(x, n):
    for t in range(n):
        if t > 0:
            now, old = old, now
        else:
            now, old = x.copy(), x * 2
        now[0] += 1
    return now, old


def never_bound_first(x, n):
    for i in range(n):
        y = z + 1
        z = x[i]
    return y


def array_bound_in_the_loop(x, n):
    for t in range(n):
        v = x * 2.0
        x = v
    return v


def best_of_none(x, n):
    best = None
    for t in range(n):
        one = x * t
        if best is None or one.sum() > best.sum():
            best = one
            where = t
    return best, where


def number_beside_an_array(x, k):
    if k > 1:
        y = x
        total = x.sum()
    else:
        y = x * 2
    if k > 1:
        y[0] = total
    return y


def branch_that_is_not_taken(x, k):
    if k > 3:
        x[0] = q
    q = 5.0
    return x + q


def no_iteration(x):
    for i in range(len(x)):
        if i == 0:
            most = x[i]
        elif x[i] > most:
            most = x[i]
    return most


CASES = [(number, V), (view, V), (computed_array, V), (short_circuit, V), (conditional_expression, V), (conditional_array, V, 4), (run_lengths, V), (two_loops, A), (head_of_while, 3.0), (inner_function, V),
         (names_that_change_places, V, 4), (never_bound_first, V, 0), (never_bound_first, V, 2), (array_bound_in_the_loop, V, 3), (array_bound_in_the_loop, V, 0), (best_of_none, V, 3), (best_of_none, V, 0),
         (number_beside_an_array, V, 2), (number_beside_an_array, V, 0), (branch_that_is_not_taken, V, 1), (branch_that_is_not_taken, V, 5), (no_iteration, V), (no_iteration, V[:0])]


def outcome(function, arguments):
    arguments = copy.deepcopy(arguments)
    try:
        result = function(*arguments)
    except UnboundLocalError as error:
        return str(error), arguments
    return result, arguments


@pytest.mark.parametrize("function, arguments", [(case[0], case[1:]) for case in CASES], ids=lambda one: getattr(one, "__name__", None))
def test_agrees_with_python(function, arguments):
    wanted, theirs = outcome(function, arguments)
    got, ours = outcome(sluice.program(strict=True)(function), arguments)
    if isinstance(wanted, str):
        assert wanted in got
    else:
        for one, other in zip(wanted if isinstance(wanted, tuple) else (wanted,), got if isinstance(got, tuple) else (got,)):
            np.testing.assert_allclose(other, one)
    for one, other in zip(theirs, ours):
        np.testing.assert_allclose(other, one)
