"""Strict programs over lists, texts, dictionaries, sets and tuples, with arguments of these: results, arguments after the call and exceptions are
those of Python."""
import bisect
import copy
import heapq
import itertools
import math
from collections import defaultdict, deque

import pytest

import sluice

PROGRAMS = []

def case(*argument_lists):
    def add(f):
        PROGRAMS.append((f, argument_lists))
        return f
    return add

@case((3, [1, 2, 3, 1, 2, 4]), (1, []), (2, [5, 5]))
def lru(capacity, keys):
    cache, order, hits = {}, [], 0
    for key in keys:
        if key in cache:
            hits += 1
            order.remove(key)
            order.append(key)
        else:
            if len(order) >= capacity:
                del cache[order.pop(0)]
            cache[key] = key * 2
            order.append(key)
    return hits, order, cache

@case(("the cat the dog",), ("",), ("a",))
def counts(text):
    found = {}
    for word in text.split():
        found[word] = found.get(word, 0) + 1
    return found

@case(("the cat The dog",),)
def sorted_counts(text):
    found = {}
    for word in text.lower().split():
        found[word] = found.get(word, 0) + 1
    return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))

@case(({0: [(1, 4), (2, 1)], 1: [(3, 1)], 2: [(1, 2), (3, 5)], 3: []}, 0),)
def dijkstra(graph, source):
    dist = {source: 0}
    heap = [(0, source)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist[u]:
            continue
        for v, w in graph[u]:
            if v not in dist or d + w < dist[v]:
                dist[v] = d + w
                heapq.heappush(heap, (d + w, v))
    return dist

@case(("kitten", "sitting"), ("", "abc"), ("x", "x"))
def distance(a, b):
    rows = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) + 1):
        rows[i][0] = i
    for j in range(len(b) + 1):
        rows[0][j] = j
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + cost)
    return rows[-1][-1]

@case((4,), (5,), (1,), (3,))
def queens(n):
    solutions = []
    def place(row, columns):
        if row == n:
            solutions.append(columns[:])
            return
        for c in range(n):
            if all(columns[r] != c and abs(columns[r] - c) != row - r for r in range(row)):
                columns.append(c)
                place(row + 1, columns)
                columns.pop()
    place(0, [])
    return solutions

@case(([3, 1, 2],), ([],), ([5, 4, 4, 1],))
def merge_sort(values):
    if len(values) <= 1:
        return values[:]
    middle = len(values) // 2
    left, right = merge_sort(values[:middle]), merge_sort(values[middle:])
    result = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            result.append(left[i])
            i += 1
        else:
            result.append(right[j])
            j += 1
    return result + left[i:] + right[j:]

@case(("2+3*4",), ("10-2-3",), ("7",))
def calculate(text):
    def apply(op, a, b):
        if op == "+":
            return a + b
        if op == "-":
            return a - b
        return a * b
    precedence = {"+": 1, "-": 1, "*": 2}
    values, operators = [], []
    i = 0
    while i < len(text):
        if text[i].isdigit():
            j = i
            while j < len(text) and text[j].isdigit():
                j += 1
            values.append(int(text[i:j]))
            i = j
            continue
        while operators and precedence[operators[-1]] >= precedence[text[i]]:
            b = values.pop()
            a = values.pop()
            values.append(apply(operators.pop(), a, b))
        operators.append(text[i])
        i += 1
    while operators:
        b = values.pop()
        a = values.pop()
        values.append(apply(operators.pop(), a, b))
    return values[0]

@case(([[1, 2], [3, 4]], [[5, 6], [7, 8]]),)
def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(len(b))) for j in range(len(b[0]))] for i in range(len(a))]

@case(([[1, 2, 3], [4, 5, 6]],), ([[1]],))
def transposed(m):
    return [list(row) for row in zip(*m)], list(zip(*m))

@case(([1, 2, 3, 4, 5, 6],), ([],))
def slices(xs):
    return xs[::2], xs[::-1], xs[1:-1], xs[-3:], xs[4:1:-1], xs[:100]

@case(([3, 1, 2], ),)
def changes(xs):
    xs.sort()
    xs.insert(1, 9)
    xs.extend([7, 8])
    last = xs.pop()
    xs.reverse()
    del xs[0]
    xs[0] = 100
    return last

