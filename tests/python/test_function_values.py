"""Functions as values: closures that factories return, partial, vectorize, lambdas with defaults, dictionaries of functions."""
import functools
from functools import partial

import numpy as np
import pytest

import sluice
from against_numpy import differences

X = np.array([0.5, -1.25, 2.0, 0.75, -0.5, 3.0])


def agrees(function, *arguments):
    found = differences(function(*arguments), sluice.program(function, strict=True)(*arguments), function.__name__)
    assert not found, "\n".join(found)


def make_filter(a):
    def smooth(x):
        y = np.zeros_like(x)
        y[0] = x[0]
        for i in range(1, len(x)):
            y[i] = a * y[i - 1] + (1 - a) * x[i]
        return y

    return smooth


def pair(a, b=1.0):
    a = a + b
    return (lambda v: v * a), (lambda v: v + b)


def shifted(k):
    def shift(v, by=k):
        return v + by

    return shift


def test_a_function_that_a_call_returns_keeps_the_names_of_that_call():
    def filtered(x):
        slow, fast = make_filter(0.9), make_filter(0.1)
        double, more = pair(2.0)
        other, _ = pair(5.0, b=0.5)
        a = 100.0
        return slow(fast(x)), make_filter(0.5)(x), double(x), more(x), other(x), shifted(2.0)(x) * shifted(3.0)(x), a

    agrees(filtered, X)


def test_functions_that_one_place_makes_keep_names_of_their_own():
    def several(x):
        listed = [make_filter(a) for a in (0.0, 0.25, 0.5)]
        appended = []
        for a in (0.5, 1.5):
            f, _ = pair(a)
            appended.append(f)
        k = 10.0
        late = [lambda v: v * k for k in (1.0, 2.0)]
        return [f(x) for f in listed], appended[0](x), appended[1](x), late[0](x), late[1](x), k

    agrees(several, X)


def test_one_call_of_several_functions_with_loops():
    def loops(x):
        def down(v):
            total = 0.0
            for one in v:
                total = total * 0.5 + one
            return v - total

        def up(v):
            largest = v[0]
            for one in v:
                if one > largest:
                    largest = one
            return v + largest

        y = x
        for f in (down, up, down):
            y = f(y)
        return y

    agrees(loops, X)


def test_defaults_are_what_they_are_worth_where_the_function_is_made():
    def scaled(x):
        early = [lambda v, k=k: v * k for k in (1.0, 2.0)]
        made = []
        for k in (3.0, 4.0):
            def f(v, k=k):
                return v * k
            made.append(f)
        a = 5.0
        g = lambda v, a=a, b=2: v * a + b  # noqa: E731
        a = 6.0
        h = lambda v: v * a  # noqa: E731
        a = 7.0
        return early[0](x), early[1](x), made[0](x), made[1](x), g(x), g(x, b=1), h(x)

    agrees(scaled, X)


def power_law(x, scale, exponent=2.0, *, shift=0.0):
    return scale * np.abs(x) ** exponent + shift


def integrate(f, a, b, n=8):
    h = (b - a) / n
    return h * sum(f(a + h * (k + 0.5)) for k in range(n))


def oscillator(w):
    A = np.array([[0.0, 1.0], [-w * w, 0.0]])
    return lambda y: A @ y


def euler(f, y, h, steps):
    for _ in range(steps):
        y = y + h * f(y)
    return y


def test_partial():
    def partials(x, n):
        scale = 3.0
        f = partial(power_law, scale=2.0)
        g = partial(power_law, exponent=3.0)
        h = functools.partial(np.clip, a_min=-0.5, a_max=0.5)
        first = partial(power_law, x, scale)
        scale = 4.0
        total = 0.0
        for k in range(n):
            total += integrate(partial(power_law, scale=1.0 + k, exponent=0.5), 0.0, 1.0)
        return f(x), f(x, exponent=1.0), g(x, 0.5, shift=1.0), h(x), first(), first(1.0), partial(np.add, 1.0)(x), total

    agrees(partials, X, 3)
    agrees(partials, X[:0], 0)


