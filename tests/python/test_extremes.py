"""Places of the smallest and largest elements, sums along rows, convolutions, joined arrays: what runs in one pass over memory, against NumPy."""
import numpy as np
import pytest

import sluice


@sluice.program
def places(a):
    return np.argmin(a, axis=-1), np.argmax(a, axis=-1), np.argmax(a), np.argmin(a, axis=-1, keepdims=True), np.argmax(a, axis=0)


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64, np.int16, np.uint16, np.int8, np.uint8, np.uint64, np.bool_])
def test_places_of_extremes(kind):
    random = np.random.default_rng(1)
    for shape in [(1,), (31,), (5000,), (70001,), (3, 40), (2, 3, 700), (7, 1)] if kind in (np.float64, np.int64, np.uint8) else [(70001,), (3, 700)]:
        for most in (2, 200):  # many equal ones, few
            a = random.integers(0, most, shape).astype(kind)
            for one, other in zip(places(a.copy()), places.f(a)):
                assert np.array_equal(one, other) and np.asarray(one).dtype == np.int64 and np.shape(one) == np.shape(other)


@pytest.mark.parametrize("at", [(0,), (1023,), (17, 5), (600, 2000), (4999,)])
def test_the_first_nan_is_the_extreme(at):
    a = np.random.default_rng(2).random(5000)
    a[list(at)] = np.nan
    for given in (a, a.reshape(10, 500), a[::2], a.reshape(50, 100).T, a.reshape(50, 100)[:, 10:90], -a, np.where(np.isnan(a), -0.0, 0.0)):
        for one, other in zip(places(given), places.f(given)):
            assert np.array_equal(one, other)


@sluice.program
def sums(a):
    return np.cumsum(a, axis=1), np.cumsum(a, axis=0), np.cumprod(a, axis=-1), np.cumsum(a)


@pytest.mark.parametrize("shape", [(1, 1), (5, 7), (3, 0), (0, 3), (40, 1)])
def test_running_sums_of_rows(shape):
    for kind in (np.float64, np.int32, np.bool_):
        a = (np.random.default_rng(3).random(shape) * 3).astype(kind)
        for one, other in zip(sums(a.copy()), sums.f(a)):
            assert one.dtype == other.dtype and one.shape == other.shape and np.array_equal(one, other)


@sluice.program
def convolutions(a, v):
    return np.convolve(a, v), np.convolve(a, v, mode="same"), np.convolve(a, v, mode="valid")


@pytest.mark.parametrize("n, m", [(1, 1), (5, 3), (3, 5), (1024, 2), (2100, 9), (9, 2100), (1500, 1400)])
def test_convolutions_longer_than_a_block(n, m):
    random = np.random.default_rng(4)
    for a, v in ((random.random(n), random.random(m)), (random.integers(-9, 9, n), random.integers(-9, 9, m))):
        for one, other in zip(convolutions(a, v), convolutions.f(a, v)):
            assert one.dtype == other.dtype and one.shape == other.shape and np.allclose(one, other, rtol=1e-13, atol=1e-12)


@sluice.program
def windows(x, y):
    for i in range(x.shape[0]):
        for j in range(max(0, i - 2), min(x.shape[0], i + 3)):
            y[i] += x[j]


def test_windows_index_without_wrapping():
    x = np.arange(7.0)
    mine, other = np.zeros(7), np.zeros(7)
    windows(x, mine)
    windows.f(x, other)
    assert np.array_equal(mine, other)
    assert "< 0 ?" not in windows.compile(x, mine).source


@sluice.program
def joined(x, y):
    return np.concatenate((x, y, x))


@sluice.program
def joined_and_changed(x, y):
    both = np.concatenate((x, y))
    twice = both * 2
    both[0] = twice[1]
    return both, twice


def test_results_are_made_where_they_are_returned():
    x, y = np.arange(4.0), np.arange(3.0)
    assert np.array_equal(joined(x, y), joined.f(x, y))
    assert "Buffer<" not in joined.compile(x, y).source
    for one, other in zip(joined_and_changed(x, y), joined_and_changed.f(x, y)):
        assert np.array_equal(one, other)
