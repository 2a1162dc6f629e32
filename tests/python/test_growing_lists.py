"""Lists that grow, shrink and change as the run decides: of tuples, of lists, in `while`, under several names. As in Python."""
import warnings

import subprocess
from pathlib import Path

import numpy as np
import pytest

import sluice
from against_numpy import differences
from test_returned_structures import assert_same

CASES = []


def case(arguments):
    def note(function):
        CASES.append((function, arguments))
        return function
    return note


def numbers(*shape):
    return np.random.default_rng(0).random(shape)


@case(lambda: (numbers(50),))
def peaks(x):
    out = []
    for i in range(1, len(x) - 1):
        if x[i - 1] < x[i] > x[i + 1]:
            out.append((i, x[i]))
    return out


@case(lambda: (numbers(50),))
def peaks_arr(x):
    out = []
    for i in range(1, len(x) - 1):
        if x[i - 1] < x[i] > x[i + 1]:
            out.append((i, x[i]))
    return np.array(out)


@case(lambda: (1.0, 2.0))
def euler(y, tend):
    t = 0.0
    ts = [t]; ys = [y]
    while t < tend:
        h = min(0.3, tend - t)
        y = y + h * (-y)
        t += h
        ts.append(t); ys.append(y)
    return np.array(ts), np.array(ys)


@case(lambda: (numbers(6, 6) > 0.6, 0))
def bfs(adj, s):
    n = adj.shape[0]
    dist = np.full(n, -1)
    dist[s] = 0
    queue = [s]
    while queue:
        u = queue.pop(0)
        for v in range(n):
            if adj[u, v] and dist[v] < 0:
                dist[v] = dist[u] + 1
                queue.append(v)
    return dist


@case(lambda: (np.random.default_rng(0).integers(0, 2, (8, 8)),))
def label(img):
    lab = np.zeros_like(img)
    cur = 0
    for i in range(8):
        for j in range(8):
            if img[i, j] and not lab[i, j]:
                cur += 1
                stack = [(i, j)]
                lab[i, j] = cur
                while stack:
                    y, x = stack.pop()
                    for dy, dx in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                        yy, xx = y + dy, x + dx
                        if 0 <= yy < 8 and 0 <= xx < 8 and img[yy, xx] and not lab[yy, xx]:
                            lab[yy, xx] = cur
                            stack.append((yy, xx))
    return lab, cur


@case(lambda: (np.array([10, 5, 20]), np.array([2, 3, 4]), 9))
def knapsack(v, w, W):
    dp = [0] * (W + 1)
    for i in range(len(v)):
        for c in range(W, w[i] - 1, -1):
            dp[c] = max(dp[c], dp[c - w[i]] + v[i])
    return int(dp[W])


@case(lambda: (5, 3))
def pascal(n, k):
    C = [[0] * (k + 1) for _ in range(n + 1)]
    for i in range(n + 1):
        for j in range(min(i, k) + 1):
            if j == 0 or j == i:
                C[i][j] = 1
            else:
                C[i][j] = C[i-1][j-1] + C[i-1][j]
    return C[n][k]


@case(lambda: (5, 3))
def table(n, k):
    C = [[0] * k for _ in range(n)]
    for i in range(n):
        for j in range(k):
            C[i][j] += i * j
    return C


@case(lambda: (12,))
def sieve_list(n):
    primes = []
    for i in range(2, n):
        if all(i % p for p in primes):
            primes.append(i)
    return primes


@case(lambda: (numbers(6, 4),))
def gram_schmidt(A):
    Q = []
    for a in A.T:
        v = a.copy()
        for q in Q:
            v -= (q @ a) * q
        Q.append(v / np.linalg.norm(v))
    return np.array(Q).T


@case(lambda: (20,))
def fibs(n):
    f = [0, 1]
    while len(f) < n:
        f.append(f[-1] + f[-2])
    return f


@case(lambda: (27,))
def collatz(n):
    seq = [n]
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        seq.append(n)
    return seq, len(seq), max(seq)


