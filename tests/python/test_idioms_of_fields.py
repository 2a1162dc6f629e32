"""Idioms of programs from the sciences, each in strict mode beside NumPy."""
from collections import deque

import numpy as np
import pytest

import sluice
from against_numpy import differences

X = np.array([0.5, -1.25, 2.0, 0.75, -0.5, 3.0])


def agrees(function, *arguments):
    found = differences(function(*arguments), sluice.program(function, strict=True)(*arguments), function.__name__)
    assert not found, "\n".join(found)


def walk(log_density, start, n, rng):
    theta, density = start.copy(), log_density(start)
    out = np.zeros(n)
    for i in range(n):
        proposal = theta + rng.standard_normal(theta.size)
        other = log_density(proposal)
        if np.log(rng.random()) < other - density:
            theta, density = proposal, other
        out[i] = theta[0]
    return out


def spread(mask):
    reach = mask.copy()
    while True:
        grown = reach.copy()
        grown[1:] |= reach[:-1]
        if (grown == reach).all():
            return bool(reach[-1].any()), reach.mean()
        reach = grown


def test_arguments_that_draw_beside_arrays_that_take_turns():
    def sampled(n, seed):
        rng = np.random.default_rng(seed)
        ok, part = spread(rng.random((n, n)) < 0.3)
        return walk(lambda t: -0.5 * np.sum(t * t), np.zeros(2), n, np.random.default_rng(seed)), ok, part

    agrees(sampled, 5, 3)


def rolling(x, w, function=np.nanmean):
    out = np.full(len(x), np.nan)
    for i in range(len(x)):
        out[i] = function(x[max(0, i - w + 1):i + 1])
    return out


def test_functions_of_numpy_that_the_prelude_says_as_arguments():
    def smoothed(x):
        return rolling(x, 2), rolling(x, 3, np.nanmedian), rolling(x, 2, lambda v: np.nanstd(v))

    agrees(smoothed, np.array([1.0, np.nan, 3.0, 2.0]))


def test_a_dictionary_of_calls_whose_arrays_take_turns():
    def both(x, n):
        return {"a": walk(lambda t: -np.sum(t * t), x, n, np.random.default_rng(1)), "b": n}

    agrees(both, X, 4)


def test_zip_of_a_starred_tuple():
    def places(m):
        stack = list(zip(*np.nonzero(m)))
        total = 0
        while stack:
            y, x = stack.pop()
            total += y * 10 + x
        for i, (y, x) in enumerate(zip(*np.nonzero(m))):
            total += i * (y - x)
        return total

    agrees(places, np.array([[True, False, True], [False, True, True]]))


def test_lists_of_tuples_are_reversed():
    def path(n):
        steps = [(0, 0.5)]
        for i in range(1, n):
            steps.append((i, i * 0.25))
        steps.reverse()
        rows = [np.arange(2.0) * i for i in range(n)]
        rows.reverse()
        return steps, np.array(rows)

    agrees(path, 4)


def test_an_ellipsis_makes_an_array_without_dimensions():
    def elements(x):
        return x[3, ...], x[..., 1] * 2.0, np.sqrt(x[..., 0])

    x = np.arange(1.0, 6.0)
    ours, theirs = sluice.program(elements, strict=True)(x), elements(x)
    assert [type(one) for one in ours] == [type(one) for one in theirs] and [float(one) for one in ours] == [float(one) for one in theirs]

    def named(x):
        last = x[-1, ...]
        x[-1] = 7.0
        return last

    with pytest.raises(sluice.CompileError, match="view without dimensions"):
        sluice.program(named, strict=True)(x)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.int64, np.uint64])
