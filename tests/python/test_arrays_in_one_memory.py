"""Strict programs over texts, lists and dictionaries that also have arrays of NumPy's: results with their types, arguments after the call and
exceptions are those of Python."""
import copy
import heapq
from collections import deque

import numpy as np
import pytest

import sluice
from sluice import one_memory

PROGRAMS, PARTS = [], []


def case(*argument_lists, of=PARTS):
    def add(f):
        of.append((f, argument_lists))
        return f
    return add


def program(*argument_lists):
    return case(*argument_lists, of=PROGRAMS)


def same(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, dict):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a.items(), b.items()))
    return a == b or (a != a and b != b)


def outcome(f, arguments):
    """What the call gives or raises, and the arguments behind it."""
    arguments = copy.deepcopy(arguments)
    try:
        return f(*arguments), arguments
    except Exception as error:
        return type(error).__name__, str(error), arguments


@program((np.arange(3.0), "abc"), (np.arange(3), "ab"), (np.array([3.0, 4.0]), "abcd"))
def products_and_functions(a, letters):
    rows = {c: a * (k + 1) for k, c in enumerate(letters)}
    first, last = rows[letters[0]], rows[letters[-1]]
    matrix = np.array([rows[c] for c in letters])
    vector = np.array([k + 2.0 for k in range(a.shape[0])])
    weights = np.ones(len(letters))
    square = np.array([matrix[0], matrix[1]])
    return (first @ last, np.dot(last, vector), matrix @ vector, weights @ matrix, square @ np.zeros((a.shape[0], 2)), np.sqrt(last * last),
            np.abs(first - last), np.linalg.norm(first * 0), np.linalg.norm(matrix * 0), np.isnan(matrix), matrix, np.exp(first * 0))


@program((np.ones((2, 2)), "ab"), (np.arange(2.0), "ab"))
def shapes_that_do_not_fit(a, letters):
    rows = {c: np.zeros(3 + k) for k, c in enumerate(letters)}
    if a.ndim == 2:
        return a @ rows["a"]
    return np.array([rows[c] for c in letters])


@program(([np.ones(3), np.arange(2.0)], {"a": np.ones(3)}, "aba"), ([np.ones(4)], {"a": np.ones(4), "b": np.ones(2)}, "ab"))
def changed_in_place(rows, named, letters):
    seen, i = {}, 0
    while i < len(rows):
        rows[i] *= 2
        rows[i][1:] -= 1
        i += 1
    for letter in letters:
        seen[letter] = 1
        if letter in named:
            named[letter] += 3
    return seen


@program(("GATTACA", "GCATGCU", 1, -1, -1), ("", "AC", 2, -1, -2))
def needleman_wunsch(a, b, match, mismatch, gap):
    n, m = len(a), len(b)
    score = np.zeros((n + 1, m + 1), dtype=int)
    for i in range(n + 1):
        score[i, 0] = i * gap
    for j in range(m + 1):
        score[0, j] = j * gap
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            s = match if a[i - 1] == b[j - 1] else mismatch
            score[i, j] = max(score[i - 1, j - 1] + s, score[i - 1, j] + gap, score[i, j - 1] + gap)
    top, bottom = "", ""
    i, j = n, m
    while i > 0 or j > 0:
        s = match if i > 0 and j > 0 and a[i - 1] == b[j - 1] else mismatch
        if i > 0 and j > 0 and score[i, j] == score[i - 1, j - 1] + s:
            top, bottom = a[i - 1] + top, b[j - 1] + bottom
            i -= 1
            j -= 1
        elif i > 0 and score[i, j] == score[i - 1, j] + gap:
            top, bottom = a[i - 1] + top, "-" + bottom
            i -= 1
        else:
            top, bottom = "-" + top, b[j - 1] + bottom
            j -= 1
    return top, bottom, score[n, m]


