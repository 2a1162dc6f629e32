"""Sets and dictionaries of which one side is empty, frozensets, lists with integers and floats, and what divisors of 0 say: as Python."""
import pytest

import sluice


def types_in(value):
    if isinstance(value, dict):
        return dict, [(types_in(key), types_in(one)) for key, one in value.items()]
    if isinstance(value, (list, tuple)):
        return type(value), [types_in(one) for one in value]
    return type(value), value


def with_empty(s, d, text):
    none = set([])
    first = set([]) | s
    none |= s
    other = set(s)
    other -= set()
    kept = {}
    kept |= d
    ordered = (set() <= s, s <= set(), s < other, s >= set(), s.isdisjoint(set()), set().issubset(s))
    made = ({} | d, d | {}, kept, [] + text, frozenset(s), [frozenset(s) | set()])
    return first, none, other, s & set(), set() ^ s, set() - s, s.union(set()), set().union(s), s == set(), ordered, made


def shortest(n, edges):
    neighbours = [[] for _ in range(n)]
    for u, v, w in edges:
        neighbours[u].append((v, w))
    distance = [float("inf")] * n
    distance[0] = 0
    open_nodes = [(0, 0)]
    while open_nodes:
        d, u = open_nodes.pop()
        for v, w in neighbours[u]:
            if d + w < distance[v]:
                distance[v] = d + w
                open_nodes.append((distance[v], v))
    return distance, max(distance[0], 0.5), [min(w, 2.5) for _, _, w in edges]


def divided(kind, a, b):
    result = [a]
    if kind == 0:
        result.append(a / b)
    elif kind == 1:
        result.append(a // b)
    else:
        result.append(a % b)
    return result


def of_displays(s):
    pairs = {(1, 2), (3, 4)}
    pairs.add((len(s), 0))
    more = s | {3}
    more |= {7, len(s)}
    return pairs, more, s - {1}, s == {1, 2}, [x in {1, 5} for x in sorted(s)], {min(s), 9}, {str(v) for v in s} | {"x", "y"}


@pytest.mark.parametrize("f, calls", [
    (of_displays, [({1, 2},), ({5},)]), (with_empty, [({1, 2}, {1: 2}, [3]), (set(), {}, []), ({7}, {}, [1])]),
    (shortest, [(4, [(0, 1, 4), (0, 2, 1), (2, 1, 2)])]),
])
def test_as_python(f, calls):
    program = sluice.program(strict=True)(f)
    for arguments in calls:
        assert types_in(program(*arguments)) == types_in(f(*arguments))


@pytest.mark.parametrize("one", [0, 0.0])
def test_a_divisor_of_zero_says_what_python_says(one):
    program = sluice.program(strict=True)(divided)
    for kind in range(3):
        with pytest.raises(ZeroDivisionError) as python:
            divided(kind, 1 + one, one)
        with pytest.raises(ZeroDivisionError) as compiled:
            program(kind, 1 + one, one)
        assert str(compiled.value).split("\n")[0].rpartition("ZeroDivisionError: ")[2] == str(python.value)
