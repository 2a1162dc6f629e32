"""Arrays viewed as elements of another type, and the functions that ask for the bits of numbers."""
import numpy as np
import pytest

import sluice

N = sluice.symbol("N")


@sluice.program(strict=True)
def smaller(A: sluice.int32[N]):
    B = A.view(np.int16)
    B[:] += 1
    return B[1:3]


@sluice.program(strict=True)
def larger(A: sluice.int16[N]):
    B = A.view(sluice.int32)
    B += 1
    return A.view(np.uint16)


@sluice.program(strict=True)
def of_a_part(A: sluice.float64[N, N]):
    return A[1:, 0].view(np.int64), (A * 2).view(np.uint64), A[1, 1].view(np.int64), np.max(A).view(np.int64) + 1


def test_views_share_the_memory():
    rng = np.random.default_rng(0)
    A = rng.integers(0, 2**31, 10, dtype=np.int32)
    for program, A in ((smaller, A), (larger, A.view(np.int16).copy())):
        B = A.copy()
        expected = program.f(B)
        np.testing.assert_array_equal(program(A), expected)
        np.testing.assert_array_equal(A, B)
    A = rng.random((3, 3))
    for mine, own in zip(of_a_part(A), of_a_part.f(A), strict=True):
        assert mine.dtype == own.dtype
        np.testing.assert_array_equal(mine, own)

    @sluice.program(strict=True)
    def number(x: sluice.float64):
        return np.float64(x).view(np.int64)
    assert number(1.5) == np.float64(1.5).view(np.int64)


def test_sizes_that_do_not_divide():
    with pytest.raises(ValueError, match="its size must be a divisor"):
        larger(np.zeros(9, np.int16))

    @sluice.program(strict=True)
    def known(A: sluice.float32[5]):
        return A.view(np.float64)
    with pytest.raises(ValueError, match="its size must be a divisor"):
        known(np.zeros(5, np.float32))

    @sluice.program(strict=True)
    def part(A: sluice.float32[8]):
        return A[2:4].view(np.float64)
    with pytest.raises(sluice.CompileError, match="F001: .*a view of a part of an array"):
        part(np.zeros(8, np.float32))


@sluice.program(strict=True)
def bits(x, y):
    fractions, powers = np.frexp(x)
    return fractions, powers, np.nextafter(x, y), np.spacing(x)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32])
def test_bits_are_those_of_numpy(dtype):
    rng = np.random.default_rng(1)
    x = (rng.random(400) * 10.0 ** rng.integers(-30, 30, 400)).astype(np.float32)
    if dtype == np.int32:
        x = rng.integers(-1000, 1000, 400)
    else:
        info = np.finfo(dtype)
        x = np.concatenate([x, -x[:50], [0.0, -0.0, 1, -1, 2, np.inf, -np.inf, np.nan, info.max, -info.max, info.tiny, info.smallest_subnormal,
                                         -info.smallest_subnormal, info.tiny * 3 / 8]])
    x = x.astype(dtype)
    y = rng.permutation(x)
    y[:5] = x[:5]
    with np.errstate(all="ignore"):
        expected = bits.f(x, y)
    for name, mine, own in zip(("fraction", "power", "nextafter", "spacing"), bits(x, y), expected, strict=True):
        assert mine.dtype == own.dtype, name
        np.testing.assert_array_equal(mine, own, name)
        np.testing.assert_array_equal(np.signbit(mine), np.signbit(own) & ~np.isnan(own) | np.signbit(mine) & np.isnan(own), name)


@sluice.program(strict=True)
def spread(A: sluice.int32[N], B: sluice.int32[3], where: sluice.bool[N, 3], out: sluice.int32[N, 3]):
    np.add.outer(A, B, where=where, out=out)
    return np.multiply.outer(A, B, dtype=np.float64), np.add.reduce(5), np.sum(A[0], axis=0), np.maximum.reduce(A)


def test_outer_takes_what_the_function_takes():
    A, B = np.arange(4, dtype=np.int32), np.arange(3, dtype=np.int32) + 7
    where = (np.arange(12).reshape(4, 3) % 5) > 2
    mine, own = np.full((4, 3), 99, np.int32), np.full((4, 3), 99, np.int32)
    for one, other in zip(spread(A, B, where, mine), spread.f(A, B, where, own), strict=True):
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(mine, own)


def test_integers_between_real_numbers():
    @sluice.program(strict=True)
    def ranges(x: sluice.float64):
        return np.arange(2.5, 10, 3, dtype=np.int32), np.arange(x, 4, 0.75, dtype=np.int64), np.arange(-x, 2.5, dtype=np.int16)
    for mine, own in zip(ranges(-1.75), ranges.f(-1.75), strict=True):
        assert mine.dtype == own.dtype
        np.testing.assert_array_equal(mine, own)


def test_slices_that_have_names():
    inner = slice(1, -1)

    @sluice.program(strict=True)
    def sliced(A: sluice.float64[N, N], k: sluice.int64):
        rows, columns = A.shape[0], 2
        s = slice(1, k + 1)
        last = slice(A.shape[0] - 1)
        A[s, inner] = 5
        for i in range(columns):
            A[i, s] += i
        return A[last, slice(None, None, 2)] * rows, A[inner][:, last]
    mine, own = np.arange(36.0).reshape(6, 6), np.arange(36.0).reshape(6, 6)
    for one, other in zip(sliced(mine, 3), sliced.f(own, 3), strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(mine, own)


def test_errors_of_shapes_are_those_of_numpy():
    @sluice.program(strict=True)
    def add(A: sluice.float64[3], B: sluice.float64[4]):
        return A + B

    @sluice.program(strict=True)
    def axis(A: sluice.float64[3]):
        return np.sum(A, axis=1)
    for kind in (ValueError, sluice.CompileError, sluice.ShapeError):
        with pytest.raises(kind, match="F004"):
            add(np.zeros(3), np.zeros(4))
    for kind in (ValueError, IndexError, sluice.ShapeError):
        with pytest.raises(kind, match="F007"):
            axis(np.zeros(3))
