"""Lists, texts, dictionaries and sets of any kind, at any depth, in strict mode: what Python returns, in the same types and objects."""
import collections
import functools

import numpy as np
import pytest

import sluice


def pascal(n):
    rows = [[1]]
    for _ in range(n - 1):
        last = rows[-1]
        rows.append([1] + [last[i] + last[i + 1] for i in range(len(last) - 1)] + [1])
    return rows


def matrix_power(m, e):
    def product(a, b):
        n = len(a)
        return [[sum(a[i][k] * b[k][j] for k in range(n)) for j in range(n)] for i in range(n)]

    n = len(m)
    r = [[1 if i == j else 0 for j in range(n)] for i in range(n)]
    while e > 0:
        if e & 1:
            r = product(r, m)
        m = product(m, m)
        e >>= 1
    return r


def transposed(m):
    return [list(row) for row in zip(*m)], list(zip(*m)), [sum(c) for c in zip(*m)]


def subsets(xs):
    out = []
    for mask in range(1 << len(xs)):
        out.append([x for i, x in enumerate(xs) if mask >> i & 1])
    return out


def one_row_twice(n):
    row = [0] * n
    rows = [row, row, row[:]]
    rows[0][0] = 5
    return rows, row


def longest_palindrome(s):
    best = ""
    for i in range(len(s)):
        for left, right in ((i, i), (i, i + 1)):
            while left >= 0 and right < len(s) and s[left] == s[right]:
                left -= 1
                right += 1
            if right - left - 1 > len(best):
                best = s[left + 1:right]
    return best


def run_lengths(s):
    text, pairs, i = "", [], 0
    while i < len(s):
        j = i
        while j < len(s) and s[j] == s[i]:
            j += 1
        text += s[i] + str(j - i)
        pairs.append((s[i], j - i))
        i = j
    return text, pairs


def caesar(s, k):
    out = []
    for c in s:
        if c.isalpha():
            base = ord("a") if c.islower() else ord("A")
            out.append(chr((ord(c) - base + k) % 26 + base))
        else:
            out.append(c)
    return "".join(out), s.upper(), s.replace("l", "LL"), s.find("o"), s.split()


def balanced(s):
    opened, pairs = [], {")": "(", "]": "[", "}": "{"}
    for c in s:
        if c in "([{":
            opened.append(c)
        elif not opened or opened.pop() != pairs[c]:
            return False
    return not opened


def groups(words):
    found = collections.defaultdict(list)
    for word in words:
        found["".join(sorted(word))].append(word)
    return list(found.values())


def counted(s):
    counts = collections.Counter(s)
    return counts.most_common(2), counts["?"], sorted(counts.items()), len(set(s)) > 2 and "s" in counts


def roman(n):
    out = ""
    for value, letters in [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"),
                           (4, "IV"), (1, "I")]:
        while n >= value:
            out += letters
            n -= value
    return out, hex(n), f"{n} left"


def merge_sort(a):
    def by_halves(xs):
        if len(xs) <= 1:
            return xs
        m = len(xs) // 2
        left, right = by_halves(xs[:m]), by_halves(xs[m:])
        out, i, j = [], 0, 0
        while i < len(left) and j < len(right):
            if left[i] <= right[j]:
                out.append(left[i])
                i += 1
            else:
                out.append(right[j])
                j += 1
        return out + left[i:] + right[j:]

    return by_halves(a)


def memoised(n):
    memo = {}

    def fib(k):
        if k in memo:
            return memo[k]
        if k < 2:
            return k
        memo[k] = fib(k - 1) + fib(k - 2)
        return memo[k]

    return fib(n)


def cached(n):
    @functools.lru_cache(None)
    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    return fib(n), str(fib(n))


def small_forms(xs):
    a = list(xs)
    del a[0]
    a *= 2
    del a[1:3]
    a[1:2] = [7, 8, 9]
    first, *rest = a
    b, c = rest[::-1], max([x for x in a if x > 100], default=-1)
    rest.extend(x * x for x in xs if x > 1)
    return a, first, rest, b, c, (3, 1).index(1), pow(7, -1, 13), pow(7, 100, 13), (37).bit_length()


def ordered(n):
    graph = {i: [] for i in range(n)}
    for u, v in ((5, 2), (5, 0), (4, 0), (4, 1), (2, 3), (3, 1)):
        graph[u].append(v)
    degrees = {i: 0 for i in range(n)}
    for u in graph:
        for v in graph[u]:
            degrees[v] += 1
    queue = collections.deque(i for i in range(n) if degrees[i] == 0)
    out = []
    while queue:
        u = queue.popleft()
        out.append(u)
        for v in graph[u]:
            degrees[v] -= 1
            if degrees[v] == 0:
                queue.append(v)
    return out, graph


CASES = [(pascal, (6,)), (matrix_power, ([[1, 1], [1, 0]], 10)), (transposed, ([[1, 2, 3], [4, 5, 6]],)), (subsets, ([1, 2, 3],)), (one_row_twice, (3,)),
         (longest_palindrome, ("babad",)), (run_lengths, ("aaabbc",)), (caesar, ("Hello, World!", 3)), (balanced, ("([]{})",)), (balanced, ("(]",)),
         (groups, (["eat", "tea", "tan", "ate", "nat", "bat"],)), (counted, ("mississippi",)), (roman, (1994,)), (merge_sort, ([3, 1, 2, 5, 4],)),
         (memoised, (30,)), (cached, (30,)), (small_forms, ([5, 1, 4, 2, 9],)), (ordered, (6,))]


def shape(value, seen):
    """The value with its types, and which lists are one."""
    if isinstance(value, (list, dict)):
        if id(value) in seen:
            return seen[id(value)]
        seen[id(value)] = len(seen)
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [shape(one, seen) for one in value]
    if isinstance(value, dict):
        return "dict", [(shape(key, seen), shape(one, seen)) for key, one in value.items()]
    return type(value).__name__, value


@pytest.mark.parametrize("f, arguments", CASES, ids=[f"{f.__name__}-{at}" for at, (f, _) in enumerate(CASES)])
def test_python_agrees(f, arguments):
    assert shape(sluice.program(f, strict=True)(*arguments), {}) == shape(f(*arguments), {})


def out_of_range(n):
    names = ["a", "bc"]
    rows = [[k] for k in range(n)]
    rows.append([])
    return names[n] + str(len(rows))


def test_an_index_out_of_range_names_its_line():
    program = sluice.program(out_of_range, strict=True)
    assert program(1) == "bc2"
    with pytest.raises(IndexError, match="list index out of range") as raised:
        program(5)
    assert raised.traceback[-1].lineno + 1 == out_of_range.__code__.co_firstlineno + 4  # of Python, which makes the call again


def first_of_a_set(words):
    for word in set(words):
        return word
    return ""


def test_what_nobody_can_know_is_refused():
    with pytest.raises(sluice.CompileError):
        sluice.program(first_of_a_set, strict=True)(["b", "a"])


def iterated_twice(words):
    each = map(len, words)
    return sum(each), sum(each)


def view_that_changes(words):
    d = {w: 1 for w in words}
    names = d.keys()
    d["zz"] = 2
    return [n for n in names]


def declared(words):
    x: np.float32 = len(words) / 3
    return x, words[0][1:]


@pytest.mark.parametrize("function", [iterated_twice, view_that_changes, declared])
def test_what_it_would_take_for_something_else_is_refused(function):
    with pytest.raises(sluice.CompileError):
        sluice.program(function, strict=True)(["ab", "c"])
