"""Functions as Python has them: lambdas, inner functions, closures, None, keyword-only and star parameters, functions as arguments,
returns wherever they stand; tuples, dictionaries and comprehensions of known length."""
import warnings

import numpy as np
import pytest

import sluice
from against_numpy import agree


def scaled(x, factor=None):
    return x if factor is None else x * factor


def shifted(x, *, by=1.0, mode="up"):
    if mode == "up":
        return x + by
    elif mode == "down":
        return x - by
    return x


def total(*parts):
    s = 0.0
    for p in parts:
        s = s + p
    return s


def first_above(x, limit):
    for i in range(len(x)):
        if x[i] > limit:
            return i
    return -1


def either(a, b, c):
    if c > 0:
        return a
    return b


def some(x, c):
    if c > 0:
        return x[1:]
    return x[1:] * 2


def minmax(x):
    return x.min(), x.max()


def integrate(f, a, b, n=4):
    h = (b - a) / n
    s = 0.5 * (f(a) + f(b))
    for i in range(1, n):
        s += f(a + i * h)
    return s * h


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def bump(x, k):
    x[k] += 1
    return x[k]


@sluice.program
def defaults(x):
    return scaled(x) + scaled(x, 2.0) + scaled(x, factor=3), shifted(x, by=2.0), shifted(x, mode="down"), shifted(x, mode="none")


@sluice.program
def stars(x):
    pair = (x[0], x[1])
    return total(), total(x[0]), total(*pair), total(x[2], *pair)


@sluice.program
def search(x, limit: float):
    i = first_above(x, limit)
    return i, first_above(x, limit * 2) + first_above(x, -1.0)


@sluice.program
def references(a, b, c: int):
    v = either(a, b, c)
    v[0] = 7
    either(a, b, -c)[1] = 8
    w = some(a, c)
    w[0] = 9
    return w + 1


@sluice.program
def in_expressions(a, b, c: int):
    return either(a, b, c).sum() + 2 * either(b, a, c)[0], some(a, c)[0] + a[1]


@sluice.program
def order(x):
    y = x[1] + bump(x, 1) * 10 + x[1] * 100 + bump(x, 1) * 1000
    return y, x[0] + bump(x, 0)


@sluice.program
def several(x):
    lo, hi = minmax(x)
    both = minmax(x * 2)
    return (x - lo) / (hi - lo), both[1] - both[0]


@sluice.program
def closures(x, k: float):
    scale = 2.0

    def inner(v, more=k):
        return v * scale + more
    a = inner(x)
    scale = 3.0
    square = lambda v: v * v  # noqa: E731
    return a + inner(x, 1.0), square(x) + square(k), (lambda u, v: u - v)(x, k)


@sluice.program
def passed(x):
    return integrate(lambda t: t * t + x[0], 0.0, 1.0), integrate(np.sin, 0.0, x[1], n=3), integrate(shifted, 0.0, 1.0)


@sluice.program
def recursion(x):
    return x * factorial(5)


@sluice.program
def choices(x, flag: int):
    best = None
    for i in range(len(x)):
        if best is None or x[i] > best:
            best = x[i]
    y = None
    if flag > 0:
        y = x * 2
    if y is None:
        y = x + 1
    return best, y


@sluice.program
def collections(x):
    p = {"dt": 0.5, "n": 3}
    squares = [v * v for v in (1, 2, 3)]
    evens = [i for i in range(6) if i % 2 == 0]
    first, *rest = (1.0, 2.0, 3.0)
    return (x * p["dt"] + p["n"] + sum(squares) + len(evens) + max(squares) + sum(a * b for a, b in zip(squares, evens)),
            x + first + rest[1], any([x[0] > 0, False]), all((x[0] > 0, True)))


ARRAYS = [np.array([3.0, 1.0, 2.0, 7.0]), np.array([3, 1, 2, 7], dtype=np.float32), np.array([3, 1, 2, 7])]


@pytest.mark.parametrize("x", ARRAYS, ids=lambda a: str(a.dtype))
@pytest.mark.parametrize("program", [defaults, stars, order, several, passed, recursion, collections], ids=lambda p: p.name)
def test_calls(program, x):
    agree(program, x, rtol=1e-6 if x.dtype == np.float32 else 1e-9)  # A sine in float32 counts in float64.


@pytest.mark.parametrize("x", ARRAYS[:2], ids=lambda a: str(a.dtype))
def test_arguments(x):
    for limit in (0.5, 2.5, 100.0):
        agree(search, x, limit)
    agree(closures, x, 0.25)
    for flag in (0, 1):
        agree(choices, x, flag)


