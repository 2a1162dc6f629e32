"""Sizes that only the call knows: equal if provable, else compared once while the program runs, with the line; as NumPy raises."""
import numpy as np
import pytest

import sluice
from against_numpy import agree

N, M, K = (sluice.symbol(name) for name in "NMK")
f8, i8 = sluice.float64, sluice.int64


@sluice.program
def reshaped(n: i8, m: i8, A: f8[N]):
    B = np.reshape(A, (n, m))
    for i in range(n):
        B[i, 0] = 7.0


@sluice.program
def made(n: i8, A: f8[N]):
    B = np.zeros((n,))
    B[:] = A
    return np.sum(B)


@sluice.program
def turned(A: f8[N], B: f8[N, M]):
    B[0, 0] = np.sum(np.reshape(A, (M, N)))


@sluice.program
def added(x: f8[N], y: f8[M]):
    x += y


@sluice.program
def sliced(A: f8[N], B: f8[N], j: i8, k: i8):
    A[0:k] = B[0:j]


@sluice.program
def clipped(A: f8[N], B: f8[N], k: i8):
    A[k:k + 3] = B[0:3]


@sluice.program
def multiplied(A: f8[N, M], B: f8[K, N]):
    return A @ B


@sluice.program
def summed(x: f8[N], y: f8[M]):
    return np.sum(x * y)


@sluice.program
def open_size(A: f8[N], n: i8):
    B = np.reshape(A, (n, -1))
    return np.sum(B[0])


@sluice.program
def masked(A: f8[N], m: sluice.bool_[M]):
    A[m] = 0.0


@sluice.program
def inner(x: f8[K], y: f8[K]):
    y[:] = x


@sluice.program
def called(x: f8[N], y: f8[M]):
    inner(x, y)


@sluice.program
def in_a_branch(x: f8[N], y: f8[M]):
    if N == M:
        x += y
    else:
        x[0] = -1.0


@sluice.program
def in_a_loop(x: f8[N], n: i8):
    for i in range(n):
        x[i:] += x[:N - i]
        x[:i + 1] = x[i]


RIGHT = [
    (reshaped, 3, 4, np.zeros(12)), (made, 5, np.arange(5.0)), (added, np.zeros(4), np.arange(4.0)), (sliced, np.zeros(6), np.ones(6), 2, 2),
    (sliced, np.zeros(6), np.ones(6), 8, 9), (clipped, np.zeros(6), np.ones(6), 2), (multiplied, np.ones((2, 3)), np.ones((3, 2))),
    (summed, np.ones(3), np.arange(3.0)), (open_size, np.arange(6.0), 3), (masked, np.ones(3), np.array([True, False, True])),
    (called, np.arange(3.0), np.zeros(3)), (in_a_branch, np.zeros(3), np.ones(3)), (in_a_branch, np.zeros(3), np.ones(4)),
    (in_a_loop, np.arange(4.0), 3),
]
WRONG = [
    (reshaped, 100, 1, np.zeros(12)), (reshaped, 3, 3, np.zeros(12)), (made, 5, np.zeros(12)), (made, 40, np.zeros(12)),
    (turned, np.zeros(4), np.zeros((4, 3))), (added, np.zeros(4), np.zeros(5)), (sliced, np.zeros(6), np.ones(6), 2, 3),
    (clipped, np.zeros(6), np.ones(6), 5), (multiplied, np.ones((2, 3)), np.ones((2, 2))), (summed, np.ones(3), np.ones(4)),
    (open_size, np.zeros(6), 4), (masked, np.ones(3), np.array([True])), (called, np.zeros(3), np.zeros(4)),
]


@pytest.mark.parametrize("program, arguments", [(p, a) for p, *a in RIGHT])
def test_sizes_that_agree(program, arguments):
    sizes = {}
    for parameter, value in zip(program._parameters, arguments):
        if isinstance(value, np.ndarray):
            sizes.update({str(s): e for s, e in zip(parameter[1].shape, value.shape)})
    agree(program, *arguments, **sizes)


@pytest.mark.parametrize("program, arguments", [(p, a) for p, *a in WRONG])
def test_sizes_that_differ(program, arguments):
    with pytest.raises(IndexError if program is masked else ValueError) as error:  # As NumPy's.
        program(*arguments)
    assert error.value.code in ("A003", "A009", "A011")
    if error.value.code != "A003":
        assert error.value.filename == __file__ and error.value.lineno > 10 and "^" in str(error.value)


def test_sizes_known_to_differ_are_refused_before_the_call():
    @sluice.program
    def wrong(x: f8[N], y: f8[N]):
        x[1:] += y[2:]
    with pytest.raises(sluice.CompileError, match="leaves y|differ"):
        wrong.to_sdfg()


def none_of_them(n):
    if n < 0:
        return None
    return np.zeros((n, n))


def of_another_kind(n):
    if n < 0:
        return n, "none"
    return np.ones(n), "some"


def the_programs_own(n):
    if n < 0:
        raise TypeError(f"n = {n}")
    a = np.zeros((n, n))
    for i in range(n):
        a[i, i] = i
    return a, a.sum(axis=0)


def numpys(n):
    return np.ones((2, n))


@pytest.mark.parametrize("function", [none_of_them, of_another_kind, the_programs_own, numpys])
@pytest.mark.parametrize("strict", [False, True])
def test_sizes_of_results_that_a_path_does_not_make(function, strict):
    program = sluice.program(function, strict=strict)
    for n in (3, -1, 0):
        try:
            wanted = function(n)
        except Exception as error:
            with pytest.raises(type(error), match=str(error)):
                program(n)
            continue
        got = program(n)
        assert type(got) is type(wanted)
        if wanted is not None:
            for one, other in zip(got, wanted, strict=True):
                np.testing.assert_array_equal(one, other)
