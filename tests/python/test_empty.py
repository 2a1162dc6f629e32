"""Empty arrays, and sizes that would be negative: NumPy's answers, and its errors at the call."""
import numpy as np
import pytest

import sluice
from against_numpy import agree, plain

N, M = sluice.symbol("N"), sluice.symbol("M")
f8, i8 = sluice.float64, sluice.int64


@sluice.program
def largest(A: f8[N, M]):
    return np.max(A)


@sluice.program
def least_of_rows(A: f8[N, M]):
    return np.min(A, axis=1)


@sluice.program
def largest_of_columns(A: f8[N, M]):
    return A.max(axis=0, keepdims=True)


@sluice.program
def with_initial(A: f8[N, M]):
    return np.max(A, axis=0, initial=-3.0)


@sluice.program
def position(A: f8[N, M]):
    return np.argmin(A, axis=1)


@sluice.program
def overall_position(A: f8[N, M]):
    return np.argmax(A)


@sluice.program
def sums(A: f8[N, M]):
    return np.sum(A, axis=0)


@sluice.program
def behind_a_condition(A: f8[N, M]):
    r = 0.0
    if A.shape[0] * A.shape[1] > 0:
        r = np.max(A)
    return r


@sluice.program
def behind_a_return(A: f8[N, M]):
    if A.shape[0] * A.shape[1] == 0:
        return -1.0
    return np.max(A)


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0), (2, 3)])
@pytest.mark.parametrize("program", [largest, least_of_rows, largest_of_columns, with_initial, position, overall_position, sums, behind_a_condition, behind_a_return], ids=lambda p: p.name)
def test_reductions(program, shape):
    A = np.arange(float(np.prod(shape))).reshape(shape)
    try:
        plain(program)(A)
    except ValueError as wanted:
        with pytest.raises(ValueError) as error:
            program(A)
        assert str(wanted) in str(error.value)
    else:
        agree(program, A)


@sluice.program
def square(n: i8):
    a = np.zeros((n, n))
    return a.shape[0]


@sluice.program
def written(n: i8, m: i8):
    a = np.ones((n, m))
    a[0, 0] = 5.0
    return np.sum(a)


@sluice.program
def ramp(n: i8):
    return np.sum(np.linspace(0.0, 1.0, n))


@sluice.program
def diagonal(n: i8):
    return np.sum(np.eye(n, n))


@sluice.program
def filled(n: i8):
    return np.sum(np.full((2, n, n), 3.0))


@sluice.program
def difference(A: f8[N], n: i8):
    b = np.empty(N - n)
    b[:] = 1.0
    return np.sum(b)


@pytest.mark.parametrize("program, arguments", [
    (square, (-3,)), (square, (3,)), (square, (0,)), (written, (-2, -3)), (written, (2, -1)), (written, (2, 3)), (filled, (-1,)), (filled, (2,)), (diagonal, (-2,)), (diagonal, (3,)),
    (difference, (np.zeros(3), 2)), (difference, (np.zeros(3), 4)), (difference, (np.zeros(3), 3))], ids=lambda v: getattr(v, "name", None))
def test_sizes_below_zero(program, arguments):
    try:
        plain(program, N=3)(*arguments)
    except ValueError as wanted:
        with pytest.raises(ValueError) as error:
            program(*arguments)
        assert str(wanted) in str(error.value) or "negative" in str(error.value)
    else:
        agree(program, *arguments, N=3)


def test_linspace_of_a_negative_number_of_points():
    with pytest.raises(ValueError):
        ramp(-2)


@sluice.program
def part(a: f8[N], k: i8):
    t = a[k:k + 3]
    return t


@sluice.program
def copied_part(a: f8[N], k: i8, j: sluice.int32):
    return a[k:j] * 2.0, k + a[0], j * np.ones(2, dtype=np.float32)


@sluice.program
def grown(k: i8):
    return np.ones((k, 2)) * k


@pytest.mark.parametrize("program, arguments", [
    (part, (np.arange(9.0), 2)), (part, (np.arange(9.0), 7)), (part, (np.arange(9.0), -2)), (part, (np.arange(9.0), 12)),
    (copied_part, (np.arange(9.0), 1, np.int32(4))), (copied_part, (np.arange(9.0), 5, np.int32(-1))), (grown, (3,)), (grown, (0,))],
    ids=lambda v: getattr(v, "name", None))
def test_sizes_of_results_follow_from_numbers(program, arguments):
    agree(program, *arguments, N=9)


@pytest.mark.parametrize("size", [0, 2, 9])
def test_a_size_that_only_the_run_knows(size):
    @sluice.program
    def f(a: f8[N], J: i8[M]):
        return a[:J[0]]

    @sluice.program
    def g(a: f8[N], k: i8):
        k += 1
        return a[:k]
    a = np.arange(9.0)
    agree(f, a, np.array([size]))
    agree(g, a, size)


def test_covariances_of_nothing_and_of_one():
    """They are NaN; that of nothing was -0.0."""
    program = sluice.program(lambda x: np.cov(x), strict=True)
    assert np.isnan(program(np.zeros(0))) and np.isnan(program(np.ones(1))) and program(np.arange(3.0)) == 1.0


def test_histograms_and_quantiles_of_nothing():
    def histograms(x):
        return np.histogram(x[x > 5.0], bins=3), np.histogram(x[x > 2.0], bins=2), np.histogram(x.astype(np.int64)[:0], 4)

    x = np.array([1.0, 3.0])
    for (counts, edges), (mine, own) in zip(histograms(x), sluice.program(histograms, strict=True)(x)):
        np.testing.assert_array_equal(mine, counts)
        np.testing.assert_array_equal(own, edges)

    def quantile(x):
        return np.percentile(x[x > 5.0], 50)

    with pytest.raises(IndexError, match="index -1 is out of bounds for axis 0 with size 0"):
        sluice.program(quantile, strict=True)(x)


def test_covariances_of_one_variable_of_a_matrix_have_no_dimensions():
    x = np.arange(4.0)[None]
    ours = sluice.program(covariances, strict=True)
    assert np.shape(ours(x)) == np.shape(np.cov(x)) == () and type(ours(x)) is np.ndarray
    np.testing.assert_allclose(ours(x), np.cov(x), rtol=1e-14)

    def of_the_run(x):
        return np.cov(x[x[:, 0] > 1.0])

    A = np.arange(6.0).reshape(3, 2)
    with pytest.raises(NotImplementedError, match="covariances of a matrix of one variable"):
        sluice.program(of_the_run, strict=True)(A - 2.0)
    np.testing.assert_allclose(sluice.program(of_the_run, strict=True)(A), np.cov(A[1:]), rtol=1e-14)


def covariances(x):
    return np.cov(x)


def medians(x, m):
    return np.median(x), np.median(x[x > 3]), np.median(m, axis=0), np.median(m, axis=1), np.median(m.astype(np.int32)), np.nanmedian(x)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
def test_the_median_of_nothing_is_nan(dtype):
    x, m = np.zeros(0, dtype=dtype), np.zeros((0, 3))
    with np.errstate(all="ignore"):
        for got, wanted in zip(sluice.program(medians, strict=True)(x, m), medians(x, m)):
            assert got.dtype == wanted.dtype
            np.testing.assert_array_equal(got, wanted)
