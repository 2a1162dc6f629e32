"""Python's numbers raise where NumPy's become inf and nan."""
import cmath
import math

import numpy as np
import pytest

import sluice


def floor_divided(n):
    return 10 // n


def remainder(n):
    return 10 % n


def divided(x):
    return 1.0 / x


def root(x):
    return math.sqrt(x)


def logarithm(x):
    return math.log(x)


def exponential(x):
    return math.exp(x)


def arc_cosine(x):
    return math.acos(x)


def whole(x):
    return int(x)


def first_whole(x):
    return int(np.full(3, x)[0]) + 1


def of_a_constant(x):
    return x + math.sqrt(-1.0)


def behind_a_loop(n):
    s = 0.0
    for i in range(1, n):
        s += 1.0 / i
    return s / n


@pytest.mark.parametrize("function, good, bad", [
    (floor_divided, 3, [0]), (remainder, 3, [0]), (divided, 2.0, [0.0, -0.0]), (root, 2, [-1.0, -1]), (logarithm, 2.0, [0.0, -3.0]),
    (exponential, 1.0, [1000.0]), (arc_cosine, 0.5, [1.5, -1.5]), (whole, -2.7, [math.nan, math.inf]),
    (first_whole, 2.7, [math.nan, -math.inf]), (of_a_constant, None, [1.0]), (behind_a_loop, 5, [0])],
    ids=lambda one: getattr(one, "__name__", None))
def test_raises_what_python_raises(function, good, bad):
    program = sluice.program(function)
    if good is not None:
        assert program(good) == pytest.approx(function(good), rel=1e-14)
    for argument in bad:
        with pytest.raises(Exception) as wanted:
            function(argument)
        with pytest.raises(wanted.type):
            program(argument)


def power(x, y):
    return x ** y


def square(x):
    return x ** 2


def inverse_square(x):
    return x ** -2


def power_of_two(y):
    return 2.0 ** y


def squares_in_a_loop(values):
    s = 0.0
    for v in values:
        s += v ** 2
    return s


def hyperbolic(x):
    return math.sinh(x) + math.cosh(x)


def less_one(x):
    return math.expm1(x)


def power_of_math(x, y):
    return math.pow(x, y)


def rest_of_math(x, y):
    return math.fmod(x, y)


def rounded_down(x, y):
    return math.floor(x) + math.ceil(x) + math.trunc(x)


def turned(x):
    return math.sin(x) + math.cos(x) + math.tan(x)


@pytest.mark.parametrize("function, good, bad", [
    (power, [(2.0, 10.0), (0.0, 0.0), (0.0, 2.0), (math.inf, 2.0), (10.0, 308.0), (0.5, -1000.0), (2, -3.0), (10.0, -400.0)],
     [(10.0, 400.0), (0.0, -1.0), (-0.0, -1.0), (0.5, -1100.0), (-10.0, 401.0), (0, -1.5)]),
    (square, [(1e154,), (-1.3407807929942596e154,), (math.inf,), (math.nan,)], [(1e155,), (-1.3407807929942598e154,)]),
    (inverse_square, [(1e-154,), (-2.0,)], [(0.0,), (1e-155,)]), (power_of_two, [(1023.5,), (-2000.0,), (math.inf,)], [(1024.0,)]),
    (squares_in_a_loop, [([1.0, 2.0],)], [([1.0, -1e200],)]), (hyperbolic, [(710.0,), (math.inf,)], [(711.0,), (-711.0,)]),
    (less_one, [(700.0,), (math.inf,), (-math.inf,)], [(710.0,)]), (turned, [(1.0,), (-1e300,)], [(math.inf,), (-math.inf,)]),
    (exponential, [(math.inf,), (-math.inf,)], [(709.8,)]), (power_of_math, [(2.0, 10.0), (-8.0, 3.0), (math.inf, 0.0), (-8.0, math.inf)], [(10.0, 400.0)])], ids=lambda one: getattr(one, "__name__", None))
def test_powers_and_functions_that_leave_the_floats(function, good, bad):
    """They were inf and nan; exp(inf) raised."""
    program = sluice.program(function, strict=True)
    for arguments in good:
        assert program(*arguments) == pytest.approx(function(*arguments), rel=1e-13, nan_ok=True)
    for arguments in bad:
        with pytest.raises(ArithmeticError if function is not turned else ValueError) as wanted:
            function(*arguments)
        with pytest.raises(wanted.type) as got:
            program(*arguments)
        assert str(wanted.value) in str(got.value)


@pytest.mark.parametrize("function, arguments", [
    (power_of_math, (0.0, -1.0)), (power_of_math, (-8.0, 1 / 3)), (rest_of_math, (1.0, 0.0)), (rest_of_math, (math.inf, 2.0)), (rounded_down, (math.nan, 0.0)),
    (rounded_down, (math.inf, 0.0)), (rounded_down, (-math.inf, 0.0))])
def test_functions_of_math_outside_of_their_domains(function, arguments):
    """They were nan, inf and the least integer."""
    with pytest.raises((ValueError, OverflowError)) as wanted:
        function(*arguments)
    program = sluice.program(function, strict=True)
    with pytest.raises(wanted.type, match=str(wanted.value)):
        program(*arguments)
    assert program(7.5, 2.0) == function(7.5, 2.0)