def test_bits(kind):
    def counted(v):
        return np.bitwise_count(v)

    limits = np.iinfo(kind)
    agrees(counted, np.array([0, 1, 2, 100, limits.max, limits.min, limits.max // 3], dtype=kind))


def test_kaiser():
    def windows(x, n, beta):
        return np.i0(x), np.kaiser(n, beta), np.kaiser(n + 1, 0.0)

    agrees(windows, np.array([0.0, 0.5, -3.0, 8.0, 8.5, 20.0]), 7, 8.6)
    agrees(windows, np.zeros((2, 0)), 1, 14.0)
    agrees(windows, np.arange(4), 2, 2)


def bisect(f, a, b, tol=1e-12):
    fa = f(a)
    n = 0
    while b - a > tol:
        m = 0.5 * (a + b)
        fm = f(m)
        n += 1
        if fm == 0:
            return m, n
        if (fa < 0) == (fm < 0):
            a, fa = m, fm
        else:
            b = m
    return 0.5 * (a + b), n


def secant(f, a, b, most=60):
    fa, fb = f(a), f(b)
    if fa * fb > 0:
        return float("nan"), 0
    for n in range(1, most + 1):
        c = b - fb * (b - a) / (fb - fa)
        fc = f(c)
        if abs(fc) < 1e-12:
            return c, n
        if fa * fc < 0:
            b, fb = c, fc
        else:
            a, fa = c, fc
    return 0.5 * (a + b), most


def test_roots_of_functions_in_loops():
    def roots(targets):
        out, steps = np.zeros((len(targets), 2)), 0
        for i, c in enumerate(targets):
            out[i, 0], n = bisect(lambda x: x * x - c, 0.0, 4.0)
            out[i, 1], m = secant(lambda x: x * x * x - c, 0.5, 4.0)
            steps += n + m
        return out, steps

    agrees(roots, np.array([1.5, 4.0, 9.0]))
    agrees(roots, np.zeros(0))


def test_names_that_a_return_in_a_loop_needs():
    def found(x, limit):
        def first(v):
            returned, result = 7.0, (1.0, 2.0)
            for one in v:
                if one > limit:
                    return one, returned
            return result[0], returned

        a, b = first(x)
        c, d = first(x * 2.0)
        return a, b, c, d

    agrees(found, X, 2.5)
    agrees(found, X, 9.0)


def stages(y, n):
    a = [[], [1 / 5], [3 / 40, 9 / 40]]
    c = [0, 1 / 5, 1]
    for _ in range(n):
        ks = []
        for i in range(3):
            at = y + sum((a[i][j] * ks[j] for j in range(i)), np.zeros(len(y)))
            ks.append(at * c[i] + 1)
        y = y + np.array(ks).mean(axis=0)
    return y


def slopes(y, n):
    a = [[], [1 / 5], [3 / 40, 9 / 40]]
    for _ in range(n):
        ks = []
        for i in range(3):
            at = y + 0.5 * sum(a[i][j] * ks[j] for j in range(i))
            ks.append(0.1 * at * at)
        y = y + sum(ks) / 3
    return y, sum([y * k for k in range(n - 1)])


def simplex(x, k):
    value = lambda v: np.sum(v**2)
    points = [x]
    for i in range(len(x)):
        other = x.copy()
        other[i] *= 1.05
        points.append(other)
    values = [value(p) for p in points]
    for _ in range(k):
        order = np.argsort(values)
        points = [points[i] for i in order]
        values = [values[i] for i in order]
        centre = np.mean(points[:-1], axis=0)
        points[-1] = centre + 0.5 * (centre - points[-1])
        values[-1] = value(points[-1])
    return points[0], values[0]


def layers(parameters, x):
    own = {name: value.copy() for name, value in parameters.items()}
    step = {name: np.ones_like(value) for name, value in own.items() if name != "none"}
    for _ in range(3):
        for name in own:
            own[name] -= 0.5 * step[name]
    return x @ own["w"] + own["b"], len(step)


def test_lists_of_arrays_and_dictionaries_that_comprehensions_make():
    agrees(stages, X, 2)
    for n in (1, 3):
        agrees(slopes, X, n)
    agrees(simplex, X[:3], 8)
    agrees(layers, {"w": np.arange(6.0), "b": np.ones(1)}, X)


def chosen_axis(x, k):
    axis = None
    for i in range(k):
        axis = i
    return x[axis], x[:, axis]


def test_an_index_that_may_be_none():
    for k in range(3):
        agrees(chosen_axis, np.arange(6.0).reshape(2, 3), k)


def composition(sequence):
    place = {letter: i for i, letter in enumerate("ACGT")}
    counts = np.zeros(4)
    for letter in sequence:
        counts[place[letter]] += 1
    return counts / counts.sum(), place["T"]


def test_a_dictionary_of_the_letters_of_a_text():
    agrees(composition, "GATTACA")


def passes(x, w):
    out = []
    for rate in (0.1, 0.01):
        own, cache = w.copy(), {}
        for k in range(3):
            cache["z"] = x @ own
            cache["a"] = np.tanh(cache["z"])
            if k > 0:
                cache["a"] = cache["a"] * 0.5
            own -= rate * (x.T @ (cache["a"] * (1 - cache["z"])))
        out.append((rate, own.sum()))
    return min(out, key=lambda one: one[1]), out


def test_a_dictionary_that_gets_its_keys_in_a_loop():
    agrees(passes, np.arange(6.0).reshape(2, 3), np.ones((3, 2)))


def late(n):
    d = {}
    for k in range(n):
        if k > 1:
            d["b"] = k
        if k > 2:
            d["b"] += 1
    return d["b"]


def test_a_key_that_may_be_missing():
    """Whoever reads it without assigning it first is left to Python."""
    program = sluice.program(late)
    for n in (3, 5):
        assert program(n) == late(n)
    with pytest.raises(KeyError):
        program(1)


def views_of_dictionaries(n):
    d = {"a": 1, "b": n}
    names, still = list(d.keys()), {k: n for k in "xy"}
    values = still.values()
    d["c"] = 2
    return [d[name] for name in names], sum(values)


def view_that_changes(n):
    d = {"a": 1, "b": n}
    values = d.values()
    d["a"] = 7
    return [v for v in values]


def views_in_a_tuple(n):
    d = {"a": 1, "b": n}
    names, values = d.keys(), d.values()
    d["a"] = 7
    return [v for v in values], len(names)


def view_for_a_function(n):
    d = {"a": 1, "b": n}

    def changed(values):
        d["a"] = 7
        return [v for v in values]

    return changed(d.values())


def test_a_view_of_a_dictionary_sees_what_becomes_of_it():
    """It was what the dictionary was when the view was made."""
    agrees(views_of_dictionaries, 3)
    with pytest.raises(sluice.CompileError, match="a view of a dictionary"):
        sluice.program(view_that_changes, strict=True)(3)
    assert sluice.program(view_that_changes, strict=False)(3) == view_that_changes(3)
    for function in (views_in_a_tuple, view_for_a_function):
        with pytest.raises(sluice.CompileError, match="a view of a dictionary"):
            sluice.program(function, strict=True)(3)


def augmenting_paths(C):
    n = len(C)
    F = np.zeros_like(C)
    s, t = 0, n - 1
    flow = 0
    while True:
        prev = np.full(n, -1)
        prev[s] = s
        q = deque([s])
        while q and prev[t] == -1:
            u = q.popleft()
            for v in np.where((C[u] - F[u] > 0) & (prev == -1))[0]:
                prev[v] = u
                q.append(v)
        if prev[t] == -1:
            return flow, F
        v, rest = t, np.inf
        while v != s:
            rest = min(rest, C[prev[v], v] - F[prev[v], v])
            v = prev[v]
        v = t
        while v != s:
            F[prev[v], v] += rest
            F[v, prev[v]] -= rest
            v = prev[v]
        flow += rest


def test_queues_in_conditions_of_several_parts():
    agrees(augmenting_paths, np.random.default_rng(23).integers(0, 8, (5, 5)).astype(float))
    agrees(augmenting_paths, np.zeros((3, 3)))
