"""Indices that leave an array raise IndexError with NumPy's words, as Python does, without check=True: outside of loops, in `while`, and
in `for` loops where every iteration reaches them. What is inside runs, negative indices included."""
import numpy as np
import pytest

import sluice


def shifted(x, k):
    s = 0.0
    for i in range(5):
        s += x[i + k]
    return s


def backwards(x, k):
    s = 0.0
    for i in range(k - 1, -1, -1):
        s += x[i]
    return s


def by_steps(x, k):
    for i in range(0, k, 3):
        x[i] = 1.0
    return x


def counted_from_the_end(x, k):
    s = 0.0
    for i in range(5):
        s += x[i - k]
    return s


def triangle(x, k):
    s = 0.0
    for i in range(k):
        for j in range(i):
            s += x[j]
    return s


def nested(x, k):
    s = 0.0
    for i in range(k):
        for j in range(2):
            s += x[i * 2 + j]
    return s


def two_arrays(x, k):
    y = np.ones(k)
    s = 0.0
    for i in range(len(y)):
        s += x[i] * y[i]
    return s


def doubled_element(v, i):
    return v[i] * 2


def by_helper(x, k):
    s = 0.0
    for i in range(k):
        s += doubled_element(x, i)
    return s


def in_steps_of_time(x, k):
    for t in range(3):
        y = x.copy()
        for i in range(1, k - 1):
            x[i] = (y[i - 1] + y[i + 1]) / 2
    return x


def behind_a_while(x, k):
    i, s = 0, 0.0
    while i < k:
        s += x[i]
        i += 1
    return s


def until_found(x, k):
    i = 0
    while x[i] < k:
        i += 1
    return i


def guarded_while(x, k):
    i = 0
    while i < len(x) and x[i] < k:
        i += 1
    return i


def guarded(x, k):
    s = 0.0
    for i in range(k):
        if i < len(x):
            s += x[i]
    return s


def left_early(x, k):
    s = 0.0
    for i in range(k):
        if i > 8:
            break
        s += x[i]
    return s


def unreached(x, k):
    s = 0.0
    for i in range(4):
        if i > k:
            for j in range(k + 8):
                s += x[j]
    return s


def around(x, k):
    s = 0.0
    for i in range(k):
        s += x[i % len(x)]
    return s


LOOPS = [shifted, backwards, by_steps, counted_from_the_end, triangle, nested, two_arrays, by_helper, in_steps_of_time, behind_a_while,
         until_found, guarded_while, guarded, left_early, unreached, around]


def outcome(function, arguments):
    try:
        return function(*arguments)
    except (IndexError, ValueError) as error:
        return error


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("function", LOOPS)
def test_loops_raise_where_python_does(function, strict):
    program = sluice.program(function, strict=strict)
    raised = 0
    for k in (0, 1, 3, 4, 5, 6, 9, 10, 11, 12, 16, -1, -4):
        ours, theirs = np.arange(10.0), np.arange(10.0)
        got, wanted = outcome(program, (ours, k)), outcome(function, (theirs, k))
        if isinstance(wanted, Exception):
            raised += 1
            assert isinstance(got, type(wanted)), (k, got, wanted)
            if isinstance(wanted, IndexError) and function not in (triangle, nested):  # These name another index.
                assert str(wanted) in str(got)
        else:
            assert np.array_equal(got, wanted) and np.array_equal(ours, theirs), (k, got, wanted)
    assert raised or function in (guarded_while, guarded, left_early, unreached, around)


def gathered(x, at):
    return x[at] + 1


def scattered(x, at):
    x[at] = 7.0
    return x


def of_rows(x, at):
    return x.reshape(5, 2)[at, 1]


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("function", [gathered, scattered, of_rows])
def test_arrays_of_indices(function, strict):
    program = sluice.program(function, strict=strict)
    for at in ([1, 2, -1], [4, -5, 0], [], [1, 11], [-11, 3], [5, 0], [10]):
        at = np.array(at, dtype=int)
        got, wanted = outcome(program, (np.arange(10.0), at)), outcome(function, (np.arange(10.0), at))
        if isinstance(wanted, IndexError):
            assert isinstance(got, IndexError) and str(wanted) in str(got)
        else:
            assert np.array_equal(got, wanted)


def test_a_comparison_stands_in_front_of_a_map():
    graph = sluice.program(by_steps).to_sdfg(np.arange(10.0), 3)
    graph.optimize(3)
    assert graph.text().count("IndexError") == 1 and "loop" not in graph.text()