def test_functions_as_arguments_that_calls_make():
    def solved(n):
        out = np.zeros((n, 2))
        for i in range(n):
            out[i] = euler(oscillator(1.0 + i), np.array([1.0, 0.0]), 0.01, 10)
        return out

    agrees(solved, 3)


OPERATIONS = {"add": lambda a, b: a + b, "mul": lambda a, b: a * b, "hypot": np.hypot, "law": power_law}
ACTIVATIONS = {"relu": (lambda z: np.maximum(z, 0), lambda z: (z > 0).astype(z.dtype)), "tanh": (np.tanh, lambda z: 1 - np.tanh(z) ** 2)}


def test_dictionaries_of_functions_around_a_program():
    def applied(x, kind, names=("add", "mul", "hypot")):
        f, slope = ACTIVATIONS[kind]
        by_name = {}
        for name in names:
            by_name[name] = OPERATIONS[name](x, 2.0)
        return by_name, f(x), slope(x), OPERATIONS["law"](x, 3.0)

    agrees(applied, X, "relu")
    agrees(applied, X, "tanh")


def test_a_function_that_takes_the_place_of_another_is_seen():
    functions = {"f": lambda v: v + 1.0}

    def applied(x):
        return functions["f"](x) + sum(f(x) for f in functions.values())

    program = sluice.program(applied, strict=True)
    for function in (lambda v: v + 1.0, lambda v: v * 2.0):
        functions["f"] = function
        assert not differences(applied(X), program(X), "result")


def test_lists_and_dictionaries_of_functions_in_a_program():
    def applied(x, kind):
        kernels = {"square": lambda v: v**2, "cube": lambda v: v**3, "sine": np.sin}
        functions = [np.cos, lambda t: t * t, np.tanh]
        return kernels[kind](x), kernels.get("sine")(x), np.stack([f(x) for f in functions]), functions[0](x), sum(k(0.5) for k in kernels.values())

    agrees(applied, X, "cube")


def test_vectorize():
    def vectorized(x, k):
        def step(v, low=0.0):
            if v < low:
                return -1.0
            elif v > 1:
                return 1.0
            return v * v

        return np.vectorize(step)(x), np.vectorize(lambda a, b: a + 2 * b)(x[:, None], x[None, :3]), np.vectorize(lambda n: n // 2)(k)

    agrees(vectorized, X, np.arange(6, dtype=np.int32).reshape(2, 3))


def test_vectorize_takes_the_type_of_the_first_element():
    def by_path(x):
        return np.vectorize(lambda v: v if v > 0 else 0)(x)

    with pytest.raises(sluice.CompileError, match="F015"):
        sluice.program(by_path, strict=True)(X)

    def of_nothing(x):
        return np.vectorize(lambda v: v)(x)

    with pytest.raises((ValueError, sluice.CompileError), match="size 0 inputs"):
        sluice.program(of_nothing, strict=True)(X[:0])


def test_apply_along_axis():
    def along(a):
        def spread(v):
            return v.max() - v.min()

        return (np.apply_along_axis(spread, 0, a), np.apply_along_axis(np.cumsum, 1, a), np.apply_along_axis(lambda v: v[::2] / 2, axis=0, arr=a),
                np.apply_along_axis(np.argmax, 1, a))

    agrees(along, X.reshape(3, 2))
    agrees(along, np.arange(4, dtype=np.int16).reshape(1, 4))


def test_piecewise_applies_functions_where_conditions_hold():
    def pieces(x):
        centred = np.piecewise(x, [x < 0, x >= 0], [lambda v: v - v.mean(), lambda v: 1 / v])
        return centred, np.piecewise(x, [x < -0.6, x > 0.6], [-1, 1, lambda v: 0.5 * v])

    def two(x):
        return np.piecewise(x, x > 1, [np.sqrt, 2])

    agrees(two, X)
    agrees(pieces, X)
    agrees(pieces, X[:0])
    agrees(pieces, np.array([3.0]))
