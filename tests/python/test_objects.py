"""Objects that a program makes of the user's classes: fields as variables, methods, operators, dataclasses and named tuples, compiled
whole and compared with Python."""
import math
from collections import namedtuple
from dataclasses import dataclass, field

import numpy as np
import pytest

import sluice

SCALE = 3.0


class Vec:
    dims = 2

    def __init__(self, x, y=0.5):
        self.x = x
        self.y = y

    def dot(self, o):
        return self.x * o.x + self.y * o.y

    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __lt__(self, o):
        return self.norm() < o.norm()

    def norm(self):
        return math.sqrt(self.dot(self))


class Account:
    def __init__(self, balance):
        self.balance = balance
        self.log = []

    def deposit(self, amount):
        if amount < 0:
            raise ValueError("a negative amount")
        self.balance += amount
        self.log.append(amount)

    def pay(self, amount):
        if amount > self.balance:
            return False
        self.balance -= SCALE * amount
        return True

    @property
    def count(self):
        return len(self.log)


@dataclass
class Particle:
    x: float
    v: float = 1.0
    seen: list = field(default_factory=list)

    def step(self, dt):
        self.v -= self.x * dt
        self.x += self.v * dt
        self.seen.append(self.x)


Point = namedtuple("Point", "x y", defaults=[2.0])


def vectors(a, b):
    v, w = 1.0, 2.0
    first = Vec(a, b)
    second = Vec(w, y=v)
    total = first + second * 2.0
    total = total + -first
    shorter = 1 if first < second else 2
    return total.x, total.y, first.dot(total), (first + total).norm(), shorter, first.dims


def accounts(amounts):
    acc = Account(10.0)
    refused = 0
    for amount in amounts:
        if amount > 1:
            acc.deposit(amount)
        elif not acc.pay(amount * 8):
            refused += 1
    return acc.balance, acc.count, acc.log, refused


def oscillator(n, dt):
    p = Particle(0.25)
    at = Point(n * dt)
    for _ in range(n):
        p.step(dt)
    return p.x, p.v, p.seen, at.x + at.y


def agrees(function, *arguments):
    expected, answer = function(*arguments), sluice.program(function, strict=True)(*arguments)
    assert list(map(type, answer)) == list(map(type, expected))
    for one, other in zip(answer, expected):
        np.testing.assert_allclose(one, other, rtol=1e-14)


def test_operators_that_make_objects():
    agrees(vectors, 0.75, -2.0)


def test_fields_that_change_in_loops_and_branches():
    agrees(accounts, [4.0, 0.5, 1.0, 7.0, 0.25])
    with pytest.raises(ValueError, match="a negative amount"):
        sluice.program(strict=True)(lambda_of_deposit)(-1.0)


def lambda_of_deposit(amount):
    acc = Account(1.0)
    acc.deposit(amount)
    return acc.balance


def test_dataclasses_and_named_tuples():
    agrees(oscillator, 5, 0.125)


def as_a_value(a):
    v = Vec(a)
    pair = v, a
    return pair[1]


def of_two_kinds(a):
    v = Vec(a)
    v = v.x
    return v


def without_field(a):
    v = Vec(a)
    return v.z


@pytest.mark.parametrize("function, match", [(of_two_kinds, "F020.*something else as well"),
                                             (without_field, "F020.*Vec has no field z")])
def test_other_uses_are_refused(function, match):
    with pytest.raises(sluice.CompileError, match=match):
        sluice.program(strict=True)(function)(1.0)


def test_an_object_as_a_value_is_one_of_the_run():
    assert sluice.program(strict=True)(as_a_value)(1.0) == as_a_value(1.0)


class Slotted:
    __slots__ = ("x",)

    def __init__(self, x):
        self.x = x


def moved_point(a):
    p = Point(a)
    p.x = 3.0
    return p.x


def added_to_a_point(a):
    p = Point(a)
    p.y += 3.0
    return p.y


def new_attribute(a):
    p = Slotted(a)
    p.y = a
    return p.y


@pytest.mark.parametrize("function", [moved_point, added_to_a_point, new_attribute])
def test_what_python_does_not_let_be_assigned_is_not(function):
    with pytest.raises(sluice.CompileError):
        sluice.program(function, strict=True)(1.5)
    with pytest.warns(sluice.FallbackWarning), pytest.raises(AttributeError):
        sluice.program(function, strict=False)(1.5)


class Box:
    __match_args__ = ("w", "h")

    def __init__(self, w, h):
        self.w, self.h = w, h

    def diagonal(self):
        return math.sqrt(self.w * self.w + self.h * self.h)


def area(shape, k):
    match shape:
        case Particle(x, v=0.0):
            return x
        case Particle(0.0):
            return k
        case Particle(x=x, v=v):
            return x * v
        case Box(w, h):
            return w * h
        case Point(x):
            return -x


def kind(value):
    match value:
        case int() | float():
            return 1
        case _:
            return 2


def length(shape):
    if isinstance(shape, Box) and shape.w > 0:
        return shape.diagonal()
    elif isinstance(shape, Box):
        return shape.h
    return shape.x if isinstance(shape, Particle) else 0.5


def matched(a, k):
    return area(Particle(a), k), area(Particle(a, 0.0), k), area(Particle(0.0, a), k), area(Box(a, 3.0), k), area(Point(a), k), kind(a), kind(k)


def distinguished(a):
    return length(Box(a, 4.0)), length(Box(-a, 4.0)), length(Particle(a)), length(Point(a))


@pytest.mark.parametrize("function, arguments", [(matched, (2.0, 3)), (matched, (2.0, 1)), (distinguished, (3.0,))])
def test_patterns_of_classes(function, arguments):
    assert sluice.program(function, strict=True)(*arguments) == function(*arguments)


SPRINGS = """
import math

LIMIT = 3.0

class Spring:
    def __init__(self, k):
        self.k = math.sqrt(k)

    def force(self, x):
        return -self.k * x

class Limited(Spring):
    def force(self, x):
        return min(LIMIT, self.k * x)
"""


def pulled(k, x):
    return Spring(k).force(x)


def limited(k, x):
    return Limited(k).force(x)


def test_classes_of_other_modules(tmp_path, monkeypatch):
    (tmp_path / "springs_of_a_test.py").write_text(SPRINGS)
    monkeypatch.syspath_prepend(tmp_path)
    import springs_of_a_test
    for name in ("Spring", "Limited"):
        monkeypatch.setitem(globals(), name, getattr(springs_of_a_test, name))
    assert sluice.program(strict=True)(pulled)(4.0, 1.5) == -3.0
    with pytest.raises(sluice.CompileError):  # The other module may bind its LIMIT again.
        sluice.program(strict=True)(limited)(4.0, 1.5)


class Opened:
    def __new__(cls):
        return super().__new__(cls)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass


def made_in_with(x):
    with Opened() as opened:
        v = Vec(x)
    return v.x


def test_objects_made_in_a_with_that_is_not_known():
    with pytest.raises(sluice.CompileError):
        sluice.program(strict=True)(made_in_with)(1.0)
