"""Dictionaries, sets and counters with keys of the run, and Python's order by keys, compiled whole and compared with Python."""
from collections import Counter, defaultdict

import numpy as np
import pytest

import sluice

X = np.array([3, 1, 3, 2, 2, 3, 7, 1], dtype=np.int64)
V = np.array([0.5, 0.25, 0.75, 0.25, 0.125, 1.0, 0.25, 0.0])


def agrees(function, *arguments):
    expected = function(*arguments)
    answer = sluice.program(function, strict=True)(*arguments)
    assert type(answer) is type(expected)
    np.testing.assert_array_equal(np.asarray(answer), np.asarray(expected))


def test_counts_in_a_dictionary():
    def mode(x):
        counts = {}
        for v in x:
            v = int(v)
            counts[v] = counts.get(v, 0) + 1
        best = -1
        most = 0
        for k, c in counts.items():
            if c > most:
                best = k
                most = c
        return best, most, len(counts)

    agrees(mode, X)


def test_the_order_is_that_of_insertion_and_of_what_is_left():
    def order(x):
        seen = {}
        for i in range(len(x)):
            if x[i] in seen:
                seen[x[i]] += i
            else:
                seen[x[i]] = i
        del seen[3]
        seen[3] = 100
        return np.array(list(seen.keys())), np.array([seen[k] for k in seen])

    for one, other in zip(sluice.program(order, strict=True)(X), order(X)):
        np.testing.assert_array_equal(one, other)


def test_a_memo_and_keys_that_are_tuples():
    def distance(a, b):
        memo = {}
        for i in range(len(a) + 1):
            memo[i, 0] = i
        for j in range(len(b) + 1):
            memo[0, j] = j
        for i in range(1, len(a) + 1):
            for j in range(1, len(b) + 1):
                cost = 0 if a[i - 1] == b[j - 1] else 1
                memo[i, j] = min(memo[i - 1, j] + 1, memo[i, j - 1] + 1, memo[i - 1, j - 1] + cost)
        return memo[len(a), len(b)]

    agrees(distance, X, X[::2].copy())

    def fibonacci(n):
        memo = {0: 0, 1: 1}
        for i in range(2, n + 1):
            memo[i] = memo[i - 1] + memo[i - 2]
        return memo[n]

    agrees(fibonacci, 30)


def test_a_set_of_what_was_visited():
    def steps(n):
        seen = set()
        count = 0
        while n not in seen and n != 1:
            seen.add(n)
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            count += 1
        return count, len(seen)

    agrees(steps, 27)

    def removed(x):
        left = set(x)
        left.discard(7)
        left.discard(99)
        left.remove(1)
        return np.array(sorted(left))

    agrees(removed, X)


def test_a_default_and_a_counter():
    def weights(x, v):
        sums = defaultdict(float)
        for i in range(len(x)):
            sums[x[i]] += v[i]
        return np.array(list(sums.values())), max(sums, key=sums.get)

    expected, answer = weights(X, V), sluice.program(weights, strict=True)(X, V)
    np.testing.assert_array_equal(answer[0], expected[0])
    assert answer[1] == expected[1]

    def counted(x):
        counts = Counter(x)
        pairs = counts.most_common(2)
        return np.array(pairs)

    agrees(counted, X)


def test_a_missing_key_raises():
    def missing(x, k):
        d = {}
        for i in range(len(x)):
            d[x[i]] = i
        return d[k]

    program = sluice.program(missing, strict=True)
    assert program(X, 7) == 6
    with pytest.raises(KeyError):
        program(X, 8)


def test_the_order_of_a_set_is_refused():
    def walk(x):
        total = 0
        seen = set(x)
        for v in seen:
            total = 2 * total + v
        return total

    with pytest.raises(sluice.CompileError):
        sluice.program(walk, strict=True)(X)


def test_a_counter_of_the_users_is_none_of_collections():
    class Bag(dict):
        def __missing__(self, key):
            return 10

    def filled(x):
        bag = Bag()
        bag[x[0]] += 1
        return bag[x[0]]

    with pytest.raises(sluice.CompileError):
        sluice.program(filled, strict=True)(X)


def test_sorted_by_keys():
    def order(x, v):
        return np.array(sorted(range(len(x)), key=lambda i: (x[i], -v[i]), reverse=True))

    agrees(order, X, V)

    def pairs(x, v):
        both = sorted(zip(x, v), key=lambda p: p[1])
        return np.array([p[0] for p in both])

    agrees(pairs, X, V)

    def in_place(x, v):
        jobs = []
        for i in range(len(x)):
            jobs.append((v[i], x[i]))
        jobs.sort(key=lambda job: job[1])
        return np.array([job[0] for job in jobs])

    agrees(in_place, X, V)

    def backwards(x):
        return np.array(sorted(x.tolist(), reverse=True))

    agrees(backwards, X)