def test_powers_of_numpys_numbers_are_inf():
    def powers(x):
        return x[0] ** 400.0, x[1] ** -1.0, x ** 400.0

    x = np.array([10.0, 0.0])
    with np.errstate(all="ignore"):
        wanted = powers(x)
    for got, one in zip(sluice.program(powers, strict=True)(x), wanted):
        np.testing.assert_array_equal(got, one)


def test_nan_is_in_every_domain():
    assert math.isnan(sluice.program(root)(math.nan)) and math.isnan(sluice.program(logarithm)(math.nan))


def test_an_integer_past_64_bits_is_an_error():
    with pytest.raises(OverflowError):
        sluice.program(whole)(1e30)


def test_numpys_numbers_divide_to_infinity():
    def divide(a, n):
        return a / n, a[0] / n, np.sqrt(a)

    with np.errstate(all="ignore"):
        wanted, got = divide(np.array([-1.0, 0.0]), 0), sluice.program(divide)(np.array([-1.0, 0.0]), 0)
    for one, other in zip(wanted, got):
        np.testing.assert_array_equal(one, other)


def test_constant_divisors_of_zero_are_refused():
    def never():
        return 1.0 / 0

    with pytest.raises(sluice.CompileError, match="division by zero"):
        sluice.program(never, strict=True)()


def test_a_complex_power_is_an_error():
    def power(x, y):
        return x ** y

    program = sluice.program(power)
    assert program(8.0, 1 / 3) == pytest.approx(2.0) and program(-8.0, 3.0) == -512.0
    with pytest.raises(NotImplementedError, match="complex"):
        program(-8.0, 1 / 3)


def complex_functions(x, z):
    return cmath.sqrt(x), cmath.exp(x), cmath.phase(x), cmath.isnan(z), cmath.log(z), cmath.pi * x, cmath.phase(z), cmath.sqrt(2.0)


@pytest.mark.parametrize("arguments", [(-7.0, 1 + 2j), (3, -1j), (-2, 3.5 + 0j)])
def test_cmath_is_complex(arguments):
    for wanted, got in zip(complex_functions(*arguments), sluice.program(complex_functions)(*arguments)):
        assert type(wanted) is type(got) and got == pytest.approx(wanted, rel=1e-14)


def test_weights_of_small_integers_do_not_wrap():
    weights = np.array([100, 200, 150], dtype=np.uint8)

    def mean(a):
        return np.average(a, weights=a)

    assert sluice.program(mean)(weights) == pytest.approx(np.average(weights, weights=weights), rel=1e-14)


def mean_of_some(x, c):
    xs = []
    for v in x:
        if v > c:
            xs.append(v)
    return sum(xs) / len(xs)


def means_of_windows(x, c):
    buffer, out = [], np.zeros(len(x))
    for i in range(len(x)):
        buffer.append(x[i])
        if len(buffer) > 3:
            buffer.pop(0)
        out[i] = sum(buffer) / len(buffer) + sum(buffer) / 2
    return out


def test_means_of_lists():
    """The sum of no numbers is Python's 0, whatever numbers the list would have had."""
    program = sluice.program(mean_of_some, strict=True)
    assert program(np.arange(4.0), 1.0) == 2.5
    with pytest.raises(ZeroDivisionError):
        program(np.arange(4.0), 9.0)
    assert np.allclose(sluice.program(means_of_windows, strict=True)(np.arange(5.0), 0), means_of_windows(np.arange(5.0), 0))


def divided_before_an_index(x, h):
    y = np.zeros(h)
    k = len(x) // h
    return x[k + 9], y


def divided_by_data_before_an_index(x, h):
    k = 5 // int(x[0])
    return x[h + 7] + k


def raised_before_an_index(x, h):
    if x[0] == 0:
        raise KeyError("zero")
    return x[h + 7]


def raised_behind_an_index(x, h):
    a = x[h + 7]
    if x[0] == 0:
        raise KeyError("zero")
    return a


@pytest.mark.parametrize("function", [divided_before_an_index, divided_by_data_before_an_index, raised_before_an_index, raised_behind_an_index])
def test_the_first_error_is_the_one_that_is_raised(function):
    """What the arguments decide was asked before what the data decide."""
    with pytest.raises(Exception) as wanted:
        function(np.zeros(3), 0)
    with pytest.raises(wanted.type):
        sluice.program(function, strict=True)(np.zeros(3), 0)


def test_a_name_that_a_tuple_assigns_twice():
    def last(n, m):
        if n > 0:
            a, a = n, m
        else:
            a, b, a = 1, 2, 3
        return a

    program = sluice.program(last, strict=True)
    assert program(3, 1) == 1 and program(0, 1) == 3


def quotient_and_rest(x, y, a):
    return divmod(x, y)[0] * a


def quotients_in_a_loop(x, y, a):
    s = x
    for i in range(3):
        s += divmod(x, y - i)[1]
    return s + a


def remainder_of_floats(x, y, a):
    return x % y + a


@pytest.mark.parametrize("function", [quotient_and_rest, quotients_in_a_loop, remainder_of_floats])
@pytest.mark.parametrize("x, y", [(1.0, 0.0), (7.5, 2.0), (7, 0)])
def test_divisors_of_zero_say_what_the_running_python_says(function, x, y):
    a = np.ones(2)
    try:
        expected = function(x, y, a)
    except ZeroDivisionError as error:
        with pytest.raises(ZeroDivisionError) as raised:
            sluice.program(function, strict=True)(x, y, a)
        assert raised.value.message == f"ZeroDivisionError: {error}"
    else:
        np.testing.assert_array_equal(sluice.program(function, strict=True)(x, y, a), expected)
