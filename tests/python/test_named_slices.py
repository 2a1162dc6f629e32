"""Slices that have names, `np.s_`, and names that functions and comprehensions inside of a program have for themselves."""
import copy

import numpy as np
import pytest

import sluice

SHAPES = (1, 2)
LETTER = "a"


def halves(A):
    left, right = slice(None, -1), slice(1, None)
    return A[:, right] - A[:, left]


def blocks(A):
    for b in range(2):
        rows = slice(2 * b, 2 * b + 2)
        b = 7
        A[rows, rows] += b
    return A[rows].sum(), rows.stop - rows.start


def of_numpy(A):
    inner, first = np.s_[1:-1, ::2], np.index_exp[0, 1:3]
    A[inner] += 1.0
    A[first] = 7.0

    def total(B):
        return B[inner].sum()

    return total(A), A[np.s_[..., 0]], A[np.s_[1]]


def rebound(A):
    k = 1
    rows = slice(k)
    a = A[rows].sum()
    k = 2
    b = A[rows].sum()
    rows = slice(k)
    return a, b, A[rows].sum()


def on_paths(A):
    if A[0, 0] > 0.5:
        part = slice(0, 2)
    else:
        part = slice(1, 4)
    return A[part, 1]


def tuples(A):
    core = (slice(1, -1), slice(1, -1))
    B = np.zeros_like(A)
    B[core] = A[core] * 2.0
    return B


@pytest.mark.parametrize("function", [halves, blocks, of_numpy, rebound, on_paths, tuples])
def test_named_slices(function):
    A = np.random.default_rng(1).random((4, 5))
    mine, own = copy.deepcopy(A), copy.deepcopy(A)
    result, expected = sluice.program(function, strict=True)(mine), function(own)
    for one, other in zip(result if isinstance(result, tuple) else (result,), expected if isinstance(expected, tuple) else (expected,)):
        np.testing.assert_allclose(one, other, rtol=1e-14)
    np.testing.assert_array_equal(mine, own)


def test_a_slice_elsewhere_is_refused():
    def kept(x):
        s = slice(1, 3)
        return s

    with pytest.raises(sluice.CompileError, match="F001.*a slice outside of a subscript"):
        sluice.program(kept, strict=True)(np.ones(3))


def test_names_inside_hide_constants_around():
    def inside(x):
        def scaled(LETTER):
            return x * LETTER

        def made(y):
            SHAPES = y + 1.0
            return SHAPES

        return scaled(3.0) + made(x) + (lambda SHAPES: SHAPES * x)(2.0) + sum([SHAPES for SHAPES in range(3)])

    def outside(x):
        return x * sum([SHAPES for SHAPES in range(3)]) + sum(SHAPES) + len(LETTER)

    x = np.arange(3.0)
    for function in (inside, outside):
        np.testing.assert_array_equal(sluice.program(function, strict=True)(x), function(x))