@case(([[1], [2, 3]], ),)
def nested_changes(rows):
    rows[0].append(5)
    rows.append([6])
    rows[1] = rows[0]
    return rows[1]

@case(({"a": 1, "b": 2},), ({},))
def table_changes(d):
    d["c"] = 3
    if "a" in d:
        del d["a"]
    d.update({"b": 7, "e": 1})
    value = d.pop("e")
    other = d.setdefault("z", 26)
    return value, other, list(d.keys()), list(d.values()), len(d)

@case((["apple", "bob", "cat", "alice"],))
def groups(words):
    found = defaultdict(list)
    for word in words:
        found[word[0]].append(word)
    return [(key, found[key]) for key in sorted(found)]

@case((["pear", "fig", "apple", "kiwi"],))
def sorts(words):
    return sorted(words), sorted(words, key=len), sorted(words, key=lambda w: (len(w), w), reverse=True), max(words, key=len), min(words)

@case((5,), (0,), (1,))
def pascal(n):
    rows = []
    for i in range(n):
        row = [1] * (i + 1)
        for j in range(1, i):
            row[j] = rows[i - 1][j - 1] + rows[i - 1][j]
        rows.append(row)
    return rows

@case(([1, 2, 3],), ([],))
def subsets(xs):
    if not xs:
        return [[]]
    rest = subsets(xs[1:])
    return rest + [[xs[0]] + one for one in rest]

@case(([1, 2, 3],))
def permuted(xs):
    return list(itertools.permutations(xs, 2)), [sum(p) for p in itertools.combinations(xs, 2)]

@case(("Hello, World", 3), ("xyz", 1), ("", 5))
def caesar(text, k):
    out = ""
    for c in text:
        if c.isupper():
            out += chr((ord(c) - 65 + k) % 26 + 65)
        elif c.islower():
            out += chr((ord(c) - 97 + k) % 26 + 97)
        else:
            out += c
    return out

@case(("A man a plan",), ("abba",), ("",))
def palindrome(text):
    letters = [c.lower() for c in text if c.isalnum()]
    return letters == letters[::-1], "".join(letters)

@case(("()[]{}",), ("(]",), ("((",), ("",))
def balanced(text):
    pairs = {")": "(", "]": "[", "}": "{"}
    stack = []
    for c in text:
        if c in "([{":
            stack.append(c)
        elif c in pairs:
            if not stack or stack.pop() != pairs[c]:
                return False
    return not stack

@case(([2, 7, 11, 15], 9), ([1, 2], 99))
def two_sum(xs, target):
    seen = {}
    for i, x in enumerate(xs):
        if target - x in seen:
            return [seen[target - x], i]
        seen[x] = i
    return []

@case(([1, 5, 2, 8, 3],), ([],))
def running(xs):
    total, out = 0, []
    for x in xs:
        total += x
        out.append(total)
    return out, list(itertools.accumulate(xs))

@case(([1.5, 2.25, 3.0],), ([],))
def mean(xs):
    if not xs:
        return None
    return sum(xs) / len(xs)

@case(([1.5, 2.25],), ([],))
def total_of(xs):
    total = 0
    for x in xs:
        total += x
    return total

@case(([("a", 3), ("b", 1)],), ([],))
def totals(pairs):
    return {name: count * 2 for name, count in pairs}, [name for name, _ in pairs], sum(c for _, c in pairs)

@case(([1, 2, 3, 4], [3, 4, 5]), ([], [1]))
def set_algebra(a, b):
    x, y = set(a), set(b)
    return sorted(x & y), sorted(x | y), sorted(x - y), sorted(x ^ y), len(x), 3 in y

@case((10,), (1,), (27,))
def collatz(n):
    out = [n]
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        out.append(n)
    return out

@case((30,), (2,), (0,))
def primes(n):
    sieve = [True] * (n + 1)
    out = []
    for k in range(2, n + 1):
        if sieve[k]:
            out.append(k)
            for j in range(k * k, n + 1, k):
                sieve[j] = False
    return out