def test_min_and_max_by_keys_are_the_first():
    def places(x, v):
        return max(range(len(x)), key=lambda i: x[i] % 3), min(range(len(x)), key=lambda i: (v[i], x[i]))

    agrees(places, X, V)
    with pytest.raises(ValueError):
        sluice.program(places, strict=True)(X[:0], V[:0])


def test_numbers_of_tolist_are_pythons():
    def total(x):
        result = 0
        for v in x.tolist():
            result += v
        return result

    assert type(sluice.program(total, strict=True)(X)) is int
    agrees(total, X)


def test_no_order_of_nan():
    def order(v):
        return np.array(sorted(range(len(v)), key=lambda i: v[i]))

    with pytest.raises(NotImplementedError):
        sluice.program(order, strict=True)(np.array([1.0, np.nan]))


def test_a_list_has_room_for_what_a_loop_over_a_tuple_appends():
    def kept(x):
        out = []
        for i in range(len(x)):
            for bound in (0.0, 0.25, 0.5, 0.75):
                if x[i] >= bound:
                    out.append(x[i] + bound)
        return np.array(out)

    agrees(kept, np.linspace(0, 1, 40))

    def called(x):
        out = []

        def put(bound):
            if x[3] >= bound:
                out.append(bound)
            return bound

        total = sum([put(bound) for bound in (0.0, 0.25, 0.5)])
        return np.array(out) + total

    agrees(called, V + 1.0)


def test_values_that_are_updated_before_they_are_stored_keep_their_type():
    def counted(x):
        counts = {}
        for v in x:
            if v in counts:
                counts[v] += 1
            else:
                counts[v] = 1
        best = 0
        for c in counts.values():
            best = max(best, c)
        return best

    assert type(sluice.program(counted, strict=True)(X)) is int
    agrees(counted, X)


def mixed(keys, actions):
    d = {}
    found = np.zeros(len(keys), dtype=np.int64)
    for i in range(len(keys)):
        k = keys[i]
        if actions[i] < 6:
            d[k] = i
        elif actions[i] == 6:
            if k in d:
                del d[k]
        elif actions[i] == 7 and len(d) > 60:
            d.clear()
        found[i] = d.get(k, -1) + 1000 * len(d)
    return found, np.array(list(d.keys())), np.array(list(d.values()))


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint8])
def test_look_ups_among_many_keys_that_come_and_go(dtype):
    rng = np.random.default_rng(5)
    for spread in (5, 40, 200):
        keys = rng.integers(0, spread, 3000).astype(dtype) if dtype is np.uint8 else rng.integers(-spread, spread, 3000).astype(dtype)
        actions = rng.integers(0, 8, 3000)
        for one, other in zip(sluice.program(mixed, strict=True)(keys, actions), mixed(keys, actions)):
            np.testing.assert_array_equal(one, other)


def test_look_ups_of_pairs_and_triples():
    def cells(x, y):
        seen = {}
        far = {}
        again = 0
        for i in range(len(x)):
            if (x[i], y[i]) in seen:
                again += seen[(x[i], y[i])]
            seen[x[i], y[i]] = i
            far[x[i], y[i], i % 3] = far.get((x[i], y[i], i % 3), 0) + 1
        return again, len(seen), len(far), max(far.values())

    rng = np.random.default_rng(6)
    agrees(cells, rng.integers(-9, 9, 2000), rng.integers(-9, 9, 2000))


def test_tables_that_each_iteration_makes_anew():
    def distinct(rows):
        total = 0
        for i in range(rows.shape[0]):
            seen = set()
            for j in range(rows.shape[1]):
                if rows[i, j] not in seen:
                    seen.add(rows[i, j])
            total = total * 3 + len(seen)
        return total

    agrees(distinct, np.random.default_rng(7).integers(0, 30, (12, 40)))


def test_a_missing_key_is_named():
    @sluice.program(strict=True)
    def read(a, k):
        d = {}
        for x in a:
            d[x] = 1.0
        return d[k + 1]

    @sluice.program(strict=True)
    def updated(a, k):
        d = {}
        for x in a:
            d[(x, k)] = 1.0
        d[(7, k)] += 2.0
        return len(d)

    a = np.array([5, 4])
    assert read(a, 3) == 1.0
    with pytest.raises(KeyError, match="KeyError: 10\\b"):
        read(a, 9)
    with pytest.raises(KeyError, match=r"KeyError: \(7, -3\)"):
        updated(a, -3)


def test_arrays_that_are_computed_with_temporaries_are_values():
    def spectra(w):
        made = {}
        for t in [3.0, 4.0, 5.0]:
            made[int(t)] = 2.0 / np.expm1(w * t)
        made[4] = np.abs(w) + 1.0
        best = {k: w[np.argmin(v)] for k, v in made.items()}
        return made[3] + made[4], best[5]

    w = np.array([0.5, 1.0, 1.5])
    for one, other in zip(sluice.program(spectra, strict=True)(w), spectra(w)):
        np.testing.assert_allclose(one, other, rtol=1e-12)
