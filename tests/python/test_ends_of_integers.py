"""Python's integers near the ends of 64 bits: what fits is Python's number, what does not raises OverflowError. They wrapped."""
import copy
import math

import numpy as np
import pytest

import sluice

LEAST, MOST = -2**63, 2**63 - 1


def negative(n):
    return -n


def size(n):
    return abs(n)


def quotient(n, k):
    return n // k


def quotient_and_rest(n, k):
    return divmod(n, k)


def negative_on_a_path(n):
    return -n if n < 0 else n


def size_on_a_path(n):
    return abs(n) if n < 0 else n


def negatives(x):
    return [-v for v in x.tolist()]


def negative_in_a_loop(x):
    s = 0
    for i in range(len(x)):
        s = -int(x[i])
    return s


def counted_up(t, n):
    for _ in range(n):
        t += 1
    return t


def counted_down(t, n):
    for _ in range(n):
        t -= 1
    return t


def counted_in_while(t, n):
    while n > 0:
        t += 1
        n -= 1
    return t


def counted_to_the_end(t, n):
    while t < n:
        t += 1
    return t


def counted_where(x, t):
    for v in x:
        if v > 0:
            t += 1
    return t


def element_counted(values):
    for i in range(len(values)):
        values[i] += 1
    return values


def sum_with_a_start(t, values):
    for v in values:
        t += v
    return t


def sum_in_two_loops(values):
    t = 0
    for v in values:
        t += v
    for v in values:
        t += v
    return t


def sum_of_products(n):
    t = k = 0
    while k < n:
        t += k * 3000000000000
        k += 1
    return t


def sum_in_a_long_while(x):
    t = i = 0
    while i < len(x):
        t += int(x[i])
        i += 1
    return t


def sum_of_a_tuple(n):
    return sum((n, 1, 2))


def sum_with_a_first_number(n):
    return sum([1, 1], n)


def enumerated(n, values):
    return [i for i, v in enumerate(values, n)]


def power(a, b):
    return pow(a, b)


def common_divisor(a, b):
    return math.gcd(a, b)


def common_multiple(a, b):
    return math.lcm(a, b)


def rounded(n):
    return round(n, -3)


@pytest.mark.parametrize("function, fits, leaves", [
    (negative, (MOST,), (LEAST,)), (size, (LEAST + 1,), (LEAST,)), (quotient, (LEAST, 1), (LEAST, -1)), (quotient_and_rest, (LEAST + 1, -1), (LEAST, -1)),
    (negative_on_a_path, (LEAST + 1,), (LEAST,)), (size_on_a_path, (LEAST + 1,), (LEAST,)), (negatives, (np.array([MOST, 3]),), (np.array([3, LEAST]),)),
    (negative_in_a_loop, (np.array([MOST]),), (np.array([LEAST]),)), (counted_up, (MOST - 5, 5), (MOST - 2, 5)), (counted_down, (LEAST + 6, 5), (LEAST + 2, 5)),
    (counted_in_while, (MOST - 5, 5), (MOST - 2, 5)), (counted_to_the_end, (MOST - 3, MOST), None), (counted_where, (np.ones(5), MOST - 5), (np.ones(5), MOST - 2)),
    (element_counted, ([MOST - 1],), ([MOST],)), (sum_with_a_start, (MOST - 2, [1, 1]), (MOST - 2, [1, 1, 5])), (sum_in_two_loops, ([2**60],), ([2**61] * 3,)),
    (sum_of_products, (1000,), (3000,)), (sum_in_a_long_while, (np.full(3, 2**61),), (np.full(2**20 + 2**19, 2**43),)),
    (sum_of_a_tuple, (2**62,), (MOST,)), (sum_with_a_first_number, (2**62,), (MOST - 1,)), (enumerated, (MOST - 2, [1, 2, 3]), (MOST - 1, [1, 2, 3])),
    (power, (3, 30), (3, 50)), (common_divisor, (LEAST + 1, 6), (LEAST, 0)), (common_multiple, (2**40, 3), (LEAST, 1)), (rounded, (MOST - 1000,), (LEAST,))])
def test_the_ends(function, fits, leaves):
    program = sluice.program(function, strict=True)
    assert str(program(*copy.deepcopy(fits))) == str(function(*copy.deepcopy(fits)))
    if not leaves:
        return
    try:
        got = program(*copy.deepcopy(leaves))
    except OverflowError as error:
        assert "64 bits" in str(error)
    else:  # Python runs what a few elements of a list are too small for.
        assert isinstance(leaves[-1], list) and got == function(*copy.deepcopy(leaves))


def test_products_that_float64_rounds_into_64_bits():
    """9016003 * 1023**5 and the like: the product of the floats is 2**63 - 1024."""
    def product(a, b):
        return a * b

    program = sluice.program(product, strict=True)
    b = 1023
    a = -(-2**63 // b) | 1
    assert a * b >= 2**63
    with pytest.raises(OverflowError):
        program(a, b)


def test_sums_that_float64_rounds_into_64_bits():
    def total(x):
        return sum(x.tolist())

    with pytest.raises(OverflowError):
        sluice.program(total, strict=True)(np.array([2**63 - 600, 300, 300]))


def test_counters_that_a_condition_bounds_are_not_checked():
    def from_a_parameter(a, n):
        s = 0
        while a < n:
            s += 2
            a += 1
        return s

    def past_a_parameter(a, n):
        s = 0
        while a <= n:
            s += 2
            a += 1
        return s

    def checks(function):
        sdfg = sluice.program(function).to_sdfg(3, 9)
        return sum("assert" in str(node.code) for node, _ in sdfg.all_nodes_recursive() if isinstance(node, sluice.nodes.Tasklet))

    assert checks(from_a_parameter) == 0
    assert checks(past_a_parameter) == 1


def equal(a, x):
    return a == x


def less(a, x):
    return a < x


def greater_or_equal(a, x):
    return x >= a


@pytest.mark.parametrize("function", [equal, less, greater_or_equal])
def test_integers_beside_floats_are_compared_exactly(function):
    """They were compared as floats."""
    program = sluice.program(function, strict=True)
    for a in (2**53, 2**53 + 1, -2**53 - 1, MOST, LEAST, 3):
        for x in (2.0**53, -2.0**53, 2.0**63, -2.0**63, 2.5, float("inf"), float("nan")):
            got, wanted = program(a, x), function(a, x)
            assert got is wanted, (a, x)


def test_shifts_of_more_bits_than_there_are():
    """They left it to the processor, which takes the count modulo 64."""
    def shifted(x):
        return np.right_shift(x, 65), np.left_shift(x, 65), np.right_shift(x, 1)

    x = np.array([3, -1, 2, 0])
    for got, wanted in zip(sluice.program(shifted, strict=True)(x), shifted(x), strict=True):
        assert np.array_equal(got, wanted)


def range_as_list(n):
    return list(range(n, n + 5))


def last_of_range(n):
    last = 0
    for i in range(n - 3, n, 2):
        last = i
    return last


@pytest.mark.parametrize("function, fits, leaves", [(range_as_list, MOST - 5, MOST - 1), (last_of_range, LEAST + 9, LEAST + 1), (last_of_range, MOST - 2, MOST)])
def test_bounds_of_ranges_at_the_ends(function, fits, leaves):
    """A bound that wrapped was an empty range, and a counter that did one without an end."""
    program = sluice.program(function, strict=True)
    assert program(fits) == function(fits)
    with pytest.raises(OverflowError, match="64 bits"):
        program(leaves)
