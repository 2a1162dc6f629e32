"""Integer variables: what they hold after the statement that bound them, and that none of them is asked of the caller."""
import math

import numpy as np
import pytest

import sluice

N, M = sluice.symbol("N"), sluice.symbol("M")
f8 = sluice.float64


@sluice.program
def after_a_loop(x: f8[N]):
    for i in range(1, len(x)):
        x[i] += x[i - 1]
    x[i] = -1.0


@sluice.program
def after_two_loops(x: f8[N]):
    for i in range(len(x) - 1):
        for j in range(i, len(x)):
            x[j] += 1.0
        x[i] += x[j]
    x[j] = 2.0 * x[i]


@sluice.program
def after_a_branch(x: f8[N]):
    if x[0] > 0:
        k = 2
    else:
        k = 1
    if x[1] > 0:
        m = k + 1
        x[m] = 7.0
    x[k] = 5.0


@sluice.program
def after_a_while(x: f8[N]):
    k = 0
    while k < len(x) - 2:
        last = k
        k += 2
    x[last] = 9.0


@sluice.program
def inside_a_map(x: f8[N, M]):
    for i in sluice.map[0:x.shape[0]]:
        for j in range(x.shape[1] - 1):
            x[i, j] += x[i, j + 1]
        x[i, j] = 3.0


@sluice.program
def size_by_len(x: f8[N]):
    n = len(x)
    y = np.zeros(n)
    return y


@sluice.program
def sizes_by_shape(a: f8[N, M]):
    n, m = a.shape
    rest = m - 1
    b = np.ones((rest, n))
    b[0, n - 1] = 4.0
    return b


@sluice.program
def size_and_array(x: f8[N]):
    n = x.shape[0] + 1
    y = np.ones(n)
    return y, n


@sluice.program
def doubled(x: f8[N]):
    n = len(x)
    y = np.zeros(2 * n)
    y[:n] = x
    return y


@sluice.program
def through_a_call(a: f8[M]):
    return doubled(a) + 1.0


@pytest.mark.parametrize("program, shape", [
    (after_a_loop, 6), (after_two_loops, 5), (after_a_branch, 4), (after_a_while, 7), (inside_a_map, (4, 5)), (size_by_len, 3),
    (sizes_by_shape, (3, 4)), (size_and_array, 3), (doubled, 3), (through_a_call, 4),
], ids=lambda value: getattr(value, "name", str(value)))
def test_agrees_with_plain_python(program, shape):
    ours = np.random.default_rng(1).random(shape)
    theirs = ours.copy()
    got, expected = program(ours), program.f(theirs)
    np.testing.assert_allclose(ours, theirs)
    for one, other in zip(got if isinstance(got, tuple) else (got,), expected if isinstance(expected, tuple) else (expected,)):
        assert (one is None) == (other is None)
        if one is not None:
            np.testing.assert_allclose(np.squeeze(one), other)
            assert np.shape(other) == () or one.shape == other.shape


def test_variables_are_no_arguments():
    for program in (after_a_loop, after_two_loops, after_a_branch, after_a_while, inside_a_map, size_by_len, sizes_by_shape):
        assert set(program.to_sdfg().compile().arguments) <= {"x", "a", "N", "M"}, program


@sluice.program
def rounded_indices(x: f8[N], y: sluice.int64[N]):
    for i in range(len(x)):
        y[int(i * 0.5)] = i
        x[int(i / 3)] += y[int(np.floor(i / 2))]
    for i in range(1, len(x)):
        x[int(math.sqrt(i))] += 1.0
        x[int(i * 0.1 * 3)] += 2.0
        x[int(np.round(i / 4))] -= 1.0


def test_indices_that_are_rounded_on_the_way():
    ours, theirs = np.zeros(40), np.zeros(40)
    ours_y, theirs_y = np.zeros(40, np.int64), np.zeros(40, np.int64)
    rounded_indices(ours, ours_y)
    rounded_indices.f(theirs, theirs_y)
    np.testing.assert_array_equal(ours_y, theirs_y)
    np.testing.assert_allclose(ours, theirs)