@case((84,), (97,), (1,))
def factors(n):
    out, p = [], 2
    while p * p <= n:
        while n % p == 0:
            out.append(p)
            n //= p
        p += 1
    if n > 1:
        out.append(n)
    return out

@case((20,), (0,))
def fibonacci(n):
    memo = {}
    def fib(k):
        if k < 2:
            return k
        if k not in memo:
            memo[k] = fib(k - 1) + fib(k - 2)
        return memo[k]
    return [fib(k) for k in range(n)]

@case((3, "A", "B", "C"),)
def hanoi(n, a, b, c):
    moves = []
    def move(k, source, target, other):
        if k == 0:
            return
        move(k - 1, source, other, target)
        moves.append((k, source, target))
        move(k - 1, other, target, source)
    move(n, a, c, b)
    return moves

@case(([[1, 1, 0], [0, 1, 0], [1, 0, 1]],), ([[0]],))
def islands(grid):
    n, m = len(grid), len(grid[0])
    seen = [[False] * m for _ in range(n)]
    count = 0
    for i in range(n):
        for j in range(m):
            if grid[i][j] == 1 and not seen[i][j]:
                count += 1
                stack = [(i, j)]
                seen[i][j] = True
                while stack:
                    a, b = stack.pop()
                    for da, db in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                        x, y = a + da, b + db
                        if 0 <= x < n and 0 <= y < m and grid[x][y] == 1 and not seen[x][y]:
                            seen[x][y] = True
                            stack.append((x, y))
    return count

@case((["a->b", "b->c", "a->c"],))
def topological(lines):
    after, degree = {}, {}
    for line in lines:
        a, b = line.split("->")
        after.setdefault(a, []).append(b)
        after.setdefault(b, [])
        degree[b] = degree.get(b, 0) + 1
        degree.setdefault(a, 0)
    ready = sorted(k for k in degree if degree[k] == 0)
    out = []
    while ready:
        one = ready.pop(0)
        out.append(one)
        for other in after[one]:
            degree[other] -= 1
            if degree[other] == 0:
                ready.append(other)
    return out

@case((5, [(0, 1), (1, 2), (3, 4)]),)
def components(n, edges):
    parent = list(range(n))
    def find(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x
    for a, b in edges:
        parent[find(a)] = find(b)
    return len({find(k) for k in range(n)}), [find(k) for k in range(n)]

@case(([10, 9, 2, 5, 3, 7, 101, 18],), ([],))
def increasing(xs):
    tails = []
    for x in xs:
        at = bisect.bisect_left(tails, x)
        if at == len(tails):
            tails.append(x)
        else:
            tails[at] = x
    return len(tails), tails

@case(([1, 3, 4], 10, [10, 40, 50]),)
def knapsack(weights, capacity, values):
    best = [0] * (capacity + 1)
    for w, v in zip(weights, values):
        for c in range(capacity, w - 1, -1):
            best[c] = max(best[c], best[c - w] + v)
    return best

@case(("AGGTAB", "GXTXAYB"), ("", "a"))
def common(a, b):
    rows = [[""] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a)):
        for j in range(len(b)):
            if a[i] == b[j]:
                rows[i + 1][j + 1] = rows[i][j] + a[i]
            else:
                x, y = rows[i][j + 1], rows[i + 1][j]
                rows[i + 1][j + 1] = x if len(x) >= len(y) else y
    return rows[-1][-1]

@case((["eat", "tea", "tan", "ate", "nat", "bat"],), ([],))
def anagrams(words):
    found = {}
    for word in words:
        key = "".join(sorted(word))
        if key not in found:
            found[key] = []
        found[key].append(word)
    return list(found.values())

@case(([[1, 3], [2, 6], [8, 10]],), ([[1, 4]],))
def intervals(all):
    all = sorted(all)
    out = [all[0]]
    for begin, end in all[1:]:
        if begin <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([begin, end])
    return out

@case((12, 5), (0, 1))
def texts_of(n, k):
    return f"{n} and {k}", str(n) + "x", "%d-%d" % (n, k), f"{n:5d}|{n:<5}|{k:05d}|{n:x}"

