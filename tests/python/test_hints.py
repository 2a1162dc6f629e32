"""Annotations that are hints for people, and arguments that are no numbers: None, texts, tuples."""
from typing import Any, List, Optional, Union

import numpy as np
import numpy.typing as npt
import pytest
from numpy.typing import NDArray

import sluice


def array(x: np.ndarray) -> np.ndarray:
    return x + 1


def typed(x: NDArray[np.float32], y: npt.NDArray, z: npt.ArrayLike) -> "np.ndarray":
    return x * y + z


def generic(x: np.ndarray[Any, np.dtype[np.float64]], n: Union[int, float], m: Any = 2, k: object = 3):
    return x * n + m - k


def quoted(x: "np.ndarray", n: "int" = 3):
    return x[n:]


def either(x: Union[float, np.ndarray]):
    return np.sqrt(x)


def loose_dtype(x: NDArray[np.floating]):
    return x * 2


VECTOR = np.arange(5.0)


@pytest.mark.parametrize("function, arguments", [
    (array, (VECTOR,)), (array, (VECTOR.astype(np.int32),)), (array, (np.ones((2, 3)),)),
    (typed, (VECTOR.astype("f4"), VECTOR, VECTOR)), (generic, (VECTOR, 2)), (generic, (VECTOR, 2.5, 1, 0.5)),
    (quoted, (VECTOR,)), (quoted, (VECTOR, 1)), (either, (VECTOR,)), (either, (2.0,)), (loose_dtype, (VECTOR,)),
])
def test_hints_leave_the_type_to_the_argument(function, arguments):
    got, wanted = sluice.program(function)(*arguments), function(*arguments)
    assert np.array_equal(got, wanted) and type(got) is type(wanted)
    if isinstance(wanted, np.ndarray):
        assert got.dtype == wanted.dtype


def test_a_quoted_type_is_a_type():
    @sluice.program
    def doubled(x: "sluice.float64[4]"):
        return x * 2

    assert np.array_equal(doubled(np.arange(4.0)), [0, 2, 4, 6])
    with pytest.raises(ValueError, match="A003|A006|A001|A002"):
        doubled(np.arange(5.0))


def weighted(x, w=None):
    if w is None:
        w = np.ones(len(x))
    return (x * w).sum()


def given(x: Optional[np.ndarray] = None, y: Optional[np.ndarray] = None):
    return (x.sum() if x is not None else 0.0) + (y.sum() if y is not None else 1.0)


def by_mode(x, mode="sum"):
    if mode == "sum":
        return np.sum(x)
    return np.mean(x)


def along(x, axis=None):
    return np.sum(x, axis=axis)


def shaped(x, shape):
    return x.reshape(shape) + len(shape)


def affine(x, t):
    a, b = t
    return x * a + b


def truth(x, extra=None, name=""):
    total = 0.0
    for v in x:
        total += v
    if extra:
        total += extra.sum()
    if name:
        total *= 2
    return total


@pytest.mark.parametrize("function, arguments", [
    (weighted, (VECTOR,)), (weighted, (VECTOR, None)), (weighted, (VECTOR, VECTOR)), (given, ()), (given, (VECTOR,)), (given, (None, VECTOR)),
    (by_mode, (VECTOR,)), (by_mode, (VECTOR, "mean")), (along, (VECTOR,)), (shaped, (np.arange(6.0), (2, 3))), (affine, (VECTOR, (2, 0.5))),
    (truth, (VECTOR,)), (truth, (VECTOR, None, "twice")),
])
def test_values_that_are_no_numbers_choose_the_code(function, arguments):
    program = sluice.program(strict=True)(function)
    for _ in range(2):
        got, wanted = program(*arguments), function(*arguments)
        assert np.array_equal(got, wanted) and type(got) is type(wanted)


def mean_along(x, axis, keep=False):
    return x.mean(axis=axis, keepdims=keep)


def halves(x, n):
    return np.split(x, n)[0]


@pytest.mark.parametrize("function, arguments", [(mean_along, (0,)), (mean_along, (-1, True)), (halves, (2,))])
def test_integers_that_must_be_known_choose_the_code(function, arguments):
    x = np.arange(12.0).reshape(4, 3)
    assert np.array_equal(sluice.program(strict=True)(function)(x, *arguments), function(x, *arguments))


def test_code_for_values_of_integers_has_an_end():
    x = np.arange(4096.0).reshape([4] * 6)
    strict, default = sluice.program(strict=True)(mean_along), sluice.program(strict=False)(mean_along)
    for axis in range(4):
        assert np.array_equal(strict(x, axis), x.mean(axis=axis))
    with pytest.raises(sluice.CompileError, match="an axis must be a constant"):
        strict(x, 4)
    with pytest.warns(sluice.FallbackWarning, match="an axis must be a constant"):
        for axis in range(6):
            assert np.array_equal(default(x, axis), x.mean(axis=axis))


@pytest.mark.parametrize("value", [{1.0, 2.0}, iter([1.0])], ids=["set", "iterator"])
def test_strict_programs_refuse_what_python_would_run(value):
    @sluice.program(strict=True)
    def held(x, other):
        return x if other is None else x + 1

    with pytest.raises(TypeError, match="A008"):
        held(VECTOR, value)
