"""Keywords by dictionaries: `f(x, **options)`, `def f(x, **kw)`, `{**a, "k": v}`, `dict(a, k=v)`, compared with Python."""
import copy
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

import sluice

OPTIONS = {"scale": 3.0, "shift": 0.5}


@dataclass
class Settings:
    rate: float
    steps: int = 3


def scaled(x, *, scale=1.0, shift=0.0):
    return x * scale + shift


def handed_on(x, *more, **kw):
    for one in more:
        x = x + one
    return scaled(x, **kw)


def counted(x, scale=2.0, **kw):
    total = 0.0
    for name, value in kw.items():
        total += value * len(name)
    return x * scale + total, len(kw), kw.get("b", -1.0)


def with_dictionary(x):
    options = {"scale": 2.0, "shift": x[0]}
    return scaled(x, **options), scaled(x, **OPTIONS), scaled(x, scale=x[1], **{"shift": 1.0})


def with_rest(x):
    return counted(x), counted(x, a=1.0, bb=2), counted(x, 3.0, b=x[0]), counted(x, **{"scale": 0.5, "b": 1.0, "c": 2.0})


def in_functions(x):
    def inner(y, **kw):
        return handed_on(y, 1.0, **kw) - handed_on(y, **{**kw, "shift": 2.0})
    return inner(x, scale=2.0) + inner(x)


def merged(x):
    a = {"n": 1, "u": x}
    b = {**a, "n": 2, "v": x * 2, **{"w": 3.0}}
    c = dict(b, w=x[0], z=dict(q=1))
    a["n"] += 5
    return a, b, c, dict(), dict(**a), {**a}


def with_partial(x):
    return partial(handed_on, scale=3.0)(x), partial(scaled, scale=2.0)(x, **{"shift": 1.0})


def of_class(x):
    s = Settings(rate=x[0], steps=4)
    return s.rate * s.steps, dict(rate=s.rate, text="abc", nothing=None)


def given(x, **kw):
    return scaled(x, **kw) if "scale" in kw else x * kw.get("factor", 2.0)


def same(one, other):
    assert type(one) is type(other), (one, other)
    if isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, other)
        assert one.dtype == other.dtype
    elif isinstance(one, (tuple, list)):
        assert len(one) == len(other)
        for a, b in zip(one, other):
            same(a, b)
    elif isinstance(one, dict):
        assert list(one) == list(other)
        for key in one:
            same(one[key], other[key])
    else:
        assert one == other


X = np.array([1.5, 2.0, -1.0])


@pytest.mark.parametrize("function", [with_dictionary, with_rest, in_functions, merged, with_partial, of_class], ids=lambda one: one.__name__)
def test_means_what_python_means(function):
    same(sluice.program(function, strict=True)(X.copy()), function(X.copy()))


@pytest.mark.parametrize("keywords", [{}, {"factor": 3.0}, {"scale": 2, "shift": 1.0}])
def test_keywords_of_the_call_itself(keywords):
    program = sluice.program(given, strict=True)
    for _ in range(2):
        same(program(X.copy(), **keywords), given(X.copy(), **keywords))


def unknown(x):
    return scaled(x, **{"scale": 1.0, "size": 2.0})


def twice(x):
    return scaled(x, scale=1.0, **{"scale": 2.0})


def to_object(x):
    s = Settings(**{"rate": x[0], "steps": 4})
    return s.rate


def test_objects_take_keywords_by_name():
    with pytest.raises(sluice.CompileError, match="F020.*keywords by a dictionary"):
        sluice.program(to_object, strict=True)(X)


@pytest.mark.parametrize("function, arguments, text", [(unknown, (X,), "F011.*has no parameter size"), (twice, (X,), "F011.*is given scale twice")])
def test_mistakes_are_refused(function, arguments, text):
    with pytest.raises(sluice.CompileError, match=text):
        sluice.program(function, strict=True)(*copy.deepcopy(arguments))
    with pytest.raises(TypeError):
        function(*copy.deepcopy(arguments))
