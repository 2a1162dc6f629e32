"""Lists, tuples, dictionaries, texts and functions as arguments, in strict mode where compiled code can be given them. Compared with Python."""
import numpy as np
import pytest

import sluice
from test_returned_structures import assert_same

X = np.linspace(-1.0, 1.0, 7)


def spring(t, y, p):
    return np.array([y[1], -p["k"] * y[0] - p["c"] * y[1]])


def runge_kutta(f, y, p, n, h=0.01):
    t = 0.0
    for _ in range(n):
        k1 = f(t, y, p)
        k2 = f(t + h / 2, y + h / 2 * k1, p)
        y = y + h * k2
        t += h
    return y


def newton(f, x, tolerance=1e-10):
    for _ in range(50):
        slope = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
        step = f(x) / slope
        x -= step
        if abs(step) < tolerance:
            break
    return x


def horner(x, coefficients):
    r = np.zeros_like(x)
    for a in reversed(coefficients):
        r = r * x + a
    return r


def layers(weights, x):
    for w, b in weights:
        x = np.tanh(x @ w + b)
    return x


def in_place(s):
    s["a"][:] += 1
    s["b"][0] = 5
    return s["a"] + s["b"]


def options(x, how):
    if how["mode"] == "sum":
        return x.sum() * how.get("scale", 1)
    if "shift" in how:
        x = x + how["shift"]
    return x.mean()


def both(x, functions):
    for f in functions:
        x = f(x)
    return functions[0](x)


def of_lists(v):
    a = np.array(v)
    return a.sum(), len(v), v[0]


def scaled_by(k):
    return lambda x: x * k


CASES = [
    (runge_kutta, lambda: (spring, np.array([1.0, 0.0]), {"k": 2.0, "c": 0.1}, 20)),
    (newton, lambda: (lambda x: x**3 - 2, 1.5)),
    (newton, lambda: (lambda x: x**2 -
                      3.0, 1.5)),
    (horner, lambda: (X.copy(), [1.0, 2.0, 3.0])),
    (horner, lambda: (X.copy(), (1, 2.5, np.float32(3)))),
    (layers, lambda: ([(np.ones((3, 4)), np.ones(4)), (np.ones((4, 2)), np.zeros(2))], np.ones(3))),
    (in_place, lambda: ({"a": np.ones(3), "b": np.zeros(3)},)),
    (options, lambda: (X.copy(), {"mode": "sum", "scale": 2})),
    (options, lambda: (X.copy(), {"mode": "mean", "shift": 2.0})),
    (options, lambda: (X.copy(), {"mode": "mean"})),
    (both, lambda: (X.copy(), [lambda v: v + 1, lambda v: v * 2])),
    (both, lambda: (X.copy(), (scaled_by(2.0), scaled_by(3.0), np.sin))),
    (of_lists, lambda: ([3.0, 1.0, 2.0],)),
]


@pytest.mark.parametrize("function, arguments", CASES, ids=[f"{one[0].__name__}-{at}" for at, one in enumerate(CASES)])
@pytest.mark.parametrize("strict", [True, False])
def test_what_programs_are_given(function, arguments, strict):
    ours, theirs = arguments(), arguments()
    assert_same(sluice.program(strict=strict)(function)(*ours), function(*theirs))
    for one, other in zip(ours, theirs):
        if not callable(one) and not isinstance(one, (list, tuple)):
            assert_same(one, other)


def test_other_values_of_the_same_kind():
    program = sluice.program(strict=True)(horner)
    for coefficients in ([1.0, 2.0], [3.0, 4.0], [1.0, 2.0, 3.0], [1.0, 5.0]):
        assert_same(program(X, coefficients), horner(X, coefficients))


def counted(s):
    s["n"] += 1
    s["a"] = s["a"] * 2
    return s["n"]


def changed_further_in(s):
    inner = s["d"]
    inner["n"] = 7
    return s["a"] * inner["n"]


def the_same(s):
    x = s["a"] * 2
    return s, x


CHANGED = [(counted, lambda: {"a": np.ones(3), "n": 0}),
           (changed_further_in, lambda: {"a": np.ones(3), "d": {"n": 1}}), (the_same, lambda: {"a": np.ones(3)})]


@pytest.mark.parametrize("function, argument", CHANGED, ids=[one[0].__name__ for one in CHANGED])
def test_a_collection_that_is_changed_or_handed_back_stays_the_callers(function, argument):
    strict = function is the_same  # A program over one memory.
    if not strict:
        with pytest.raises(sluice.CompileError):
            sluice.program(strict=True)(function)(argument())
    for program in [sluice.program(strict=False)(function)] + [sluice.program(strict=True)(function)] * strict:
        ours, theirs = argument(), argument()
        got, expected = program(ours), function(theirs)
        assert_same(got, expected)
        assert_same(ours, theirs)
        assert not isinstance(got, tuple) or got[0] is ours


def state_machine(x):
    mode, switches = "idle", 0
    for v in x:
        if mode == "idle" and v > 0.2:
            mode = "active"
            switches += 1
        elif mode == "active" and v < -0.4:
            mode = "idle"
    return switches, mode


def named_by_size(x):
    return "big" if x.max() > 0.5 else "small"


