"""Integers that loops add up: any order gives the same, so the loops are shared by threads; what is no such sum stays in order."""
import sys

import numpy as np
import pytest

import sluice

N = sluice.symbol("N")


def counts(x: sluice.int64[N], y: sluice.float64[N]):
    small = 0
    large = 0
    bits = 0
    least = 1000
    seen = False
    for i in range(x.shape[0]):
        one = int(x[i])
        if one < 3:
            small += 1
        elif one > 7:
            large += one
        bits ^= one
        least = min(least, one)
        seen = seen | bool(y[i] > 0.99)
    return small, large, bits, least, seen


def escapes(image: sluice.uint8[N, N]):
    n = image.shape[0]
    for i in range(n):
        for j in range(n):
            x, y, k = -1.5 + 3.0 * i / n, -1.5 + 3.0 * j / n, 0
            while x * x + y * y < 4 and k < 50:
                x, y = x * x - y * y - 0.4, 2 * x * y + 0.6
                k += 1
            image[i, j] = k


def running(x: sluice.int64[N], y: sluice.int64[N]):
    total = 0
    for i in range(x.shape[0]):
        total += x[i]
        y[i] = total


def carried(x: sluice.float64[N], y: sluice.int64[N]):
    moved = 0
    for i in range(1, x.shape[0]):
        x[i] = x[i - 1] / 2 + x[i]
        if x[i] > 1:
            moved += 1
    y[0] = moved


def alternating(x: sluice.int64[N]):
    total = 1
    for i in range(x.shape[0]):
        if x[i] % 2:
            total += x[i]
        else:
            total *= 2
    return total


def flags(x: sluice.int64[N]):
    found = False
    every = True
    last = False
    for i in range(x.shape[0]):
        if x[i] > 7:
            found = True
        else:
            every = False
        if x[i] > 6:
            last = True
        elif x[i] < 2:
            last = False
    return found, every, last


def floating(x: sluice.float64[N]):
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i]
    return total


INPUTS = {
    "counts": lambda random: (random.integers(0, 11, 100), random.random(100)), "escapes": lambda random: (np.zeros((20, 20), np.uint8),),
    "running": lambda random: (random.integers(-9, 9, 50), np.zeros(50, np.int64)),
    "carried": lambda random: (random.random(80) * 2, np.zeros(80, np.int64)), "alternating": lambda random: (random.integers(0, 9, 20),),
    "flags": lambda random: (random.integers(0, 9, 7),), "floating": lambda random: (random.random(100),)}
SHARED = {"counts", "escapes"}


@pytest.mark.parametrize("function", [counts, escapes, running, carried, alternating, flags, floating], ids=lambda one: one.__name__)
def test_a_loop_gives_what_python_gives(function):
    program = sluice.program(function, strict=True)
    for seed in range(3):
        mine, theirs = (INPUTS[function.__name__](np.random.default_rng(seed)) for _ in range(2))
        with np.errstate(over="ignore"):
            got, wanted = program(*mine), function(*theirs)
        assert got == wanted
        for one, other in zip(mine, theirs):
            np.testing.assert_array_equal(one, other)
    source = program.compile(*mine).source
    body = source[source.index("namespace sluice::generated"):]
    assert ("#pragma omp for" in body) == (function.__name__ in SHARED)
    assert "#pragma omp atomic" not in body


def test_an_integer_that_does_not_fit_is_found_by_threads_too():
    program = sluice.program(too_many, strict=True)
    image = np.zeros((8, 8), np.uint8)
    program(image, 255)
    assert image[7, 7] == 255
    with pytest.raises(OverflowError, match="does not fit into uint8"):
        program(image, 256)
    body = program.compile(image, 255).source
    assert "reduction(|" in body


def too_many(image: sluice.uint8[N, N], most: sluice.int64):
    for i in range(image.shape[0]):
        for j in range(image.shape[0]):
            k = 0
            while k < most and i + j < 1000 + k:
                k += 1
            image[i, j] = k


def seen(x: sluice.float64[N]):
    found = False
    for i in range(x.shape[0]):
        if x[i] > 2.0:
            found = True
    return found


def test_a_flag_is_shared_by_threads_and_no_iteration_looks_for_an_interruption():
    program = sluice.program(seen, strict=True)
    for x in (np.zeros(0), np.ones(9), np.array([1.0, 3.0, np.nan])):
        assert program(x) == seen(x)
    body = program.compile(x).source
    body = body[body.index("namespace sluice::generated"):]
    assert "reduction(|" in body and "end_if_asked" not in body


def sums_of_python(x, n):
    kept = []
    for one in x:
        if one > 0.2:
            kept.append(float(one) * 0.1)
    return sum(1 / (i + 1) for i in range(n)), sum(kept), sum(kept, 0.5)


def sums_of_numpy(x):
    return sum(x), sum(x[x > 0.5]) / 3, sum(v * v for v in x)


def test_pythons_sum_of_floats_keeps_its_order():
    """Sums in another order differ in their last bits."""
    of_python, of_numpy = sluice.program(sums_of_python, strict=True), sluice.program(sums_of_numpy, strict=True)
    x = np.random.default_rng(1001).random(1001) * 1e3
    if sys.version_info < (3, 12):  # Later ones compensate what Python's own floats lose.
        assert of_python(x, len(x)) == sums_of_python(x, len(x))
    assert of_numpy(x) == sums_of_numpy(x)
    assert of_numpy(x.astype(np.float32)) == sums_of_numpy(x.astype(np.float32))
