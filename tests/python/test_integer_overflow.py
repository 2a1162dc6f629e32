"""Python's integers grow: where a loop makes one leave 64 bits, the call raises OverflowError; NumPy's integers wrap."""
import numpy as np
import pytest

import sluice


def factorial(n, k):
    r = 1
    for i in range(1, n + 1):
        r *= i
    return r


def fibonacci(n, k):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def fibonacci_with_a_temporary(n, k):
    a = 0
    b = 1
    for _ in range(n):
        c = a + b
        a = b
        b = c
    return a


def powers(n, k):
    p = 1
    while n > 0:
        p = p * k + 1
        n -= 1
    return p


def shifted(n, k):
    p = k
    for _ in range(n):
        p = p << 1
    return p


def squares(n, k):
    p = k
    for _ in range(n):
        p = p ** 2
    return p


def differences_of_two(n, k):
    a, b = k, -k
    for _ in range(n):
        a, b = b - a, a
    return a


def random_numbers(n, k):
    seed = k
    for _ in range(n):
        seed = (1103515245 * seed + 12345) % 2**31
    return seed


def collatz(n, k):
    steps = 0
    while n != 1:
        n = 3 * n + 1 if n % 2 else n // 2
        steps += 1
    return steps


def power_of_an_argument(n):
    return n ** 20


def power_with_an_argument(n):
    return 2 ** n


def shift_by_an_argument(n):
    return 1 << n


def large_factor(n):
    return n * 3000000000


@pytest.mark.parametrize("function, fits, leaves", [
    (factorial, (20, 0), (21, 0)), (fibonacci, (91, 0), (100, 0)), (fibonacci_with_a_temporary, (90, 0), (100, 0)), (powers, (39, 3), (41, 3)),
    (shifted, (60, 3), (63, 3)), (squares, (5, 3), (6, 3)), (differences_of_two, (80, 3), (100, 3))])
def test_what_does_not_fit_is_an_error(function, fits, leaves):
    program = sluice.program(function)
    got, wanted = program(*fits), function(*fits)
    assert got == wanted and type(got) is int
    assert abs(function(*leaves)) >= 2**63
    with pytest.raises(OverflowError, match="64 bits"):
        program(*leaves)


@pytest.mark.parametrize("function, arguments", [(random_numbers, (1000, 42)), (collatz, (27, 0))])
def test_what_fits_is_what_python_computes(function, arguments):
    assert sluice.program(function)(*arguments) == function(*arguments)


@pytest.mark.parametrize("function, fits, leaves", [
    (power_of_an_argument, (8,), (10,)), (power_with_an_argument, (62,), (80,)), (shift_by_an_argument, (62,), (64,)), (large_factor, (2,), (10**10,))])
def test_outside_of_loops(function, fits, leaves):
    program = sluice.program(function)
    assert program(*fits) == function(*fits)
    with pytest.raises((OverflowError, sluice.CompileError), match="64 bits"):  # refused where the code is for this very number
        program(*leaves)


def test_constants_that_do_not_fit_are_refused():
    def scaled(x):
        return x * 2**70

    with pytest.raises(sluice.CompileError, match="F009.*64 bits"):
        sluice.program(scaled)(np.ones(2))


def test_numpys_integers_wrap():
    def powers_of(x, k):
        p = x[0]
        for _ in range(70):
            p = p * k
        return p

    x = np.array([3], dtype=np.int64)
    with np.errstate(over="ignore"):
        wanted = powers_of(x, np.int64(5))
    assert sluice.program(powers_of)(x, np.int64(5)) == wanted


