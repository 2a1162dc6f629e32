"""Texts, None, lists, tuples and dictionaries around a program: constants of it, as they are at the call."""
import numpy as np
import pytest

import sluice

N = sluice.symbol("N")
axes = [1, 0, 2]
places = [3, 0]
shape = (2, [N, 5])
mode, nothing = "fast", None
settings = {"dt": 0.5, "name": "wave", "window": (1, 4)}


@sluice.program(strict=True)
def turned(A: sluice.float64[2, 3, 4]):
    return np.transpose(A, axes=axes)


@sluice.program(strict=True)
def picked(A: sluice.float64[5]):
    return A[places]


@sluice.program(strict=True)
def chosen(A: sluice.float64[3]):
    if mode == "fast" and nothing is None:
        return A * settings["dt"]
    return A - 1


@sluice.program(strict=True)
def windowed(A: sluice.float64[6]):
    return A[settings["window"][0]:settings["window"][1]]


@sluice.program(strict=True)
def sized(A: sluice.float64[N]):
    B = np.ones(shape[1])
    return B + A[0]


def test_axes_of_a_list():
    A = np.random.rand(2, 3, 4)
    assert np.array_equal(turned(A), turned.f(A))


def test_indices_of_a_list_and_their_changes():
    A = np.random.rand(5)
    assert np.array_equal(picked(A), A[[3, 0]])
    places.append(4)
    try:
        assert np.array_equal(picked(A), A[[3, 0, 4]])
    finally:
        places.pop()
    assert np.array_equal(picked(A), A[[3, 0]])


def test_texts_and_none(monkeypatch):
    A = np.random.rand(3)
    assert np.array_equal(chosen(A), A * 0.5)
    monkeypatch.setitem(settings, "dt", 3.0)
    assert np.array_equal(chosen(A), A * 3)
    monkeypatch.setitem(globals(), "mode", "slow")
    assert np.array_equal(chosen(A), A - 1)
    monkeypatch.setitem(globals(), "mode", "fast")
    monkeypatch.setitem(globals(), "nothing", 1)
    assert np.array_equal(chosen(A), A - 1)


def test_nested_tuples_and_symbols():
    A = np.random.rand(6)
    assert np.array_equal(windowed(A), A[1:4])
    assert sized(A).shape == (6, 5)


def test_closed_over_lists():
    local = [2, 1]

    @sluice.program(strict=True)
    def inner(A: sluice.float64[4]):
        total = 0.0
        for at in local:
            total += A[at]
        return total

    A = np.arange(4.0)
    assert inner(A) == 3
    local.append(3)
    assert inner(A) == 6


def test_a_change_is_not_lost():
    own = [1]

    @sluice.program(strict=True)
    def grows(A: sluice.float64[3]):
        own.append(2)
        return A[own]

    with pytest.raises(sluice.CompileError, match="the caller's"):
        grows(np.arange(3.0))


class Kind:
    def __init__(self, key, other=None):
        self.key, self.other = key, other

    @sluice.method
    def step(self, A):
        if self.key == "one":
            A[...] = A + 1.0
        if self.key == "two":
            A[...] = A + 2.0
        if self.other is not None:
            A[...] = A * 10.0


class Both:
    def __init__(self):
        self.first, self.second = Kind("one"), Kind("two", object())

    @sluice.method(strict=True)
    def step(self, A):
        self.first.step(A)
        self.second.step(A)


def test_texts_of_objects_decide():
    A = np.zeros(4)
    both = Both()
    both.step(A)
    assert np.all(A == 30)


def test_what_is_unknown_is_not_taken_for_different():
    class Computed:
        def __getattr__(self, name):
            if name == "key":
                return "one"
            raise AttributeError(name)

    class Property:
        @property
        def key(self):
            return "one"

    holder = Computed()

    @sluice.program(strict=True)
    def compares(A: sluice.float64[2]):
        if holder.key == "one":
            A += 1

    with pytest.raises(sluice.CompileError, match="F002"):
        compares(np.zeros(2))
    holder, A = Property(), np.zeros(2)
    compares(A)
    assert np.all(A == 1)


def test_lists_in_variables_are_arrays_of_indices():
    @sluice.program(strict=True)
    def rows(A: sluice.float64[3, 3]):
        at = [0, 2]
        return A[at]

    A = np.random.rand(3, 3)
    assert np.array_equal(rows(A), A[[0, 2]])


def test_order_of_texts():
    @sluice.program(strict=True)
    def less():
        return "foo" < "bar", "a" <= "a", "b" > "a"

    assert less() == (False, True, True)
