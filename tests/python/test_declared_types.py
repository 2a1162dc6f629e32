"""Annotations of locals: types of Sluice's are instructions, those of Python and NumPy are hints, as in Python."""
import numpy as np

import sluice

N = sluice.symbol("N")
Real = sluice.float32  # a name of the module for a type
Hint = np.float32


@sluice.program(strict=True)
def hinted(A: sluice.float64[N]):
    x: int = 2.5
    y: np.float32 = 0.1
    z: int = A[0]
    z += 1
    u: float = 3
    v: float = 3
    v += 1
    w: Hint = 0.1
    s: float = 0
    for i in range(A.shape[0]):
        s += A[i]
    t: int = 0
    for i in range(A.shape[0]):
        t += A[i]
    B: np.int64[N] = A  # noqa: F821
    return x, y, z, u, v, w, s, t, B


def test_hints_change_nothing():
    A = np.array([0.75, 2.5, -1])
    result, expected = hinted(A), hinted.f(A)
    for mine, own in zip(result, expected, strict=True):
        assert np.asarray(mine).dtype == np.asarray(own).dtype
        np.testing.assert_array_equal(mine, own)


@sluice.program(strict=True)
def declared(A: sluice.float32[N]):
    a: sluice.uint16 = 5
    b: sluice.float32 = 0.1
    c: sluice.float64[N] = A
    d: sluice.float32[N] = A  # of the same type: another name
    d[0] = 7
    e: sluice.int32 = A[1]
    e += 1
    f: Real = 0.1
    g: "sluice.int8" = 100
    i = sluice.define_local_scalar(sluice.int32)
    i = 3
    return a, b, c, e, f, g, i, A[1] + i


def test_declarations_convert():
    A = np.array([1.5, 2.75], np.float32)
    expected = (np.uint16(5), np.float32(0.1), A.astype(np.float64), np.int32(3), np.float32(0.1), np.int8(100), np.int32(3),
                np.float32(2.75) + np.int32(3))
    for mine, own in zip(declared(A), expected, strict=True):
        assert np.asarray(mine).dtype == np.asarray(own).dtype
        np.testing.assert_array_equal(mine, own)
    assert A[0] == 7
