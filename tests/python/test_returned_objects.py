"""Objects of the user's classes that programs return: named tuples, dataclasses and plain classes, alone, in tuples, lists and dictionaries, and
as fields of others. Types, fields and values are compared with Python's."""
import copy
from collections import namedtuple
from dataclasses import dataclass, field
from typing import NamedTuple, Optional

import numpy as np
import pytest

import sluice


class State(NamedTuple):
    x: np.ndarray
    v: np.ndarray
    t: float = 0.0


Fit = namedtuple("Fit", "slope intercept", defaults=[0.5])


@dataclass
class Result:
    x: np.ndarray
    iterations: int = 0
    converged: bool = False
    history: list = field(default_factory=list)
    message: Optional[str] = None
    norm: float = field(init=False)

    def __post_init__(self):
        self.norm = float(np.sqrt((self.x ** 2).sum()))


@dataclass
class Point:
    x: float
    y: float

    def __init__(self, x_coordinate, y_coordinate):
        self.x = float(x_coordinate)
        self.y = 2 * y_coordinate


@dataclass(init=False)
class Standing:
    n: int = 3


def with_init_of_its_own(x):
    return Point(1, x), Standing().n


def test_dataclasses_with_an_init_of_their_own():
    point, standing = sluice.program(strict=True)(with_init_of_its_own)(2)
    assert (point, standing) == with_init_of_its_own(2)
    assert (type(point.x), type(point.y)) == (float, int)


@dataclass(frozen=True)
class Line:
    a: float
    b: float = 1.0


@dataclass(slots=True)
class Slotted:
    first: float
    second: np.ndarray


class Model:
    kind = "linear"

    def __init__(self, rate):
        self.rate = rate
        self.state = State(np.zeros(2), np.ones(2))

    def fit(self, x):
        self.weights = x * self.rate
        self.fits = [Line(1.0, self.rate), Line(2.0)]
        return self


class Counter:
    def __init__(self, n):
        if n > 3:
            self.big = True
            self.n = n
        else:
            self.n = -n


def new_state(x, v):
    return State(x, v)


def stepped(x, v, dt):
    s = State(x.copy(), v)
    for i in range(3):
        s = State(s.x + dt * s.v, s.v - dt * s.x, s.t + dt)
    return s


def fitted(x, y):
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return Fit(slope)


def solved(a, b, tol):
    r = Result(np.zeros_like(b))
    for k in range(50):
        step = (b - a @ r.x) / np.diag(a)
        r.x = r.x + step
        r.iterations += 1
        r.history.append(np.abs(step).max())
        if np.abs(step).max() < tol:
            r.converged = True
            r.message = "converged"
            return r
    return r


def nested(x):
    return (State(x, x * 2), Line(2.0)), {"fit": Fit(x[0], x[1]), "n": 3}, [Line(x[2], 0.0), Line(3.0)]


@dataclass
class Named:
    x: float
    name: str = "it's"
    kind: Optional[str] = None


def named(x):
    n = Named(x[0])
    if x[0] > 5:
        n.kind = "big"
    return n, n.name == "it's"


def by_path(x):
    if x[0] > 0:
        return State(x, x + 1)
    if x[1] > 0:
        return None
    return State(x, x - 1), Line(x[1])


def chosen(x):
    return Line(x[0]) if x[0] > 0 else None


def one_of_two(x):
    return Line(x[0]) if x[0] > 0 else Line(x[1], x[2])


def model(x):
    return Model(2.0).fit(x)


def unfitted(x):
    m = Model(x[0])
    return m, m.rate


def counted(n):
    c = Counter(n)
    return c.n


def slotted(x):
    return Slotted(x.sum(), x)


def ordered(x):
    """The part in front of an object is what it was before the object was made."""
    total = [x[0]]

    def taken():
        total.append(x[1])
        return len(total)

    return len(total), Line(taken(), taken()), len(total)


def of_list(x):
    lines = [Line(k * 1.0, x[k]) for k in range(3)]
    return lines, len(lines)


def of_tuple(x):
    lines = (Line(x[0]), Line(x[1]))
    return lines


def helper(x):
    return Line(x[0], x[1])


def of_helper(x):
    best = helper(x)
    for k in range(3):
        other = helper(x[k:])
        if other.a < best.a:
            best = other
    return best, best.a


def of_inner(x):
    def solve(y):
        return Line(y[0]), y.sum()
    return solve(x)


def views(x):
    """A field is the argument, another a view of it."""
    return State(x, x[1:], x[0])


def same(one, other):
    assert type(one) is type(other), (one, other)
    if isinstance(one, np.ndarray):
        assert one.dtype == other.dtype and one.shape == other.shape
        np.testing.assert_array_equal(one, other)
    elif isinstance(one, (tuple, list)):
        assert len(one) == len(other)
        for a, b in zip(one, other):
            same(a, b)
    elif isinstance(one, dict):
        assert list(one) == list(other)
        for key in one:
            same(one[key], other[key])
    elif hasattr(type(one), "__slots__"):
        for name in type(one).__slots__:
            same(getattr(one, name), getattr(other, name))
    elif hasattr(one, "__dict__"):
        same(vars(one), vars(other))
    else:
        assert one == other