@case(lambda: (numbers(20, 2),))
def hull(P):
    pts = P[np.lexsort((P[:, 1], P[:, 0]))]
    def cross(o, a, b):
        return (a[0]-o[0])*(b[1]-o[1]) - (a[1]-o[1])*(b[0]-o[0])
    lower = []
    for i in range(len(pts)):
        while len(lower) >= 2 and cross(pts[lower[-2]], pts[lower[-1]], pts[i]) <= 0:
            lower.pop()
        lower.append(i)
    return pts[lower]


@case(lambda: (numbers(50), 0.5))
def runs(x, t):
    runs = []
    start = -1
    for i, v in enumerate(x):
        if v > t:
            if start < 0:
                start = i
        elif start >= 0:
            runs.append((start, i))
            start = -1
    if start >= 0:
        runs.append((start, len(x)))
    return runs


@case(lambda: (np.array([1.0]),))
def pop_empty(x):
    s = []
    for i in range(2):
        s.append(x[0])
    while True:
        s.pop()
    return s


@case(lambda: (np.array([1.0, 2.0]), 5))
def index_error(x, k):
    s = []
    for v in x:
        s.append(v)
    return s[k]


@case(lambda: (numbers(6),))
def sums_of(x):
    acc = []
    s = 0.0
    for v in x:
        s += v
        acc.append((s, s * s, (int(s), v)))
    t = 0.0
    for a, b, (c, d) in acc:
        t += a * b - c + d
    return t, acc[-1][0], acc[0][2][1], len(acc)


@case(lambda: (4,))
def hanoi(n):
    moves = []
    stack = [(n, 0, 2, 1)]
    while stack:
        k, a, b, c = stack.pop()
        if k == 1:
            moves.append((a, b))
        else:
            stack.append((k - 1, c, b, a))
            stack.append((1, a, b, c))
            stack.append((k - 1, a, c, b))
    return moves


@case(lambda: (numbers(8),))
def window(x):
    buf = []
    out = np.zeros(len(x))
    for i in range(len(x)):
        buf.append(x[i])
        if len(buf) > 3:
            buf.pop(0)
        out[i] = sum(buf) / len(buf)
    return out


@case(lambda: (6,))
def known_len(n):
    xs = [0] * 10
    for i in range(n):
        xs[i % 10] += i
    return xs


@case(lambda: (6,))
def truthy(n):
    a = []
    b = []
    for i in range(n):
        if i % 2:
            a.append(i)
        if i > 100:
            b.append(i)
    return (1 if a else 0), (1 if b else 0), not b, 3 in a, 4 in a


@case(lambda: (10, 3))
def josephus(n, k):
    people = list(range(n))
    idx = 0
    while len(people) > 1:
        idx = (idx + k - 1) % len(people)
        people.pop(idx)
    return people[0]


@case(lambda: (np.random.default_rng(0).integers(0, 4, 30),))
def inv(x):
    m = [0, 0, 0, 0]
    for v in x:
        m[v] += 1
    return m


@case(lambda: (numbers(9),))
def two_names(x):
    a = []
    b = a
    for v in x:
        b.append(v)
    return len(a), a[0]


@case(lambda: (numbers(9), 4))
def branchy(x, n):
    s = []
    i = 0
    while i < n and (len(s) == 0 or s[-1] < 100):
        s.append(x[i] * 50 + (s[-1] if s else 0.0))
        i += 1
    return s


@case(lambda: (numbers(9),))
def clear_(x):
    s = []
    out = []
    for v in x:
        s.append(v)
        if len(s) == 4:
            out.append(sum(s))
            s.clear()
    return out, s


@case(lambda: (numbers(9),))
def renew(x):
    out = []
    cur = []
    for v in x:
        if v > 0.5:
            if cur:
                out.append(sum(cur))
            cur = []
        else:
            cur.append(v)
    return out


@pytest.mark.parametrize("function, arguments", CASES, ids=[function.__name__ for function, _ in CASES])
def test_as_python(function, arguments):
    try:
        expected = function(*arguments())
    except IndexError as error:
        with pytest.raises(IndexError, match=str(error)):
            sluice.program(strict=True)(function)(*arguments())
        return
    assert_same(sluice.program(strict=True)(function)(*arguments()), expected)


def rows_of_both_kinds(x):
    xs = [0.0] * len(x)
    for i in range(len(x)):
        xs[i] = x[i] * 2
    xs[-1] += 5
    return xs


