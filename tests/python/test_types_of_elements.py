"""Lists whose elements are numbers of several types: each has its own, which lies beside it once anybody can tell."""
import numpy as np
import pytest

import sluice

WEIGHTS, VALUES = np.array([1, 3, 4, 5]), np.array([1, 4, 5, 7])
INTEGERS, REALS = np.array([3, 1, 2]), np.array([1.5, 2.5, 0.5])


def knapsack(weights, values, most):
    dp = [0] * (most + 1)
    for i in range(len(weights)):
        for w in range(most, weights[i] - 1, -1):
            dp[w] = max(dp[w], dp[w - weights[i]] + values[i])
    return dp[most], dp[0], dp


def counted(x):
    c = [0] * 4
    for k in range(len(x)):
        c[x[k]] += x[k]
    return c[0], c[1] + c[2], c[3] / 2, c[0] > 1, c[1] > 1, -c[0], -c[1]


def filled(x):
    r = [0] * (len(x) + 1)
    for i in range(len(x)):
        r[i] = x[i]
    return r, r[1:], [v * 2 for v in r], sum(r), sum(r[len(x):]), sum(r[:0]), max(r), min(r)


def largest(x):
    r = [0] * 3
    for i in range(3):
        r[i] = max(r[i - 1], x[i])
    best = 0
    for v in r:
        if v > best:
            best = v
    return best


def coins(sizes, amount):
    fewest = [float("inf")] * (amount + 1)
    fewest[0] = 0
    for c in sizes:
        for a in range(c, amount + 1):
            if fewest[a - c] + 1 < fewest[a]:
                fewest[a] = fewest[a - c] + 1
    return fewest[amount] if fewest[amount] != float("inf") else -1


def distances(n):
    far = [float("inf")] * n
    far[0] = 0
    for u in range(n - 2):
        far[u + 1] = far[u] + u + 1
    total = 0
    for d in far:
        if d != float("inf"):
            total += d
    return far, total, max(far), sum(far[:2])


def halves(n):
    r = [0] * n
    for i in range(n):
        r[i] = i / 2 if i > 1 else i
    x = r[0]
    y = r[n - 1]
    return x, y, x + y, r


def typed(value):
    return [typed(one) for one in value] if isinstance(value, (list, tuple)) else (type(value), value)


@pytest.mark.parametrize("function, arguments", [
    (knapsack, (WEIGHTS, VALUES, 7)), (knapsack, (WEIGHTS, VALUES, 0)), (counted, (INTEGERS,)), (filled, (INTEGERS,)),
    (filled, (REALS,)), (largest, (INTEGERS,)), (largest, (-INTEGERS,)), (coins, ([1, 2, 5], 11)), (coins, ([2, 6], 11)),
    (distances, (5,)), (halves, (4,)), (halves, (1,))])
def test_each_element_has_its_type(function, arguments):
    """They were refused."""
    assert typed(sluice.program(function, strict=True)(*arguments)) == typed(function(*arguments))


def beside_infinity(n):
    r = [float("inf")] * (n % 3 + 2)
    r[0] = n
    return r[0]


def test_an_integer_that_a_float_would_round():
    program = sluice.program(beside_infinity, strict=True)
    assert program(2**53) == 2**53 and type(program(3)) is int
    with pytest.raises(OverflowError):
        program(2**53 + 1)


def ordered(x):
    r = [0] * 3
    r[0] = x[0]
    r.sort()
    return r


def test_what_moves_elements_of_several_types_is_refused():
    with pytest.raises(sluice.CompileError, match="elements differ in type"):
        sluice.program(ordered, strict=True)(INTEGERS)


def beside_narrow(x, y):
    r = [0] * 4
    for i in range(3):
        r[i] = x[i]
    return r[0] * y[0]


def test_types_that_are_not_told_apart_are_refused():
    with pytest.raises(sluice.CompileError, match="F015"):
        sluice.program(beside_narrow, strict=True)(INTEGERS, np.ones(1, np.float32))


LARGE = np.array([2**62, 2**62, 5])


def numpys_and_pythons(a, k):
    xs = [k]
    for v in a:
        xs.append(v)
    return xs[1] + xs[2], xs[1] * 2, [x * 4 for x in xs], xs


def sum_of_both(a, k):
    xs = [k]
    for v in a:
        xs.append(v)
    s = 0
    for x in xs:
        s = s + x
    return s


@pytest.mark.parametrize("function", [numpys_and_pythons, sum_of_both])
def test_numpys_integers_wrap_beside_pythons(function):
    """They raised OverflowError, and Python's beside them wrapped."""
    program = sluice.program(function, strict=True)
    with np.errstate(over="ignore"):
        got, wanted = program(LARGE, 1), function(LARGE, 1)
    assert repr(got) == repr(wanted)
    if function is numpys_and_pythons:
        with pytest.raises(OverflowError):
            program(LARGE, 2**62)
