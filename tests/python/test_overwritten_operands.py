"""Assignments that read what they overwrite: rows, columns and elements are kept aside, not the whole target."""
import numpy as np
import pytest

import sluice


def shortest_paths(A):
    for k in range(A.shape[0]):
        A[:] = np.minimum(A, np.add.outer(A[:, k], A[k, :]))


def gauss_jordan(A):
    for k in range(A.shape[0]):
        A[k] = A[k] / A[k, k]
        A[:k] -= np.outer(A[:k, k], A[k])
        A[k + 1:] -= A[k + 1:, k:k + 1] * A[k]


def by_first_element(A):
    A /= A[0, 0]
    A[:, 1:] = A[:, 1:] * A[:, 1:2] + A[1, 1]
    A[-1] += A[-1, -1] * A[-1, 0]


def by_own_row_and_column(A):
    A -= A[1] + A[:, 2, None]
    A[:] = A[::-1] + A[0]
    A[:, :] = A * A[1, 2]


def of_planes(A):
    B = np.stack((A, 2 * A, A - 1))
    B[:] = B * B[1] + B[:, :1] - B[2, 1, 0]
    B[1:] = B[:-1] + B[0, 0]
    return B


def steps_of_rows(A):
    for i in range(1, A.shape[0]):
        A[i] = A[i - 1] + A[i, 0] * A[0]
        A[i, ::2] = A[i, ::2] * A[i, 1]


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32])
@pytest.mark.parametrize("function", [shortest_paths, gauss_jordan, by_first_element, by_own_row_and_column, of_planes, steps_of_rows])
def test_as_numpy(function, dtype, strict):
    program = sluice.program(function, strict=strict)
    for rows, columns in [(4, 4), (7, 7), (5, 8)]:
        if dtype is np.int32 and function in (gauss_jordan, by_first_element):
            continue  # NumPy refuses to divide integers in place.
        if dtype is not np.float64 and rows != 5:
            continue
        if function is shortest_paths:
            columns = rows
        A = (np.random.default_rng(rows).integers(1, 9, (rows, columns)) + np.eye(rows, columns) * 20).astype(dtype)
        B = A.copy()
        got, wanted = program(A), function(B)
        np.testing.assert_allclose(A, B, rtol=1e-5 if dtype is np.float32 else 1e-12)
        if wanted is not None:
            np.testing.assert_allclose(got, wanted, rtol=1e-5 if dtype is np.float32 else 1e-12)


def columns_that_may_lie_outside(A, b, n):
    total = np.zeros(A.shape[0])
    for k in range(n):
        total += (A[:, k:k + 1] * A + b[k:k + 1]).sum(axis=1)
    return total


def test_a_slice_of_one_element_spreads():
    program = sluice.program(columns_that_may_lie_outside, strict=True)
    for rows, columns in [(4, 6), (6, 4), (3, 9)]:
        A, b = np.random.default_rng(rows).random((rows, columns)), np.arange(float(columns))
        np.testing.assert_allclose(program(A, b, columns), columns_that_may_lie_outside(A, b, columns), rtol=1e-12)
        with pytest.raises(ValueError):
            columns_that_may_lie_outside(A, b, columns + 1)
        with pytest.raises(ValueError):
            program(A, b, columns + 1)


def one_column(A, k):
    out = A[:, k:k + 1] + A
    out *= A[k:k + 1]
    A[:, k:k + 1] = A[:, :1] * 2
    A[k:k + 1] += A[:1]
    return out


@pytest.mark.parametrize("strict", [True, False])
def test_its_place_may_be_a_number_of_the_call(strict):
    program = sluice.program(one_column, strict=strict)
    for size, places in ((5, (0, 2, 4, -2, -5)), (1, (0,))):
        for k in places:
            A = np.random.default_rng(size).random((size, size))
            B = A.copy()
            np.testing.assert_allclose(program(A, k), one_column(B, k), rtol=1e-12)
            np.testing.assert_allclose(A, B, rtol=1e-12)
    for k in (5, 8, -1, -9):  # None lies there: A[:, -1:0].
        with pytest.raises(ValueError):
            one_column(np.ones((5, 5)), k)
        with pytest.raises(ValueError):
            program(np.ones((5, 5)), k)


def test_only_what_is_read_elsewhere_is_kept():
    A = np.ones((30, 30))
    sdfg = sluice.program(shortest_paths).to_sdfg(A)
    kept = [array.shape for array in sdfg.arrays.values() if array.transient and np.prod([int(size) for size in array.shape]) > 30]
    assert not kept


def named_by_position(a, b):
    d = a - b
    np.maximum(d, 0, d)
    e = np.subtract.outer(a, b)
    np.minimum(e, 0.5, e)
    np.sqrt(a, a)
    history = [a]
    np.negative(a, a)
    return d, e, np.maximum(a, b, np.zeros_like(a)), history[0] is not None, np.array(history)


def test_the_array_that_takes_a_result_by_position():
    program = sluice.program(named_by_position, strict=True)
    for n in (3, 6):
        given, wanted = np.linspace(0, 2, n), np.linspace(0, 2, n)
        for got, expected in zip(program(given, np.linspace(0.3, 1, n)), named_by_position(wanted, np.linspace(0.3, 1, n)), strict=True):
            np.testing.assert_allclose(got, expected, rtol=1e-12)
        np.testing.assert_allclose(given, wanted, rtol=1e-12)