X = np.array([3.0, 1.0, 2.0, -1.0])
A = np.array([[4.0, 1.0], [0.5, 3.0]])
CALLS = [(new_state, X, X * 2), (stepped, X, X + 1, 0.1), (fitted, X, X ** 2), (solved, A, np.array([1.0, 2.0]), 1e-10), (solved, A, np.array([1.0, 2.0]), 0.0),
         (nested, X), (by_path, X), (by_path, -X), (by_path, X - 3.0), (chosen, X), (chosen, -X), (one_of_two, X), (one_of_two, -X), (model, X), (unfitted, X),
         (slotted, X), (named, X), (named, X * 3), (ordered, X), (of_list, X), (of_tuple, X), (of_helper, X), (of_inner, X), (counted, 5), (views, X)]


@pytest.mark.parametrize("call", CALLS, ids=[call[0].__name__ + str(at) for at, call in enumerate(CALLS)])
def test_objects_that_are_returned(call):
    function, *arguments = call
    expected = function(*copy.deepcopy(arguments))
    same(sluice.program(function, strict=True)(*copy.deepcopy(arguments)), expected)


def test_fields_share_memory_as_in_python():
    x = X.copy()
    state = sluice.program(views, strict=True)(x)
    assert state.x is x and np.shares_memory(state.v, x)


class Sim:
    def __init__(self, n):
        self.u, self.t = np.zeros(n), 0.0

    def step(self, dt):
        self.u += dt
        self.t += dt
        return self


def advanced(sim, n):
    for _ in range(n):
        sim.step(0.5)
    return sim


def advanced_with_number(sim, n):
    for _ in range(n):
        sim.step(0.5)
    return sim, State(sim.u, sim.u + 1), n


@pytest.mark.parametrize("function", [advanced, advanced_with_number])
def test_an_object_of_the_callers_comes_back_as_itself(function):
    ours, theirs = Sim(3), Sim(3)
    result, expected = sluice.program(function, strict=True)(ours, 4), function(theirs, 4)
    if function is advanced:
        result, expected = (result,), (expected,)
    assert result[0] is ours
    same(ours, theirs)
    same(result[1:], expected[1:])


def test_a_class_that_is_defined_again():
    source = "class Pair:\n    def __init__(self, a):\n        self.a = a\n\ndef pair(a):\n    return Pair(a)\n"
    import linecache
    results = []
    for name in ("<first>", "<second>"):
        linecache.cache[name] = len(source), None, source.splitlines(True), name
        space = {"__name__": __name__}
        exec(compile(source, name, "exec"), space)
        results.append((sluice.program(space["pair"], strict=True)(1.5), space["Pair"]))
    assert all(type(result) is cls and result.a == 1.5 for result, cls in results)


def lazily(n):
    m = Model(1.0)
    if n > 2:
        m.fit(np.ones(2))
    return m


def twice(x):
    m = Model(x)
    return m, m


@pytest.mark.parametrize("function, argument, text", [(lazily, 3, "whether the returned object has the field weights is for the run to know"), (twice, X, "an object is returned twice")])
def test_what_no_result_can_say_is_refused(function, argument, text):
    with pytest.raises(sluice.CompileError, match="F020: " + text):
        sluice.program(function, strict=True)(argument)


class Adam(NamedTuple):
    m: np.ndarray
    t: int


def adam_step(w, g, state, rate=0.1):
    m = 0.9 * state.m + g
    t = state.t + 1
    return w - rate * m / t, Adam(m, t)


def optimised(w, steps):
    state = Adam(np.zeros_like(w), 0)
    for k in range(steps):
        w, state = adam_step(w, w * 2, state)
    return w, state


class Walker:
    def __init__(self, x):
        self.x, self.line = x, Line(x)

    def split(self, by):
        if by > 1:
            return Walker(self.x / by), self.x, Line(by, self.x)
        half = Walker(self.x / 2)
        half.x += 1.0
        return half, by, Line(by)


def walked(x, n):
    w = Walker(x)
    total = 0.0
    for k in range(n):
        w, more, line = w.split(k)
        total += more * line.b
    return w.split(3.0), total, w.line


def both(a, b):
    return Line(b.a, b.b), Line(a.a, a.b)


def exchanged(x):
    p, q = Line(x[0]), Line(x[1], x[2])
    p, q = both(p, q)
    return p, q, p.a - q.a


@pytest.mark.parametrize("call", [(optimised, X, 4), (walked, 8.0, 4), (exchanged, X)], ids=lambda call: call[0].__name__)
def test_objects_among_other_results(call):
    function, *arguments = call
    expected = function(*copy.deepcopy(arguments))
    same(sluice.program(function, strict=True)(*copy.deepcopy(arguments)), expected)
