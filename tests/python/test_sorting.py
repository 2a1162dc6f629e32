"""Sorting, searching, quantiles and counting with odd values: every element type, axes, NaN, ties, empty arrays, views, what lies outside."""
import functools

import numpy as np
import pytest

import sluice
from against_numpy import agree

N, M, K = sluice.symbol("N"), sluice.symbol("M"), sluice.symbol("K")
f8, f4, i8 = sluice.float64, sluice.float32, sluice.int64
rng = np.random.default_rng(11)


@pytest.mark.parametrize("kind", [np.float32, np.int32, np.int16, np.uint64, np.uint8, np.bool_])
def test_every_element_type(kind):
    @sluice.program
    def f(x, A):
        return np.sort(A[::-1, ::2], axis=-1), np.median(x), np.searchsorted(np.sort(x), x)
    x, A = rng.integers(0, 120, 37).astype(kind), rng.integers(0, 100, (6, 40)).astype(kind)
    if kind is np.uint64:
        x[3], x[7] = 2**64 - 1, 2**63
    wanted = [np.sort(A[::-1, ::2], axis=-1)]
    if kind is not np.bool_:
        wanted += [np.median(x), np.searchsorted(np.sort(x), x)]
    got = f(x, A)
    for w, g in zip(wanted, got):
        np.testing.assert_array_equal(np.squeeze(g), w)
        assert np.asarray(g).dtype == np.asarray(w).dtype


@sluice.program
def sorted_in_place(A: f8[N, M], x: f8[K]):
    A.sort(axis=0)
    x[::2].sort()
    y = np.sort(x)
    x[0] = 100.0
    return y, np.sort(A, axis=None), np.sort(A.T), x.argsort(), np.sort(A[0] + A[1]), A[np.argsort(A[:, 0])], np.take_along_axis(A, np.argsort(A, axis=0), axis=0)


@sluice.program
def with_nan(Q: f8[N, M], q: f8[K], s: f4[K]):
    return (np.sort(q), np.argsort(q, kind='stable'), np.sort(Q, axis=0), np.median(q), np.median(Q, axis=1), np.percentile(Q, 40, axis=0), np.nanmedian(q), np.nanmedian(Q, axis=0),
            np.nanpercentile(Q, 25, axis=1), np.nanmax(Q, axis=0), np.sort(s), np.searchsorted(np.sort(q), q), np.searchsorted(np.sort(q), q, side='right'), np.interp(q, [0.0, 1.0, 2.0], [5.0, 7.0, 6.0]))


@sluice.program
def quantiles(A: f8[N, M], y: f4[K], I: sluice.int32[K], p: f8):
    return (np.median(A), np.median(A, axis=0, keepdims=True), np.median(y), np.median(I), np.percentile(A, p), np.percentile(A, [0, 50, 100], axis=1), np.quantile(y, 0.3), np.quantile(I, 0.75),
            np.quantile(A, 0.1, axis=0, method='lower'), np.percentile(I, 33, method='higher'), np.percentile(A, 20, axis=-1), np.quantile(A, [0.25, 0.5]), np.median(A, keepdims=True), np.percentile(y, 90))


@sluice.program
def searched(s: f8[N], x: f8[M], I: i8[K]):
    return (np.searchsorted(s, x), np.searchsorted(s, x, side='right'), np.searchsorted(s, x[0]), np.digitize(x, s), np.digitize(x, s[::-1]), np.digitize(x, s, right=True), np.interp(x, s, s * s),
            np.interp(x, s, s * s, left=-1.0, right=9.0), np.interp(x[1], s, -s), np.searchsorted(I, x), np.lexsort((x, np.round(x))), np.interp(I, s, s + 1))


@sluice.program
def counted(x: f8[M], y: f8[M], I: i8[K]):
    c, e = np.histogram(x, 7)
    d, e2 = np.histogram(x, bins=[-2.0, -0.5, 0.0, 2.0])
    w, e3 = np.histogram(x, 4, range=(-1, 1), weights=y)
    p, e4 = np.histogram(x, 5, density=True)
    g, e5 = np.histogram(I, 3)
    h, ex, ey = np.histogram2d(x, y, bins=4)
    b = np.bincount(I, minlength=20)
    return c, e, d, e2, w, e3, p, e4, g, e5, h, ex, ey, b[3], np.sum(b), np.sum(np.bincount(I, weights=x[:1].repeat(6))), np.histogram_bin_edges(x, 3)


