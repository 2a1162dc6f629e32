"""Numbers of Python's adapt to what they meet, numbers of NumPy's do not (NEP 50): arguments without annotation are what the call
passes."""
import numpy as np
import pytest

import sluice
from against_numpy import agree

N, M = sluice.symbol("N"), sluice.symbol("M")


@sluice.program
def scaled(x, s):
    return x * s, s + x[0], s * 2, s / 2


@sluice.program
def reassigned(x, s):
    t = s * 2
    s = s + 1
    return x * s, x + t


@sluice.program
def kept(x, s):
    x[0] += s
    x[1:] = x[1:] * s


@sluice.program
def helper(x, s):
    return x * s


@sluice.program
def through_a_call(x, s):
    return helper(x, s) + helper(x, 2.0)


@sluice.program
def annotated(x, s: sluice.float64):
    return x * s


@sluice.program
def annotated_as_pythons(x, s: float, k: int):
    return x * s, x + k


NUMBERS = [2.5, 3, 1.5 + 2j, np.float64(2.5), np.float32(2.5), np.int32(3), np.int64(3), np.int8(3)]
ARRAYS = [np.array([1, 2, 3], dtype=t) for t in ("float32", "float64", "int32", "int8", "int64")] + [np.array([1, 2], dtype="complex64")]


@pytest.mark.parametrize("number", NUMBERS, ids=lambda v: f"{type(v).__name__}")
@pytest.mark.parametrize("array", ARRAYS, ids=lambda a: str(a.dtype))
@pytest.mark.parametrize("program", [scaled, through_a_call], ids=lambda p: p.name)
def test_promotion(program, array, number):
    agree(program, array, number)


@pytest.mark.parametrize("number", [2.5, 3, np.float64(2.5), np.int64(3)], ids=lambda v: f"{type(v).__name__}")
@pytest.mark.parametrize("array", ARRAYS[:4], ids=lambda a: str(a.dtype))
def test_numbers_that_change(array, number):
    agree(reassigned, array, number)


def test_in_place():
    agree(kept, np.ones(3, dtype=np.float32), 2.5)


def test_annotations():
    x = np.ones(2, dtype=np.float32)
    assert annotated(x, 2.0).dtype == np.float64  # NumPy's float64, whatever is passed.
    agree(annotated_as_pythons, x, 2.5, 3)


def test_one_version_for_each_kind():
    x = np.ones(2, dtype=np.float32)
    assert [scaled(x, s)[0].dtype for s in (2.0, np.float64(2.0), 2.0)] == [np.float32, np.float64, np.float32]


def test_a_parameter_named_like_a_symbol_keeps_its_place():
    @sluice.program
    def f(M, x):
        return x * M

    @sluice.program
    def g(x: sluice.float64[M], M: sluice.int64, y: sluice.float64[M]):
        return x * M + y

    @sluice.program
    def h(M: sluice.int64, x: sluice.float64[N]):
        return x[M:] + M
    agree(f, 3, np.ones(2))
    assert g(np.ones(2), 2, np.ones(2)).tolist() == [3, 3] and g(np.ones(2), M=2, y=np.ones(2)).tolist() == [3, 3]
    with pytest.raises(ValueError):
        g(np.ones(2), 3, np.ones(2))
    for k in (1, -2, 0, 7):
        agree(h, k, np.arange(4.0), N=4)