def test_lists_of_pythons_numbers_and_numpys_are_pythons():
    found, wanted = sluice.program(strict=True)(rows_of_both_kinds)(numbers(4)), rows_of_both_kinds(numbers(4))
    assert found == wanted and list(map(type, found)) == list(map(type, wanted))


def grows_without_end(x, n):
    xs = []
    while len(xs) < n:
        xs.append(x[0])
    return np.array(xs).sum()


def test_a_million_appends_where_nobody_can_tell_how_many():
    assert sluice.program(strict=True)(grows_without_end)(np.ones(1), 1_000_000) == 1_000_000


def grows_in_the_interpreter(x: sluice.float64[4], out: sluice.float64[1]):
    xs = [0.0]
    while xs[-1] < 10.0:
        xs.append(xs[-1] + x[0])
    out[0] = sum(xs) + len(xs)


def test_the_interpreter_knows_reserved_memory(tmp_path):
    command, path = Path(sluice.__file__).parents[2] / "build/release/bin/sluice", tmp_path / "grows.sdfg"
    sluice.program(grows_in_the_interpreter).to_sdfg().save(str(path))
    printed = subprocess.run([command, "interpret", path, "x=3"], capture_output=True, text=True, check=True).stdout
    assert "out float64[1]: 35" in printed  # 0 + 3 + 6 + 9 + 12, and five elements


def halve(x):
    return x * 0.5


def scale_in_place(x):
    x *= 3
    return x


def keeps_states(x, n):
    state = x + 0.0
    states = [state]
    for _ in range(n):
        state = state * 0.5 + 1.0
        states.append(state)
    return np.array(states)


def keeps_states_of_a_function(x, n):
    state = x.copy()
    states = []
    for _ in range(n):
        state = halve(state)
        states.append(state)
    return np.stack(states)


def changes_through_a_view(x, n):
    state = x.copy()
    states = [state]
    for _ in range(n):
        state = state + 1.0
        states.append(state)
        part = state[1:]
        part[0] = -1.0
    return np.array(states)


def changes_through_the_list(x, n):
    state = x.copy()
    states = [state]
    for _ in range(n):
        state = state + 1.0
        states.append(state)
        states[0][0] += 5.0
    return np.array(states), state


def changes_by_a_function(x, n):
    state = x.copy()
    states = [state]
    for _ in range(n):
        scale_in_place(state)
        states.append(state)
    return np.array(states)


def changes_in_a_loop_over_them(x, n):
    state = x.copy()
    states = [state]
    for _ in range(n):
        state = state + 1.0
        states.append(state)
    for one in states:
        one[0] = 9.0
    return state


@pytest.mark.parametrize("function", [keeps_states, keeps_states_of_a_function])
def test_named_arrays_that_nothing_changes(function):
    x = np.arange(4.0)
    got, wanted = sluice.program(strict=True)(function)(x, 5), function(x, 5)
    for one, other in zip(got, wanted):
        np.testing.assert_allclose(one, other)


@pytest.mark.parametrize("function", [changes_through_a_view, changes_through_the_list, changes_by_a_function, changes_in_a_loop_over_them])
def test_named_arrays_that_change_are_not_copied(function):
    for one, other in zip(sluice.program(strict=True)(function)(np.arange(4.0), 5), function(np.arange(4.0), 5)):  # Over one memory.
        np.testing.assert_array_equal(one, other)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        got, wanted = sluice.program(strict=False)(function)(np.arange(4.0), 5), function(np.arange(4.0), 5)
    for one, other in zip(got, wanted):
        np.testing.assert_allclose(one, other)


def appends_as_often_as_it_was_long(a):
    kept = [x for x in a if x > 2.0]
    for i in range(len(kept)):
        kept.append(kept[i] + 1.0)
    return np.array(kept)


def two_that_feed_each_other(a):
    one, other = [a[0]], [a[1]]
    for _ in range(3):
        for i in range(len(one)):
            other.append(one[i] * 2.0)
        for i in range(len(other)):
            one.append(other[i] - 1.0)
    return np.array(one), np.array(other)