@case((3.14159, 2), (2.0, 1), (1e22, 3), (-0.1, 4))
def texts_of_floats(x, n):
    return str(x), f"{x:.2f}", f"{x:10.3f}|{x:e}|{x:g}", "%.1f" % x, f"{x}"

@case(("name", 3))
def formats(s, n):
    return "{} is {}".format(s, n), f"{s:>10}|{s:<8}|{s:^9}|", f"{n:>4}|{n:+d}"

@case(([1, 2, 3],))
def joins(xs):
    return ",".join(str(x) for x in xs), "-".join([str(x) for x in xs]), " ".join(map(str, xs))

@case(([(1, "b"), (1, "a"), (0, "z")],), )
def heaps(pairs):
    heap = []
    for one in pairs:
        heapq.heappush(heap, one)
    out = []
    while heap:
        out.append(heapq.heappop(heap))
    return out

@case(([5, 1, 4],))
def heap_functions(xs):
    heap = list(xs)
    heapq.heapify(heap)
    a = heapq.heappushpop(heap, 0)
    b = heapq.heapreplace(heap, 9)
    return a, b, heap, heapq.nlargest(2, xs), heapq.nsmallest(2, xs)

@case(([3, 1, 2], [1.5, 2.5, 0.5]))
def paired(a, b):
    pairs = list(zip(a, b))
    pairs.sort(key=lambda p: p[1])
    return pairs, dict(zip(a, b)), [x * y for x, y in pairs]

