"""Lists and dictionaries whose elements change, and those that are returned: Python's, of the same types."""
import copy

import warnings

import numpy as np
import pytest

import sluice
from against_numpy import agree

A = np.random.default_rng(0).normal(size=6)


def counted(a):
    stats = {"low": 0, "sum": 0.0}
    for i in range(a.size):
        if a[i] < 0:
            stats["low"] += 1
        stats["sum"] += a[i]
    return stats["low"], stats["sum"]


def inserted(a):
    stats = {}
    stats["mean"] = a.mean()
    stats["n"] = a.size
    stats["twice"] = 2 * a
    return stats


def two_counts(a):
    counts = [0, 0]
    for x in a:
        if x > 0:
            counts[0] += 1
        else:
            counts[1] += 1
    return counts


def swapped(a):
    pair = [a, a + 1]
    pair[0], pair[1] = pair[1], pair[0]
    pair[0][0] = 50.0
    return pair[0], pair[1]


def bound_again(a):
    """An element takes another array: the first one keeps its elements."""
    d = {"s": a, "t": a + 1}
    d["s"] = d["t"]
    d["s"][0] = 50.0
    return d["s"], d["t"]


def number_bound_again(a):
    x = a.sum()
    d = {"s": x}
    d["s"] = 0.0
    return x, d["s"]


def from_itself(a):
    d = {"x": 1.0, "y": a[0]}
    for i in range(3):
        d = {"x": d["y"], "y": d["x"] + d["y"]}
    return d


def in_place(a):
    d = {"s": a}
    d["s"] += 1
    return d["s"]


def dictionary(a):
    return {"mean": a.mean(), "n": a.size, 3: a * 2}


def by_path(a):
    if a[0] > 100:
        return {"low": 0.5, "high": a[1]}
    return {"low": 1.5, "high": a[0]}


def twelve(a):
    return {"k0": 0 * a, "k1": 1 * a, "k2": 2 * a, "k3": 3 * a, "k4": 4 * a, "k5": 5 * a, "k6": 6 * a, "k7": 7 * a, "k8": 8 * a,
            "k9": 9 * a, "k10": 10 * a, "k11": 11 * a}


def pair_in_list(a):
    return [a.sum(), a * 2]


def list_of_one(a):
    return [a[0]]


@sluice.program
def summary(a):
    return {"sum": a.sum(), "largest": a.max()}


@sluice.program
def both(a):
    return [a.sum(), a.max()]


def of_called(a):
    s = summary(a)
    t = both(a)
    return s["sum"] + s["largest"], t[0] - t[1], len(t)


def by_helper(a):
    def fill(x):
        found = {"x": 0.0}
        found["x"] = x.sum()
        found["y"] = 2.0
        return found["x"] + found["y"]
    return fill(a) + fill(a * 2)


def same(wanted, got):
    assert type(wanted) is type(got), (wanted, got)
    if isinstance(wanted, dict):
        assert list(wanted) == list(got)
        same(list(wanted.values()), list(got.values()))
    elif isinstance(wanted, (list, tuple)):
        assert len(wanted) == len(got)
        for one, other in zip(wanted, got):
            same(one, other)
    else:
        np.testing.assert_allclose(got, wanted, rtol=1e-12)


@pytest.mark.parametrize("function", [
    counted, inserted, two_counts, swapped, bound_again, number_bound_again, from_itself, in_place, dictionary, by_path, twelve,
    pair_in_list, list_of_one, of_called, by_helper], ids=lambda one: one.__name__)
def test_as_in_python(function):
    mine, plain = copy.deepcopy(A), copy.deepcopy(A)
    same(function(plain), sluice.program(function)(mine))
    np.testing.assert_array_equal(mine, plain)


def kept_elsewhere(a):
    d = {"s": a, "t": a + 1}
    e = d
    d["s"] = d["t"]
    return e["s"]


def by_run_time_index(a):
    s = [0.0, 0.0]
    for i in range(a.size):
        s[i % 2] += a[i]
    return s[0]