@program(("TGTTACGG", "GGTTGACTA"), ("A", "C"))
def smith_waterman(a, b):
    H = np.zeros((len(a) + 1, len(b) + 1))
    best, pos = 0, (0, 0)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            d = H[i - 1][j - 1] + (2 if a[i - 1] == b[j - 1] else -1)
            H[i][j] = max(0, d, H[i - 1][j] - 1, H[i][j - 1] - 1)
            if H[i][j] > best:
                best = H[i][j]
                pos = (i, j)
    i, j = pos
    out = []
    while i > 0 and j > 0 and H[i, j] > 0:
        if H[i, j] == H[i - 1, j - 1] + (2 if a[i - 1] == b[j - 1] else -1):
            out.append(a[i - 1])
            i -= 1
            j -= 1
        elif H[i, j] == H[i - 1, j] - 1:
            out.append(a[i - 1])
            i -= 1
        else:
            out.append("-")
            j -= 1
    return "".join(reversed(out)), best, H, H[pos]


@program(("Hello World, the end",), ("",))
def letters(text):
    counts = np.zeros(26, dtype=int)
    for c in text.lower():
        if "a" <= c <= "z":
            counts[ord(c) - ord("a")] += 1
    best = int(np.argmax(counts))
    return counts, chr(best + ord("a")), counts.sum(), f"{counts[best]} of {counts.sum()}: {counts[best] / max(counts.sum(), 1):.2f}"