def sign(x):
    if x[0] > 0:
        return "positive"
    if x[0] < 0:
        return "negative"
    return None


def mode_of_a_function(x):
    mode = "same" if x[0] < 0 else "full"
    return np.convolve(x, np.ones(3), mode)


def over_keys(x):
    d = {"a": 1.0, "b": 2.0}
    s = 0.0
    for k in d:
        s += d[k]
    for k, v in d.items():
        if k == "b":
            s += v * 10
    for v in d.values():
        s *= v
    return s * x, d.get("c", 5.0), d.get("z"), "a" in d, len(d)


def joined(x):
    a = "x" + "y"
    return a, a == "xy", a in ("xy", "z"), x


def table(x):
    ops = {"add": lambda a, b: a + b, "mul": lambda a, b: a * b}
    return ops["add"](x, 1) + ops["mul"](x, 2)


def while_a_text(x):
    state, i = "go", 0
    while state != "stop":
        i += 1
        if x[i] > 0:
            state = "stop"
    return i


def empty_texts(x):
    s, t = "", "a"
    if s:
        return 1
    if t and not s:
        return 2
    return 3


@pytest.mark.parametrize("function", [state_machine, named_by_size, sign, mode_of_a_function, over_keys, joined, table, while_a_text, empty_texts])
@pytest.mark.parametrize("factor", [1.0, -1.0, 0.3])
def test_texts(function, factor):
    if function is while_a_text and factor < 0:
        factor = 0.5
    assert_same(sluice.program(strict=True)(function)(X * factor), function(X * factor))


def test_slices_of_lists_are_lists():
    def parts(x):
        xs = [1.0, 2.0, 3.0]
        return xs[1:], xs[::-1], xs + [4.0], xs * 2
    assert_same(sluice.program(strict=True)(parts)(X), parts(X))


def test_a_function_with_a_decorator_that_has_a_lambda_is_cut_by_its_own_names():
    def mark(_):
        return lambda f: f

    @mark(lambda x: x)
    def loops(x, f):
        for _ in range(3):
            x = x + f(x)
        return x
    assert_same(sluice.program(strict=True)(loops)(X, lambda v: v * 2), loops(X, lambda v: v * 2))


def test_numbers_that_functions_return_are_of_their_kind():
    """They were NumPy's, whatever the function returned."""
    def cube(x):
        return x**3 - 2.0

    def steps(x):
        for _ in range(3):
            x -= 0.1 * cube(x)
        return x
    assert_same(sluice.program(strict=True)(steps)(1.5), steps(1.5))


def test_pieces_have_names_of_their_own():
    def f(x, p, p__0):
        for _ in range(3):
            x = x * p["k"] + p__0
        return x
    assert_same(sluice.program(strict=True)(f)(np.ones(3), {"k": 2.0}, 5.0), f(np.ones(3), {"k": 2.0}, 5.0))


def one_line(d, xs): return d["a"] * sum(xs), len(d)


def test_a_function_of_one_line_is_given_collections():
    assert_same(sluice.program(strict=True)(one_line)({"a": 1.5, "b": 2}, [1, 2, 3]), one_line({"a": 1.5, "b": 2}, [1, 2, 3]))


def sorted_anew(xs):
    xs = sorted(xs)
    return xs


def longer(xs):
    xs = xs + [4]
    xs.append(5)
    return xs


def perhaps_shorter(xs, k):
    if k > 0:
        xs = xs[1:]
    return sum(xs)


def another_of_the_name(xs, k):
    before = xs
    xs = list(xs)
    xs[0] = k
    return xs, before[0]


def extended(t):
    t = tuple(t) + (4,)
    return t, len(t)


@pytest.mark.parametrize("function, rest", [(sorted_anew, ()), (longer, ()), (perhaps_shorter, (1,)), (perhaps_shorter, (0,)),
                                            (another_of_the_name, (7,)), (extended, ())])
def test_names_of_given_lists_may_be_bound_to_others(function, rest):
    xs = [3, 1, 2]
    assert_same(sluice.program(strict=True)(function)(xs, *rest), function([3, 1, 2], *rest))
    assert xs == [3, 1, 2]


def updated(xs):
    xs += [4]
    return len(xs)


def returned(xs, k):
    if k > 0:
        xs = xs[1:]
    return xs


@pytest.mark.parametrize("function, rest", [(updated, ()), (returned, (0,)), (returned, (1,))])
def test_lists_of_the_caller_are_changed_and_returned(function, rest):
    mine, plain = [3, 1, 2], [3, 1, 2]
    got, expected = sluice.program(strict=True)(function)(mine, *rest), function(plain, *rest)
    assert_same(got, expected)
    assert mine == plain and (got is mine) == (expected is plain)


def test_texts_whose_names_are_parameters_inside():
    def of_lambda(x, s):
        scaled = lambda s, k: s * k  # noqa: E731
        return scaled(x, 2.0), len(s)

    def of_function(x, s):
        def scaled(s):
            return s * 3.0
        return scaled(x), len(s)

    def of_comprehension(x, s):
        return [s * 2 for s in (1, 2)], len(s)

    x = np.array([1.0, 2.0])
    for function in (of_lambda, of_function, of_comprehension):
        np.testing.assert_equal(sluice.program(function, strict=True)(x, "abc"), function(x, "abc"))
