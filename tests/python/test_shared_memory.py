"""Arguments that share memory: NumPy's answer from Python and between programs, or an error; never another answer."""
import numpy as np
import pytest

import sluice
from against_numpy import agree, plain

N, M = sluice.symbol("N"), sluice.symbol("M")
f8 = sluice.float64


@sluice.program
def shifted(x: f8[N], y: f8[N]):
    y[1:] = x[:-1] + 1.0


@sluice.program
def copied(x: f8[N], y: f8[N]):
    y[:] = x + 1.0
    y[0] = x[1]


@sluice.program
def multiplied(x: f8[N, N], y: f8[N, N], z: f8[N, N]):
    z[:] = x @ y


@sluice.program
def added(a: f8, x: f8[N], y: f8[N]):
    y += a * x
    return y[0] + x[1]


@sluice.program
def turned(x: f8[N, M], y: f8[M, N]):
    y[:] = x.T


@sluice.program
def only_read(x: f8[N], y: f8[N]):
    return np.sum(x * y)


@sluice.program
def untyped(x, y):
    y[:] = x[::-1]


def compare(program, make, pick, **sizes):
    ours, theirs = make(), make()
    got, wanted = program(*pick(ours)), plain(program, **sizes)(*pick(theirs))
    np.testing.assert_allclose(ours, theirs)
    if wanted is not None:
        np.testing.assert_allclose(np.squeeze(got), wanted)


LINE = lambda: np.arange(6.0)  # noqa: E731
SQUARE = lambda: np.arange(9.0).reshape(3, 3)  # noqa: E731


@pytest.mark.parametrize("program, make, pick", [
    (shifted, LINE, lambda a: (a, a)), (shifted, LINE, lambda a: (a[:-1], a[1:])), (shifted, LINE, lambda a: (a[2:], a[:-2])),
    (copied, LINE, lambda a: (a, a)), (copied, LINE, lambda a: (a[:-1], a[1:])), (copied, LINE, lambda a: (a[1:], a[:-1])),
    (copied, LINE, lambda a: (a[:3], a[3:])), (multiplied, SQUARE, lambda a: (a, a, a)), (added, LINE, lambda a: (2.0, a, a)),
    (added, LINE, lambda a: (2.0, a[:4], a[2:])), (turned, SQUARE, lambda a: (a, a)), (only_read, LINE, lambda a: (a, a)),
    (untyped, LINE, lambda a: (a, a)), (untyped, LINE, lambda a: (a[:4], a[2:])),
])
def test_from_python(program, make, pick):
    compare(program, make, pick)
    compare(program, make, pick)  # Again: the version of the first call.


def test_sizes_are_compared_all_the_same():
    a = np.zeros(9)
    with pytest.raises(ValueError):
        copied(a[:4], a[3:])


@sluice.program
def bits(x: f8[N], y: sluice.int64[N]):
    y[:] = x * 2.0


def test_what_cannot_be_one_array_is_refused():
    a = np.ones(8)
    with pytest.raises(ValueError, match="share memory"):
        bits(a, a.view(np.int64))


def test_a_graph_refuses():
    a = np.zeros(5)
    with pytest.raises(ValueError, match="x.*share memory|share memory") as error:
        copied.compile()(a, a)
    assert error.value.code == "A010"


@sluice.program
def calls(A: f8[N]):
    copied(A[:-1], A[1:])


@sluice.program
def calls_backwards(A: f8[N]):
    copied(A[1:], A[:-1])


@sluice.program
def calls_with_one(A: f8[N], B: f8[N, N]):
    copied(A, A)
    multiplied(B, B, B)


@sluice.program
def calls_at(A: f8[N], k: sluice.int64):
    copied(A[k:k + 3], A[k + 1:k + 4])
    shifted(A[:3], A[k:k + 3])


@sluice.program
def calls_rows(A: f8[N, M]):
    copied(A[0], A[1])
    copied(A[1], A[1])
    for i in range(2):
        copied(A[i], A[i + 1])


@sluice.program
def reads(A: f8[N]):
    return only_read(A[:-1], A[1:])


def test_between_programs():
    agree(calls, LINE())
    agree(calls_backwards, LINE())
    agree(calls_with_one, np.arange(3.0), SQUARE())
    agree(calls_at, LINE(), 1)
    agree(calls_rows, SQUARE())
    agree(reads, LINE())
