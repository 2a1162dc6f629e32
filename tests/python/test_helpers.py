"""Plain functions that programs call: compiled with their callers, with Python's meaning, or refused."""
import functools
import linecache

import numpy as np
import pytest

import sluice

N = sluice.symbol("N")
FACTOR = 2.0


def scaled(x, k=FACTOR):
    return x * k + 1


FACTOR = 3.0  # a default is what its expression was worth where the function was defined


def put(x, v):
    x[0] = v


def pair(x):
    return x + 1, x * 2


def stepped(x):
    if x[0] > 0:
        return x + 1
    return x - 1


def around(x):
    return scaled(x)[1:].sum()


def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)


def even(n):
    return n == 0 or odd(n - 1)


def odd(n):
    return n != 0 and even(n - 1)


def adding(f):
    @functools.wraps(f)
    def changed(*args):
        return f(*args) + 100
    return changed


@adding
def decorated(x):
    return x * 1.0


def defaults(A: sluice.float64[N]):
    return scaled(A) + scaled(A, 5.0) + scaled(k=2.0, x=A)


def effects(A: sluice.float64[N]):
    put(A, 7.0)
    put(A[2:], 8.0)
    return A * 1.0


def several(A: sluice.float64[N]):
    u, v = pair(A)
    return u + stepped(v) + around(A[1:])


def closure():
    z = 5.0

    def inner(x):
        return x + z

    def main(A: sluice.float64[N]):
        return inner(A) * inner(2.0)
    return main


@pytest.mark.parametrize("function", [defaults, effects, several, closure()], ids=["defaults", "effects", "several", "closure"])
@pytest.mark.parametrize("first", [-1.0, 3.0])
def test_plain_functions_mean_what_they_mean_in_python(function, first):
    for_us, for_python = np.arange(5.0), np.arange(5.0)
    for_us[0] = for_python[0] = first
    assert np.array_equal(sluice.program(function)(for_us), function(for_python))
    assert np.array_equal(for_us, for_python)


@pytest.mark.parametrize("name", ["even", "decorated"])
def test_recursion_and_decorated_functions_are_refused(name):
    source = {"even": calls_even, "decorated": calls_decorated}[name]
    with pytest.raises(sluice.CompileError, match="F006|F001"):
        sluice.program(source)(np.zeros(3))


def calls_factorial(A: sluice.float64[N]):
    return A + factorial(3)


def test_recursion_of_a_depth_that_is_known():
    assert np.array_equal(sluice.program(strict=True)(calls_factorial)(np.zeros(3)), np.full(3, 6.0))


def calls_even(A: sluice.float64[N]):
    return A + even(3)


def calls_decorated(A: sluice.float64[N]):
    return decorated(A)


def marked(*arguments):
    return lambda function: function


@marked(1, 2)
def under_a_decorator(A: sluice.float64[N]):
    return A * 2.0


def test_what_only_a_decorator_names_is_not_compiled():
    assert np.array_equal(sluice.program(under_a_decorator)(np.ones(3)), [2, 2, 2])


def test_a_helper_with_another_meaning_is_seen():
    space = {}

    name = "<helpers of a notebook>"

    def cell(text):
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        exec(compile(text, name, "exec"), space)

    cell("import sluice\ndef step(x):\n    return x + 1\n")
    main = "import sluice\n@sluice.program\ndef main(A: sluice.float64[3]):\n    return step(A)\n"
    other = "<main of a notebook>"
    linecache.cache[other] = (len(main), None, main.splitlines(True), other)
    exec(compile(main, other, "exec"), space)
    assert np.array_equal(space["main"](np.zeros(3)), [1, 1, 1])
    cell("import sluice\ndef step(x):\n    return x + 2\n")
    assert np.array_equal(space["main"](np.zeros(3)), [2, 2, 2])


def test_recursion_in_a_returned_expression():
    """Whether it has effects was asked without end."""
    def outer(a, b):
        def divisor(a, b):
            return a if b == 0 else 1 + divisor(b, a % b)
        return divisor(a, b)

    assert sluice.program(outer)(48, 36) == outer(48, 36) == 14


def normalised(z, axis=-1):
    e = np.exp(z - z.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def twice_normalised(x):
    return normalised(normalised(x) * 2, axis=0)


def test_axes_are_arguments_of_functions_around_the_program():
    def over_axes(x):
        for _ in range(2):
            x = x + twice_normalised(x @ x.T) @ x
        return x, normalised(x), normalised(x, 0), normalised(x.reshape(2, 2, 3), axis=1)

    x = np.linspace(-1, 1, 12).reshape(4, 3)
    for one, other in zip(sluice.program(over_axes, strict=True)(x), over_axes(x), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
