"""What Python does not evaluate neither raises nor reads memory; what it does evaluate raises as Python does, in loops as well."""

import math

import numpy as np
import pytest

import sluice


def forward(a):
    out = np.zeros(len(a))
    for i in range(len(a)):
        out[i] = a[i] + (a[i + 1] if i + 1 < len(a) else 0.0)
    return out


def neighbours(a):
    n, m = a.shape
    out = np.zeros_like(a)
    for i in range(n):
        for j in range(m):
            down = a[i + 1, j] if i < n - 1 else 0.0
            right = a[i, j + 1] if j < m - 1 else 0.0
            out[i, j] = (a[i - 1, j] if i > 0 else 0.0) + down + right - 4 * a[i, j]
    return out


def indirect(a, places, count):
    total = 0.0
    for i in range(count):
        total += a[places[i]] if i < len(places) and places[i] < len(a) else -1.0
    return total


def rows(a, places, count):
    total = 0.0
    for i in range(count):
        if i < len(places) and a[places[i], :].sum() > 0.0:
            total += 1.0
    return total


def largest(a):
    return a.max() if len(a) else 0.0


def tails(a, count):
    total = 0.0
    for i in range(count):
        total += a[i:].max() if i < len(a) else 0.0
    return total


def ascending(a):
    return any(i + 1 < len(a) and a[i] > a[i + 1] for i in range(len(a)))


def products(a):
    return sum(a[i] * (a[i + 2] if i + 2 < len(a) else 1.0) for i in range(len(a)))


def reciprocal(x):
    return 1.0 / x if x != 0 else 0.0


def remainder(x, y):
    return y and x % y


def root(x):
    y = 2.0 * (math.sqrt(x) if x >= 0 else -1.0)
    return y


def mean(a):
    return a / len(a) if len(a) > 0 else a


def guarded(a):
    total = 0.0
    for i in range(len(a)):
        if i + 1 < len(a):
            total += a[i] * a[i + 1]
    return total


def power(n):
    return 3**n if n < 30 else -1


A = np.arange(6.0)
UNEVALUATED = [
    *[(function, (np.arange(1.0 * n) - 2.0,)) for function in (forward, ascending, products, guarded) for n in (0, 1, 2, 7)],
    *[(neighbours, (np.arange(1.0 * n * m).reshape(n, m),)) for n, m in ((1, 1), (2, 1), (3, 4))],
    *[(indirect, (A, np.array([0, 5, 9]), n)) for n in (0, 3, 1000)],
    *[(rows, (np.ones((3, 4)), np.array([0, 1, 2]), n)) for n in (3, 9, 1000)],
    *[(largest, (np.arange(1.0 * n),)) for n in (0, 3)],
    *[(tails, (A, n)) for n in (3, 8)],
    *[(reciprocal, (x,)) for x in (0.0, 2.0, 0, 4)],
    *[(remainder, (7, y)) for y in (0, 4)],
    *[(root, (x,)) for x in (4.0, -4.0)],
    *[(mean, (np.arange(1.0 * n),)) for n in (0, 3)],
    *[(power, (n,)) for n in (3, 45)],
]


def runs(compiled, strict, *arguments):
    """What is known to lie outside, or to be zero, is refused before the run; Python then runs the line."""
    try:
        return compiled(*arguments)
    except sluice.CompileError as error:
        known = "F007" in str(error) or "F009" in str(error) or "zero-size" in str(error)
        if not strict or not known:
            raise
        pytest.skip("refused: " + str(error))


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("function, arguments", UNEVALUATED, ids=lambda one: getattr(one, "__name__", None))
def test_what_python_does_not_evaluate(function, arguments, strict):
    np.testing.assert_allclose(runs(sluice.program(function, strict=strict), strict, *arguments), function(*arguments))


def floor_quotients(n, k):
    total = 0
    for i in range(n):
        total += 10 // (i - k)
    return total


def quotients(x, n):
    total = 0.0
    for i in range(n):
        for j in range(2):
            total += (1.0 + j) / (x - i)
    return total


def found(n):
    for i in range(n):
        if 6 % (3 - i) == 1:
            return i
    return -1


def roots(a):
    out = np.zeros(len(a))
    for i in range(len(a)):
        out[i] = math.sqrt(a[i])
    return out


def newton(x, steps):
    while steps > 0:
        x = x - (x * x - 2.0) / (2.0 * x)
        steps -= 1
    return x


def per_element(total, a):
    return total / len(a)


def element(a, k):
    return a[k]


def inner(a, k):
    row = a[k, 1:]
    return row.sum()


def written(a, k):
    a[k] = 1.0


def powers(n):
    found = []
    for k in range(n):
        found.append(3**k)
    return found


def bits(n):
    found = [0]
    for k in range(n):
        found[0] = 1 << k
    return found


RAISED = [
    *[(floor_quotients, (n, 3)) for n in (3, 4, 9)],
    *[(quotients, (2.0, n)) for n in (2, 3)],
    *[(quotients, (2.5, 9))],
    *[(found, (n,)) for n in (2, 9)],
    *[(roots, (np.array([4.0, x, 1.0]),)) for x in (9.0, -1.0)],
    *[(newton, (x, 5)) for x in (1.0, 0.0)],
    *[(per_element, (1.0, np.zeros(n))) for n in (0, 4)],
    *[(element, (np.arange(4.0), k)) for k in (0, 3, 4, -4, -5, 10**9)],
    *[(inner, (np.ones((3, 4)), k)) for k in (2, 3, -4)],
    *[(written, (np.ones(3), k)) for k in (2, 3, -4)],
]


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("function, arguments", RAISED, ids=lambda one: getattr(one, "__name__", None))
def test_what_python_raises(function, arguments, strict):
    compiled = sluice.program(function, strict=strict)
    try:
        expected = function(*arguments)
    except Exception as error:
        with pytest.raises(type(error)):
            runs(compiled, strict, *arguments)
    else:
        if expected is not None:
            np.testing.assert_allclose(compiled(*arguments), expected)


@pytest.mark.parametrize("function", [powers, bits])
def test_integers_beyond_64_bits_are_no_others(function):
    compiled = sluice.program(function, strict=True)
    assert compiled(30) == function(30)
    try:
        assert compiled(80) == function(80)
    except OverflowError:
        pass
