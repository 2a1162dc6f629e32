"""Operators and methods of sets, sets and dictionaries that are returned or copied, compiled whole and compared with Python."""
from collections import Counter, defaultdict

import numpy as np
import pytest

import sluice


def operators(a, b):
    s, t = set(a), set(b)
    both = s & t
    return len(s | t), len(both), len(s - t), len(s ^ t), both <= s, both < both, s == t, s != t, sorted(s ^ t), sorted(s | t)


def in_place(a, b):
    s = set(a)
    t = set(b)
    s |= t
    t -= {3}
    u = s.union(t).difference([1])
    v = u.copy()
    v &= t
    s ^= v
    return s, t, sorted(u), v.issubset(u), u.issuperset(v), u.isdisjoint(v)


def in_loops(x):
    seen = set()
    again = set()
    for each in x:
        v = int(each) % 4
        if v in seen:
            again.add(v)
        seen.add(v)
        rest = seen - again
    return len(rest), again, rest


def tables(xs, k):
    squares = {x: x * x for x in xs}
    more = dict(squares)
    more[10] = 5
    sums = defaultdict(int)
    for x in xs:
        sums[x % k] += x
    counts = Counter(x % k for x in xs)
    return sum(squares.values()), squares, more, dict(sums), counts[1], counts[77], len(counts), counts.most_common(1)


def agrees(function, *arguments):
    assert repr(sluice.program(function, strict=True)(*arguments)) == repr(function(*arguments))


@pytest.mark.parametrize("a, b", [([1, 2, 3, 4], [3, 4, 5]), ([5, 5, 6], [6]), ([2, 1], [1, 2])])
def test_operators(a, b):
    agrees(operators, a, b)


def test_operators_that_change_sets():
    agrees(in_place, [1, 2, 3, 4], [3, 4, 5])


def test_sets_that_grow_in_loops():
    agrees(in_loops, np.array([1, 2, 3, 4, 5, 6]))


def test_copies_and_results():
    agrees(tables, [1, 2, 3, 4, 5], 3)


def test_the_order_of_a_set_decides_between_equal_keys():
    def by_rest(a):
        s = set(a)
        return sorted(s, key=lambda v: v % 3)

    with pytest.raises(sluice.CompileError, match="F006"):
        sluice.program(by_rest, strict=True)(np.array([7, 3, 9, 12, 1, 6]))


def test_sets_of_empty_tuples():
    """The compiler crashed."""
    def different(rows):
        return len({tuple(row) for row in rows})

    for rows in ([[]], [[], []], [], [[1, 2], [1, 2], [3, 4]]):
        assert sluice.program(different)(rows) == different(rows)