@program(({0: [(1, 4.0), (2, 1.0)], 1: [(3, 1.0)], 2: [(1, 2.0), (3, 5.0)], 3: [(0, 1.0)]}, 4, 0))
def dijkstra(graph, n, start):
    dist = np.full(n, np.inf)
    prev = np.full(n, -1, dtype=int)
    dist[start] = 0
    heap = [(0.0, start)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist[u]:
            continue
        for v, w in graph[u]:
            nd = d + w
            if nd < dist[v]:
                dist[v] = nd
                prev[v] = u
                heapq.heappush(heap, (nd, v))
    path, node = [], n - 1
    while node != -1:
        path.append(node)
        node = prev[node]
    return dist, path[::-1]


@program(({0: [1, 2], 1: [3], 2: [3]}, 5))
def levels(adjacent, n):
    level = np.full(n, -1)
    level[0] = 0
    queue, order = deque([0]), []
    while queue:
        u = queue.popleft()
        order.append(u)
        for v in adjacent.get(u, []):
            if level[v] < 0:
                level[v] = level[u] + 1
                queue.append(v)
    return level, order


@program((6, [(0, 1), (1, 2), (4, 5)]))
def components(n, edges):
    parent = np.arange(n)

    def find(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for a, b in edges:
        ra, rb = find(a), find(b)
        if ra != rb:
            parent[rb] = ra
    groups = {}
    for i in range(n):
        groups.setdefault(find(i), []).append(i)
    return groups, parent


@pytest.mark.parametrize("f, argument_lists", PROGRAMS, ids=[f.__name__ for f, _ in PROGRAMS])
def test_programs_with_arrays(f, argument_lists):
    compiled = sluice.program(strict=True)(f)
    for arguments in argument_lists:
        assert same(outcome(compiled, arguments), outcome(f, arguments))
    assert all(key.endswith("with arrays") == bool(version) for key, version in compiled._by_form[1].items())


@case((3, "x"), (0, "y"))
def aliases(n, t):
    a = np.zeros(n + 1)
    b, rows = a, []
    b[0] = 5
    for i in range(n):
        rows.append(np.zeros(2, dtype=int))
    rows.append(np.arange(2))
    rows.append(rows[0])
    rows[-1][1] = 7
    d = {t: rows[0]}
    d[t][0] = 3
    return a, b, a is b, rows, d, [a]


@case(("k", 3, 0), ("k", 2, 8))
def parts(t, k, m):
    g, v, u, e = np.zeros((3, 4), dtype=int), np.arange(10), np.ones(9, dtype=bool), np.zeros(m)
    row, part, two, w = g[1], g[0, 1:3], g[1:], v[2:5]
    row[2], part[0], two[1, 0], w[0] = 5, 8, 9, 100
    w[1:][-1] = 77
    for r in g:
        r[3] += 1
    f = np.zeros((3, 4))
    f[:, 0], f[1], f[2, 1:3], f[0, :], f[:, 3], f[:1, 1:2] = k, 7, 2.5, np.arange(4), np.arange(3), -1
    v[4:] = v[:6]
    u[k::2] = False
    v[-2:] = 0
    u[:1] = False
    s = t
    for x in e:
        s += "x"
    return s, g, v, two.shape, w[0], w.sum(), f, u, len(e), e.size, e.sum(), e.any(), e.all(), e.tolist(), g.tolist(), f.copy()


@case((5, "a"), (0, ""))
def numbers_of_numpy(n, t):
    a, i, f, z = np.full(2, 2**62, dtype=int), np.array([7, 0, -7]), np.array([1.5, 0.0, -2.0]), np.array([True, False])
    nan = np.array([1.0, np.nan, 3.0])
    for _ in range(n):
        a[0] = a[0] * 3 + 1
    x = a[1] + a[1]
    wrapped = x, x - 1, -x, abs(x), a[0] * a[0], a[1] << 2, a[1] >> 70, ~a[0], a[0] ** 3
    zero = (i[0] // i[1], i[0] % i[1], i[0] / i[1], i[2] // 2, i[2] % 2, f[0] / f[1], f[2] // f[1], f[2] % f[0], f[0] % 0, 3 // i[2], 3 % f[2], 7.5 // f[0],
            i[2] / 2, f[0] ** 2, 2 ** i[0], f[2] ** 0.5, divmod(i[2], 2))
    nans = (nan.max(), nan.min(), nan.argmax(), nan.argmin(), nan[1] == nan[1], max(nan[0], nan[1]), max(nan[1], nan[0]), min(nan[1], 2.0), min(2.0, nan[1]))
    mixed = (max(i[0], 9), max(i[0], 7), max(7, i[0]), max(f[0], 1), max(1, f[1]), max(i[0], f[0]), i[0] + 1, i[0] + 1.0, 1.5 * i[2], i[0] + True, z[0] & z[1],
             z[0] | True, z[0] + 1, i[0] == 7, 1 < f[0], not z[0], -f[0], round(f[0]), int(f[0]), float(i[2]), bool(i[0]), i[0] & 3, z[0] / z[0], i[0].item())
    y = 0 if t else i[2]
    y += 1
    return wrapped, zero, nans, mixed, [y, i[0]], f"{i[0]} {f[0]:.2f} {i[2]:>4}|{z[1]}" + str(f[0]), t + "x"


@case(("ab", [1, 2, 3], [[1, 2], [3, 4]]), ("ab", [1], [[1], [2, 3]]))
def made_of_others(t, xs, rows):
    a = np.array(rows)
    c, f, z = np.zeros(3, dtype=int), np.zeros(2), np.zeros(3, dtype=bool)
    c[0], c[1], c[2], f[0], f[1], z[0], z[1] = 2.9, -2.9, True, 3, c[1], 2, 0.0
    u = a.copy()
    u[0, 0] = 50
    i, j = np.unravel_index(np.argmax(u), u.shape)
    return (np.array(xs), a, u, c, f, z, i, j, np.zeros_like(a), np.ones_like(u, dtype=float), np.full_like(a, 3), np.array([x * 2 for x in xs], dtype=float),
            sum(u[1]), max(u[1]), min(a[0]), sorted(u[0]), list(a[1]), np.mean(a), list(enumerate(a[1])), list(zip(a[0], t + "c")))


@case((np.arange(6).reshape(2, 3), [1, 2], "s"), (np.arange(6).reshape(3, 2).T, [3], "s"), (np.arange(12).reshape(2, 6)[:, ::-2], [], "s"))
def given(m, xs, t):
    n, k = m.shape
    for i in range(n):
        for j in range(k):
            xs.append(int(m[i, j]))
            m[i, j] = -m[i, j]
    return m, xs, t + t


@case((np.arange(5), "s", 3), (np.arange(5), "s", np.int64(4)), (np.arange(5), "s", np.float64(2.5)), (np.arange(0), "s", 2), (np.arange(6).reshape(2, 3), "s", 2))
def element_by_element(a, t, k):
    b, c, d, e = a + 1, k * a, a / 2, 5 - a
    b += a
    b -= 1
    d *= 2
    d /= b.sum() + 1
    a[1:] += a[:-1]
    z = np.array([True, False])
    w = z & np.array([True, True])
    z |= w
    g = np.zeros((2, 3))
    g[0] += 2
    g[1] -= g[0]
    g[1, 1:] *= 3
    return t + t, a, b, c, d, e, a - b, a // 2, a % 3, 1.5 * a + a * a, w, z, g, k, [k], c.sum() / 3


@case((np.arange(8), np.arange(3), "s"), (np.arange(3), np.arange(1), "s"))
def other_shapes(a, b, t):
    a += b
    return t + t, a + b


@case((4, "s"))
def one_view(n, t):
    a = np.zeros((n, n), dtype=int)
    for i in range(n):
        a[i, i] = i
    return a[n - 1], t + t


@case(("1.5, 2,-3e2 ,.5,7", 2.0), ("1,nan", -1.0), ("1_0", 0.0), ("x", 1.0), ("5,6", np.float64(-2.5)), (" 1.25e-3 \n,+4.", np.float64(0.0)))
def floats_of_texts(t, x):
    a = np.array([float(field) for field in t.split(",")])
    return a, float(t[0]) if t[0] in "0123456789" else 0.0, x, np.sqrt(x), np.log(x), np.exp(x), np.log2(x), np.isnan(x), np.abs(x), np.abs(-3), np.isinf(np.log(x)), np.int64(3)


@case((0, "ab"), (3, "ab"))
def nothing_and_all(n, t):
    m, k, out, f = np.zeros((n, 0)), np.zeros((0, n), dtype=bool), [], np.array([0.5, 2.0, -1.0])
    for r in m:
        out.append(len(r))
    p, q, s = f
    pairs = [x + y for x, y in np.array([[1, 2], [3, 4]])]
    return out, m, k, m.sum(), m.shape, m.tolist(), p, q, pairs, sum(f[i] for i in range(n)), sum(x for x in f), max((f[i], i) for i in range(3)), t * 2


A, B = np.arange(3.0), np.arange(4)


@case((A, A, [A, A], "s"), (A, A.copy(), [A], "s"))
def given_twice(a, b, rows, t):
    a[0] = 10
    rows[0][1] = 20
    return b[0], a is b, a[1], t + t, rows


@case(("s", 1, -1), ("s", 2, 0), ("s", 0, 3), ("s", -3, 0), ("s", -2, -3))
def beyond(t, i, j):
    g = np.zeros((2, 3))
    g[i, j] = 4
    g[i][j] += 1
    return t + t, g, g[i, j]


@case(("s", -5), ("s", 0), ("s", 3))
def raised(t, n):
    a = np.zeros(n)
    if n > 2:
        a[0] = np.nan
        b = np.zeros(1, dtype=int)
        b[0] = a[0]
    return a, t + t


@case((np.array([1.0, 0.0, -2.0]), "s"), (np.array([3, -4]), "s"))
def negative(a, t, gap=-2, scale=-0.5):
    b = -a
    best = -np.zeros(2)
    b[0] = gap * scale
    return -b, best, a.tolist(), t + str(gap)


@case((np.random.default_rng(0).random(1000), "s"), (np.random.default_rng(1).random((37, 29)), "s"), (np.random.default_rng(2).random(7), "s"))
def sums(a, t):
    return a.sum(), a.mean(), a.max(), a.argmin(), t + t


@pytest.mark.parametrize("f, argument_lists", PARTS, ids=[f.__name__ for f, _ in PARTS])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_parts_of_programs_with_arrays(f, argument_lists):
    compiled = sluice.program(strict=True)(f)
    for arguments in argument_lists:
        assert same(outcome(lambda *given: one_memory._called(compiled, given, {}, arrays=True), arguments), outcome(f, arguments))


def whole(a, t):
    b = a < 1
    return b, t


def powers(a, t):
    return a ** 2, t


def updated(a, t):
    a += 0.5
    return t


def view_for_the_caller(a, t):
    t.append(np.zeros((2, 2))[0])
    return 1


def two_views(a, t):
    b = np.zeros((2, 2))
    return b[0], b[1], t


def view(a, t):
    return a[1:], t


def column(a, t):
    b = np.zeros((2, 2))
    return b[:, 0].sum(), t


def ambiguous(a, t):
    x = 0 if t else a[0]
    return x < 3, t


def mixed_arrays(a, t):
    b = np.zeros(3)
    if t:
        b = np.zeros(3, dtype=int)
    return b[0], t


def of_other_type(a, t):
    return np.zeros(3, dtype=np.int32), t


def written(a, t):
    a[0] = 1
    return t


@pytest.mark.parametrize("f, words", [
    (whole, "a comparison of whole arrays"), (powers, "powers of whole arrays"),
    (updated, "an update of an array by numbers of another type"), (view, "a view of an array of the caller's is returned"),
    (view_for_the_caller, "a view of an array in a collection of the caller's"), (two_views, "a view of an array is returned with others"), (column, "a view of columns of an array"),
    (ambiguous, "a truth of Python's or NumPy's, which only the run knows"), (mixed_arrays, "arrays of several types under one name"),
    (of_other_type, "an array of the type np.int32"), (written, "a change of what is the caller's")])
def test_what_arrays_among_objects_are_not(f, words):
    array = np.arange(4)
    array.flags.writeable = f is not written
    compiled = sluice.program(strict=True)(f)
    assert one_memory._called(compiled, (array, []), {}, arrays=True) is one_memory.NOT_SO
    with pytest.raises(sluice.CompileError, match=words):
        raise compiled._refused_over_memory


@pytest.mark.parametrize("arguments", [(A, A[1:]), (B.astype(np.int32), 1), (np.broadcast_to(B, (2, 4)), 1), (np.zeros((2, 2, 2)), 1)])
def test_arrays_that_no_memory_of_a_program_has(arguments):
    assert sluice._core.write_objects((*arguments, "s")) is None


def refused_for_its_array(text):
    a = np.zeros(len(text), dtype=complex)
    groups = {}
    for i, c in enumerate(text):
        groups.setdefault(c, []).append(i)
    return groups, a[0]


def test_the_refusal_names_what_the_array_is():
    with pytest.raises(sluice.CompileError, match="an array of the type complex"):
        sluice.program(strict=True)(refused_for_its_array)("abc")


class Cell:
    def __init__(self, values):
        self.values = values


def arrays_of_objects(a, n: int):
    cells = [Cell(a.copy()) for _ in range(n)]
    x = cells[0].values
    y = x
    x = np.array(x)  # a copy
    x[0] = 50.0
    z = np.asarray(y)  # none
    z[1] = 7.0
    for cell in cells:
        t = np.array(cell.values)
        t[2] = 9.0
        cell.values = t
    return cells[0].values, y, x, np.array([cell.values for cell in cells])


def test_arrays_of_objects_are_copied_where_numpy_copies():
    assert same(sluice.program(strict=True)(arrays_of_objects)(np.arange(3.0), 2), arrays_of_objects(np.arange(3.0), 2))
