"""Between lines that Python runs, what has little to do is Python's: a call of compiled code costs more (docs/graph-breaks.md)."""
import ast
import math
import pathlib
import sys
import textwrap
import warnings

import numpy as np
import pytest

import sluice
from sluice import pieces, segment_calls
from sluice.work import ANY, OVER_VALUES, STRAIGHT, work_of

sys.path.append(str(pathlib.Path(__file__).parents[2] / "bench"))  # behind: it has an against_numpy.py of its own
from measuring import load  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::sluice.FallbackWarning")


def beyond(v, t):
    if v > t:
        return v - t
    return 0.0


def length(v):
    s = 0.0
    for q in v:
        s += q * q
    return math.sqrt(s)


def until(v):
    while v > 1:
        v /= 2
    return v


def calls_length(v):
    return length(v) + 1


def calls_itself(v):
    return v if v < 1 else calls_itself(v - 1)


@pytest.mark.parametrize("text, expected", [
    ("y = x + 1\nz = y.sum() + np.sin(y) + len(xs)", STRAIGHT), ("y = beyond(x, 1.0)", STRAIGHT), ("if x > 1:\n    raise ValueError(str(x))", STRAIGHT),
    ("for v in xs:\n    s += v", OVER_VALUES), ("for i in range(len(xs) - 1):\n    s += xs[i]", OVER_VALUES), ("for i in range(3):\n    s += i", OVER_VALUES),
    ("for k, v in enumerate(zip(xs, ys)):\n    s += v[0]", OVER_VALUES), ("for k, v in d.items():\n    s += v", OVER_VALUES), ("y = length(xs)", OVER_VALUES),
    ("y = length([1.0, x])", OVER_VALUES), ("y = calls_length(xs)", OVER_VALUES), ("y = [v + 1 for v in xs if v > 0]", OVER_VALUES),
    ("y = beyond(length(xs), 1.0)", OVER_VALUES), ("for i in range(xs.shape[0]):\n    s += xs[i]", OVER_VALUES),
    ("for i in range(n):\n    s += i", ANY), ("while s < n:\n    s += 1", ANY), ("y = until(x)", ANY), ("y = calls_itself(x)", ANY), ("y = unknown(x)", ANY),
    ("for v in xs:\n    for w in ys:\n        s += v * w", ANY), ("for v in xs:\n    s += length(ys)", ANY), ("zs = list(range(n))\nfor z in zs:\n    s += z", ANY),
    ("zs = np.zeros(n)\ny = length(zs)", ANY), ("y = length(np.zeros(n))", ANY), ("y = length([*xs])", ANY), ("y = [v * w for v in xs for w in ys]", ANY),
    ("y = [[v] * n for v in xs if length(ys) > 0]", ANY), ("y = x()", ANY)])
def test_how_much_statements_do(text, expected):
    def function(x, xs, ys, d, n, s):
        return x, np, beyond, length, until
    assert work_of(ast.parse(text).body, function)[0] == expected


def segment_calls_of(program):
    """How often segments ran, at any depth."""
    found = 0
    for driver in program._drivers.values():
        for calls in driver.segments:
            found += calls.calls + sum(segment_calls_of(part) for part, _ in calls.parts.values())
            found += sum(inner.calls for inner in calls.cut.segments) if calls.cut else 0
    return found


VALUES = np.random.default_rng(4).normal(size=600)


@pytest.mark.parametrize("name, argument", [
    ("names_of_helpers", (list(VALUES), 0.2)), ("small_rows", ([list(VALUES[i:i + 5]) for i in range(500)],)), ("handlers", (VALUES,))])
def test_a_loop_of_pythons_asks_a_few_times_only(name, argument, monkeypatch):
    function, _ = load(pathlib.Path(__file__).parents[2] / "bench/graph_breaks.py", "graph_breaks").PROGRAMS[name]
    taken = []
    take_apart = pieces.take_apart
    monkeypatch.setattr(segment_calls, "take_apart", lambda *given: taken.append(given[0]) or take_apart(*given))
    program = sluice.program(function, strict=False)
    for _ in range(2):
        assert program(*argument) == function(*argument)
    assert len(taken) < 60, len(taken)
    assert name == "handlers" or segment_calls_of(program) < 60


def test_large_arrays_are_compiled_all_the_same():
    steps, _ = load(pathlib.Path(__file__).parents[2] / "bench/graph_breaks.py", "graph_breaks").PROGRAMS["large_arrays"]
    program = sluice.program(steps, strict=False)
    for size in (10, 3000, 10):
        x = np.linspace(0, 1, size)
        np.testing.assert_allclose(program(x, 30), steps(x, 30), rtol=1e-12)
    assert "compiled for float64[3000]" in program.explain()


def test_functions_that_python_calls_are_compiled_for_large_arrays():
    calls = []

    def noted(x):
        calls.append(len(x))

    def curve(x):
        return np.sin(x) * np.exp(-x) + x ** 2

    def total(xs):
        s = 0.0
        for x in xs:
            noted(x)
            s += curve(x).sum()
        return s
    program = sluice.program(total, strict=False)
    for size in (5, 5000):
        xs = [np.linspace(0, 1, size) * k for k in range(4)]
        assert math.isclose(program(xs), total(xs), rel_tol=1e-13)


def test_many_texts_do_not_make_many_versions():
    def labelled(x, n):
        found = []
        for k in range(n):
            label = repr(k)
            found.append(label)
            s = 0.0
            for i in range(n):
                s += x[i] * (1 if label == "3" else 2)
            found.append(str(s))
        return found
    program = sluice.program(labelled, strict=False)
    x = np.arange(40.0)
    assert program(x, 40) == labelled(x, 40)
    for driver in program._drivers.values():
        assert all(len(calls.parts) <= 8 for calls in driver.segments)


def test_what_raises_in_a_part_of_pythons_has_pythons_text():
    def read(d, keys):
        found = []
        for k in keys:
            name = str(type(k))
            v = d[k]
            w = v + len(name)
            found.append(w)
        return found
    with pytest.raises(KeyError) as wanted:
        read({"a": 1}, ["a", "b"])
    with pytest.raises(KeyError) as raised:
        sluice.program(read, strict=False)({"a": 1}, ["a", "b"])
    assert raised.value.args == wanted.value.args


def test_sources_that_are_indented_are_read():
    def inner(v):
        for _ in range(2):
            v += 1
        return v

    def function(x):
        return inner(x)
    text = textwrap.dedent("""
        y = inner(x)
    """)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert work_of(ast.parse(text).body, function)[0] == OVER_VALUES


def test_dataflow_that_is_written_as_such_is_never_pythons():
    def scaled(x, y):
        log = []
        for k in range(12):
            log.append(repr(k))
            with sluice.tasklet:
                a << x[0]
                b >> y[0]
                b = a * 3 + k
            t = sluice.define_local([4], sluice.float64)
            t[:] = x
            y[1] = t[2]
            for i in sluice.map[2:4]:
                with sluice.tasklet:
                    a << x[i]
                    b >> y[i]
                    b = a * 5 + k
        return len(log)
    x, y = np.arange(4.0) + 1, np.zeros(4)
    assert sluice.program(scaled, strict=False)(x, y) == 12
    np.testing.assert_array_equal(y, [14, 3, 26, 31])
