"""Lists of the run that are empty, or of arrays without elements: what Python raises, at the call."""
import numpy as np
import pytest

import sluice


def first(a):
    xs = []
    for v in a:
        if v > 2:
            xs.append(v)
    return xs[0], len(xs)


def last(a):
    xs = []
    for v in a:
        xs.append(v)
    x = xs[-1]
    return x


def popped(a):
    xs = [v for v in a]
    return xs.pop()


def share(a):
    xs = []
    for v in a:
        if v > 2:
            xs.append(1.5)
    return 7 // len(xs), max(xs)


def ordered(a):
    xs = [v for v in a if v > 2]
    total = 0
    for v in sorted(xs):
        total = total * 10 + v
    return total


def without_the_last(a):
    xs = [v for v in a if v > 2]
    ys = []
    for v in a:
        ys.append(v)
    return len(xs[:-1] + ys)


@pytest.mark.parametrize("function", [first, last, popped, share, ordered, without_the_last], ids=lambda f: f.__name__)
def test_as_in_python(function):
    program = sluice.program(strict=True)(function)
    for a in (np.array([3, 4, 1]), np.array([], dtype=int), np.array([1]), np.array([9]), np.array([1, 2, 0])):
        try:
            wanted = function(a)
        except Exception as error:
            with pytest.raises(type(error)):
                program(a)
            continue
        assert program(a) == wanted