def test_elements_change_by_an_index_of_the_run():
    a = np.arange(5.0)
    same(by_run_time_index(a), sluice.program(strict=True)(by_run_time_index)(a))


def without_an_element(a):
    d = {"s": a.sum()}
    d["t"] = 1
    del d["t"]
    return d


def other_keys(a):
    if a[0] > 0:
        return {"a": 1}
    return {"b": 1}


def nothing(a):
    return []


def one_object_twice(a):
    d = {"s": a.sum()}
    d["s"] += 1
    return d, d


@pytest.mark.parametrize("function", [without_an_element, one_object_twice],
                         ids=lambda one: one.__name__)
def test_strict_programs_have_a_memory_for_it_and_others_leave_it_to_python(function):
    same(function(A.copy()), sluice.program(function, strict=True)(A.copy()))
    with pytest.warns(sluice.FallbackWarning):
        got = sluice.program(function, strict=False)(A.copy())
    same(function(A.copy()), got)


def returned_early(a):
    d = {"n": 1}
    if a[0] < 100:
        return d
    d["m"] = 2
    return d


@pytest.mark.parametrize("function", [other_keys, nothing, kept_elsewhere, returned_early], ids=lambda one: one.__name__)
def test_what_differs_between_paths_is_returned(function):
    for a in (A.copy(), -A):
        same(function(a), sluice.program(strict=True)(function)(a))


def identity(d):
    return d


def one_object_by_two_names(a):
    d = {"s": a.sum(), "n": 1}
    q = identity(d)
    q["n"] = 4
    return d["n"], a


def grown_through_a_name(a):
    xs = [1.0, 2.0]
    ys = identity(xs)
    ys += [3.0]
    return sum(xs) + a


@pytest.mark.parametrize("function", [one_object_by_two_names, grown_through_a_name], ids=lambda one: one.__name__)
def test_two_names_of_one_object(function):
    """The statement in front of the change handed over a copy for each name."""
    same(function(A.copy()), sluice.program(strict=False)(function)(A.copy()))


def added_on_a_path(a):
    d = {"n": a.size}
    if a[0] > 100:
        d["mean"] = a.mean()
    return d


def in_another_order(a):
    d = {"n": 1, "m": 2}
    if a[0] < 100:
        d = {"m": 3, "n": 4}
    d["n"] += 1
    return d


@pytest.mark.parametrize("function", [added_on_a_path, in_another_order], ids=lambda one: one.__name__)
def test_keys_that_the_path_decides_are_pythons(function):
    with pytest.warns(sluice.FallbackWarning):
        got = sluice.program(function, strict=False)(A.copy())
    same(function(A.copy()), got)


def halves(a):
    return np.split(a, 2)


def of_thirds(a):
    parts = np.array_split(a, 3)
    first, *rest = parts
    return len(parts), first, rest[1] + 1


@pytest.mark.parametrize("function", [halves, of_thirds], ids=lambda one: one.__name__)
def test_parts_of_arrays_come_in_a_list(function):
    same(function(A.copy()), sluice.program(function)(A.copy()))


def inside_of_each_other(a):
    r = {"s": a.sum()}
    r["t"] = (a.min(), [a.max(), None])
    return a[1:], r, ((a * 2,),)


def positions(a):
    return a, np.where(a > 0)


@pytest.mark.parametrize("function", [inside_of_each_other, positions], ids=lambda one: one.__name__)
def test_results_inside_of_results(function):
    def parts(value):
        if isinstance(value, (tuple, list)):
            return type(value), [parts(one) for one in value]
        if isinstance(value, dict):
            return list(value), [parts(one) for one in value.values()]
        return None if value is None else (type(value), np.asarray(value).tolist())

    assert parts(sluice.program(function)(A.copy())) == parts(function(A.copy()))


@sluice.program
def nested(a):
    return a.sum(), (a.min(), None)


def test_a_called_program_returns_results_inside_of_results():
    def caller(a):
        s, rest = nested(a)
        return s + rest[0]

    assert sluice.program(caller)(A.copy()) == caller(A.copy())


