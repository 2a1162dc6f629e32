"""Elements of a comprehension whose values are computed in place by one call, again and again: each keeps its own."""
import numpy as np
import pytest

import sluice


def shifted(x, k):
    y = np.zeros_like(x)
    y[k:] = x[:len(x) - k]
    return y


def sums(x): return sum(np.roll(x, k) for k in (-1, 0, 1))


def neighbours(x): return sum(np.roll(np.roll(x, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))


def life(x):
    n = sum(np.roll(np.roll(x, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
    return ((n == 3) | ((x == 1) & (n == 2))).astype(x.dtype)


def rows(x): return np.array([np.roll(x[0], k) for k in range(3)]), np.stack([np.cumsum(x[k]) for k in range(2)])


def of_helpers(x): return sum([shifted(x[0], k) for k in (0, 1, 2)]), [shifted(x[1], k).sum() for k in (0, 1)]


def inside_of_a_call(x): return np.maximum(*[shifted(x[0], k) for k in (1, 2)]) + max([shifted(x[k], 1)[1] for k in (0, 1)])


def nested(x): return [[np.roll(x[i], k)[0] for k in (0, 1)] for i in (0, 1)]


@pytest.mark.parametrize("function", [sums, neighbours, life, rows, of_helpers, inside_of_a_call, nested])
@pytest.mark.parametrize("dtype", [np.int64, np.float32])
def test_each_element_is_its_own(function, dtype):
    x = np.random.default_rng(3).integers(0, 2, (4, 5)).astype(dtype)
    ours, theirs = sluice.program(function, strict=True)(x), function(x)
    for one, other in zip(ours, theirs) if isinstance(theirs, (tuple, list)) else [(ours, theirs)]:
        np.testing.assert_array_equal(one, other)


def step(v):
    v[0] += 1.0
    return v[0]


def asked_in_turn(x):
    total = 0.0
    for v in (step(x) for _ in range(3)):
        total = total * 10 + v + x[0]
        x[0] += 2.0
    return total


def read_behind_writes(x):
    for v in (x[i] for i in range(len(x) - 1) if x[i] < 9):
        x[int(x[0]) + 1] = v + 1
        if v > 3:
            break
    return x


def of_its_own_name(x):
    s, v = 0.0, 2.0
    for v in (v * 2 for v in x):
        s += v
    return s, v


@pytest.mark.parametrize("function", [asked_in_turn, read_behind_writes, of_its_own_name])
@pytest.mark.parametrize("strict", [True, False])
def test_a_generator_computes_when_the_loop_asks(function, strict):
    """All elements were computed before the first iteration."""
    ours, theirs = np.array([1.0, 2.0, 4.0, 8.0]), np.array([1.0, 2.0, 4.0, 8.0])
    assert np.array_equal(sluice.program(function, strict=strict)(ours), function(theirs)) and np.array_equal(ours, theirs)


def signed(x, k):
    if k > 1:
        return x
    return -x


def of_one_array_or_another(x, k):
    y = np.array([signed(x, q)[k] for q in range(len(x))])
    y[k] = 3
    return y


def of_one_array_or_another_beside_a_name(x, k):
    z = x
    if k > 1:
        z = x * 2
    total = sum([signed(z, q)[k] for q in range(len(x)) if q != k])
    z = z + total
    return z, total


@pytest.mark.parametrize("function", [of_one_array_or_another, of_one_array_or_another_beside_a_name])
@pytest.mark.parametrize("k", [1, 2])
def test_what_is_behind_is_read_whichever_array_an_element_came_of(function, k):
    """The names assigned behind the comprehension had no value."""
    x = np.array([1.0, 2.0, 4.0, 8.0])
    ours, theirs = sluice.program(function, strict=True)(x, k), function(x, k)
    for one, other in zip(ours, theirs):
        np.testing.assert_array_equal(one, other)
