"""Python as people write it, in strict mode: `match`, `nonlocal`, generators, names bound in expressions, characters of texts, lists that
take each other's place."""
import warnings

import numpy as np
import pytest

import sluice


def agrees(function, *args, types=True):
    expected = function(*args)
    got = sluice.program(strict=True)(function)(*args)
    assert got == expected
    if types:
        assert repr(got) == repr(expected)


def refused(function, *args, match):
    with pytest.raises(sluice.CompileError, match=match):
        sluice.program(strict=True)(function)(*args)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert repr(sluice.program(strict=False)(function)(*args)) == repr(function(*args))


# ---- names bound in expressions ----
def collatz(n):
    steps = 0
    while (n := n // 2 if n % 2 == 0 else 3 * n + 1) != 1:
        steps += 1
    return steps


def bound_in_conditions(xs, n):
    out = []
    i = 0
    while i < len(xs) and (v := xs[i]) >= 0:
        out.append(v * 2)
        i += 1
    if (k := len(out)) > 1:
        i += 100 * k
    last = -1
    for j in range(n):
        if (square := j * j) > 10:
            last = square
    while (n := n - 1) > 3:
        if n == 100:
            break
    else:
        n = n * 10
    return out, i, k, last, square, n


def test_names_bound_in_conditions_change_with_the_loop():
    agrees(collatz, 27)
    agrees(bound_in_conditions, [1, 2, 3, -1, 5], 9)


# ---- match ----
def matched(xs, ys):
    out = []
    for x, y in zip(xs, ys):
        match (x % 3, y % 2):
            case (0, 0):
                out.append(1)
            case (0, _) | (_, 0) if x > 5:
                out.append(2)
            case (a, b):
                out.append(10 * a + b)
    for x in xs:
        match x + 1:
            case 1:
                out.append(-1)
            case -5 | 7 as n:
                out.append(-n)
            case n if n > 8:
                out.append(n)
            case n:
                out.append(n - 1000)
    match = 3  # an ordinary name
    return out, match


def matched_text(mode, x):
    match mode:
        case "sum":
            return x.sum()
        case "mean" | "avg":
            return x.mean()
        case _:
            raise ValueError("mode")


def matched_list(x):
    match x:
        case [a, b]:
            return a + b
    return 0


def test_match_is_a_choice():
    agrees(matched, [0, 3, 6, 7, 9, 10], [0, 1, 2, 3, 4, 4])
    agrees(matched_text, "avg", np.arange(4.0))
    with pytest.raises(ValueError, match="mode"):
        sluice.program(strict=True)(matched_text)("other", np.arange(4.0))


def test_patterns_that_the_run_would_have_to_look_into_are_refused():
    refused(matched_list, [1, 2], match="P007.*patterns of sequences")


# ---- functions that bind names around them ----
def counted(xs, n):
    total, calls = 0.0, 0

    def bump(v, by=2):
        nonlocal total, calls
        calls += 1
        if v < 0:
            return False
        total += v * by
        return True

    def twice(v):
        return bump(v) and bump(v + 1, by=3)

    good = 0
    for x in xs:
        if twice(x):
            good += 1
    while bump(1.0) and calls < n:
        good += 10
    y = 1.0 + calls + (2.0 if bump(-1.0) else 3.0) * calls
    bump(n, by=calls)
    return float(total), calls, good, y


def updates_what_it_reads(n):
    k = 1

    def step():
        nonlocal k
        k += 1
        return k

    k += step()
    return k + n


def test_functions_bind_names_around_them():
    agrees(counted, np.array([1.0, -2.0, 3.0]), 9)


def test_an_update_of_what_its_value_changes_is_refused():
    refused(updates_what_it_reads, 3, match="F001.*update of what it may change")


# ---- generators ----
def generated(n):
    def evens(limit):
        for i in range(limit):
            if i % 2 == 0:
                yield i

    def fib(limit):
        a, b = 0, 1
        while a < limit:
            yield a
            a, b = b, a + b

    def pairs(k):
        for i in range(k):
            for j in range(i):
                yield i, j

    out = []
    for e in evens(n):
        if e == 4:
            continue
        out.append(e)
    first = -1
    for e in evens(n):
        if e > 5:
            first = e
            break
    s = 0
    for i, j in pairs(4):
        s += i * 10 + j
    m = 7
    for v in evens(m):  # which has the old m
        m = 1
        s += v
    i = 5
    for v in evens(i + 2):
        s += v * i
    return out, first, s, sum(evens(n)), list(fib(n)), max(evens(n))


def abandoned(n):
    def pairs(k):
        for i in range(k):
            for j in range(k):
                yield i * j
    for p in pairs(n):
        if p > 3:
            break
    return p


def test_loops_over_generators():
    agrees(generated, 10)


def test_a_break_out_of_several_loops_of_a_generator_is_refused():
    refused(abandoned, 5, match="F001.*break out of a loop over such a generator")


# ---- characters ----
def characters(s):
    counts = [0] * 26
    vowels = other = 0
    for ch in s:
        if "a" <= ch <= "z":
            counts[ord(ch) - ord("a")] += 1
        else:
            other += 1
        if ch in "aeiou":
            vowels += 1
        elif ch in ("é", "→"):
            vowels += 100
    n = len(s)
    palindrome = True
    for i in range(n // 2):
        if s[i] != s[-1 - i]:
            palindrome = False
            break
    runs = 1
    for i in range(1, n):
        if s[i] != s[i - 1]:
            runs += 1
    first = s[0] == "h" and s[-1] != "h"
    return counts, vowels, other, palindrome, runs, first


def edit_distance(a, b):
    m, n = len(a), len(b)
    prev = list(range(n + 1))
    for i in range(1, m + 1):
        cur = [i] + [0] * n
        for j in range(1, n + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            cur[j] = min(prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + cost)
        prev = cur
    return prev[n]


def common(a, b):
    best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            best[i + 1][j + 1] = best[i][j] + 1 if x == y else max(best[i][j + 1], best[i + 1][j])
    return best[len(a)][len(b)], sum(1 for x, y in zip(a, b) if x != y)


def kept_character(s):
    last = s[0]
    for i in range(len(s)):
        last = s[i]
    return last == "o"


def test_characters_of_texts_are_compared():
    agrees(characters, "hello, abba → é")
    agrees(edit_distance, "kitten", "sitting")
    agrees(common, "AGGTAB", "GXTXAYB")


def test_a_character_that_has_a_name():
    agrees(kept_character, "hello")
    agrees(kept_character, "hell")


# ---- lists ----
def ranks(n):
    r = [1.0 / n] * n
    for k in range(5):
        new = [0.1 * k] * n
        for i in range(n):
            new[(i * 3 + 1) % n] += 0.5 * r[i]
        r = new
    return r


def with_other_names(n):
    prev = [0] * n
    for i in range(3):
        cur = [i] * n
        keep = prev
        prev = cur
    return keep[0] * 10 + prev[0]


def grows_in_its_loop(n):
    queue = [0]
    seen = [False] * n
    seen[0] = seen[n - 1] = True
    for u in queue:
        for v in (2 * u + 1, 2 * u + 2):
            if v < n and not seen[v]:
                seen[v] = True
                queue.append(v)
    primes = []
    for i in range(2, n):
        for p in primes:
            if p * p > i:
                primes.append(i)
                break
            if i % p == 0:
                break
        else:
            primes.append(i)
    return queue, primes, seen


def test_lists_take_the_place_of_others():
    agrees(ranks, 7)
    agrees(with_other_names, 3)


def test_lists_grow_in_loops_over_them():
    agrees(grows_in_its_loop, 30)


def cheapest(n):
    cost = [float("inf")] * n
    cost[0] = 0
    for i in range(1, n):
        cost[i] = min(cost[i], cost[i - 1] + 2)
    best = cost[n - 1]
    return best


def longest(n):
    cost = [float("inf")] * n
    for i in range(n):
        cost[i] = i
    return max(cost)


def total_of_both(n):
    cost = [0.5] * n
    for i in range(n):
        cost[i] = i
    return sum(cost)


def of_both_kinds(n):
    cost = [0] + [float("inf")] * n
    for i in range(1, n):
        cost[i] = cost[i - 1] + 2
    return float(cost[n - 1]), cost[n - 1] / 2, cost[2] > 1, cost[1] * 1.5, int(cost[3])


def test_a_list_of_integers_and_floats_keeps_the_types_of_its_elements():
    agrees(cheapest, 5)
    agrees(longest, 5)
    agrees(total_of_both, 5)
    agrees(of_both_kinds, 6)


def of_one_type(x):
    scale = 1
    if x.dtype == np.float32:
        scale = 2
    elif x.dtype != np.int64:
        scale = 3
    return x * scale


def test_element_types_are_compared():
    for dtype in (np.float32, np.float64, np.int64):
        x = np.arange(3, dtype=dtype)
        got = sluice.program(strict=True)(of_one_type)(x)
        assert got.dtype == x.dtype and np.array_equal(got, of_one_type(x))


def closed_over(edges, n):
    parent = list(range(n))

    def find(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    total = 0.0
    for w, a, b in sorted(edges):
        ra, rb = find(a), find(b)
        if ra != rb:
            parent[ra] = rb
            total += w
    return total


def test_given_lists_beside_inner_functions():
    agrees(closed_over, [(0.5, 0, 1), (0.2, 1, 2), (0.9, 0, 2), (1.5, 2, 3), (0.1, 3, 4)], 5)


def bound_by_a_generator(xs):
    if any((last := x) > 3 for x in xs):
        return last
    return -1


def test_a_name_that_a_comprehension_binds_around_it_is_refused():
    refused(bound_by_a_generator, [1, 2, 5, 3], match="F001.*binds around it")
