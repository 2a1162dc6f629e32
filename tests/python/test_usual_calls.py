"""Calls like an earlier one run without Python: what a call looks at must be looked at all the same."""
import gc
import threading
import weakref

import numpy as np
import pytest

import sluice

FACTOR = 2.0


@sluice.program
def scaled(x):
    return FACTOR * x


@sluice.program
def helper(x):
    return x + 1.0


@sluice.program
def calls(x):
    return 2.0 * helper(x)


def kept(program, *args):
    for _ in range(3):
        result = program(*args)
    return result


def test_names_of_the_module(monkeypatch):
    x = np.arange(4.0)
    np.testing.assert_array_equal(kept(scaled, x), 2 * x)
    monkeypatch.setitem(globals(), "FACTOR", 3.0)
    np.testing.assert_array_equal(scaled(x), 3 * x)
    monkeypatch.undo()
    np.testing.assert_array_equal(scaled(x), 2 * x)


def test_programs_of_the_module(monkeypatch):
    x = np.arange(4.0)
    np.testing.assert_array_equal(kept(calls, x), 2 * (x + 1))
    other = sluice.program(_subtracts)
    monkeypatch.setitem(globals(), "helper", other)
    np.testing.assert_array_equal(calls(x), 2 * (x - 1))


def _subtracts(x):
    return x - 1.0


def test_values_of_closures():
    def make():
        factor = 2.0

        @sluice.program
        def inner(x):
            return factor * x

        def change(value):
            nonlocal factor
            factor = value
        return inner, change
    inner, change = make()
    x = np.arange(4.0)
    np.testing.assert_array_equal(kept(inner, x), 2 * x)
    change(5.0)
    np.testing.assert_array_equal(inner(x), 5 * x)


@sluice.program
def total(x):
    return np.sum(x)


def test_types_and_sizes():
    for dtype in (np.float64, np.float32, np.int64, np.int8, np.bool_, np.complex128):
        for shape in ((4,), (5,), (2, 2), (0,), (4,)) if dtype == np.float64 else ((4,), (2, 2), (4,)):
            x = np.ones(shape, dtype=dtype)
            result, expected = kept(total, x), np.sum(x)
            assert result == expected and type(result) is type(expected)
    swapped = np.ones(4).astype(">f8")
    try:
        assert total(swapped) == 4
    except (TypeError, sluice.CompileError):
        pass
    assert total([1.0, 2.0]) == 3.0
    for number in (2.0, 2, True, 2j, np.float32(2)):
        assert kept(total, number) == number


@sluice.program
def numbers(x):
    return x[0], x[1] + 1, np.argmax(x), len(x), bool(x[0] > 0)


def test_numbers_have_their_types():
    for x in (np.array([1.0, np.nan]), np.array([3, 4], dtype=np.int8), np.array([1.5, -0.0], dtype=np.float32),
              np.array([1, 2], dtype=np.uint64), np.array([1.5, 2], dtype=np.float16)):
        mine, expected = kept(numbers, x), numbers.f(x)
        assert [type(one) for one in mine] == [type(one) for one in expected]
        np.testing.assert_array_equal(mine, expected)


@sluice.program
def doubles(x, y):
    x[:] = 2 * y


def test_memory_and_flags():
    kept(doubles, np.zeros(4), np.ones(4))
    x = np.arange(8.0)
    doubles(x[:4], x[2:6])  # overlapping
    np.testing.assert_array_equal(x, [4, 6, 8, 10, 4, 5, 6, 7])
    x = np.arange(8.0)
    doubles(x[::2], np.ones(4))
    np.testing.assert_array_equal(x, [2, 1, 2, 3, 2, 5, 2, 7])
    frozen = np.zeros(4)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        doubles(frozen, np.ones(4))
    with pytest.raises(TypeError):
        doubles(np.zeros(4))
    with pytest.raises(TypeError):
        doubles(np.zeros(4), np.zeros(4), np.zeros(4))
    matrix = np.zeros(4).view(np.ndarray)
    doubles(x=matrix, y=np.ones(4))
    np.testing.assert_array_equal(matrix, np.full(4, 2.0))


@sluice.program
def annotated(x: sluice.float64[4], k: sluice.int64):
    return x * k


def test_annotated():
    x = np.arange(4.0)
    np.testing.assert_array_equal(kept(annotated, x, 3), 3 * x)
    np.testing.assert_array_equal(annotated(x, k=4), 4 * x)
    with pytest.raises((TypeError, ValueError)):
        annotated(np.arange(5.0), 3)


@sluice.program
def checked(x):
    if x[0] < 0:
        raise ValueError("negative")
    return x[0]


def test_exceptions_are_raised_once():
    kept(checked, np.ones(3))
    with pytest.raises(ValueError, match="negative"):
        checked(-np.ones(3))
    assert checked(np.ones(3)) == 1.0


def test_settings(monkeypatch):
    @sluice.program
    def halved(x):
        return x / 2
    x = np.arange(4.0)
    kept(halved, x)
    versions = len(halved._versions)
    monkeypatch.setenv("SLUICE_OPTIMIZE", "1")
    np.testing.assert_array_equal(halved(x), x / 2)
    assert len(halved._versions) == versions + 1


def test_instrumented():
    @sluice.program
    def tripled(x):
        return 3 * x
    x = np.arange(4.0)
    kept(tripled, x)
    tripled.instrument()
    kept(tripled, x)
    assert tripled.report().runs == 3


def test_programs_are_collected():
    @sluice.program
    def short(x):
        return x + 1
    kept(short, np.ones(3))
    gone = weakref.ref(short)
    del short
    gc.collect()
    assert gone() is None


def test_threads():
    x = [np.full(1000, float(k)) for k in range(4)]
    wrong = []

    def run(k):
        for _ in range(300):
            if total(x[k]) != 1000.0 * k:
                wrong.append(k)
    workers = [threading.Thread(target=run, args=(k,)) for k in range(4)]
    for one in workers:
        one.start()
    for one in workers:
        one.join()
    assert not wrong


class Derived(np.ndarray):
    pass


def test_objects_of_derived_classes():
    x = np.arange(4.0)
    kept(total, x)
    with pytest.raises(TypeError, match="operations of its own"):
        total(x.view(Derived))
    assert callable(total) and total.__name__ == "total"
