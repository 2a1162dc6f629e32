"""What a program has changed before it raises, the caller sees: checks that are made ahead of the changes, in front of loops or of everything,
give what Python gives, exception, arguments and all."""
import copy

import numpy as np
import pytest

import sluice
from changed_arguments import difference

N, M = sluice.symbol("N"), sluice.symbol("M")


def outcome(function, arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return error


def agrees(function, *calls):
    """The same result or the same exception, in Python's words, and the same arguments, in both modes."""
    for strict in True, False:
        program = sluice.program(function, strict=strict)
        for given in calls:
            ours, theirs = copy.deepcopy(given), copy.deepcopy(given)
            wanted, got = outcome(function, theirs), outcome(program, ours)
            if isinstance(wanted, Exception):
                assert isinstance(got, type(wanted)) and str(wanted) in str(got), (given, wanted, got)
            else:
                assert not difference(wanted, got), (given, wanted, got)
            assert not difference(list(theirs), list(ours)), (given, wanted)


def made_behind_a_change(x, n):
    x[0] = 5.0
    y = np.zeros(n)
    return y


def added_behind_a_change(x: sluice.float64[N], y: sluice.float64[M]):
    x *= 2.0
    z = x + y
    x += z
    return z.sum()


def size_behind_a_loop(x, n):
    for i in range(x.shape[0]):
        x[i] = i
    return np.full((n, 2), 1.5)


def test_sizes_behind_changes_of_arguments():
    agrees(made_behind_a_change, (np.ones(3), 2), (np.ones(3), -2), (np.ones(3), 0))
    agrees(size_behind_a_loop, (np.ones(3), 2), (np.ones(3), -1), (np.ones(0), -1))
    program = sluice.program(added_behind_a_change, strict=True)
    for n, m in (3, 3), (5, 6):
        ours, theirs = np.arange(float(n)), np.arange(float(n))
        wanted, got = outcome(added_behind_a_change, (theirs, np.ones(m))), outcome(program, (ours, np.ones(m)))
        assert isinstance(got, type(wanted)) and np.array_equal(ours, theirs)
    assert got.code == "A009" and "z = x + y" in str(got)


def counted(x, n):
    for i in range(n):
        x[i] = i + 1.0


def shifted(x, k):
    s = 0.0
    for i in range(x.shape[0]):
        x[i] = 7.0
        s += x[i + k]
    return s


def inner_loop(a, m):
    a[0, 0] = -1.0
    for i in range(a.shape[0]):
        for j in range(m):
            a[i, j] += i * j
    return a


def in_a_branch(x, n, c):
    if c > 0:
        for i in range(n):
            x[i] = c


def behind_a_change(x: sluice.float64[N], y: sluice.float64[M]):
    x[0] = 9.0
    for i in range(x.shape[0]):
        y[i] = x[i] + 1.0
    return y


def nothing_is_changed(x, n):
    s = 0.0
    for i in range(n):
        s += x[i]
    return s


def test_indices_of_loops_behind_their_earlier_iterations():
    agrees(counted, (np.zeros(3), 2), (np.zeros(3), 5), (np.zeros(0), 1), (np.zeros(3), -1))
    agrees(shifted, (np.zeros(3), 0), (np.zeros(3), 2), (np.zeros(3), -1), (np.zeros(3), -5))
    agrees(inner_loop, (np.zeros((2, 3)), 3), (np.zeros((2, 3)), 4), (np.zeros((2, 3)), 0))
    given = [(np.arange(float(n)), np.zeros(m)) for n, m in ((4, 4), (3, 5), (4, 2))]
    agrees(behind_a_change, *given)
    agrees(nothing_is_changed, (np.ones(3), 3), (np.ones(3), 4))


def checked(v):
    t = 0.0
    for _ in range(3):
        if v > 2.5:
            raise ValueError("too large")
        t += v
    return t


def raises_in_a_function(x, n):
    s = 0.0
    for i in range(n):
        s += checked(x[i])
    return s


def test_a_function_that_raises_comes_before_the_index_of_a_later_iteration():
    agrees(raises_in_a_function, (np.array([1.0, 2.0]), 2), (np.array([1.0, 2.0]), 3), (np.array([1.0, 3.0]), 3))


def lists_and_arrays(xs, x, n):
    xs.append(1)
    for i in range(n):
        x[i] = len(xs)
    return xs


class Counter:
    def __init__(self):
        self.n = 0

    def fill(self, x, n):
        self.n += 1
        for i in range(n):
            x[i] = self.n
        return x


def of_an_object(counter, x, n):
    return counter.fill(x, n)


def test_lists_and_objects_of_the_caller():
    agrees(lists_and_arrays, ([5], np.zeros(3), 3), ([5], np.zeros(3), 4))
    for strict in True, False:
        program = sluice.program(of_an_object, strict=strict)
        for n in 3, 5:
            (ours, x), (theirs, y) = (Counter(), np.zeros(3)), (Counter(), np.zeros(3))
            wanted, got = outcome(of_an_object, (theirs, y, n)), outcome(program, (ours, x, n))
            assert type(wanted) is type(got) and ours.n == theirs.n and np.array_equal(x, y)


def changed_then_called(x, n):
    x += 1.0
    return filled(x, n)


def filled(x, n):
    x[0] = 5.0
    return np.ones(n) * x[0]


def test_sizes_in_functions_that_are_called():
    agrees(changed_then_called, (np.zeros(2), 3), (np.zeros(2), -3))


def spread(x, n):
    return np.broadcast_to(x, (n, x.shape[0])), np.broadcast_to(1.5, n).sum()


def test_shapes_to_broadcast_to_are_not_negative():
    agrees(spread, (np.ones(3), 2), (np.ones(3), 0), (np.ones(3), -2))


def test_a_compiled_program_that_is_called_as_such_says_that_nothing_was_changed():
    x = np.zeros(3)
    compiled = sluice.program(counted).compile(x, 4)
    with pytest.raises(IndexError) as error:
        compiled(x, 5)
    assert error.value.code == "A017" and not x.any() and "x[i] = i + 1.0" in str(error.value)
