"""Numbers have the type of the assignment that gave them, also where paths meet and in loops (NEP 50)."""
import numpy as np
import pytest

import sluice
from against_numpy import agree

ARRAYS = [np.array([3, 1, 2, 7], dtype=t) for t in ("float32", "float64", "float16", "int64", "int32", "uint8", "complex64")]
REALS = [a for a in ARRAYS if a.dtype.kind != "c"]
of_each_type = pytest.mark.parametrize("x", ARRAYS, ids=lambda a: str(a.dtype))
of_real_types = pytest.mark.parametrize("x", REALS, ids=lambda a: str(a.dtype))


@sluice.program
def accumulated(x):
    s = 0.0
    for v in x:
        s += v
    return s, x * s


@sluice.program
def accumulated_from_an_integer(x):
    s = 0
    for i in range(len(x)):
        s = s + x[i]
    return s, x * s


@sluice.program
def multiplied(x):
    p = 1
    q = 1.5
    for v in x:
        p *= v
        q = q * v
    return p, q


@sluice.program
def accumulated_twice(x, y):
    s = 0
    for v in x:
        s += v
    for v in y:
        s += v
    return s


@sluice.program
def with_a_while(x):
    i = 0
    s = 0
    while i < len(x):
        s = s + x[i]
        i += 1
    return s


@of_each_type
@pytest.mark.parametrize("program", [accumulated, accumulated_from_an_integer, multiplied, with_a_while], ids=lambda p: p.name)
def test_a_number_of_pythons_takes_the_type_that_a_loop_gives_it(program, x):
    agree(program, x)


@of_each_type
@pytest.mark.parametrize("y", ARRAYS, ids=lambda a: str(a.dtype))
def test_two_loops(x, y):
    agree(accumulated_twice, x, y)


@sluice.program
def another_type_each_time(A, k: int):
    n = 2
    halves = A // n
    n = 0.5
    scaled = A * n
    n = k
    more = A * n
    n = A[0]
    return halves, scaled, more, n


@of_real_types
def test_each_assignment_has_its_type(x):
    agree(another_type_each_time, x, 3)


@sluice.program
def on_one_path(x, c: int):
    t = 0
    if c > 0:
        t = 1.5
    return x * t, t


@sluice.program
def on_both_paths(x, c: int):
    if c > 0:
        t = x[0]
    else:
        t = -1
    return x + t


@sluice.program
def of_two_arrays(x, y, c: int):
    if c > 0:
        t = x[0]
    else:
        t = y[1]
    z = x + t
    return z.sum() + t


@of_real_types
def test_paths_that_meet(x):
    agree(on_one_path, x.astype(np.float64), 0)
    agree(on_one_path, x.astype(np.float64), 1)
    if x.dtype != np.uint8:
        agree(on_both_paths, x, 0)
    agree(on_both_paths, x, 1)


def test_a_type_that_the_path_decides():
    x, y = np.arange(4, dtype=np.float32) / 3, np.arange(3, dtype=np.float64) / 7

    @sluice.program
    def f(x, y, out, c: int):
        if c > 0:
            t = x[1]
        else:
            t = y[1]
        out[:] = x + t
    for c in (0, 1):
        agree(f, x, y, np.zeros(4), c)


@sluice.program
def least(x, m: sluice.uint8):
    best = -1
    for i in range(len(x)):
        if x[i] < 3:
            best = m
    return best - 1


def test_a_literal_that_does_not_fit_stays_pythons():
    x = np.array([5.0, 7.0])
    assert int(least(x, np.uint8(0))) == -2
    assert int(least(x / 7, np.uint8(9))) == 8


@sluice.program
def named_in_the_loop_alone(A, n: int):
    for i in range(n):
        if A[i] > 0.5:
            t = 7
            break
        t = A[i] * 0.5
    return t * 1.0


@sluice.program
def arrays_in_the_loop_alone(A, B, n: int):
    for i in range(n):
        if A[i] > 0.5:
            t = A
            break
        t = B
    return t[0]


@sluice.program
def skipped_iterations(A, B, n: int):
    s = 0.0
    for i in range(n):
        t = A
        if A[i] > 0.5:
            continue
        t = B
        s += t[i]
    return s


