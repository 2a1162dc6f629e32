"""Functions that call themselves to a depth that only the run knows: loops with a stack."""
import math

import numpy as np
import pytest

import sluice


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def of_fib(n):
    return fib(n) + 1


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def quicksort(a, lo, hi):
    if lo < hi:
        p = a[hi]
        i = lo - 1
        for j in range(lo, hi):
            if a[j] <= p:
                i += 1
                a[i], a[j] = a[j], a[i]
        a[i + 1], a[hi] = a[hi], a[i + 1]
        quicksort(a, lo, i)
        quicksort(a, i + 2, hi)


def sorted_by_it(a):
    quicksort(a, 0, len(a) - 1)
    return a


def adaptive(a, b, tol):
    def f(x):
        return math.sqrt(abs(x))

    def simpson(a, b):
        return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b))

    def rec(a, b, whole, tol):
        m = (a + b) / 2
        left, right = simpson(a, m), simpson(m, b)
        if abs(left + right - whole) < 15 * tol:
            return left + right + (left + right - whole) / 15
        return rec(a, m, left, tol / 2) + rec(m, b, right, tol / 2)

    return rec(a, b, simpson(a, b), tol)


def gamma(z):
    if z < 0.5:
        return math.pi / (math.sin(math.pi * z) * gamma(1 - z))
    return math.sqrt(2 * math.pi / z) * ((z + 1 / (12 * z - 1 / (10 * z))) / math.e)**z


def subset_sum(x, at, rest):
    """`or` evaluates its second call only where the first is false."""
    if rest == 0:
        return True
    if at == len(x) or rest < 0:
        return False
    return subset_sum(x, at + 1, rest - x[at]) or subset_sum(x, at + 1, rest)


def can_make(x, total):
    return subset_sum(x, 0, total)


def fill(img, i, j, new, old):
    if i < 0 or j < 0 or i >= img.shape[0] or j >= img.shape[1] or img[i, j] != old:
        return
    img[i, j] = new
    fill(img, i + 1, j, new, old)
    fill(img, i - 1, j, new, old)
    fill(img, i, j + 1, new, old)
    fill(img, i, j - 1, new, old)


def flooded(img, i, j, new):
    fill(img, i, j, new, img[i, j])
    return img


def order_of_evaluation(trace, n):
    """What stands in front of a call is evaluated before it."""
    if n == 0:
        return trace[0]
    trace[0] = trace[0] * 2 + 1
    return trace[0] * 3 - order_of_evaluation(trace, n - 1) + trace[0]


def in_order(n):
    return order_of_evaluation(np.array([1.5]), n)


def collatz(n, steps=0):
    while n % 2 == 0:
        n //= 2
        steps += 1
    return steps if n == 1 else collatz(3 * n + 1, steps=steps + 1) + 0 * n


def nodes(n):
    if n <= 0:
        return 0
    count = 1
    count += nodes(n - 1)
    count += nodes(n - 2)
    return count


def of_nodes(n):
    return nodes(n)


def hyper(n, x):
    if n == 0:
        return x
    s = 0
    s = s + hyper(n - 1, x)
    t = 2 * s
    return t + hyper(n - 1, x) / 2


def of_hyper(n, x):
    return hyper(n, x)


def binom(n, k):
    return 1 if k == 0 or k == n else binom(n - 1, k - 1) + binom(n - 1, k)


def of_binom(n, k):
    return binom(n, k)


