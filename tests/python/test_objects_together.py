"""Objects of the user's classes in lists, fields and arguments; bases, methods of classes and functions that make objects: compiled whole
and compared with Python."""
import math
from abc import ABC, abstractmethod
from collections import namedtuple
from dataclasses import dataclass, field

import numpy as np
import pytest

import sluice


class Shape(ABC):
    def __init__(self, name_of_kind=0):
        self.kind = name_of_kind

    @abstractmethod
    def area(self): ...

    def scaled(self, k):
        return k * self.area() + self.kind


class Circle(Shape):
    def __init__(self, r):
        super().__init__(1)
        self.r = r

    def area(self):
        return math.pi * self.r ** 2


class Rect(Shape):
    unit = 2.0

    def __init__(self, w, h):
        Shape.__init__(self)
        self.w, self.h = w, h

    def area(self):
        return self.w * self.h * Rect.unit

    @classmethod
    def square(cls, a):
        return cls(a, a)

    @staticmethod
    def half(x):
        return x / 2


class Thin(Rect):
    def area(self):
        return 1.0 + super().area()


def shapes(r, w):
    all_of_them = [Circle(r), Rect(w, 2 * w), Rect.square(w), Thin(w, 0.5)]
    total = 0.0
    for shape in all_of_them:
        total += shape.area()
    return total, [s.scaled(2.0) for s in all_of_them], max(s.area() for s in all_of_them), isinstance(all_of_them[3], Rect), \
        isinstance(all_of_them[0], Rect), Rect.half(w), all_of_them[-1].half(r)


@dataclass(frozen=True)
class P:
    x: float
    y: float = 0.25

    def __sub__(self, o):
        return P(self.x - o.x, self.y - o.y)

    def norm(self):
        return math.hypot(self.x, self.y)


def distance(a, b):
    return (a - b).norm()


def middle(a, b):
    return P(0.5 * (a.x + b.x), 0.5 * (a.y + b.y))


def points(a, b):
    p, q = P(a, b), P(b)
    m = middle(p, q)
    all_of_them = [p, q, m, P(-1.0, 2.0)]
    near = np.zeros((4, 4))
    for i in range(len(all_of_them)):
        for j in range(i + 1, len(all_of_them)):
            near[i, j] = distance(all_of_them[i], all_of_them[j])
    return near, m.x, p == q, p == P(a, b), p != q, [distance(a, b) for a in all_of_them for b in all_of_them if a is not b]


def bisected(n):
    low, high = P(0.0, -0.5), P(1.0, 0.5)
    for _ in range(n):
        m = middle(low, high)
        at = P(m.x, m.x * m.x - 0.5)
        if at.y > 0:
            high = at
        else:
            low = at
    return low.x, high.x


class Dense:
    def __init__(self, n, m, rng):
        self.W = rng.normal(size=(n, m)) * 0.1
        self.b = np.zeros(m)

    def __call__(self, x):
        self.x = x
        return x @ self.W + self.b

    def back(self, g, rate):
        of_x = g @ self.W.T
        self.W -= rate * self.x.T @ g
        self.b -= rate * g.sum(axis=0)
        return of_x


class Tanh:
    def __call__(self, x):
        self.y = np.tanh(x)
        return self.y

    def back(self, g, rate):
        return g * (1 - self.y ** 2)


class Net:
    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.layers = [Dense(3, 5, rng), Tanh()]
        self.layers.append(Dense(5, 1, rng))

    def train(self, x, y, rate):
        out = x
        for layer in self.layers:
            out = layer(out)
        g = 2 * (out - y) / len(y)
        for layer in reversed(self.layers):
            g = layer.back(g, rate)
        return np.mean((out - y) ** 2)


def trained(x, y, n):
    net = Net(0)
    return [net.train(x, y, 0.1) for _ in range(n)], net.layers[0].W


class Mean:
    def __init__(self):
        self.n, self.mean = 0, 0.0

    def add(self, x):
        self.n += 1
        self.mean += (x - self.mean) / self.n
        return self

    def __len__(self):
        return self.n


class System:
    def __init__(self, k):
        self.at, self.mean, self.seen = P(0.0, k), Mean(), []

    def go(self, v):
        self.mean.add(v * self.at.y).add(0.5)
        self.seen.append(v)
        self.at = P(self.at.x + 1, self.at.y * 0.9)


def composed(k, n):
    s = System(k)
    def twice(v):
        s.go(v)
        s.go(-v)
    for i in range(n):
        twice(float(i))
    same = s.mean
    same.add(3.0)
    return s.at.x, s.at.y, s.mean.mean, len(s.mean), s.seen, s.mean is same, s.at is None


class Body:
    def __init__(self, x, v=0.0):
        self.x, self.v = x, v

    def move(self, d):
        self.x += d


def pushed(body, k):
    body.move(k)
    if body.x > 3:
        body.x = 3.0
    return body.x


def total(bodies, w=1.0):
    return sum(b.x * w for b in bodies if b.x > 1.0)


def new_body(x):
    body = Body(x)
    body.v = 2 * x
    return body


