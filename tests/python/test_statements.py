"""Python as people write it: imports in programs, tuples by a condition, else of loops, writes to copies, breaks that leave names behind."""
import numpy as np
import pytest

import sluice
from test_data_sizes import agree

V = np.array([1.0, -2.0, 3.0, 0.0, 5.0, -1.0])
A = np.arange(12.0).reshape(4, 3)


def imports(a):
    import numpy
    from math import sqrt
    return sqrt(a[0]) * numpy.sum(a)


def writes_to_copies(a):
    a[[0, 1]][0] = 5
    a[a > 0][0] = 7
    a[[0, 1]][0] += 5
    return a


def tuple_by_a_condition(a, k):
    p = (1.0, 2.0) if k > 0 else (3.0, 4.0)
    lo, hi = (0, k) if k < 3 else (1, k + 1)
    return p[0] + 10 * p[1], a[lo:hi]


def else_of_a_for(a, limit):
    for i in range(len(a)):
        if a[i] > limit:
            break
    else:
        return -1.0
    return a[i]


def else_over_elements(a, limit):
    n = 0
    for v in a:
        if v < 0:
            if v < -limit:
                break
            continue
        n += 1
    else:
        n += 100
    return n


def else_of_a_while(a, limit):
    i = 0
    while i < 3:
        i += 1
        if a[i] > limit:
            break
    else:
        i = 10
    return i


@pytest.mark.parametrize("function", [imports, writes_to_copies])
def test_statements(function):
    agree(function, V)


@pytest.mark.parametrize("k", [-1, 2, 4])
@pytest.mark.parametrize("function", [tuple_by_a_condition, else_of_a_for, else_over_elements, else_of_a_while])
def test_statements_that_branch(function, k):
    agree(function, V, k)


def test_a_view_bound_in_a_loop_with_a_break():
    def f(k, b):
        for i in range(3):
            v = b[:k]
            if i > 1:
                break
        return np.sum(v)
    agree(f, 1, A)


def test_two_lists_in_one_expression_are_two_arrays():
    def f(a):
        x = np.where(a[:2] > 0, [1.0, 2.0], [3.0, 4.0])
        y = np.add([1.0, 2.0], [3.0, 5.0])
        return x, y
    agree(f, V)


def test_what_where_chooses_is_of_numpy():
    def f(a, x):
        return np.where(a[0] > 0, 1, 2) * x
    agree(f, V, np.ones(3, np.float32))


def test_an_array_and_then_a_number_in_a_returned_name():
    def f(a):
        v = a.astype(np.int64)
        w, v = 1.0, np.argmax(v)
        return v, w
    agree(f, A)


def test_a_number_on_one_path_and_an_array_on_the_other():
    def f(k, b):
        if k > 0:
            return b[:k]
        return b[0]
    for k in (2, 0):
        agree(f, k, V)
