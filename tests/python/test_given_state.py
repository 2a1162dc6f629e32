"""Objects among the arguments that a program changes: their numbers and arrays after each call are those that Python leaves."""
import copy
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import sluice


class Sim:
    def __init__(self, n):
        self.u = np.zeros(n)
        self.u[n // 2] = 1.0
        self.v = np.ones(n)
        self.t, self.steps, self.name, self.option = 0.0, 0, "heat", None

    def step(self, dt):
        self.u[1:-1] += dt * (self.u[2:] - 2 * self.u[1:-1] + self.u[:-2])
        self.t += dt
        self.steps += 1

    def swap(self):
        self.u, self.v = self.v, self.u

    def fresh(self):
        self.u = self.u * 2 + 1

    @property
    def mass(self):
        return self.u.sum()

    @sluice.program(strict=True)
    def advance(self, n):
        for i in range(n):
            self.step(0.1)
            if self.option is not None:
                self.fresh()
        return self.t


@dataclass
class Part:
    x: float
    v: float
    k: int = 0

    def push(self, f, dt):
        self.v += f * dt
        self.x += self.v * dt
        self.k += 1


class World:
    def __init__(self):
        self.parts = [Part(0.0, 1.0), Part(1.0, -0.5), Part(2.0, 0.0)]
        self.frame, self.energy = Part(0.0, 0.0), 0.0

    def total(self):
        self.energy = sum(0.5 * p.v ** 2 for p in self.parts)
        return self.energy


def bump(p, d):
    p.x += d
    return p.x


def stepped(sim, n):
    for _ in range(n):
        sim.step(0.2)
    return sim.mass, sim.t


def swapped(sim, n):
    for i in range(n):
        sim.step(0.1)
        if i % 2:
            sim.swap()
        else:
            sim.fresh()


def pushed(w, n):
    for _ in range(n):
        for p in w.parts:
            p.push(-p.x, 0.1)
        w.frame.push(1.0, 0.1)
    return w.total()


def exchanged(a, b):
    a.push(b.x, 0.5)
    b.x, b.v = a.v, a.x
    return a.x + b.x


def bumped(p, n):
    if n > 2:
        p.k = n
        return bump(p, 0.5)
    p.v = 7
    return p.v


def in_a_list(parts, n):
    for p in parts:
        p.push(1.0, 0.1 * n)
    return parts[0].x


def state(value):
    if isinstance(value, (list, tuple)):
        return [state(one) for one in value]
    if hasattr(value, "__dict__"):
        return {name: state(held) for name, held in vars(value).items()}
    return value


def assert_same(one, other):
    assert type(one) is type(other)
    if isinstance(one, dict):
        assert list(one) == list(other)
        one, other = list(one.values()), list(other.values())
    if isinstance(one, (list, tuple)):
        assert len(one) == len(other)
        for left, right in zip(one, other):
            assert_same(left, right)
    elif isinstance(one, (float, np.ndarray, np.generic)):
        np.testing.assert_allclose(one, other, rtol=1e-13)
    else:
        assert one == other


@pytest.mark.parametrize("function, arguments", [
    (stepped, (Sim(20), 10)), (swapped, (Sim(12), 3)), (swapped, (Sim(12), 4)), (pushed, (World(), 5)), (exchanged, (Part(1.0, 2.0), Part(2.0, 1.0))),
    (bumped, (Part(1.0, 2.0), 3)), (bumped, (Part(1.0, 2.0), 1)), (in_a_list, ([Part(1.0, 2.0), Part(3.0, 4.0)], 3))],
    ids=lambda v: getattr(v, "__name__", ""))
def test_fields_are_those_that_python_leaves(function, arguments):
    program = sluice.program(function, strict=True)
    of_python, compiled = copy.deepcopy(arguments), copy.deepcopy(arguments)
    for _ in range(3):  # the second call takes the version of the first
        expected, answer = function(*of_python), program(*compiled)
        assert_same(answer, expected)
        assert_same(state(compiled), state(of_python))
        arguments = copy.deepcopy(of_python)
        compiled = copy.deepcopy(compiled)


def test_arrays_stay_the_same_objects():
    sim = Sim(8)
    u, v = sim.u, sim.v
    sluice.program(swapped, strict=True)(sim, 2)
    assert sim.v is not u and sim.u is v  # u was made anew before it went there
    sim = Sim(8)
    u = sim.u
    sluice.program(stepped, strict=True)(sim, 2)
    assert sim.u is u and u[0] == 0.0 and u[3] > 0.0


def test_methods_that_are_programs():
    one, other = Sim(10), Sim(10)
    for _ in range(2):
        t = one.advance(3)
        for _ in range(3):
            other.step(0.1)
        assert t == other.t
        assert_same(state(one), state(other))


def with_a_new_field(p):
    p.other = 1.0
    return p.x


def test_fields_that_no_method_has_are_refused():
    with pytest.raises(sluice.CompileError, match="F001.*assignment"):
        sluice.program(with_a_new_field, strict=True)(Part(1.0, 2.0))


class Grid(NamedTuple):
    nx: int
    dx: float
    u: np.ndarray


def of_grid(g):
    nx, dx, u = g
    out = np.zeros(nx)
    out[1:-1] = (u[2:] - 2 * u[1:-1] + u[:-2]) / dx ** 2
    return out, g[0], g.dx, len(g)


def test_named_tuples_are_taken_apart():
    program = sluice.program(of_grid, strict=True)
    for n in (8, 9):
        g = Grid(n, 0.5, np.arange(n) ** 2.0)
        assert_same(program(g), of_grid(g))


class Seen:
    def __init__(self):
        self.u = np.arange(4.0)
        self.v = self.u
        self.best, self.k, self.x, self.z = None, 0, np.float32(1.5), [1.0, 2.0]

    def see(self, v):
        if self.best is None or v > self.best:
            self.best = v

    def both(self, d):
        self.u += d
        self.k += d
        self.x = self.x * 2

    def lazy(self):
        self.cache = self.u * 2
        return self.cache.sum()


def seen(a, values):
    for v in values:
        a.see(v)
    return a.k


def twice(a, d):
    a.both(1)
    a.both(d)
    a.z.append(3.0)
    return a.v.sum(), a.z[0]


@pytest.mark.parametrize("function, argument", [(seen, np.array([1.0, 5.0, 2.0])), (twice, 2), (twice, 0.5)])
def test_fields_of_every_kind(function, argument):
    of_python, compiled = Seen(), Seen()
    expected, answer = function(of_python, argument), sluice.program(function, strict=True)(compiled, argument)
    assert_same(answer, expected)
    assert_same(state(compiled), state(of_python))


def kept_for_later(a):
    a.k = 1
    return a.lazy()


def test_fields_that_the_object_has_not_yet_are_refused():
    a = Seen()
    with pytest.raises(sluice.CompileError):
        sluice.program(kept_for_later, strict=True)(a)
    assert a.k == 0 and not hasattr(a, "cache")


class Counter:
    def __init__(self, count):
        self.count, self.total = count, 0.0

    def add(self, v):
        self.count += 1
        if v < 0:
            raise ValueError("negative")
        self.total += v


def add_two(counter, a, b):
    counter.add(a)
    counter.add(b)
    return counter.total


def add_all(counter, values):
    for v in values:
        counter.add(v)
    return counter.count


def divide(counter, n):
    counter.count += 5
    return 1 // n


@pytest.mark.parametrize("function, arguments", [(add_two, (1.0, -2.0)), (add_two, (-1.0, 2.0)), (add_two, (1.0, 2.0)), (add_all, ([1.0, 2.0, -1.0, 4.0],)), (divide, (0,))])
def test_fields_at_an_exception(function, arguments):
    """They were those from before the call."""
    def outcome(call):
        counter = Counter(3)
        try:
            result = call(counter, *copy.deepcopy(arguments))
        except (ValueError, ZeroDivisionError) as error:
            result = type(error), str(error)
        return result, vars(counter)

    assert outcome(sluice.program(function, strict=True)) == outcome(function)


def drop_first_negative(counter, x):
    counter.count += 1
    for i in range(len(x)):
        x[i] += 10.0
        if x[i] < 10.0:
            raise ValueError("negative")
    counter.count += len(x)
    return counter.count


def test_an_exception_beside_arrays_leaves_what_python_leaves():
    """Fields and elements: the call is made again from those that it began with."""
    def outcome(call, function=drop_first_negative):
        counter, x = Counter(3), np.array([1.0, -1.0, 2.0])
        with pytest.raises(ValueError, match="negative"):
            call(function)(counter, x)
        return vars(counter), x.tolist()

    assert outcome(sluice.program(strict=True)) == outcome(lambda function: function)


def test_an_exception_beside_large_arrays_says_what_the_fields_are():
    counter = Counter(3)
    with pytest.raises(ValueError, match="negative") as raised:
        sluice.program(add_all, strict=True)(counter, np.full(200_000, -1.0))
    assert vars(counter) == vars(Counter(3)) and "from before the call" in raised.value.__notes__[-1]