@case((7, 3), (-7, 3), (7, -3), (0, 5))
def arithmetic(a, b):
    return [a + b, a - b, a * b, a // b, a % b, a / b, a ** 2, divmod(a, b)[0], abs(a), -a, a & b, a | b, a ^ b, a << 2, a >> 1] != [], a / b, (a // b, a % b)

@case(([1, 2], 5), ([], 0))
def index_error(xs, k):
    return xs[k]

@case(({"a": 1}, "b"), ({"a": 1}, "a"))
def key_error(d, k):
    return d[k]

@case(("12",), ("x1",))
def value_error(s):
    return int(s)

def squares(xs, most):
    for x in xs:
        if x > most:
            return
        yield x * x


def countdown(n):
    while n > 0:
        yield n
        n -= 1


@case(([1, 2, 3], 9), ([1, 9, 2], 4), ([5], 0))
def generated(xs, most):
    pairs = []
    for k in countdown(len(xs)):
        pairs.append((k, sum(squares(xs, most))))
    return list(squares(xs, most)), {x: str(x) for x in squares(xs, most)}, sorted(squares(xs, 2), reverse=True), pairs, [x + 1 for x in countdown(3)]

class Missing(Exception):
    pass

@case(("The cat. the dog, a cat!", "cat"), ("..a..", "b"), ("", ""), ("abc", "x"))
def exceptions_with_computed_texts(text, word):
    counts = {}
    for one in text.lower().split():
        one = one.strip(".,!")
        counts[one] = counts.get(one, 0) + 1
    if not word:
        raise ValueError("no word in " + repr(text), len(text))
    if word not in counts:
        if len(counts) > 1:
            raise Missing(f"{word} of {sorted(counts)}")
        raise KeyError("no " + word)
    assert counts[word] > 1, "only one " + word
    return counts, text.lstrip("T.").rstrip("!."), word.strip("")

@case(({"a": 1}, [1, 2], [2, 5]), ({"k": 7, "b": 2}, [3], []))
def merged(d, xs, ys):
    more = {**d, "k": 1, **{"z": 3}}
    more["y"] = len(d)
    return more, d | {"k": 1}, sorted(set(xs).union(ys, [7])), sorted(set(xs).difference(ys, [1])), sorted({1, 2}.intersection(xs, ys))

MORSE = {"S": "...", "O": "---", "E": "."}
ROWS = [["a", "b"], ["c"]]

@case((["ff", "0x1F", "-0X_a"], 16, "SOS"), (["0b101", " +1_0 "], 2, "E"), (["0o17"], 8, ""), (["zZ"], 36, "O"), (["12", "007"], 10, "S"), (["1_"], 10, "S"),
      (["0x"], 16, "S"), (["0x1"], 10, "S"), (["8"], 8, "S"), (["7"], 40, "S"), (["12"], 10, "A"), (["00x1"], 16, "S"))
def bases_and_constants(texts, base, word):
    return [int(s, base) for s in texts], [int(s, base=base) for s in texts], " ".join(MORSE[c] for c in word), word in MORSE, [len(r) for r in ROWS]

@case(([1, 2, 3], 0), ([1, 2, 3], 2))
def division_error(xs, k):
    return [x // k for x in xs]

@case(([1], -1), ([1], 1))
def raises(xs, k):
    xs.append(k)
    if k < 0:
        raise ValueError(f"negative: {k}")
    return xs

@case(([],), ([1],))
def unbound(xs):
    for x in xs:
        last = x
    return last

@case((2000, ), (5,))
def deep(n):
    def down(k):
        if k == 0:
            return [0]
        r = down(k - 1)
        r.append(k)
        return r
    return len(down(n))

@case(([[3, 1], [2]],))
def deep_changes(rows):
    for row in rows:
        row.sort()
        row.append(0)
    rows.sort(key=len)
    return [len(r) for r in rows]

@case(((1, 2), (3.5, "x")), ((0, 0), (1.0, "")))
def tuples(a, b):
    x, y = a
    return (y, x), b[1] * 2, b[0] + x, a + (5,)

@case(({1: "a", 2: "b"},))
def inverted(d):
    return {v: k for k, v in d.items()}, sorted(d, reverse=True), max(d, key=lambda k: d[k])

@case((3,), (0,))
def grid(n):
    cells = {}
    for i in range(n):
        for j in range(n):
            cells[(i, j)] = i * j
    return cells, sum(cells.values()), (1, 2) in cells

@case(([1, 2, 3, 4, 5], 2), ([], 3))
def chunks(xs, size):
    return [xs[k:k + size] for k in range(0, len(xs), size)]

@case(([1, [2]][0:1], 3),)
def rotate(xs, k):
    q = deque(xs)
    q.rotate(k)
    q.appendleft(0)
    return list(q), q

@case(("one two  three",), )
def text_methods(s):
    return s.upper(), s.title() if False else s, s.replace("o", "0"), s.find("two"), s.count("o"), s.startswith("one"), s.split(" "), s.strip(), "t" in s, s[::-1], s.index("t")

@case((0.1, 3), (2.5, 2))
def powers(x, n):
    return x ** n, [x * k for k in range(n)], round(x), round(x, 1), int(x), math.sqrt(x), math.floor(x)

@case(([0, 1, 0, 3],))
def move_zeros(xs):
    at = 0
    for k in range(len(xs)):
        if xs[k] != 0:
            xs[at], xs[k] = xs[k], xs[at]
            at += 1

@case((True, [False, True]), (False, []))
def truths(a, xs):
    return a and len(xs) > 0, [not x for x in xs], any(xs), all(xs), a == (not a), sum(xs)

@case(([1, 2, 3],))
def starred(xs):
    first, *rest = xs
    a, b, c = xs
    return first, rest, [*xs, 4], a + b + c

@case(([4, 5],))
def same_object(xs):
    ys = xs
    ys.append(1)
    return ys, ys is xs, [xs, ys]


def kinds(value):
    """Value and types of everything in it, sets in an order of their own."""
    if isinstance(value, dict):
        return type(value), [(kinds(key), kinds(one)) for key, one in value.items()]
    if isinstance(value, (list, tuple, set, deque)):
        return type(value), [kinds(one) for one in (sorted(value, key=repr) if isinstance(value, set) else value)]
    return type(value), repr(value)


def outcome(function, arguments):
    """What the call gives or raises, and what its arguments are then."""
    own = copy.deepcopy(arguments)
    try:
        result = kinds(function(*own))
    except sluice.CompileError:
        raise
    except Exception as error:
        result = type(error), str(error)
    return result, kinds(own)


@pytest.mark.parametrize("program, argument_lists", PROGRAMS, ids=lambda one: getattr(one, "__name__", ""))
def test_as_python(program, argument_lists):
    compiled = sluice.program(strict=True)(program)
    for arguments in argument_lists:
        if "?" in sluice._core.write_objects(arguments)[0]:  # Of an empty collection: refused, or as Python.
            continue
        assert outcome(compiled, arguments) == outcome(program, arguments)


def appended(xs, n):
    xs.append(n)
    return xs


def test_one_version_serves_all_values():
    compiled = sluice.program(strict=True)(appended)
    for size in range(5):
        xs = list(range(size))
        assert compiled(xs, 7) is xs and xs == [*range(size), 7]
    assert compiled([], 1) == [1]
    assert compiled([1.5], 2.5) == [1.5, 2.5]
    assert set(compiled._by_form[1]) == {"(lii)", "(lff)", "(l?i)"}
    assert all(compiled._by_form[1].values())


def shared(rows, row):
    row.append(len(rows))
    return rows[0], rows


def test_objects_stay_the_same():
    row = [1]
    rows = [row, [2]]
    first, all_rows = sluice.program(strict=True)(shared)(rows, row)
    assert first is row and all_rows is rows and row == [1, 2] and rows == [[1, 2], [2]]


def scaled(xs):
    return [x * FACTOR for x in xs if x > 0 and str(x)]


def test_constants_of_the_module_may_change(monkeypatch):
    monkeypatch.setitem(globals(), "FACTOR", 2)
    compiled = sluice.program(strict=True)(scaled)
    assert compiled([1, 2]) == [2, 4]
    monkeypatch.setitem(globals(), "FACTOR", 3)
    assert compiled([1, 2]) == [3, 6]


FACTOR = 1


def digits_of(n, base):
    return str(n) if n < base else digits_of(n // base, base) + str(n % base)


def test_recursion_that_makes_texts_of_numbers():
    compiled = sluice.program(strict=True)(digits_of)
    for n in (0, 1, 2, 11, 2**40):
        assert compiled(n, 2) == digits_of(n, 2)


def unpacked(pairs, more):
    first, *rest = pairs.values(), more
    return first.anything


def test_refusals_name_what_and_where_it_is():
    lines = digits_of.__code__.co_firstlineno, unpacked.__code__.co_firstlineno
    with pytest.raises(sluice.CompileError, match=rf":{lines[1] + 1}:.* as a program over lists") as refused:
        sluice.program(strict=True)(unpacked)({1: [2]}, 3)
    assert "error" in str(refused.value)


def grown(xs, n):
    for k in range(n):
        xs.append(xs[-1] * xs[-1])
    return xs


def digits_tell(s, base):
    return [int(part, base) for part in s.split()]


def test_what_only_python_computes_is_refused_at_the_call():
    """Nothing of a strict program runs in Python, and what it was given is as before."""
    compiled = sluice.program(strict=True)(grown)
    xs = [3]
    with pytest.raises(OverflowError, match="64 bits"):
        compiled(xs, 7)
    assert xs == [3]
    assert compiled(xs, 5) is xs == [3 ** 2 ** k for k in range(6)]
    compiled = sluice.program(strict=True)(digits_tell)
    with pytest.raises(NotImplementedError, match="base"):
        compiled("0x10", 0)
    assert compiled("0x10 11", 16) == [16, 17]


def sums_of_floats(rows, k):
    sums = [sum(row) for row in rows]
    rest = 1.5 - sum(x * k for x in rows[0])
    return sums, sum(rows[-1]) / max(len(rows[-1]), 1), round(sum(sums), 2), rest, sum(rows[0]) > 0.25, f"{sum(rows[-1])}"


def test_sums_of_no_floats_are_integers():
    compiled = sluice.program(strict=True)(sums_of_floats)
    for rows in ([[0.1, 0.2, 0.3], [1.5]], [[0.1] * 10, []], [[], [0.5]]):
        assert kinds(compiled(rows, 0.3)) == kinds(sums_of_floats(rows, 0.3))


def naturals():
    n = 0
    while True:
        yield n
        n += 1


def beyond(k: int):
    return any(n > k for n in naturals())


def test_a_generator_without_an_end_is_no_list():
    with pytest.raises(sluice.CompileError):
        sluice.program(beyond, strict=True)(5)
    with pytest.warns(sluice.FallbackWarning):
        assert sluice.program(beyond, strict=False)(5) is True
