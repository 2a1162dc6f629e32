"""Integers of Python's beside NumPy's narrower ones, and as elements of such arrays: what does not fit raises OverflowError, in loops as well."""
import numpy as np
import pytest

import sluice


def in_a_loop(a, k):
    for i in range(len(a)):
        a[i] = (a[i] - 7 + k) % 26
    return a


def stored(a, k):
    a[0] = k
    return a


def stored_in_a_loop(a, k):
    for i in range(len(a)):
        a[i] = k + i
    return a


def stored_in_a_while(a, k):
    i = 0
    while i < len(a):
        a[i] = k * i
        i += 1
    return a


def stored_in_a_slice(a, k):
    a[1:] = k
    return a


def stored_by_two(a, k):
    a[0], a[1] = k, k - 1
    return a


def stored_by_a_chain(a, k):
    a[0] = a[1] = k
    return a


def stored_by_a_mask(a, k):
    a[a > 2] = k
    return a


def filled(a, k):
    a.fill(k)
    return a


def full(a, k):
    return np.full(3, k, dtype=np.uint8)


def full_like(a, k):
    return np.full_like(a, k)


def a_list(a, k):
    return np.array([1, k], dtype=np.uint8)


def converted(a, k):
    return np.uint8(k)


def larger(a, k):
    return np.maximum(a, k)


def added(a, k):
    return np.add(a, k)


def compared(a, k):
    return np.equal(a, k), np.less(k, a), a > k


def clipped(a, k):
    return np.clip(a, k, 200), a.clip(0, k)


def clipped_beyond(a, k):
    return np.clip(a, -1000, 1000 + k)


def counted(a, k):
    n = 0
    for i in range(len(a)):
        if a[i] > k:
            n += 1
    return n


pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy's own, where its numbers wrap.
FUNCTIONS = [f for f in list(globals().values()) if callable(f) and getattr(f, "__module__", "") == __name__]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_as_numpy(function):
    program = sluice.program(strict=True)(function)
    for dtype in (np.uint8, np.int8):
        for k in (3, 0, -3, 100, 255, 300):
            ours, theirs = (np.array([5, 1, 9, 2], dtype=dtype) for _ in range(2))
            try:
                wanted = function(theirs, k)
            except OverflowError:
                with pytest.raises(OverflowError):
                    program(ours, k)
                continue
            got = program(ours, k)
            for w, g in zip(wanted, got) if isinstance(wanted, tuple) else [(wanted, got)]:
                assert np.asarray(g).dtype == np.asarray(w).dtype
                np.testing.assert_array_equal(g, w)
            np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("k", [2, 0, -1])
def test_shifts_by_less_than_nothing(k):
    def once(n, k):
        return n << k, n >> k

    def in_a_loop(n, k):
        total = 0
        for i in range(n):
            total += i >> k
        return total

    def unless_negative(n, k):
        return n << k if k >= 0 else n

    for function in (once, in_a_loop, unless_negative):
        program = sluice.program(strict=True)(function)
        if k < 0 and function is not unless_negative:
            with pytest.raises(ValueError, match="negative shift count"):
                program(5, k)
        else:
            assert program(5, k) == function(5, k)
