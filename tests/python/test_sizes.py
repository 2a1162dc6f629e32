"""Sizes that no memory holds, that wrap in 64 bits, or that are negative: an error with the container and its size, as NumPy raises one."""
import numpy as np
import pytest

import sluice

N, M = sluice.symbol("N"), sluice.symbol("M")
f8 = sluice.float64


@sluice.program
def square(x: f8[N], k: sluice.int64):
    t = np.zeros((k, k))
    x[0] += t[0, 0]


@sluice.program
def cube(x: f8[1], M: sluice.int64):
    t = np.ones((M, M + 1, 2 * M))
    x[0] = t[0, 0, 0]


@sluice.program
def result(N: sluice.int64):
    return np.ones((N, N))


@sluice.program
def in_parallel(x: f8[N], M: sluice.int64):
    for i in sluice.map[0:N]:
        t = np.zeros((M,))
        for j in range(3):
            t[j] = x[i] + j
        x[i] = t[0] + t[2]


WRAP = [2**33, 2**32, 3 * 2**31, 2**62]  # the product wraps to 0, to 0, to something, to 0


@pytest.mark.parametrize("size", WRAP)
def test_a_product_that_wraps_is_no_small_size(size):
    with pytest.raises(MemoryError, match="`t` has .* more than 2"):
        square(np.ones(3), size)
    if size == 2**62:  # 2 * M wraps as well.
        with pytest.raises(ValueError, match="negative dimensions"):
            cube(np.ones(1), M=size)
        return
    with pytest.raises(MemoryError, match=rf"`t` has .*M = {size}"):
        cube(np.ones(1), M=size)


def test_what_memory_does_not_hold():
    with pytest.raises(MemoryError, match="`t` has .* = 1000000000000 elements of 8 bytes"):
        square(np.ones(3), 10**6)
    with pytest.raises(MemoryError, match=r"the result does not fit into memory: its shape is N = 1000000, N = 1000000"):
        result(N=10**6)
    with pytest.raises(MemoryError, match="`t` has M = 1000000000000 elements of 8 bytes, with M = 1000000000000"):
        in_parallel(np.ones(100000), M=10**12)


def test_negative_sizes():
    with pytest.raises(ValueError, match="negative dimensions are not allowed"):
        result(N=-4)
    with pytest.raises(ValueError, match="`t` would have M = -7 elements, with M = -7"):
        in_parallel(np.ones(100000), M=-7)


def test_the_program_goes_on_afterwards():
    x = np.ones(3)
    with pytest.raises(MemoryError):
        square(x, 2**33)
    square(x, 4)
    assert x[0] == 1 and result(N=2).shape == (2, 2) and result(N=0).shape == (0, 0)
    y = np.ones(1000)
    in_parallel(y, M=3)
    assert np.all(y == 4)


def by_a_local(n):
    k = n + 1
    return np.zeros(k)


def by_a_helper(n):
    def grid(count):
        out = np.arange(count + 1) * 2.0
        out[count] = 1.0
        return out
    return grid(n)


def by_the_bins(n):
    return np.histogram(np.linspace(0.0, 1.0, 50), n)


@pytest.mark.parametrize("function", [by_a_local, by_a_helper, by_the_bins], ids=lambda one: one.__name__)
def test_what_is_computed_from_integer_arguments_is_a_size_of_results(function):
    program = sluice.program(function)
    for n in range(1, 9):  # more of them than get code of their own
        for wanted, got in zip(np.atleast_2d(function(n)) if not isinstance(function(n), tuple) else function(n),
                               np.atleast_2d(program(n)) if not isinstance(function(n), tuple) else program(n)):
            np.testing.assert_allclose(got, wanted, rtol=1e-12)