def power(x, n):
    if n == 0:
        return 1.0
    if n % 2 == 1:
        return x * power(x, n - 1)
    h = power(x, n // 2)
    return h * h


def of_power(x, n):
    return power(x, n)


def ipower(x, n):
    if n == 0:
        return 1
    h = ipower(x, n // 2)
    return h * h if n % 2 == 0 else h * h * x


def of_ipower(x, n):
    return ipower(x, n)


def height(t, i):
    if i >= len(t) or t[i] < 0:
        return 0
    l = height(t, 2 * i + 1)
    r = height(t, 2 * i + 2)
    return 1 + max(l, r)


def of_height(t):
    return height(t, 0)


def total(t, i):
    if i >= len(t):
        return 0.0
    return t[i] + total(t, 2 * i + 1) + total(t, 2 * i + 2)


def of_total(t):
    return total(t, 0)


def even(n):
    if n == 0:
        return True
    return not even(n - 1)


def of_even(n):
    return even(n)


def bis(lo, hi, n):
    mid = (lo + hi) / 2
    if n == 0:
        return mid
    if mid * mid > 2:
        return bis(lo, mid, n - 1) + 0.0
    return bis(mid, hi, n - 1) + 0


def of_bis(n):
    return bis(1, 2, n)


def mut(a, i, depth):
    if depth == 0:
        a[i % 5] += 1
        return 0
    c = 0
    c += mut(a, i, depth - 1)
    c += mut(a, i + 1, depth - 1)
    return c + i


def of_mut(a, d):
    n = mut(a, 0, d)
    return a, n


rng = np.random.default_rng(4)
CASES = [(of_fib, 1), (of_fib, 15), (fib, 12), (ackermann, 2, 3), (sorted_by_it, rng.integers(0, 50, 40)), (adaptive, 0.0, 1.0, 1e-6), (gamma, 4.5), (gamma, 0.2),
         (can_make, np.array([3, 34, 4, 12, 5, 2]), 9), (can_make, np.array([3, 34, 4, 12, 5, 2]), 30),
         (flooded, (rng.random((8, 8)) < 0.7).astype(np.int64), 3, 3, 7), (in_order, 7), (collatz, 27), (of_nodes, 8), (nodes, 7),
         (of_hyper, 4, 2.0), (of_hyper, 4, 3), (of_binom, 7, 3), (of_power, 1.5, 11), (of_power, 2, 5), (of_ipower, 3, 13), (of_height, np.array([1, 2, 3, -1, 4, 5, -1, -1, -1, 7])),
         (of_total, np.arange(10.0)), (of_total, np.arange(10)), (of_even, 9), (of_bis, 12), (of_mut, np.zeros(5, dtype=np.int64), 5), (of_mut, np.zeros(5), 4)]


@pytest.mark.parametrize("at", range(len(CASES)), ids=lambda at: f"{CASES[at][0].__name__}{at}")
def test_as_python(at):
    function, *given = CASES[at]
    copies = [np.copy(one) if isinstance(one, np.ndarray) else one for one in given]
    wanted = function(*copies)
    mine = [np.copy(one) if isinstance(one, np.ndarray) else one for one in given]
    got = sluice.program(function, strict=True)(*mine)
    for w, g in zip(wanted if isinstance(wanted, tuple) else (wanted,), got if isinstance(got, tuple) else (got,)):
        assert type(g) is type(w)
        np.testing.assert_allclose(g, w, rtol=1e-12)
    for one, other in zip(copies, mine):
        np.testing.assert_array_equal(one, other)


def test_deeper_than_python():
    def depth(n):
        return 0 if n == 0 else depth(n - 1) + 1

    def of_depth(n):
        return depth(n)

    assert sluice.program(of_depth, strict=True)(100000) == 100000


def test_sums_of_calls_in_a_loop():
    def leaves(n):
        if n == 0:
            return 1
        count = 0
        for k in range(n):
            count += leaves(k)
        return count

    def of_leaves(n):
        return leaves(n)

    assert sluice.program(of_leaves, strict=True)(4) == of_leaves(4)


def test_what_has_no_value_on_a_path_is_not_saved():
    def sums(n):
        if n % 2 == 1:
            half = n // 2
        if n == 0:
            return 0
        below = sums(n - 1)
        if n % 2 == 1:
            below += half
        return below

    def of_sums(n):
        return sums(n)

    try:
        assert sluice.program(of_sums, strict=True)(9) == of_sums(9)
    except sluice.CompileError as error:
        assert error.code == "F001"


# ---- calls in loops -------------------------------------------------------------------------------------------------------------
def queens(n):
    count = 0
    columns = [False] * n
    rising, falling = [False] * (2 * n), [False] * (2 * n)

    def place(row):
        nonlocal count
        if row == n:
            count += 1
            return
        for c in range(n):
            if not columns[c] and not rising[row + c] and not falling[row - c + n]:
                columns[c] = rising[row + c] = falling[row - c + n] = True
                place(row + 1)
                columns[c] = rising[row + c] = falling[row - c + n] = False

    place(0)
    return count


def safe_columns(board, row, n):
    if row == n:
        return 1
    total = 0
    for column in range(n - 1, -1, -1):
        safe = True
        for r in range(row):
            if board[r] == column or abs(board[r] - column) == row - r:
                safe = False
                break
        if safe:
            board[row] = column
            total += safe_columns(board, row + 1, n)
    return total


def queens_of_an_array(n):
    return safe_columns(np.zeros(n, dtype=int), 0, n)


def largest_arrangement(n):
    used, order = [False] * n, [0] * n
    best = 0

    def go(k):
        nonlocal best
        if k == n:
            s = 0
            for i in range(n):
                s += i * order[i]
            best = max(best, s)
            return
        v = -1
        while v + 1 < n:
            v += 1
            if used[v]:
                continue
            if k == 0 and v == n - 1:
                break
            used[v] = True
            order[k] = v
            go(k + 1)
            used[v] = False
        else:
            order[k] = 0

    go(0)
    return best


def islands(grid):
    rows, columns = grid.shape
    seen = np.zeros((rows, columns), dtype=bool)

    def fill(r, c):
        if r < 0 or r >= rows or c < 0 or c >= columns:
            return
        if seen[r, c] or grid[r, c] == 0:
            return
        seen[r, c] = True
        for dr, dc in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
            fill(r + dr, c + dc)

    count = 0
    for r in range(rows):
        for c in range(columns):
            if grid[r, c] == 1 and not seen[r, c]:
                count += 1
                fill(r, c)
    return count


def depth_first(pointers, neighbours):
    seen = np.zeros(len(pointers) - 1, dtype=bool)
    order = []

    def visit(u):
        seen[u] = True
        order.append(u)
        for k in range(pointers[u], pointers[u + 1]):
            if not seen[neighbours[k]]:
                visit(neighbours[k])

    visit(np.int64(0))
    return order


def colours(adjacent, k):
    n = len(adjacent)
    colour = np.full(n, -1)

    def fits(v, c):
        for u in range(n):
            if adjacent[v, u] and colour[u] == c:
                return False
        return True

    def go(v):
        if v == n:
            return True
        for c in range(k):
            if fits(v, c):
                colour[v] = c
                if go(v + 1):
                    return True
                colour[v] = -1
        return False

    found = go(0)
    return found, colour


def visited(rows):
    """A loop over an array, one with `enumerate`, and one over two arrays."""
    total = 0

    def go(depth):
        nonlocal total
        if depth == 3:
            return
        for v in rows:
            total += v
        for k, v in enumerate(rows):
            if k > depth:
                total += v * k
                go(depth + 1)
        for a, b in zip(rows, rows):
            total += a - b
            go(depth + 1)

    go(0)
    return total


GRID = np.array([[1, 1, 0, 0], [0, 1, 0, 1], [1, 0, 0, 1]])
CYCLE = np.array([[0, 1, 0, 0, 1], [1, 0, 1, 0, 0], [0, 1, 0, 1, 0], [0, 0, 1, 0, 1], [1, 0, 0, 1, 0]])


@pytest.mark.parametrize("function, arguments", [
    (queens, (6,)), (queens_of_an_array, (5,)), (largest_arrangement, (4,)), (islands, (GRID,)),
    (depth_first, (np.array([0, 2, 3, 4, 4]), np.array([1, 2, 0, 3]))), (colours, (CYCLE, 3)), (colours, (CYCLE, 2)),
    (visited, (np.array([3, 5]),))], ids=lambda one: getattr(one, "__name__", ""))
def test_calls_in_loops(function, arguments):
    wanted, found = function(*arguments), sluice.program(function, strict=True)(*arguments)
    np.testing.assert_equal(found, wanted)
    for one, other in zip(*((each if isinstance(each, (tuple, list)) else [each]) for each in (found, wanted))):
        assert type(one) is type(other)