A = rng.normal(size=(7, 5)).round(1)
Q = A.copy()
Q[2, 3] = Q[5, 0] = Q[:, 4] = np.nan
q = np.array([1.5, np.nan, -2, 1.5, np.inf, np.nan, 0.0, -np.inf])


@pytest.mark.parametrize("program, arguments", [
    (sorted_in_place, (A, rng.normal(size=9))), (with_nan, (Q, q, q.astype(np.float32))), (quantiles, (A, rng.normal(size=8).astype(np.float32), rng.integers(-5, 9, 8).astype(np.int32), np.float64(62.5))),
    (searched, (np.sort(rng.normal(size=6).round(1)), np.append(rng.normal(size=9).round(1), [-9.0, 9.0]), np.array([-3, 0, 0, 2, 5]))),
    (counted, (rng.normal(size=40), rng.uniform(size=40), np.array([3, 0, 3, 7, 3, 1])))], ids=lambda p: getattr(p, "name", ""))
def test_means_what_numpy_means(program, arguments):
    agree(program, *arguments)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (5, 1), (1, 5)])
def test_sizes_of_none_and_one(shape):
    @sluice.program
    def f(A: f8[N, M]):
        return np.sort(A), np.sort(A, axis=0), np.argsort(A, axis=0), np.sort(A, axis=None)
    agree(f, rng.normal(size=shape))


def test_errors_are_numpys():
    @sluice.program
    def f(x: f8[N], p: f8):
        return np.percentile(x, p)

    @sluice.program
    def g(x: f8[N], e: f8[M]):
        return np.digitize(x, e)
    for program, arguments in [(f, (A[0], 120.0)), (g, (A[0], np.array([0.0, 2.0, 1.0])))]:
        with pytest.raises(ValueError):
            program(*arguments)
        with pytest.raises(ValueError):
            np.percentile(A[0], 120.0)


def test_more_than_a_run():
    @sluice.program
    def f(x: f8[N]):
        return np.sort(x), np.argsort(x, kind='stable')
    for n in (15, 16, 17, 33, 1000, 4097):
        agree(f, rng.integers(0, 50, n).astype(float))


@functools.cache
def of_any_length(dtype, dimensions):
    @sluice.program
    def in_order(x: getattr(sluice, dtype)[[(N,), (M, N)][dimensions - 1]]):
        return np.sort(x), np.argsort(x, kind='stable'), np.sort(x, axis=0), np.argsort(x, axis=0, kind='stable'), np.sort(x[..., ::-1]), np.argsort(x)
    return in_order


def rows_of(dtype, shape):
    rng = np.random.default_rng(12)
    if dtype == np.bool_:
        return rng.random(shape) < 0.5
    if np.issubdtype(dtype, np.integer):
        info = np.iinfo(dtype)
        few = rng.integers(-3, 4, shape) if info.min < 0 else rng.integers(0, 4, shape)
        return np.where(rng.random(shape) < 0.5, few.astype(dtype), rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True))
    return rng.choice([-np.inf, -2.5, -0.0, 0.0, 1e-310, 1.0, 1.5, np.inf, np.nan, *rng.normal(size=20)], shape).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int32, np.int16, np.int8, np.uint64, np.uint32, np.uint16, np.uint8, np.bool_])
def test_rows_of_every_length(dtype):
    """Counted where they are few, in lanes of vectors, by radix where they are many; equal elements keep their order in argsort, whatever kind says."""
    for length in (0, 1, 2, 9, 16, 17, 40, 127, 128, 256, 257, 512, 513, 1000, 20000):
        for shape in [(3, length)] + [(length,)] * (dtype in (np.float64, np.uint16)):
            x = rows_of(dtype, shape)
            wanted = [np.sort(x, kind='stable'), np.argsort(x, kind='stable'), np.sort(x, axis=0), np.argsort(x, axis=0, kind='stable'), np.sort(x[..., ::-1], kind='stable')]
            for right, got in zip([*wanted, wanted[1]], of_any_length(x.dtype.name, x.ndim)(x), strict=True):
                assert right.dtype == got.dtype
                np.testing.assert_array_equal(got, right)


