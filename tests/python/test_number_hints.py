"""Parameters annotated by Python's own number types: hints to Python, so that what a call gives decides what it computes."""
import numpy as np
import pytest

import sluice


def halves(x: float, n: int):
    return x // 2, x * n, n // 2, x


def sign_of(x: float):
    if x < 0:
        return -x
    return x


def scaled(a, factor: float = 3, shift: "complex" = 0):
    return a * factor + shift


def chosen(flag: bool, n: int):
    return n + flag, flag


def same(got, wanted):
    if isinstance(wanted, tuple):
        return isinstance(got, tuple) and len(got) == len(wanted) and all(map(same, got, wanted))
    if isinstance(wanted, np.ndarray):
        return got.dtype == wanted.dtype and np.array_equal(got, wanted)
    return type(got) is type(wanted) and got == wanted


@pytest.mark.parametrize("function, calls", [
    (halves, [(2.5, 3), (7, 3), (7, 2.5), (True, 3), (2.5, 3), (-7, 3), (3, 3)]),
    (sign_of, [(1.5,), (2,), (-2,), (-2.5,), (0,), (np.int32(4),)]),
    (scaled, [(np.arange(3),), (np.arange(3), 2.0), (np.arange(3), 2), (np.arange(3), 2.5, 1j), (np.arange(3.0), 2, 1)]),
    (chosen, [(True, 2), (1, 2), (False, 2), (0.5, 2)])], ids=lambda one: getattr(one, "__name__", ""))
def test_calls_decide(function, calls):
    program = sluice.program(function, strict=True)
    for call in calls + calls[::-1]:
        assert same(program(*call), function(*call)), call


def test_calls_with_other_numbers_are_measured_and_explained():
    program = sluice.program(halves, strict=True).instrument()
    program(7, 3)
    assert "halves" in str(program.report())
    assert "compiled" in str(program.explain())


def test_by_keyword():
    program = sluice.program(halves, strict=True)
    for call in ({"x": 7, "n": 2}, {"n": 2, "x": 7.5}, {"x": 7.5, "n": 3}):
        assert same(program(**call), halves(**call))


def test_a_call_that_is_usual_does_not_take_other_numbers():
    program = sluice.program(sign_of, strict=True)
    for _ in range(3):
        assert same(program(1.5), 1.5) and same(program(2), 2) and same(program(2.0), 2.0)


def test_what_is_translated_ahead_has_the_hinted_types():
    sdfg = sluice.program(halves).to_sdfg()
    assert {name: one.dtype for name, one in sdfg.arrays.items() if name in ("x", "n")} == {"x": sluice.float64, "n": sluice.int64}


def test_types_of_sluice_stay_types():
    @sluice.program(strict=True)
    def doubled(x: sluice.float64):
        return x + x
    assert same(doubled(2), np.float64(4.0))


def test_a_helper_and_a_method_have_hints_too():
    def half(x: float):
        return x // 2

    @sluice.program(strict=True)
    def both(n):
        return half(n), half(n * 1.0)
    assert same(both(7), (3, 3.0))

    @sluice.program
    def steps(x: float, n: int):
        for _ in range(n):
            x = x // 2
        return x

    @sluice.program(strict=True)
    def of_a_program(x):
        return steps(x, 2), steps(x * 1.0, 2), steps(7, 1)
    assert same(of_a_program(9), (2, 2.0, 3))

    class Scale:
        def __init__(self, by):
            self.by = by

        @sluice.program(strict=True)
        def of(self, x: float):
            return x * self.by
    assert same(Scale(3).of(2), 6) and same(Scale(3).of(2.5), 7.5)