def test_indices_and_counts_stay_free_of_checks():
    """What no iteration hands to the next does not keep a loop from running in parallel: what parameters decide is compared in front of it."""
    def binned(x, width):
        for i in range(x.shape[0]):
            row = (i // 7) * width
            x[i] = row * width + i * 2

    def counted(x):
        for i in range(x.shape[0]):
            x[i] = i * i + (i + 1) * 2

    def checks(function, *arguments):
        sdfg = sluice.program(function).to_sdfg(*arguments)
        nodes = [node for node, _ in sdfg.all_nodes_recursive() if isinstance(node, sluice.nodes.Tasklet)]
        return sum("assert" in str(node.code) for node in nodes), sum("wrong" in name for name in sdfg.arrays)

    assert checks(counted, np.zeros(100)) == (0, 0)
    assert checks(binned, np.zeros(100), 7) == (3, 0)
    assert checks(factorial, 5, 0)[1] == 1


BYTES = np.array([1, 200, 255, 0], dtype=np.uint8)
INTEGERS = np.array([1, -200, 255, 0], dtype=np.int32)


def compared(u, n):
    return u < 300, u > -1, u < n, u[1] < 300, u[1] > -1, -1 < u[2] < 300, n > u


def compared_with_more(u, n):
    return u < 2**31, u == n, u < n, u >= -2**40


def added(u, n):
    return u + n, u * 2, n - u, u[0] + n


def fractions(a, x):
    return a ** -1, 2 ** -3, a ** 2, x ** -1


@pytest.mark.parametrize("function, arguments", [
    (compared, (BYTES, 300)), (compared, (BYTES, -1)), (compared_with_more, (INTEGERS, 3)), (compared_with_more, (INTEGERS, 2**40)),
    (added, (INTEGERS, 7)), (fractions, (5, 2.0))])
def test_integers_of_pythons_beside_narrower_ones(function, arguments):
    for got, wanted in zip(sluice.program(strict=True)(function)(*arguments), function(*arguments)):
        assert type(got) is type(wanted) and np.array_equal(got, wanted)


def test_what_does_not_fit_into_the_type_beside_it():
    def moved(u, n):
        return u + n

    def moved_by_a_constant(u):
        return u + 300

    program = sluice.program(strict=True)(moved)
    assert np.array_equal(program(BYTES, 3), BYTES + 3)
    with pytest.raises(OverflowError):
        program(BYTES, 300)
    with pytest.raises(OverflowError):
        sluice.program(strict=False)(moved_by_a_constant)(BYTES)
    with pytest.raises(sluice.CompileError, match="does not fit into uint8"):
        sluice.program(strict=True)(moved_by_a_constant)(BYTES)


def sum_of_elements(x):
    s = 0
    for i in range(len(x)):
        s += int(x[i])
    return s


def sum_of_names(x):
    s = 0
    for v in x:
        w = int(v)
        s = s - w
    return s


def sum_in_while(x):
    s = k = 0
    while k < len(x):
        s += int(x[k])
        k += 1
    return s


def sum_of_list(x):
    return sum(x.tolist())


@pytest.mark.parametrize("function", [sum_of_elements, sum_of_names, sum_in_while, sum_of_list])
def test_sums_of_numbers_of_the_data(function):
    compiled = sluice.program(function, strict=True)
    small = np.arange(1000) - 7
    assert compiled(small) == function(small)
    with pytest.raises(OverflowError):
        compiled(np.array([2**62, 2**62, 2**62]))


def fibonacci_in_a_list(n):
    f = [0, 1]
    while len(f) <= n:
        f.append(f[-1] + f[-2])
    return f[n]


def fibonacci_in_a_table(n):
    f = [0] * (n + 2)
    f[1] = 1
    for i in range(2, n + 1):
        f[i] = f[i - 1] + f[i - 2]
    return f[n]


def fibonacci_in_a_dictionary(n):
    f = {0: 0, 1: 1}
    for i in range(2, n + 1):
        f[i] = f[i - 1] + f[i - 2]
    return f[n]


def doubled(n):
    p = [1]
    for i in range(n):
        p.append(p[-1] * 2)
    return p[n]


def factorials(n):
    f = [1]
    for i in range(1, n + 1):
        f.append(f[-1] * i)
    return f


def catalan(n):
    c = [0] * (n + 1)
    c[0] = 1
    for i in range(1, n + 1):
        for j in range(i):
            c[i] += c[j] * c[i - 1 - j]
    return c[n]


def binomials(n):
    c = [[0] * 71 for _ in range(71)]
    for i in range(n + 1):
        c[i][0] = 1
        for j in range(1, i + 1):
            c[i][j] = c[i - 1][j - 1] + c[i - 1][j]
    return c[n][n // 2]


@pytest.mark.parametrize("function, fits, leaves", [(fibonacci_in_a_list, 92, 93), (fibonacci_in_a_table, 92, 93),
                                                    (fibonacci_in_a_dictionary, 92, 93), (doubled, 62, 63), (factorials, 20, 21),
                                                    (catalan, 35, 36), (binomials, 66, 70)])
def test_elements_of_lists(function, fits, leaves):
    """They wrapped. Programs over lists and dictionaries alone leave to Python what does not fit."""
    program = sluice.program(function, strict=True)
    assert program(fits) == function(fits)
    try:
        assert program(leaves) == function(leaves)
    except OverflowError:
        pass


LARGE = 2**40


def given_product(a, n):
    return a * n


def scaled(a, n):
    return [v * n for v in [a] * 100]


def given_sum_in_a_loop(a, n):
    s = 0
    for i in range(3):
        s = a * 4194304 + n * 4194304
    return s


@pytest.mark.parametrize("function", [given_product, scaled, given_sum_in_a_loop])
def test_products_of_numbers_that_the_caller_gives(function):
    program = sluice.program(function, strict=True)
    assert program(3, 4) == function(3, 4)
    with pytest.raises(OverflowError):
        program(LARGE, LARGE)


def sum_of_each(x):
    return sum(int(v) for v in x)


def sum_of_list(x):
    return sum([int(v) for v in x])


def sum_of_products(x):
    return sum(int(v) * int(v) for v in x)


def largest_product(x):
    return max(int(v) * int(v) for v in x)


def product(x):
    import math
    return math.prod([int(v) for v in x])


@pytest.mark.parametrize("size", [4, 100])
@pytest.mark.parametrize("function", [sum_of_each, sum_of_list, sum_of_products, largest_product, product])
def test_numbers_of_arrays(function, size):
    program = sluice.program(function, strict=True)
    small = np.ones(size, np.int64)
    assert program(small) == function(small) and type(program(small)) is int
    with pytest.raises(OverflowError):
        program(np.full(size, 2**62))


def test_a_sum_of_no_arrays_is_a_number():
    """It was an array of zeros, then a refusal of the run."""
    def rolled(b, k):
        return sum(np.roll(b, q) for q in range(k))

    b = np.arange(6.0).reshape(2, 3)
    program = sluice.program(rolled, strict=True)
    assert np.array_equal(program(b, 2), rolled(b, 2))
    assert program(b, 0) == 0 and type(program(b, 0)) is int


def products_in_a_list(a, n):
    return [a * a for _ in range(n)]


def product_of_a_size(a, n):
    return a * a, np.zeros(n), np.zeros(a - a + n)


def cube(a, n):
    return a ** 3


def triple_product(a, n):
    x = np.zeros(n)
    return a * a * a + len(x)


def square_of_a_square(a, n):
    p = a * a // 4
    q = p * p * p
    return q


def counters_from_a_parameter(a, n):
    return [i * i for i in range(a, a + n)]


def one_more(a, n):
    return a * 2**21 + n * 4 + 1


def reduced(a, n):
    return (a * a) % 1000003 + n


def index_of_a_product(a, n):
    return np.arange(7.0)[(a * a) % 7]


def stored(a, n):
    x = np.zeros(n)
    for i in range(n):
        row = a * i
        x[i] = row * a
    return x


def in_a_branch(a, n):
    s = 0
    for i in range(n):
        if i > 0:
            s += i * a * a
    return s


def in_a_dictionary(a, n):
    return {i: a * a + i for i in range(n)}


def in_a_function(a, n):
    def product(k):
        return k * k

    return [product(a) for _ in range(n)]


def of_a_sum(a, n):
    return sum(a * a * i for i in range(n))


def left_in_a_loop(a, n):
    for i in range(2, a):
        if i * i > a:
            return i
    return n


@pytest.mark.parametrize("function", [products_in_a_list, product_of_a_size, cube, triple_product, square_of_a_square, counters_from_a_parameter, one_more, reduced,
                                      index_of_a_product, stored, in_a_branch, in_a_dictionary, in_a_function, of_a_sum])
def test_parameters_that_also_decide_sizes(function):
    """Their products wrapped."""
    program = sluice.program(function, strict=True)
    assert str(program(5, 3)) == str(function(5, 3))
    with pytest.raises(OverflowError):
        program(2**42, 3)


def test_products_that_are_not_reached():
    program = sluice.program(left_in_a_loop, strict=True)
    assert program(10**12, 3) == left_in_a_loop(10**12, 3)
    assert sluice.program(in_a_branch, strict=True)(2**42, 1) == 0
    assert len(sluice.program(stored, strict=True)(2**42, 0)) == 0


def sum_of_squares(n):
    s = 0
    for i in range(n):
        s += i * i
    return s


def sum_of_some_squares(n):
    s = 0
    for i in range(n):
        if i % 3 == 0:
            s += i * i
    return s


def sum_of_triangles(n):
    s, i = 0, 0
    while i < n:
        s += i * (i + 1) * n
        i += 1
    return s


@pytest.mark.parametrize("function, fits, leaves", [(sum_of_squares, 3024616, 3100000), (sum_of_some_squares, 4300000, 4400000), (sum_of_triangles, 70000, 80000)])
def test_sums_of_what_counters_tell(function, fits, leaves):
    program = sluice.program(function, strict=True)
    assert program(fits) == function(fits)
    assert function(leaves) >= 2**63
    with pytest.raises(OverflowError):
        program(leaves)


def test_the_largest_integer():
    def near(limit):
        return limit - 1, limit // 2, limit + 0 * limit

    program = sluice.program(near, strict=True)
    assert program(2**63 - 1) == near(2**63 - 1)


def pythagorean(n, k):
    count = 0
    for a in range(1, n):
        for b in range(a, n):
            square = a * a * k + b * b
            root = int(square ** 0.5)
            if root * root == square:
                count += 1
    return count


def test_several_notes_of_one_loop():
    """The pipeline took them for an endless one."""
    assert sluice.program(pythagorean, strict=True)(30, 1) == pythagorean(30, 1)