def bodies(a, n):
    b = new_body(a)
    for _ in range(n):
        pushed(b, 0.75)
    several = [b, Body(1.5), Body(4.0), Body(0.5)]
    several[1].move(2.0)
    seen = []
    for i, one in enumerate(several):
        if i == n:
            break
        if one.x == 4.0:
            continue
        one.move(10)
        seen.append(one.x)
    else:
        seen.append(-1.0)
    for one, w in zip(several, [0.5, 0.25]):
        one.move(w)
    return b.x, b.v, total(several), total(several, w=2.0), seen, [o.x for o in several if o.x > 1], any(o.x > 13 for o in several)


Pair = namedtuple("Pair", ["first", "second"])


def pairs(a):
    p = Pair(a, 2 * a)
    first, second = p
    s = 0.0
    for v in p:
        s += v
    return first - second, p[1], p[0], len(p), sum(p), s, p == Pair(a, 2 * a)


class Rounds:
    def __init__(self):
        self.data = np.zeros((4, 4))

    def __getitem__(self, at):
        return self.data[at]

    def __setitem__(self, at, value):
        self.data[at] = value

    def __contains__(self, value):
        return bool((self.data == value).any())

    def smooth(self):
        new = self.data.copy()
        new[1:-1] = 0.5 * (self.data[2:] + self.data[:-2])
        self.data = new


def items(n):
    g = Rounds()
    g[1, 2] = 1.0
    g[2, 2] += 0.5
    for _ in range(n):
        g.smooth()
    return g.data, g[1, 2], 7.0 in g, 0.0 in g


def agrees(function, *arguments):
    expected, answer = function(*arguments), sluice.program(function, strict=True)(*arguments)
    assert list(map(type, answer)) == list(map(type, expected))
    for one, other in zip(answer, expected):
        np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.parametrize("function, arguments", [
    (shapes, (1.5, 2.0)), (points, (1.0, 2.0)), (bisected, (20,)), (trained, (np.arange(12.0).reshape(4, 3) / 7, np.ones((4, 1)), 6)),
    (composed, (2.0, 3)), (bodies, (1.0, 3)), (bodies, (1.0, 9)), (pairs, (1.5,)), (items, (2,))], ids=lambda v: getattr(v, "__name__", ""))
def test_answers_are_pythons(function, arguments):
    agrees(function, *arguments)


def two_names(a):
    p = Body(a)
    q = p
    q.move(2.0)
    p.move(1.0)
    return p.x, q.x


def shared_array(a):
    v = np.array([a, 2.0])
    p, q = Body(v), Body(v)
    p.x[0] = 9.0
    return q.x, v


def own_successor(a, n):
    now, before = P(a, 0.5), P(a)
    for _ in range(n):
        after = middle(now, before) - now
        before = now
        now = after
    return now.x, now.y, before.x


@pytest.mark.parametrize("function, arguments", [(two_names, (1.0,)), (shared_array, (1.0,)), (own_successor, (1.0, 4))])
def test_who_holds_what_is_as_in_python(function, arguments):
    agrees(function, *arguments)


def made_again_with_two_names(a):
    p = Body(a)
    q = p
    p = Body(5.0)
    return p.x, q.x


def best_of(n):
    several = [Body(1.0), Body(3.0)]
    best = several[0]
    for b in several:
        if b.x > n:
            best = b
    return best.x


def grows_in_a_loop(n):
    several = []
    for i in range(n):
        several.append(Body(float(i)))
    return len(several)


def by_an_index_of_the_run(n):
    several = [Body(1.0), Body(3.0)]
    return several[n].x


@pytest.mark.parametrize("function", [made_again_with_two_names, best_of, grows_in_a_loop, by_an_index_of_the_run])
def test_what_only_the_run_knows_is_an_object_of_the_run(function):
    compiled = sluice.program(function, strict=True)
    assert compiled(1) == function(1) and type(compiled(1)) is type(function(1))


@dataclass
class Setting:
    a: float
    b: int = 3
    tags: list = field(default_factory=list)
    w: np.ndarray = field(default_factory=lambda: np.ones(3) * 0.5)
    c: float = 0.5
    at: P = field(default_factory=lambda: P(1.0))
    m: float = field(init=False, default=2.0)
    q: float = field(init=False)

    def __post_init__(self):
        self.q = self.a * 2

    def value(self, x):
        return self.a * x + self.b + self.w.sum() + self.at.y


def settings(x):
    c, d, e = Setting(x), Setting(x, b=4, c=2.5), Setting(a=2.0, b=3)
    c.tags.append(1)
    c.w[0] = 3
    return c.value(3.0), d.value(1.0), len(c.tags), len(d.tags), e.c, d.c, c.m, d.q, c.at.x


def test_what_dataclasses_make_for_themselves():
    agrees(settings, 2.0)


def given_what_it_makes(x):
    return Setting(x, 1, [1, 2]).c


def test_what_they_make_cannot_be_given():
    with pytest.raises(sluice.CompileError, match="F011"):
        sluice.program(given_what_it_makes, strict=True)(2.0)