@pytest.mark.parametrize("function", [appends_as_often_as_it_was_long, two_that_feed_each_other])
def test_appends_in_a_loop_as_long_as_a_list(function):
    np.testing.assert_equal(sluice.program(strict=True)(function)(np.arange(6.0)), function(np.arange(6.0)))


def slices(a, k, j):
    kept = [x for x in a if x > 0.3]
    return kept[k:], kept[:k], kept[k:j], kept[-k:], kept[j::2], kept[::-2], kept[k::-1], kept[:k:-1], kept[-3:-1], kept[10:], kept[-10:2]


@pytest.mark.parametrize("k", [0, 1, 3, -2, 9])
@pytest.mark.parametrize("j", [0, 2, -1])
def test_slices_of_lists_of_the_run(k, j):
    a = np.array([0.9, 0.1, 0.4, 0.6, 0.2, 0.8, 0.7, 0.5])
    assert sluice.program(strict=True)(slices)(a, k, j) == slices(a, k, j)


def sums(a):
    kept = [x for x in a if x > 0.3]
    total = 0.0
    for x, y in zip(kept, kept[1:]):
        total += x * y
    both = kept + kept[::-1]
    both[0] = a[0] * 2
    return total, both, [a[1]] + kept + both[:2], kept


def rows_turned(n):
    out = []
    for i in range(n):
        row = [j for j in range(i)] + [i]
        out += row[::-1]
    return out


@pytest.mark.parametrize("function, argument", [(sums, np.array([0.9, 0.1, 0.4, 0.6])), (rows_turned, 5)])
def test_sums_of_lists_of_the_run(function, argument):
    assert sluice.program(strict=True)(function)(argument) == function(argument)


def primes(n):
    return [p for p in range(2, n) if all(p % d for d in range(2, int(p**0.5) + 1))]


def test_powers_in_nested_comprehensions():
    assert sluice.program(strict=True)(primes)(50) == primes(50)


@pytest.mark.parametrize("function", [lambda n: [2**k for k in range(n)], lambda n: [k**20 for k in range(n)], lambda n: sum(k * 3000000000000 for k in range(n))])
def test_elements_that_may_not_fit(function):
    assert sluice.program(strict=True)(function)(5) == function(5)


def bubble_sort(x):
    ys = list(x)
    for i in range(len(ys)):
        for j in range(len(ys) - 1 - i):
            if ys[j] > ys[j + 1]:
                ys[j], ys[j + 1] = ys[j + 1], ys[j]
    return ys


def rotated(n):
    ys = [i * i for i in range(n)]
    ys[0], ys[1], ys[2] = ys[1], ys[2], ys[0]
    ys[0], first = ys[-1], ys[0]
    at = 0
    at, ys[at] = 2, 100
    return ys, first, at


def transposed(n):
    g = [[10 * i + j for j in range(n)] for i in range(n)]
    for i in range(n):
        for j in range(i):
            g[i][j], g[j][i] = g[j][i], g[i][j]
    return g


def test_elements_of_lists_are_swapped():
    x = np.random.default_rng(3).random(20)
    assert sluice.program(strict=True)(bubble_sort)(x) == bubble_sort(x)
    assert sluice.program(strict=True)(rotated)(6) == rotated(6)
    assert sluice.program(strict=True)(transposed)(5) == transposed(5)


def made_anew_under_a_loop(n):
    xs, last = list(range(n)), [0]
    for v in xs:
        xs = [u + v for u in xs]
    for v in last:
        cur = [v, v + 1] + [n] * 3
        last = cur
    return xs, last


def made_anew(n, order):
    xs = list(range(n))
    for k in range(n):
        xs = [x + 1 for x in xs if x % 2 == k % 2] + [k]
    rows = [np.arange(3.0) * k for k in range(n)]
    for _ in range(2):
        first = rows[0]
        rows = [rows[i] for i in order]
        rows[0] = rows[0] + first
    return xs, len(xs), np.array(rows)


def test_lists_that_are_made_of_themselves():
    """A loop over a list goes over what its name meant in front of it."""
    for n in (2, 5):
        assert not differences(made_anew_under_a_loop(n), sluice.program(made_anew_under_a_loop)(n), "under a loop")
        order = np.arange(n)[::-1].copy()
        assert not differences(made_anew(n, order), sluice.program(made_anew, strict=False)(n, order), "anew")
