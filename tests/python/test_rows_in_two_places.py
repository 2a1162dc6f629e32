"""Lists and arrays in lists: one that Python has in two places is one, or refused; a name of a row means what it meant."""
import numpy as np
import pytest

import sluice


def row_that_is_replaced(n):
    p = [[0, i] for i in range(n)]
    r = p[0]
    p[0] = [7, 7]
    return r[0]


def row_in_a_loop(n):
    p = [[0, i] for i in range(n)]
    total, r = 0, p[0]
    for k in range(n):
        total += r[1]
        p[0] = [7, k]
    return total


def row_of_a_sorted_list(n):
    p = [[0, i] for i in range(n)]
    r = p[0]
    p.sort(key=lambda q: -q[1])
    return r[1]


def row_behind_an_insertion(n):
    p = [[0, i] for i in range(n)]
    r = p[0]
    p.insert(0, [9, 9])
    return r[1]


def row_of_a_list_that_is_cleared(n):
    p = [[0, i] for i in range(n)]
    r = p[0]
    p.clear()
    p.append([5, 5])
    return r[1]


def array_that_is_replaced(n):
    p = [np.array([0, i]) for i in range(n)]
    r = p[0]
    p[0] = np.array([7, 7])
    return r


def changed_in_a_sum(n):
    p = [[0, i] for i in range(n)]
    q = p + [[5, 6]]
    q[0][0] = 4
    return p


def filtered(n):
    p = [[0, i] for i in range(n)]
    return p, [r for r in p if r[1] > 0]


def taken_twice(n):
    p = [[0, i] for i in range(n)]
    return [p[i % 2] for i in range(n)]


def with_its_last(n):
    p = [[0, i] for i in range(n)]
    return p[-1], p


def two_rows(n):
    p = [[0, i] for i in range(n)]
    return p[0], p[n - 1]


@pytest.mark.parametrize("function", [row_that_is_replaced, row_in_a_loop, row_of_a_sorted_list, row_behind_an_insertion,
                                      row_of_a_list_that_is_cleared, array_that_is_replaced, changed_in_a_sum, filtered, taken_twice,
                                      with_its_last, two_rows])
def test_what_a_copy_would_not_be(function):
    """They had copies, or what lay there later."""
    try:
        got = sluice.program(function, strict=True)(3)
    except sluice.CompileError:
        return
    assert in_places(got) == in_places(function(3))


def in_places(value):
    """The value, with a number for each list: one that stands in two places has one number."""
    numbers = {}

    def shown(one):
        if isinstance(one, np.ndarray):
            return one.tolist()
        if not isinstance(one, (list, tuple)):
            return one
        return [numbers.setdefault(id(one), len(numbers)), *map(shown, one)]

    return shown(value)


def only_filtered(n):
    p = [[0, i] for i in range(n)]
    return [r for r in p if r[1] > 0]


def row_bound_again(n):
    p = [[0, i] for i in range(n)]
    total = 0
    for k in range(n):
        r = p[k]
        total += r[1]
        p[k] = [total, k]
    return p


def exchanged(n):
    p = [[0, i] for i in range(n)]
    for k in range(n - 1):
        p[k], p[k + 1] = p[k + 1], p[k]
    return p


@pytest.mark.parametrize("function", [only_filtered, row_bound_again, exchanged])
def test_what_is_no_copy_is_python(function):
    assert sluice.program(function, strict=True)(4) == function(4)


def sorted_in_place(m):
    m.sort(key=lambda row: -row[0])


def lengthened(m):
    m.append([9, 9])


def test_rows_of_the_callers_that_move():
    """Who holds a row sees where it is; the others see its elements alone."""
    rows = [[1, 2], [3, 4]]
    held = rows[1]
    sluice.program(sorted_in_place, strict=True)(rows)
    sluice.program(lengthened, strict=True)(rows)
    assert rows[0] is held and rows == [[3, 4], [1, 2], [9, 9]]


def rows_of_the_callers(m):
    return [row for row in m if row[0] > 0]


def test_lists_of_the_callers_rows_hold_them():
    rows = [[i % 3, 1] for i in range(100)]
    found, expected = sluice.program(rows_of_the_callers, strict=True)(rows), rows_of_the_callers(rows)
    assert len(found) == len(expected) and all(mine is its for mine, its in zip(found, expected))