def test_what_a_break_leaves_behind():
    A, B = np.array([0.1, 0.9, 0.2]), np.arange(3.0) + 5
    for n in (1, 2, 3):
        agree(named_in_the_loop_alone, A, n)
        agree(arrays_in_the_loop_alone, A, B, n)
        agree(skipped_iterations, A, B, n)


@sluice.program
def returned_in_turn(x, n: int):
    if n == 0:
        return 0
    if n == 1:
        return 2.5
    return x[0]


def test_returned_numbers_of_several_types():
    for n in range(3):
        agree(returned_in_turn, np.arange(3.0) + 0.25, n)


@sluice.program
def functions_of_numbers(x, k: float):
    return x * np.sqrt(2.0), x * np.sin(k), x + np.maximum(k, 1.0), x * np.exp(1.0), x * abs(k), x * np.pi


def test_functions_of_numpys_return_its_numbers():
    for dtype in ("float32", "float64"):
        agree(functions_of_numbers, np.arange(3, dtype=dtype), 0.5)


def halves_in_a_loop_over_elements(x):
    s = 0
    for v in x:
        if v > 0:
            s = s + 1
        else:
            s = s + 0.5
    t = s * 2
    return t


def halves_in_a_loop_over_a_tuple(x):
    s = 0
    for k in (1, 2, 3):
        s = s + k / 2
    return s + 1


def a_half_in_a_loop_over_parts(x):
    s = 1
    for row in x[1:]:
        s = s / 2
    return s, s + 1


@pytest.mark.parametrize("function", [halves_in_a_loop_over_elements, halves_in_a_loop_over_a_tuple, a_half_in_a_loop_over_parts])
def test_numbers_that_become_real_in_loops_over_elements(function):
    """What such loops assign was not looked at: the number counted as an integer, and was cut."""
    x = np.array([1.0, -1, 2, 0, 3, -2, 4])
    assert sluice.program(strict=True)(function)(x) == function(x)


def typed_constants(x):
    wide = np.int32(100000)
    return x * np.int16(1000), x + np.int32(70000), x * np.int64(10**6), x * wide, x[0] * np.int16(1000), np.maximum(x, np.int16(300)), np.int8(100) * np.int8(2), wide * np.int16(3)


@pytest.mark.parametrize("dtype", ["int8", "int16", "float32", "int64"])
def test_constants_with_a_type_keep_it_beside_narrower_numbers(dtype):
    """They were computed with in the type of the array."""
    x = np.array([1, 2, 3], dtype=dtype)
    with np.errstate(over="ignore"):
        wanted = typed_constants(x)
    for got, one in zip(sluice.program(typed_constants, strict=True)(x), wanted):
        assert got.dtype == one.dtype
        np.testing.assert_array_equal(got, one)


def test_functions_of_numpy_make_numbers_of_numpy_of_those_of_python():
    def made(x, n, a):
        return (np.round(x, 2), np.around(x), np.round(n), np.clip(x, 0, 1), np.clip(n, 0, 1), np.dot(x, n), np.angle(x), np.real(x), np.imag(x),
                np.real(n), np.clip(x, 0, 1) * a, np.round(x, 2) * a, np.dot(x, 2) * a, np.real(x) * a, np.round(x) / 0 if n > 5 else 0.5)

    def same(x, n, a):
        with np.errstate(all="ignore"):
            wanted = made(x, n, a)
        for one, other in zip(sluice.program(made, strict=True)(x, n, a), wanted, strict=True):
            assert type(one) is type(other) and np.array_equal(one, other, equal_nan=True) and getattr(one, "dtype", None) == getattr(other, "dtype", None)

    same(0.567, 3, np.ones(2, np.float32))
    same(-2.5, -1, np.ones(2, np.float32))
    same(0.25, 7, np.ones(2, np.float64))


def test_where_and_vectorize_of_numbers_are_arrays_without_dimensions():
    def chosen(n):
        a = np.where(n > 0, 1.5, 2)
        s = np.where(n > 0, 1.0, 2.0)
        for i in range(3):
            s = s + i
        return a, a + 1, s, np.where(n > 0, n, 3), np.vectorize(lambda v: v * 2)(n), np.vectorize(lambda v: v / 2)(n) + 1, float(a)

    for n in (0, 1):
        for one, other in zip(sluice.program(chosen, strict=True)(n), chosen(n), strict=True):
            assert type(one) is type(other) and one == other
