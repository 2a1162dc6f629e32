"""Annotations of locals: types of Sluice's are instructions, those of Python and NumPy are hints, as in Python."""
import numpy as np
import pytest

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


@sluice.program(strict=True)
def single(A: sluice.float64[N]) -> sluice.float32:
    if A[0] > 1:
        return np.sum(A)
    return 1


@sluice.program(strict=True)
def pair(A: sluice.float64[N]) -> tuple[sluice.float32[N], sluice.int16]:
    return A / 3, A[1]


@sluice.program(strict=True)
def hint_for_people(A: sluice.float64[N]) -> np.float32:
    return A[0] / 3


@sluice.program(strict=True)
def caller(A: sluice.float64[N]):
    return single(A) + np.float32(0.1), pair(A)[0]


def test_results_have_the_types_that_annotations_declare():
    A = np.array([1.5, 7.25, 1e10])
    assert type(single(A)) is np.float32 and single(A) == np.float32(A.sum())
    assert type(single(A[:1] * 0)) is np.float32 and single(A[:1] * 0) == 1
    array, number = pair(A[:2])
    assert array.dtype == np.float32 and type(number) is np.int16 and number == 7
    np.testing.assert_array_equal(array, (A[:2] / 3).astype(np.float32))
    assert type(hint_for_people(A)) is np.float64
    total, array = caller(A[:2])
    assert type(total) is np.float32 and total == np.float32(8.75) + np.float32(0.1) and array.dtype == np.float32


def test_a_declared_result_whose_type_names_what_is_gone():
    M = sluice.symbol("M")

    @sluice.program(strict=True)
    def local(A: sluice.float64[M]) -> sluice.float32[M]:
        if A[0] > 1:
            return A
        return A * 2
    assert local(np.ones(3)).dtype == np.float32 and local(np.full(3, 2.0)).tolist() == [2, 2, 2]


def fibonacci(n) -> sluice.int32:
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def test_functions_that_call_themselves_take_declarations_as_hints():
    @sluice.program(strict=True)
    def program(n: int):
        return fibonacci(n)
    assert program(10) == 55


@sluice.program(strict=True)
def of_one_element(A: sluice.float64[1, 1]) -> sluice.float32:
    x: sluice.float64 = A
    return A * x


def test_an_array_of_one_element_is_a_number():
    assert of_one_element(np.full((1, 1), 3.0)) == 9 and type(of_one_element(np.ones((1, 1)))) is np.float32


def test_values_that_do_not_have_the_declared_shape():
    @sluice.program(strict=True)
    def fixed(A: sluice.float64[N]) -> sluice.float64[3]:
        B: sluice.float64[N, 2] = A[:, None] + np.zeros(2)
        return B[:, 0]
    assert fixed(np.ones(3)).tolist() == [1, 1, 1]
    with pytest.raises(ValueError, match="dimension 0 and its annotation: sizes N and 3 differ"):
        fixed(np.ones(4))

    def number(A: sluice.float64[N]) -> sluice.float64:
        return A

    def vector(A: sluice.float64[N]):
        x: sluice.float64[N, N] = A
        return x

    def scalar(A: sluice.float64[N]):
        x: sluice.float32 = A
        return x

    def several(A: sluice.float64[N]) -> (sluice.float64[N], sluice.int32):
        return A
    for function, text in ((number, "declares 0 dimensions, and the value has 1"), (vector, "declares 2 dimensions"),
                           (scalar, "declares 0 dimensions"), (several, "declares 2 results")):
        with pytest.raises(sluice.CompileError, match=f"F025: .*{text}"):
            sluice.program(function, strict=True)(np.ones(3))