@pytest.mark.parametrize("c", [1, -1])
def test_what_a_call_returns_is_what_the_path_decides(c):
    agree(references, np.arange(4.0), np.arange(4.0) + 10, c)
    agree(in_expressions, np.arange(4.0), np.arange(4.0) + 10, c)


@sluice.program
def raising(x, k: int):
    if k < 0:
        raise ValueError("k must not be negative")
    assert k < 10, "k is too large"
    with np.errstate(divide="ignore"):
        y = x / k
    if y[0] > 100:
        raise ZeroDivisionError("division by zero")
    t = y + 1
    del y
    return t


def test_errors_of_the_program():
    x = np.arange(3.0) + 1
    agree(raising, x, 2)
    for k, kind in ((-1, ValueError), (10, AssertionError), (0, ZeroDivisionError)):
        with pytest.raises(kind) as error:
            raising(x, k)
        assert error.value.code == "A014"


def test_recursion_over_every_other_element():
    """Bounds of `(N + 1) // 2 ** k` were looked for without end once sizes were symbols."""
    def halved(x):
        n = len(x)
        if n == 1:
            return x * 2.0
        return np.concatenate([halved(x[::2]), halved(x[1::2])])

    program = sluice.program(strict=False)(halved)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sluice.FallbackWarning)
        for size in (2, 4, 16):
            assert np.array_equal(program(np.arange(float(size))), halved(np.arange(float(size))))


def test_recursion_that_branches_is_written_out_to_a_limit_and_then_a_loop():
    def spread(x, d):
        if d <= 0 or x > 2:
            return x
        return spread(x + 1, d - 1) + spread(x + 2, d - 1)

    def few(x):
        return spread(x, 4)

    def many(x):
        return spread(x, 20)

    def both(x):
        return many(x) + few(x) + spread(x + 1, 3)

    for function in (few, many, both):
        assert sluice.program(strict=True)(function)(0.5) == function(0.5)


def test_recursion_that_data_end_is_no_crash():
    """The arguments' expressions grew without end where the calls were written out."""
    def g(a, b):
        return 0 if b == 0 else 1 + g(b, a % b)

    def steps_of_euclid(a, b):
        return g(a, b)

    assert sluice.program(strict=True)(steps_of_euclid)(48, 36) == 2


def where_is(a, value):
    for i in range(len(a)):
        if a[i] == value:
            return i
    return None


def twice_if_positive(x):
    if x > 0:
        return x * 2


def places_found(a):
    total = 0
    for value in range(5):
        i = where_is(a, value)
        if i is not None:
            total += i + 1
    return total


def both_found(a):
    i = where_is(a, 1.0)
    j = where_is(a, 2.0)
    if i is None or j is None:
        return -1
    return i * 10 + j


def skipped(a):
    total = 0.0
    for i in range(a.shape[0]):
        r = twice_if_positive(a[i])
        if r is None:
            continue
        total += r
    return total


@pytest.mark.parametrize("function", [places_found, both_found, skipped])
@pytest.mark.parametrize("values", [[1.0, 2, 3], [-1.0, -2, -3], [-1.0, 2, 1]])
def test_none_where_nothing_is_found(function, values):
    assert sluice.program(function)(np.array(values)) == function(np.array(values))


def compared(a):
    return twice_if_positive(a[0]) < 3


def indexed(a):
    r = first_two(a)
    return r[0] + 1


def with_attribute(a):
    return first_two(a).sum()


def converted(a):
    return float(twice_if_positive(a[0]))


def counted(a):
    return len(first_two(a))


def summed(a):
    total = 0.0
    for i in range(a.shape[0]):
        total += twice_if_positive(a[i])
    return total


def first_two(a):
    if a[0] < 0:
        return None
    return a[:2] + 1


@pytest.mark.parametrize("function, error", [(compared, TypeError), (indexed, TypeError), (with_attribute, AttributeError),
                                             (converted, TypeError), (counted, TypeError), (summed, TypeError)])
def test_none_that_is_used_raises(function, error):
    """These raised NotImplementedError, whoever used the result."""
    program = sluice.program(function)
    assert program(np.array([1.0, 2, 3])) == function(np.array([1.0, 2, 3]))
    with pytest.raises(error):
        function(np.array([-1.0, 2, 3]))
    with pytest.raises(error):
        program(np.array([-1.0, 2, 3]))