def what_lists_hold(x, b):
    parts = [np.tanh(b), x]
    parts.append(b + 1)
    parts.insert(0, b * 2)
    parts.extend([b / 2, x[::2]])
    parts += [b - 3]
    parts[2] = b * 9
    named = {"p": x + b}
    named["q"] = x - b
    b -= 1
    x += 1
    return parts, named


def layers_and_what_changes(x, weights, offsets):
    layers = [x]
    for w, c in zip(weights, offsets):
        layers.append(np.tanh(layers[-1] @ w + c))
    for c in offsets:
        c -= 1
    return layers[-1]


def what_loops_go_through(x, b):
    s = 0.0
    for t in (b * 2, b + 1):
        b -= 1
        s += t.sum()
    for t, u in zip([b * 3, x], (x + b, b)):
        b -= 1
        x *= 2
        s += (t * u).sum()
    for i, t in enumerate([b * 3, x + 1]):
        b[i] = 50
        s += t.sum()
    for t in b + 1, b * 2:
        b[:] = t
        x += b
    return s, x


def descent(x, y, weights, offsets, rate):
    layers = [x]
    for w, c in zip(weights, offsets):
        layers.append(np.tanh(layers[-1] @ w + c))
    delta = layers[-1] - y
    for i in range(len(weights) - 1, -1, -1):
        d = delta * (1 - layers[i + 1] ** 2)
        delta = d @ weights[i].T
        weights[i] -= rate * layers[i].T @ d
        offsets[i] -= rate * d.sum(axis=0)
    for i in reversed(range(2)):
        weights[i] *= 2
    return 0.5 * np.sum((layers[-1] - y) ** 2)


def trained(x, rate):
    sizes = [4, 8, 6, 3]
    weights = [np.ones((m, n)) for m, n in zip(sizes[:-1], sizes[1:])]
    for _ in range(3):
        layers = [x]
        for i, w in enumerate(weights):
            z = layers[-1] @ w
            layers.append(z if i == len(weights) - 1 else np.maximum(z, 0))
        for i in reversed(range(len(weights))):
            if i == 1:
                continue
            weights[i] -= rate * layers[i].sum()
    return weights


def network(n, sizes):
    def numbers(*shape):
        return np.cos(np.arange(np.prod(shape))).reshape(shape)
    return numbers(n, sizes[0]), numbers(n, sizes[-1]), [numbers(a, b) for a, b in zip(sizes, sizes[1:])], [numbers(b) for b in sizes[1:]]


@pytest.mark.parametrize("n", [3, 6])
def test_arrays_in_collections_are_those_of_their_time(n):
    x, b = np.linspace(0, 1, n), np.linspace(1, 3, n)
    agree(sluice.program(what_lists_hold, strict=True), x, b)
    agree(sluice.program(what_loops_go_through, strict=True), x, b)
    x, y, weights, offsets = network(n, (4, n + 1, 2))
    agree(sluice.program(layers_and_what_changes, strict=True), x, weights, offsets)
    agree(sluice.program(descent, strict=True), x, y, weights, offsets, 0.1)
    agree(sluice.program(descent, strict=True), *network(n, (4, 4, 4)), 0.1)
    agree(sluice.program(trained, strict=True), x, 0.01)


def a_comprehension_with_the_same_name(x, v, w):
    weights, s = [v, w], 0
    for i in range(2):
        x = x @ weights[i]
        s += sum([i for i in range(3)]) + i
    return x, s, i


def test_names_of_comprehensions_in_loops_that_are_written_out():
    given = np.arange(3.0), np.arange(12.0).reshape(3, 4), np.arange(8.0).reshape(4, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        got, wanted = sluice.program(a_comprehension_with_the_same_name, strict=False)(*given), a_comprehension_with_the_same_name(*given)
    np.testing.assert_array_equal(got[0], wanted[0])
    assert got[1:] == wanted[1:]
