"""Functions over lists of lists, texts, dictionaries and sets, which strict mode writes over one memory of numbers: what Python gives, its
exceptions and what it leaves in the caller's lists, or a refusal."""
from collections import Counter, defaultdict
from functools import lru_cache

import pytest

import sluice


def outcome(function, *args):
    try:
        return function(*args)
    except sluice.CompileError:
        raise
    except Exception as error:  # noqa: BLE001
        return type(error)


def agrees(function, *calls):
    compiled = sluice.program(strict=True)(function)
    for args in calls:
        assert repr(outcome(compiled, *args)) == repr(outcome(function, *args)), args


def refused(function, *args):
    with pytest.raises(sluice.CompileError):
        sluice.program(strict=True)(function)(*args)


def parts_of_texts(n):
    lines = ["a b", "c d e", "f"]
    firsts = [line.split()[0] for line in lines]
    words = [w + "!" for line in lines for w in line.split(" ")]
    return firsts, words, firsts[n]


def test_texts_that_are_split_inside_of_a_list():
    agrees(parts_of_texts, (0,), (2,), (3,))


# ---- loops over what changes ----
def enumerated_and_longer(n):
    xs, seen = [[1], [2]], 0
    for i, x in enumerate(xs):
        seen += x[0]
        if len(xs) < n:
            xs.append([i + 10])
    return seen, xs


def enumerated_and_shorter(n):
    xs, seen = [[k] for k in range(n)], []
    for i, x in enumerate(xs):
        seen.append(x[0])
        if x[0] % 2 == 0:
            del xs[i]
    return seen, xs


def zipped_and_shorter(n):
    xs, seen = [[k] for k in range(n)], []
    for x, y in zip(xs, [5, 6, 7, 8]):
        seen.append(x[0] + y)
        xs.pop()
    return seen, xs


def bound_again(n):
    xs, s, parts, seen = [[1], [2]], "abc", [], 0
    for x in xs:
        seen += x[0]
        xs = [[n], [n], [n]]
    for c in s:
        parts.append(c)
        s = s[1:] + c
    for s in s:
        parts.append(s)
    return seen, xs, s, parts


def keys_set(n):
    c = {"a": [1], "b": [3]}
    for k in c:
        c[k] = c[k] + [n]
    return c


def keys_added(n):
    d = {k: [k] for k in range(n)}
    for k in d:
        d[k + 1] = [0]
    return d


def key_deleted(n):
    d = {k: [k] for k in range(4)}
    for k in d:
        if k == n:
            del d[k]
            break
    else:
        d[99] = []
    return d


def keys_added_by_a_function(n):
    d = {1: [1], 2: [2]}

    def change(k):
        d[k + 10] = [k]
    t = 0
    for k in d:
        t += k
        if n:
            change(k)
    return t, d


def reversed_and_shorter(n):
    xs, seen = [[k] for k in range(n)], []
    for x in reversed(xs):
        seen.append(x[0])
        xs.pop(0)
    return seen


def popped_in_a_comprehension(n):
    xs = [[k] for k in range(n)]
    return [xs.pop()[0] for x in xs]


@pytest.mark.parametrize("function, calls", [
    (enumerated_and_longer, ((0,), (5,))), (enumerated_and_shorter, ((0,), (5,), (6,))), (zipped_and_shorter, ((0,), (4,), (5,))), (bound_again, ((7,),)),
    (keys_set, ((7,),)), (keys_added, ((0,), (1,), (3,))), (key_deleted, ((0,), (3,), (7,))), (keys_added_by_a_function, ((0,), (1,)))],
    ids=lambda one: getattr(one, "__name__", ""))
def test_loops_over_what_changes(function, calls):
    agrees(function, *calls)


def test_other_loops_over_what_changes_are_refused():
    refused(reversed_and_shorter, 4)
    refused(popped_in_a_comprehension, 4)


# ---- values ----
def one_or_the_other(n):
    xs = [[k] for k in range(n)]
    return xs or None


def one_and_its_first(n):
    xs = [[k] for k in range(n)]
    return xs and xs[0]


def test_one_of_values_of_several_kinds_is_refused():
    refused(one_or_the_other, 0)
    refused(one_and_its_first, 0)


def chained(n):
    xs = [[1], [2]]
    return 1 < 0 < xs[n][0], 0 < n < xs[n - 1][0]


def tuples_of_several_lengths(n):
    a, b, c = ("x", n), ("x", n, 3), (1, n)
    return a == b, b == a, a != b, a == c, [a]


def asked_until_found(n):
    xs = [[1], [0]]
    return any(map(lambda x: 10 // x[0] > 5, xs)), 10 in (10 // x[0] for x in xs), xs


def counters(n):
    a, b = Counter("aab"), Counter("aa")
    a["b"] -= 1
    return a == b, Counter("ab") == Counter("ba"), Counter("a") == b, [("x", n)]


def cached(n):
    @lru_cache(maxsize=None)
    def digits(k):
        out = []
        while k > 0:
            out.append(k % 10)
            k //= 10
        return out
    return digits(n), digits(0), digits(n)


def missing_lists(n, source):
    graph, total = defaultdict(list), n
    graph[0].append((1, 7))
    for v, w in graph[source]:
        total += v * w
    return total, len(graph)


def parsed(k):
    text = ["12", " 7 ", "-3", "+4", "1_000", "", "abc", "3.5", "-", "1__0", "_1", "1_", "- 1", "1 1", "-9223372036854775808"][k]
    return [int(text)], text


@pytest.mark.parametrize("function, calls", [
    (chained, ((0,), (5,))), (tuples_of_several_lengths, ((0,),)), (asked_until_found, ((0,),)), (counters, ((0,),)), (cached, ((123,), (0,))),
    (missing_lists, ((3, 2), (3, 0))), (parsed, tuple((k,) for k in range(15)))], ids=lambda one: getattr(one, "__name__", ""))
def test_values(function, calls):
    agrees(function, *calls)


def of_a_tuple_of_any_length(n):
    words = [w + "!" for w in ("a", "b")[:n]]
    return tuple(words) == ("a!", "b!"), words


def says_a_text(n):
    names = ["ann", "bob", "c" * n]
    if n >= 0:
        raise ValueError(f"bad {names[n]}")
    return names


def says_a_number(n):
    xs = [[n]]
    if n:
        raise ValueError(f"bad {n} of {len(xs)}")
    return xs


def test_tuples_of_any_length_are_not_taken_for_others():
    try:
        agrees(of_a_tuple_of_any_length, (2,), (1,))
    except sluice.CompileError as refusal:
        assert refusal.code == "F001"


def test_what_exceptions_say():
    with pytest.raises(ValueError, match="^bad cc$"):
        sluice.program(strict=True)(says_a_text)(2)
    with pytest.raises(ValueError, match="^bad 5 of 1$"):
        sluice.program(strict=True)(says_a_number)(5)
