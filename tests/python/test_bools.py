"""Python's bools: they are returned as such, and computed with as integers; NumPy's stay NumPy's."""
import math

import numpy as np
import pytest

import sluice


def arithmetic(x, b):
    return abs(b), round(b), b + b, b - b, b * b, b / 1, b // 1, b % 2, b ** 2, b << 1, -b, b & True, b | False, b ^ True, not b, int(b), b == True, True + 1


def with_arrays(x, b):
    m = np.zeros(3, dtype=bool)
    m[1] = True
    m |= b
    return m, m & True, np.full(2, True), np.array([True, b]), m + True, np.sum(m) + True, x[0] + b, x * b, x + True


def constants(x, b):
    return True, False, x.sum() > 0, len(x) > 2, np.any(x > 0), b and len(x) > 1


def counted(x, b):
    count = 0
    found = False
    for i in range(x.shape[0]):
        found = found or x[i] > 0
        count += b
        count += x.shape[0] > i
    return count, b + count


def by_path(x, b):
    if b:
        return True
    return False


def a_flag(x, b):
    fine = True
    for i in range(x.shape[0]):
        if x[i] < 0:
            fine = b
    return fine


@pytest.mark.parametrize("function", [arithmetic, with_arrays, constants, counted, by_path, a_flag])
@pytest.mark.parametrize("b", [True, False])
def test_values_and_types(function, b):
    x = np.array([1.0, -2.0, 3.0])
    got, wanted = (one if isinstance(one, tuple) else (one,) for one in (sluice.program(function)(x, b), function(x, b)))
    for one, other in zip(got, wanted, strict=True):
        assert type(one) is type(other) and np.array_equal(one, other), f"{one!r} instead of {other!r}"
        assert not isinstance(other, np.ndarray) or one.dtype == other.dtype


def test_numpys_bools_stay_numpys():
    def both(b):
        return b + b, b | b, b * 1

    for one, other in zip(sluice.program(both)(np.True_), both(np.True_)):
        assert type(one) is type(other) and one == other


def test_questions_of_pythons_have_its_bool():
    def asked(x, u):
        return math.isnan(x), math.isinf(x), any([x > 1, x > 3]), all((x > 1, x > 3)), x is None, not u[0], any(u > 3), all(u > 3)

    u = np.arange(5)
    for got, wanted in zip(sluice.program(strict=True)(asked)(2.5, u), asked(2.5, u)):
        assert got is wanted