def test_zeros_of_both_signs_keep_their_order():
    x = np.where(np.arange(500) % 3 == 0, -0.0, 0.0)
    np.testing.assert_array_equal(np.signbit(of_any_length("float64", 1)(x)[0]), np.signbit(x))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_numbers_without_a_negative_zero(dtype):
    for length in (7, 8, 9, 31, 63, 64, 65, 512, 513, 2000, 20000):
        x = np.random.default_rng(13).normal(size=length).astype(dtype) + dtype(0)
        x[::50], x[1::70] = np.nan, np.inf
        got = of_any_length(x.dtype.name, 1)(x)[0]
        assert got.dtype == dtype
        np.testing.assert_array_equal(got, np.sort(x))


def rows_in_order(kind):
    @sluice.program
    def in_order(x: kind[N]):
        return np.sort(x), np.argsort(x, kind='stable')
    return in_order


@pytest.mark.parametrize("kind", ["float64", "float32", "uint64", "int16"])
def test_every_length(kind):
    in_order = rows_in_order(getattr(sluice, kind))
    for n in [*range(20), 31, 33, 64, 65, 97, 128, 129, 200, 257, 1000, 2049, 5000, 40000]:
        for of in (8 * n + 1, 3, 1):
            x = rng.integers(0, 2 * of, n).astype(kind)
            if kind[0] == "f":
                x = np.where(x % 2, -x, x)
                for value in (np.nan, -0.0, np.inf):
                    x[rng.random(n) < 0.1] = value
            values, places = in_order(x)
            np.testing.assert_array_equal(places, np.argsort(x, kind='stable'))
            np.testing.assert_array_equal(values, x[places])
            zeros = values == 0
            np.testing.assert_array_equal(np.signbit(values[zeros].astype(np.float64)), np.signbit(x[places][zeros].astype(np.float64)))


def test_what_makes_bad_pivots():
    n = 5000
    parts = np.arange(n)
    for kind in ("int64", "float64"):
        in_order = rows_in_order(getattr(sluice, kind))
        for x in (parts, parts[::-1], np.minimum(parts, n - parts), parts % 2, parts % 64, np.where(parts % 625 == 312, 0, parts), np.full(n, 2**63 - 1), np.where(parts % 2, 2**63 - 1, -2**63)):
            x = np.ascontiguousarray(x).astype(kind)
            values, places = in_order(x)
            np.testing.assert_array_equal(places, np.argsort(x, kind='stable'))
            np.testing.assert_array_equal(values, np.sort(x))


def test_what_selection_gives():
    @sluice.program
    def selected(x: f8[N], p: f8[K], A: i8[M, N], s: f4[N]):
        return np.median(x), np.percentile(x, p), np.quantile(x, 0.3), np.median(A, axis=1), np.percentile(A, 40, axis=0), np.median(s), np.quantile(x, p / 100, method='nearest')
    for n in (1, 2, 3, 50, 129, 1000, 5000):
        x = rng.normal(size=n)
        for kind in range(4):
            x = (x, np.round(x), np.where(rng.random(n) < 0.5, -0.0, x), np.where(rng.random(n) < 0.01, np.nan, np.full(n, 3.0)))[kind]
            for count in (1, 2, 40):
                p = np.linspace(0, 100, count) if count > 1 else np.array([50.0])
                arguments = x, p, rng.integers(-9, 9, (3, n)), x.astype(np.float32)
                for mine, theirs in zip(selected(*arguments), selected.f(*arguments)):
                    np.testing.assert_allclose(mine, theirs, rtol=1e-6 if mine.dtype == np.float32 else 1e-13, atol=1e-13)


def test_medians_and_quantiles_along_any_axis():
    def of_three(x):
        return np.median(x, axis=0), np.median(x, axis=1), np.median(x, axis=2), np.percentile(x, [10, 50], axis=1), np.quantile(x, 0.3, axis=-1, keepdims=True)

    def of_stacked(image):
        h, w = image.shape
        return np.median(np.stack([image[i:i + h - 2, j:j + w - 2] for i in range(3) for j in range(3)]), axis=0)

    for function, x in ((of_three, np.random.default_rng(3).random((4, 5, 6))), (of_stacked, np.random.default_rng(4).random((7, 9)))):
        got, expected = sluice.program(function, strict=True)(x), function(x)
        for one, other in zip(got if isinstance(got, tuple) else (got,), expected if isinstance(expected, tuple) else (expected,)):
            np.testing.assert_allclose(one, other, rtol=1e-14)
