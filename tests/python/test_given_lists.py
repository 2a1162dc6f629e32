"""Lists of the caller's as arguments: what Python would answer, in strict mode, and the caller's list as Python would leave it."""
import copy

import numpy as np
import pytest
import sluice


def bubble_sort(a):
    for i in range(len(a)):
        for j in range(len(a) - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return a


def changed_by_methods(a, x):
    a.sort(reverse=True)
    a.append(x)
    a.insert(0, x + 1)
    return a.pop(), len(a)


def returns_early(a):
    if a[0] > 2:
        a.append(7)
        return
    a.clear()


def rotated(a, k):
    k = k % len(a)
    a[:] = a[-k:] + a[:-k]


def keeps_the_callers(a):
    b = a
    a = [x * 2 for x in a]
    b[0] = 100
    return a


def under_two_names(a):
    b = a
    b.append(4)
    return b, a


def transposed_in_place(m):
    n = len(m)
    for i in range(n):
        for j in range(i, n):
            m[i][j], m[j][i] = m[j][i], m[i][j]
    for row in m:
        row.reverse()
    return m


def solved(A, b):
    n = len(A)
    for i in range(n):
        pivot = A[i][i]
        for j in range(i, n):
            A[i][j] /= pivot
        b[i] /= pivot
        for k in range(i + 1, n):
            factor = A[k][i]
            for j in range(i, n):
                A[k][j] -= factor * A[i][j]
            b[k] -= factor * b[i]
    x = [0.0] * n
    for i in range(n - 1, -1, -1):
        x[i] = b[i] - sum(A[i][j] * x[j] for j in range(i + 1, n))
    return x


def changed_by_a_helper(a, b):
    def put(l, v):
        l.append(v)
    put(a, 9)
    put(b, 8)
    return a + b


def degrees(edges, n):
    d = [0] * n
    for u, v in edges:
        d[u] += 1
        d[v] += 1
    return d


def weighted(edges):
    return sum(w for _, w in edges), sorted(edges, key=lambda e: -e[1])[0]


def negated(flags):
    flags[1] = not flags[1]
    return sum(flags), all(flags)


def magnitudes(z):
    return sum(z), [abs(one) for one in z]


def grown(a, n):
    for i in range(n):
        a.append(i * i)
    return a


def as_arrays(a):
    return np.array(a).sum(), np.array(a, dtype=float).mean(), np.cumsum(a)


def increasing(a):
    import bisect
    t = []
    for x in a:
        i = bisect.bisect_left(t, x)
        if i == len(t):
            t.append(x)
        else:
            t[i] = x
    return len(t)


def counted_by_an_import_inside(a):
    from collections import Counter, deque
    c, waiting = Counter(a), deque()
    for x in a:
        waiting.append(x)
    return len(c), c[a[0]], waiting.popleft()


def shadowed(a):
    double = lambda a: a * 2
    return [double(a) for a in a], a[0]


def outside(a, k):
    a[k + 5] = 1
    return a


CALLS = [
    (bubble_sort, [5, 2, 9, 1]), (bubble_sort, [0.5] * 30 + [0.25]), (changed_by_methods, [5, 2, 9, 1], 4), (returns_early, [3, 1]),
    (returns_early, [1, 3]), (rotated, list(range(12)), 5), (keeps_the_callers, [3, 1, 2]), (under_two_names, [3, 1, 2]),
    (transposed_in_place, [[1, 2, 3], [4, 5, 6], [7, 8, 9]]), (solved, [[1.0, 2.0], [3.0, 5.0]], [1.0, 2.0]),
    (changed_by_a_helper, [1, 2, 3], [1, 2, 3]), (degrees, [(0, 1), (1, 2), (2, 0)] * 5, 3), (weighted, [(0, 1.5), (1, 2.5)] * 8),
    (negated, [True, False, True]), (magnitudes, [1 + 2j, 3 + 0j] * 5), (grown, [], 3), (grown, [7], 3), (as_arrays, [1, 2, 3, 4] * 5),
    (increasing, [4, 2, 7, 1, 3]), (counted_by_an_import_inside, [3, 3, 1, 2] * 5), (shadowed, [4, 3, 2, 1])]


def typed(value):
    if isinstance(value, (list, tuple)):
        return type(value), [typed(one) for one in value]
    return type(value), value.tolist() if isinstance(value, np.ndarray) else value


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call[0].__name__}-{len(call[1])}")
def test_as_python(call):
    function, *arguments = call
    python, ours = copy.deepcopy(arguments), copy.deepcopy(arguments)
    wanted = function(*python)
    assert typed(sluice.program(function, strict=True)(*ours)) == typed(wanted)
    assert typed(ours) == typed(python)


def test_the_returned_list_is_the_callers():
    given = [3, 1, 2]
    assert sluice.program(bubble_sort, strict=True)(given) is given == [1, 2, 3]
    first, second = sluice.program(under_two_names, strict=True)(given)
    assert first is second is given


def test_rows_stay_the_callers():
    rows = [[1, 2], [3, 4]]
    first = rows[0]
    assert sluice.program(transposed_in_place, strict=True)(rows) is rows
    assert rows[0] is first == [3, 1]


def returned_row(m):
    return m[1]


def returned_row_by_name(m):
    row = m[1]
    return row, len(m)


@pytest.mark.parametrize("function", [returned_row, returned_row_by_name])
def test_a_returned_row_is_the_callers(function):
    """It was a copy."""
    rows, others = [[1, 2], [3, 4]], [[1, 2], [3, 4]]
    result, wanted = sluice.program(strict=True)(function)(rows), function(others)
    assert result == wanted and [result is row for row in rows] == [wanted is row for row in others]


def test_a_number_of_a_row_is_a_number():
    def corner(m):
        x = m[0][1]
        return m[1][0], x
    assert sluice.program(corner, strict=True)([[k, k + 1] for k in range(50)]) == (1, 1)


def test_lists_of_every_length():
    program = sluice.program(bubble_sort, strict=True)
    for n in (1, 10, 20, 30, 400):
        assert program(list(range(n, 0, -1))) == list(range(1, n + 1))


def test_an_index_outside_names_pythons_error():
    with pytest.raises(IndexError, match="list assignment index out of range"):
        sluice.program(outside, strict=True)([4, 3, 2], 2)


def appends_until(a, x, k):
    for i in range(len(x)):
        x[i] += 1.0
        a.append(i)
        if i == k:
            raise ValueError("that is enough")
    return a[k + 7]


@pytest.mark.parametrize("k", [2, 9])
def test_what_python_did_before_it_raises_stays(k):
    mine, plain, x, y = [1], [1], np.zeros(5), np.zeros(5)
    with pytest.raises((ValueError, IndexError)) as expected:
        appends_until(plain, y, k)
    with pytest.raises(type(expected.value)) as raised:
        sluice.program(appends_until, strict=True)(mine, x, k)
    assert str(raised.value) == str(expected.value)
    assert mine == plain and np.array_equal(x, y)


def test_text_beside_a_lambda_with_its_name():
    def chosen(s, k):
        f = lambda s: s + 1
        return f(k) if s == "more" else k
    assert sluice.program(chosen, strict=True)("more", 3) == 4
