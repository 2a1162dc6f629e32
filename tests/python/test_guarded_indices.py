"""Elements that only a condition, or a loop that runs, makes valid: arrays of no and of one element are compiled, and what is reached raises IndexError."""
import numpy as np
import pytest

import sluice


def neighbours(a):
    out = np.zeros(len(a))
    for i in range(len(a)):
        out[i] = a[i]
        if i + 1 < len(a):
            out[i] += a[i + 1]
        if i > 0:
            out[i] -= a[i - 1]
    return out


def unless_short(a):
    if a[a.size - 1] > 0.5:
        a[1] = a[0] + 1
    return a


def swapped(a):
    for i in range(len(a)):
        for j in range(len(a) - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return a


def second(a):
    def next_of(i):
        if i < len(a):
            return a[i]
        return -1.0

    return next_of(1) + next_of(0)


def never_run(a, n):
    s = 0.0
    for i in range(n):
        s += a[2 * i]
    return s


def solved(a, b, c, d):
    n = len(d)
    x = np.zeros(n)
    x[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i - 1] * x[i - 1]
        if i < n - 1:
            x[i] = c[i] / m
        x[i] += d[i] / m
    return x


CASES = [(neighbours, [(np.arange(5.0),), (np.ones(1),), (np.zeros(0),), (np.arange(2.0),)]),
         (unless_short, [(np.array([0.2, 0.9]),), (np.array([0.1]),), (np.array([0.9]),)]),
         (swapped, [(np.array([3.0, 1.0, 2.0]),), (np.ones(1),), (np.zeros(0),)]),
         (second, [(np.array([3.0, 1.0]),), (np.ones(1),)]),
         (never_run, [(np.arange(4.0), 2), (np.zeros(0), 0), (np.ones(1), 1), (np.zeros(0), 1), (np.ones(1), 0)]),
         (solved, [(np.ones(4), 4 * np.ones(5), np.ones(4), np.arange(5.0)), (np.ones(1), 4 * np.ones(2), np.ones(1), np.arange(2.0))])]


@pytest.mark.parametrize("function, calls", CASES, ids=lambda one: getattr(one, "__name__", ""))
@pytest.mark.parametrize("check", [False, True])
def test_as_in_python(function, calls, check):
    program = sluice.program(strict=True, check=check)(function)
    for arguments in calls:
        ours, theirs = ([np.copy(one) if isinstance(one, np.ndarray) else one for one in arguments] for _ in range(2))
        try:
            wanted = function(*theirs)
        except IndexError:
            with pytest.raises(IndexError):
                program(*ours)
            continue
        np.testing.assert_allclose(program(*ours), wanted, rtol=1e-14)
        np.testing.assert_array_equal(ours[0], theirs[0])


def test_a_path_that_is_always_taken_is_refused():
    @sluice.program(strict=True)
    def beyond(a):
        return a[1]

    with pytest.raises(sluice.CompileError) as refused:
        beyond(np.ones(1))
    assert refused.value.code == "F007"