def or_seven(a):
    return twice_if_positive(a[0]) or 7.0


def chosen_by_none(a):
    r = twice_if_positive(a[0])
    return r + 1 if r is not None else -1.0


def chosen_in_place(a):
    return 0.5 if twice_if_positive(a[0]) is None else 2.5


def while_found(a):
    at = where_is(a, 2.0)
    found = 0
    while at is not None:
        a[at] = 0.0
        found += 1
        at = where_is(a, 2.0)
    return found


@pytest.mark.parametrize("function", [or_seven, chosen_by_none, chosen_in_place, while_found])
@pytest.mark.parametrize("values", [[1.0, 2, 2], [-1.0, 0, 2], [-1.0, 0, 1]])
def test_none_that_is_looked_at(function, values):
    ours, theirs = np.array(values), np.array(values)
    assert sluice.program(function)(ours) == function(theirs)
    assert np.array_equal(ours, theirs)


def between(p, q):
    x = q[0] - p[0]
    y = q[1] - p[1]
    return (x, y)


def crossed(u, v):
    z = u[0] * v[1] - u[1] * v[0]
    return (z, z * 2)


def collinear(a, b, c, digits):
    v = crossed(between(a, b), between(a, c))
    return tuple(round(x, digits) for x in v) == (0, 0), v


def test_what_a_call_returns_in_pieces_is_an_argument_of_another():
    near = (-6, -2), (6.200213806439997, -4.930157614926678), (-4.085171149525941, -2.459889509029438)
    for points in [near, ((0, 0), (1, 2), (2, 4)), ((0, 0), (1, 2), (2.5, 4))]:
        assert sluice.program(collinear, strict=True)(*points, 10) == collinear(*points, 10)


def of_views(x):
    return np.cumsum(x), np.median(x), np.searchsorted(np.array([0.25, 0.5]), x), np.moveaxis(x[None], 0, -1) * 2.0


def of_calls(x):
    return twice(x) + np.sort(x)


def twice(x):
    return x.reshape(-1) * 2.0


def running(x):
    x[:] = np.cumsum(x)
    return x.reshape(-1)


@pytest.mark.parametrize("function", [of_views, of_calls, running])
def test_columns_of_arrays_as_arguments(function):
    def called(a):
        return function(a[:, 0]), function(a[::2, 1]), function(a[1])

    a = np.random.default_rng(3).random((6, 4))
    ours, theirs = a.copy(), a.copy()
    wanted, got = called(theirs), sluice.program(called, strict=True)(ours)
    np.testing.assert_array_equal(ours, theirs)
    for w, g in zip(wanted, got):
        for one, other in zip(w, g) if isinstance(w, tuple) else [(w, g)]:
            np.testing.assert_allclose(other, one, rtol=1e-12)


N, M = sluice.symbols("N M")


def weighted(x: sluice.float64[N, M], w: sluice.float64[M], mask: sluice.float64[M] = None):
    y = x * w / N
    if mask is None:
        return y + M
    return y * mask


def test_annotated_sizes_of_a_function_that_is_written_out():
    @sluice.program(strict=True)
    def calls(a: sluice.float64[N, M], b: sluice.float64[M, M], w: sluice.float64[M]):
        return weighted(a, w), weighted(b, w, w), weighted(b[1:], w, mask=None)

    rng = np.random.default_rng(3)
    a, b, w = rng.random((4, 5)), rng.random((5, 5)), rng.random(5)
    expected = a * w / 4 + 5, b * w / 5 * w, b[1:] * w / 4 + 5
    for got, wanted in zip(calls(a, b, w), expected):
        np.testing.assert_allclose(got, wanted)


def half(x: sluice.float64[N, N], mask=None):
    return x / 2 if mask is None else x * mask


def test_an_argument_that_is_not_what_its_annotation_says():
    @sluice.program(strict=True)
    def a_row(a: sluice.float64[N, N]):
        return half(a[0])

    @sluice.program(strict=True)
    def fewer_columns(a: sluice.float64[N, N]):
        return half(a[:, :-1])

    @sluice.program(strict=True)
    def another_type(a: sluice.float32[N, N]):
        return half(a)

    @sluice.program(strict=True)
    def a_number(a: sluice.float64[N, N]):
        return half(2.0)

    for program in (a_row, fewer_columns, another_type, a_number):
        with pytest.raises(sluice.CompileError) as error:
            program.to_sdfg()
        assert error.value.code == "F011", error.value
