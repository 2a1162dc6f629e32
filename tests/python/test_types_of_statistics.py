"""Types of what statistics return, where NumPy's own differ from what one expects: arrays of rank 0, quantiles in the type of their places."""
import numpy as np
import pytest

import sluice


def covariances(x, A):
    c = np.cov(x)
    return c, np.cov(A), np.corrcoef(x), np.array(x[0]), np.asarray(x.sum()), np.zeros(()), c + 1, c * c


def quantiles(x, A):
    return (np.percentile(x, 30), np.percentile(x, [10, 50, 90]), np.quantile(x, 0.25), np.quantile(A, [0.2, 0.7], axis=1), np.percentile(A, 40, axis=0),
            np.median(A, axis=1))


def draws(x, A):
    rng = np.random.default_rng(5)
    return rng.integers(0, 0, size=0), rng.integers(7, 7, size=len(x)), rng.integers(0, 9, size=3)


def same(got, wanted):
    assert type(got) is type(wanted) and got.dtype == wanted.dtype and got.shape == wanted.shape, (got, wanted)
    assert np.allclose(got, wanted, rtol=1e-5 if got.dtype == np.float32 else 1e-12, equal_nan=True), (got, wanted)


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("function", [covariances, quantiles])
def test_types_are_numpys(function, strict):
    program = sluice.program(function, strict=strict)
    x = np.array([1.5, -2.0, 4.0, 0.25, 3.0])
    for dtype in (np.float64, np.float32, np.int64):
        arguments = x.astype(dtype), np.outer(x, x[::-1]).astype(dtype)
        for got, wanted in zip(program(*arguments), function(*arguments), strict=True):
            same(got, wanted)


def test_no_number_needs_no_bounds():
    program = sluice.program(draws, strict=True)
    for got, wanted in zip(program(np.zeros(0), None), draws(np.zeros(0), None), strict=True):
        assert got.dtype == wanted.dtype and np.array_equal(got, wanted)
    with pytest.raises(ValueError, match="low >= high"):
        program(np.zeros(2), None)
