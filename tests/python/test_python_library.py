"""bisect, heapq, itertools, statistics, math and cmath as Python has them, and its round to digits, compiled whole."""
import bisect
import cmath
import heapq
import itertools
import math
import statistics
from itertools import accumulate, chain, islice, pairwise, zip_longest

import numpy as np
import pytest

import sluice


def places(xs, x):
    more = sorted(xs)
    bisect.insort(more, x)
    return (bisect.bisect_left(xs, x), bisect.bisect_right(xs, x), bisect.bisect(xs, x, 1, 3), more, bisect.bisect([60, 70, 80], 70))


def increasing(xs):
    tails = []
    for x in xs:
        at = bisect.bisect_left(tails, x)
        if at == len(tails):
            tails.append(x)
        else:
            tails[at] = x
    return len(tails)


def lists(xs, ys):
    return (list(accumulate(xs)), list(accumulate(xs, max)), list(accumulate(xs, lambda a, b: a * b, initial=2)), list(chain(xs, ys)),
            sum(chain(xs, ys)), list(islice(ys, 2)), list(islice(ys, 1, 3)), list(islice(ys, 0, None, 2)),
            [i * 10 + j for i, j in itertools.product(range(3), repeat=2) if i != j], [a - b for a, b in itertools.permutations(ys, 2)],
            sum(a * b * c for a, b, c in itertools.combinations(ys, 3)), [y - x for x, y in pairwise(ys)], [a * b for a, b in zip_longest(xs, ys, fillvalue=1)])


def heaps(xs, k):
    h = list(xs)
    heapq.heapify(h)
    return heapq.heappushpop(h, 2), h, heapq.nsmallest(k, xs), heapq.nlargest(2, xs), heapq.nsmallest(2, xs, key=lambda v: -v)


def averages(xs):
    return (statistics.mean(xs), statistics.fmean(xs), statistics.median(xs), statistics.pstdev(xs), statistics.stdev(xs),
            statistics.variance(xs), statistics.pvariance(xs))


def averages_of_an_array(xs):
    return statistics.mean(xs), statistics.median(xs), statistics.stdev(xs)


def sums(xs, ys):
    return math.fsum(xs), math.prod(ys), math.prod(ys, start=2.0), math.dist(xs, xs[::-1]), math.perm(7, 3), math.perm(4), math.comb(9, 4)


def circles(t):
    z = cmath.rect(2.0, t)
    return (*cmath.polar(z), cmath.phase(-z), z, cmath.isclose(z, z + 1e-12), cmath.isclose(z, 2 * z))


def agrees(function, *arguments):
    expected, answer = function(*arguments), sluice.program(function, strict=True)(*arguments)
    for one, other in zip(answer, expected) if isinstance(expected, tuple) else [(answer, expected)]:
        assert type(one) is type(other), (one, other)
        np.testing.assert_allclose(one, other, rtol=1e-14)


@pytest.mark.parametrize("function, arguments", [
    (places, ([1, 3, 5, 7], 5)), (increasing, ([3, 1, 4, 1, 5, 9, 2],)), (lists, ([1, 2], [3, 4, 5])), (heaps, ([5, 1, 4, 3], 3)),
    (averages, ([1.5, 4.0, 2.25, 8.0],)), (averages_of_an_array, (np.array([1.5, 4.0, 2.25]),)), (circles, (0.7,)),
    (sums, ([1e100, 1.0, -1e100, 0.1, 0.1, 0.1], [3, 4, 5])), (sums, ([1e16, 1.0, 1e-16], [2, -1]))])
def test_agrees_with_python(function, arguments):
    agrees(function, *arguments)


def test_the_exact_sum_is_rounded_once():
    total = sluice.program(lambda x: math.fsum(x), strict=True)
    random = np.random.default_rng(3)
    for n in 1, 7, 60:
        x = random.standard_normal(n) * 10.0 ** random.integers(-20, 20, n)
        assert total(x) == math.fsum(x)


def rounded(x, n):
    return round(x, n), round(x, 2), round(x, -2)


def test_round_of_pythons_numbers_is_that_of_the_decimal_number():
    compiled = sluice.program(rounded, strict=True)
    random = np.random.default_rng(5)
    values = [2.675, 1.005, -1.005, 0.5, 2.5, 1e-3, 1234.5, 1250.0, 1350.0, -50.0, 0.0, -0.0, 1e17, 123456789.125, math.inf, -math.inf, 5e-324]
    values += [float(v) for v in random.random(40) * 10.0 ** random.integers(-3, 9, 40)]
    values += [k / 8 for k in range(40)] + [k / 200 for k in range(1, 60, 2)]
    for x in values:
        for n in (0, 1, 3, -1):
            assert repr(compiled(x, n)) == repr(rounded(x, n)), (x, n)
    for k in (15, 25, -25, 1249, 1250, 1350, -7):
        assert repr(compiled(k, -1)) == repr(rounded(k, -1)), k
    assert repr(compiled(np.float64(2.675), 2)[1]) == repr(round(np.float64(2.675), 2))


def kept(xs):
    each = map(lambda v: v + 1, xs)
    return sum(each), sum(each)


def test_iterators_that_are_kept_are_pythons():
    """Walked once, they are empty."""
    with pytest.raises(sluice.CompileError, match="F001.*an iterator with a name"):
        sluice.program(kept, strict=True)([1, 2])
    with pytest.raises(sluice.CompileError, match="F001.*an iterator with a name, or returned"):
        sluice.program(lambda xs: accumulate(xs), strict=True)([1, 2])


def test_integers_have_means_of_two_types():
    with pytest.raises(sluice.CompileError, match="F005.*use statistics.fmean"):
        sluice.program(lambda xs: statistics.mean(xs), strict=True)([1, 2, 4])
