"""isinstance, callable and hasattr in programs: answered where the program is translated."""
import numpy as np
import pytest

import sluice
from against_numpy import differences


def kinds(a):
    return (isinstance(a, int), isinstance(a, float), isinstance(a, bool), isinstance(a, (int, float)), isinstance(a, complex), isinstance(a, np.ndarray),
            isinstance(a, np.floating), isinstance(a, np.integer), isinstance(a, np.float64), isinstance(a, np.int32), isinstance(a, np.number),
            isinstance(a, np.generic), isinstance(a, tuple), isinstance(a, list), isinstance(a, dict), isinstance(a, str), callable(a))


@pytest.mark.parametrize("value", [1, 1.5, True, 2j, np.float64(1), np.float32(1), np.int32(3), np.bool_(True), np.ones(2), np.zeros((2, 0), np.int8)],
                         ids=lambda one: f"{type(one).__name__}")
def test_isinstance_of_arguments(value):
    def asked(a):
        return kinds(a)

    assert sluice.program(asked, strict=True)(value) == asked(value)


def test_isinstance_of_what_a_program_makes():
    def asked(x):
        return [kinds(one) for one in (x[0], x.mean(), len(x), float(x[0]), x[0] > 1, x[:1], (1, 2), [1, 2], {"a": 1}, "text", None, np.sin)]

    x = np.arange(1.0, 4.0)
    assert sluice.program(asked, strict=True)(x) == asked(x)


@pytest.mark.parametrize("value", [1, 1.5, True, 2j, np.float64(1), np.float32(1), np.int32(3), np.bool_(True), np.ones(2), np.zeros((2, 0), np.int8)],
                         ids=lambda one: f"{type(one).__name__}")
@pytest.mark.parametrize("asked", ["shapes", "items"])
def test_numbers_of_python_have_not_what_those_of_numpy_have(value, asked):
    function = globals()[asked]
    assert sluice.program(function, strict=True)(value) == function(value)


def shapes(a):
    return (hasattr(a, "shape"), hasattr(a, "ndim"), hasattr(a, "dtype"), hasattr(a, "size"), hasattr(a, "T"), hasattr(a, "astype"))


def items(a):
    return (hasattr(a, "item"), hasattr(a, "copy"), hasattr(a, "tolist"), hasattr(a, "sum"), hasattr(a, "mean"), hasattr(a, "max"), hasattr(a, "__array__"))


def test_attributes_of_counters_and_elements():
    def asked(x, n):
        found = 0
        for i in range(n):
            found += hasattr(i, "shape") + 10 * hasattr(x[i], "dtype") + 100 * hasattr(x[i] > 0, "item") + 1000 * hasattr(len(x), "ndim")
        return found
    x = np.arange(4.0)
    assert sluice.program(asked, strict=True)(x, 3) == asked(x, 3)


def widened(a, n=3):
    if np.isscalar(a) or isinstance(a, (int, float)):
        a = np.full(n, a)
    if not isinstance(a, np.ndarray):
        a = np.array(a)
    if hasattr(a, "shape") and a.ndim == 1 and callable(np.sin):
        return a * 2.0
    return a.ravel()


def test_branches_by_type():
    def both(a, f=None):
        g = f if callable(f) else np.cos
        return widened(a), widened([1.0, 2.0]), widened(3), g(widened(a))

    program = sluice.program(both, strict=True)
    for given in (1.5, np.ones((2, 2)), np.arange(3)):
        assert not differences(both(given), program(given), "result")
    assert not differences(both(2.0, np.sin), program(2.0, np.sin), "result")
