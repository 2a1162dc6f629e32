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


# ---- what an integer surely is ----
@pytest.mark.parametrize("how", ["row", "column"])
def test_an_axis_that_known_branches_choose(how):
    def shares(A, how):
        if how == "row":
            axis = 1
        elif how == "column":
            axis = 0
        else:
            raise ValueError("how must be row or column, not %s" % how)
        return A / A.sum(axis=axis, keepdims=True)

    def same_on_both_paths(A, how):
        axis = 0
        if A[0, 0] > 0.5:
            axis = 0
        return A.sum(axis=axis)

    A = np.arange(6.0).reshape(2, 3)
    for function in (shares, same_on_both_paths):
        np.testing.assert_array_equal(sluice.program(function, strict=True)(A, how), function(A, how))


def test_an_axis_that_the_run_chooses_is_refused():
    def in_a_loop(A):
        axis, total = 0, 0.0
        for i in range(2):
            total += A.sum(axis=axis).max()
            axis = 1
        return total

    def on_a_path(A):
        axis = 0
        if A[0, 0] > 0.5:
            axis = 1
        return A.sum(axis=axis)

    for function in (in_a_loop, on_a_path):
        with pytest.raises(sluice.CompileError, match="F005.*an axis must be a constant"):
            sluice.program(function, strict=True)(np.ones((2, 2)))


def test_weights_that_are_counted_in_an_array_of_the_run():
    def by_row(begins, x):
        rows = np.repeat(np.arange(len(begins) - 1), np.diff(begins))
        return np.bincount(rows, weights=x, minlength=len(begins) - 1)

    begins, x = np.array([0, 2, 2, 5]), np.arange(5.0)
    np.testing.assert_array_equal(sluice.program(by_row, strict=True)(begins, x), by_row(begins, x))

