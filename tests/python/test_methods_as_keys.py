"""Strict programs that hand on a method of an object where a function of elements is asked for (`max(counts, key=counts.get)`)."""
from collections import Counter, defaultdict

import pytest

import sluice


def most_frequent(words):
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return max(counts, key=counts.get), min(counts, key=counts.get), sorted(counts, key=counts.get, reverse=True)


def by_tables(xs):
    counts, opposite = {}, {}
    for x in xs:
        counts[x] = counts.get(x, 0) + 1
        opposite[x] = -x
    return sorted(counts, key=lambda x: opposite[x]), min(counts.keys(), key=counts.get), max(counts, key=lambda _: counts[xs[0]])


def by_defaults(words):
    counts = defaultdict(int)
    for word in words:
        counts[word] += 1
    most = Counter(words)
    return max(counts, key=counts.get), sorted(counts, key=lambda word: counts[word]), min(most, key=most.get)


def places(xs):
    return max(range(len(xs)), key=xs.__getitem__), min(range(len(xs)), key=xs.__getitem__), sorted(range(len(xs)), key=xs.__getitem__)


def looked_up(words):
    table = {"a": 1, "b": 2}
    return list(map(table.__getitem__, words))


class Table:
    def __init__(self):
        self.asked = 0

    def get(self, k):
        self.asked += 1
        return -k


def of_an_object(xs):
    table = Table()
    return sorted(xs, key=table.get), table.asked


@pytest.mark.parametrize("function, argument", [
    (by_tables, [3, 1, 2, 3]), (by_defaults, [3, 1, 2, 3]), (by_defaults, ["b", "a", "b"]),
    (most_frequent, ["a", "b", "a", "c", "b", "a"]), (most_frequent, [3, 1, 3, 2, 1, 3]), (places, [3.0, 1.0, 2.0, 1.0]), (places, [4, 4]),
    (looked_up, ["a", "b", "a"]), (of_an_object, [1, 3, 2])], ids=lambda one: getattr(one, "__name__", None))
def test_as_python(function, argument):
    got, wanted = sluice.program(function, strict=True)(list(argument)), function(list(argument))
    assert got == wanted and repr(got) == repr(wanted)


class Bag:
    def __init__(self, xs):
        self.xs = xs

    def __iter__(self):
        for x in self.xs:
            yield x

    def __getitem__(self, k):
        return k

    def get(self, k):
        return -k


def of_its_own_elements(xs):
    bags = [Bag(xs) for _ in range(len(xs))]
    bag = bags[0]
    return max(bag, key=bag.get)


def test_get_of_an_object_is_no_subscript():
    with pytest.raises(sluice.CompileError):
        sluice.program(of_its_own_elements, strict=True)([1, 3, 2])
    assert sluice.program(of_its_own_elements, strict=False)([1, 3, 2]) == 1
