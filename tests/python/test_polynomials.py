"""Polynomials of NumPy's, the highest power first, and arrays of what is iterated over, compared with NumPy."""
import numpy as np
import pytest

import sluice


def products(a, b):
    return np.polymul(a, b), np.polymul([0, 0, 1, 2], [0, 3]), np.polymul([0, 0], [1, 2]), np.polymul(a, 2.0)


def quotients(a, b):
    q, r = np.polydiv(a, b)
    return q, r, np.polydiv(np.polymul(a, b), b), np.polydiv(b[:1], a), np.polydiv([1, 2, 3], [2])


def fitted(x, y):
    p = np.poly1d(np.polyfit(x, y, 2))
    return p(x), p(0.5), p(x[0]), np.poly1d([1, -2, 3])(2)


def iterated(n, a):
    return (np.fromiter((i * i for i in range(n)), dtype=float), np.fromiter((i for i in range(n) if i % 2), np.int32), np.fromiter([x * 2 for x in a], a.dtype, count=2),
            np.fromiter((x for x in a if x > 100), dtype=np.float64))


def into_slices(a):
    def length(p):
        return np.sqrt((p ** 2).sum())
    out = np.zeros(len(a))
    out[1:] = [length(p) for p in a[1:]]
    out[:2] = [v for v in range(2)]
    return out


X = np.linspace(-1.0, 2.0, 9)


@pytest.mark.parametrize("call", [(products, np.array([0.0, 1.0, 2.0]), np.array([3.0, 1.0])), (products, np.array([0, 0]), np.array([0, 3])), (quotients, np.array([3.0, 5.0, 2.0, 1.0]), np.array([2.0, 1.0])),
                                  (quotients, np.array([1, 0, -1]), np.array([1, 1])), (fitted, X, X ** 2 - X), (iterated, 7, X), (into_slices, X.reshape(3, 3))],
                         ids=lambda call: call[0].__name__)
def test_means_what_numpy_means(call):
    def same(one, other):
        assert type(one) is type(other), (one, other)
        if isinstance(one, tuple):
            assert len(one) == len(other)
            return [same(*both) for both in zip(one, other)]
        assert np.shape(one) == np.shape(other) and np.asarray(one).dtype == np.asarray(other).dtype, (one, other)
        return np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)
    function, *arguments = call
    same(sluice.program(function, strict=True)(*arguments), function(*arguments))


def too_short(n):
    return np.fromiter((i for i in range(n)), dtype=float, count=9)


def test_too_few_elements():
    for function in (too_short, sluice.program(too_short, strict=True)):
        with pytest.raises(ValueError, match="iterator too short"):
            function(4)


def returned(c):
    return np.poly1d(c)


def derived(c):
    return np.poly1d(c).deriv()


@pytest.mark.parametrize("function", [returned, derived])
def test_other_uses_of_poly1d_are_refused(function):
    with pytest.raises(sluice.CompileError):
        sluice.program(function, strict=True)(X)
