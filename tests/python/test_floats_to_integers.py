"""Floats that become integers, and floats again: what NumPy makes of -0.0, of negative floats without sign and of what does not fit, on x86."""
import platform

import numpy as np
import pytest

import sluice

SMALL = np.array([-0.5, 0.5, -0.0, 1.5, -3.7, 200.0, 255.9, 256.0, -129.0, 65536.5])
LARGE = np.array([2.0**31, -2.0**31 - 1, 2.0**40 + 3, 2.0**53, 2.0**63, -2.0**63, 1.5 * 2.0**63, 1e19, -1e25, np.nan, np.inf])
TYPES = np.uint8, np.uint16, np.uint32, np.uint64, np.int8, np.int16, np.int32, np.int64


def halves(x):
    """The compiler took each for trunc(x) * 0.5."""
    return [x.astype(np.uint8) * 0.5, x.astype(np.uint16) * 0.5, x.astype(np.uint32) * 0.5, x.astype(np.uint64) * 0.5,
            x.astype(np.int8) * 0.5, x.astype(np.int16) * 0.5, x.astype(np.int32) * 0.5, x.astype(np.int64) * 0.5]


def integers(x):
    return [x.astype(np.uint8), x.astype(np.uint16), x.astype(np.uint32), x.astype(np.uint64),
            x.astype(np.int8), x.astype(np.int16), x.astype(np.int32), x.astype(np.int64)]


def of_float32(x):
    y = x.astype(np.float32)
    return [y.astype(np.int32).astype(np.float32), y.astype(np.uint8).astype(np.float32)]


def fractions(x):
    return [x - x.astype(np.int64), x - x.astype(np.int32)]


def same(got, wanted):
    return got.dtype == wanted.dtype and np.array_equal(got, wanted, equal_nan=got.dtype.kind == "f") and np.array_equal(np.signbit(got), np.signbit(wanted))


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="NumPy leaves these to the processor")
@pytest.mark.parametrize("function", [halves, integers, of_float32, fractions])
def test_as_numpy(function):
    program = sluice.program(function, strict=True)
    with np.errstate(invalid="ignore"):
        for x in (SMALL, LARGE, np.tile(SMALL, 7)):
            for k, (got, wanted) in enumerate(zip(program(x), function(x), strict=True)):
                kept = slice(None)
                if function in (halves, integers) and TYPES[k] is np.uint32:  # NumPy itself has two answers, in vectors and behind them.
                    kept = (x > -2.0**31 - 1) & (x < 2.0**32)
                assert same(got[kept], wanted[kept]), (got, wanted)


def test_numbers_of_pythons():
    def whole(x):
        return float(int(x)), float(round(x)), -float(int(x))

    program = sluice.program(whole, strict=True)
    for x in (-0.5, -0.0, 0.3, 7.9, -7.9):
        assert str(program(x)) == str(whole(x))


def test_elements_that_a_loop_stores():
    def stored(x):
        y = np.zeros(len(x))
        for i in range(len(x)):
            k = int(x[i])
            y[i] = k
        return y

    assert same(sluice.program(stored, strict=True)(SMALL), stored(SMALL))


def test_c99():
    """C's compiler as well: the target of its own."""
    def thirds(x):
        return x.astype(np.uint8) / 3.0

    program = sluice.program(thirds, strict=True, target="c99")
    with np.errstate(invalid="ignore"):
        assert same(program(SMALL), thirds(SMALL))
