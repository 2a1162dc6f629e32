"""What classes have, and that it is looked at: names of methods, bases, decorators, members that change between calls."""
import functools

import pytest

import sluice


class Base:
    rate = 2

    def __init__(self, x):
        self.x = x

    def get(self):
        return self.x * self.rate

    def add(self, d):
        self.x += d * self.rate

    def __mul__(self, k):
        return Base(self.x * k)

    __rmul__ = __mul__
    double = lambda self: self.x * 2  # noqa: E731


class Kid(Base):
    pass


Other = Kid


def of_alias(a):
    kid = Other(a)
    return isinstance(kid, Kid), isinstance(kid, Base), isinstance(kid, Other), isinstance(kid, (int, Base)), isinstance(Base(a), Kid)


def of_names(a):
    three = 3 * Base(a)
    return three.x, three.double()


def of_a_given_one(kid):
    kid.x = 4.0
    return isinstance(kid, Base), isinstance(kid, Kid), kid.get()


@pytest.mark.parametrize("function, argument", [(of_alias, lambda: 2.0), (of_names, lambda: 2.0), (of_a_given_one, lambda: Kid(3.0))])
def test_names_and_bases_are_pythons(function, argument):
    assert sluice.program(function, strict=True)(argument()) == function(argument())


def made(a):
    return Kid(a).get()


def given(kid, d):
    kid.add(d)
    return kid.get()


def test_members_that_change_are_seen(monkeypatch):
    of_made, of_given = sluice.program(made, strict=True), sluice.program(given, strict=True)

    def check():
        compiled, plain = Kid(1.0), Kid(1.0)
        for _ in range(2):
            assert of_made(2.0) == made(2.0) and of_given(compiled, 1.0) == given(plain, 1.0) and compiled.x == plain.x
    check()
    monkeypatch.setattr(Base, "rate", 5)
    check()
    monkeypatch.setattr(Kid, "get", Base.double, raising=False)
    check()


def wrapped(function):
    @functools.wraps(function)
    def around(*arguments):
        return function(*arguments) + 100
    return around


class Decorated(Base):
    @wrapped
    def get(self):
        return 2


class WithSetter:
    def __init__(self, x):
        self._x = x

    @property
    def x(self):
        return self._x

    @x.setter
    def x(self, value):
        self._x = max(value, 0)


class OrSelf(Base):
    def mine(self, c):
        if c:
            return self
        return 5


def decorated(a):
    one = Decorated(a)
    return one.get()


def with_setter(a):
    one = WithSetter(a)
    one.x = -a
    return one.x


def or_self(a):
    one = OrSelf(a)
    return one.mine(a > 5)


def rebound(a):
    b = a
    for b in [Base(a), Base(a + 1)]:
        a += b.x
    return b


def noisy(log):
    log.append(1.0)
    return Base(1.0)


def dropped(a):
    log = [a]
    found = noisy(log) is None
    return found, log


def by_two_names(body, k):
    return body.x + k


def unknown_keyword(a):
    return by_two_names(Base(a), 1, other=Base(a))


@pytest.mark.parametrize("function", [decorated, with_setter, or_self, rebound, unknown_keyword])
def test_what_would_mean_something_else_is_refused(function):
    with pytest.raises(sluice.CompileError):
        sluice.program(function, strict=True)(2.0)


def test_an_object_that_nobody_keeps():
    assert sluice.program(dropped, strict=True)(2.0) == dropped(2.0)


def halves(n):
    return [[i, i / 2] for i in range(n)]


def truths(n):
    return [[i, i > 1] for i in range(n)]


def appended(n):
    out = []
    for i in range(n):
        out.append([i, 2.5])
    return out


def or_else(values):
    return [[v or 2.5, 2.5] for v in values]


def summed(values):
    return sum([v or 0.5, 0.5][0] for v in values)


@pytest.mark.parametrize("function, argument", [(halves, 3), (truths, 3), (appended, 3), (or_else, [2, 0]), (or_else, [0, 2]), (summed, [2, 0])])
def test_numbers_of_several_types_in_a_row_keep_them_or_are_refused(function, argument):
    """They became numbers of one type."""
    try:
        answer = sluice.program(function, strict=True)(argument)
    except sluice.CompileError:
        return
    assert repr(answer) == repr(function(argument))


def test_rows_of_integers_and_halves_are_compiled():
    assert repr(sluice.program(halves, strict=True)(3)) == repr(halves(3))


class Holder:
    def __init__(self, a):
        self.first, self.second = Base(a), Base(a + 1)

    def one(self):
        found = self.first
        return found


def held(a):
    h = Holder(a)
    found = h.one()
    found.x = 7.0
    return h.first.x


def test_what_an_object_has_is_no_new_one():
    try:
        answer = sluice.program(held, strict=True)(2.0)
    except sluice.CompileError:
        return
    assert answer == held(2.0)
