"""Tuples and lists are compared as Python does: the first elements that differ decide, and the answer is one of its bools."""
import numpy as np
import pytest

import sluice


def equal(i, j): return (i, j) == (1, 2)


def different(i, j):
    differ = (i, j) != (1, 2)
    return differ


def lists(i, j): return [i, j] == [1, 2], [i, j] <= [1, 2]


def before(i, j): return (i, j) < (1, 3), (i, j) <= (1, 2), (i, j) > (1, 2), (i, j) >= (1, 2, 0), (i,) < (1, j)


def unlike(i, j): return (i, j) == [1, 2], (i, j) != [1, 2], (i, j) == (1, 2, 3), (i, j) != (1,)


def nested(i, j): return (i, (j, 2)) == (1, (2, 2)), (i, (j, 2)) < (1, (2, 3))


def named(i, j):
    p, q = (i, j), (1, 2)
    return 1 if p == q else 0


def texts(i, j): return ("a", i) == ("a", 1), ("a", i) == ("b", 1)


def shapes(i, j):
    a, b = np.zeros((2, 3)), np.ones((2, 3))
    return a.shape == b.shape, a.shape == (3, 2), a.shape < (2, 4)


@pytest.mark.parametrize("function", [equal, different, lists, before, unlike, nested, named, texts, shapes])
@pytest.mark.parametrize("numbers", [(1, 2), (1, 3), (0, 9), (2, 0), (1.0, 2.0)])
def test_answers_are_pythons(function, numbers):
    assert repr(sluice.program(function, strict=True)(*numbers)) == repr(function(*numbers))


def test_in_loops_and_comprehensions():
    def around(x, n):
        total = 0.0
        for i in range(n):
            for j in range(n):
                if (i, j) == (1, 2) or (i, j) < (1, 0):
                    total += x[i, j]
        return total, sum(x[i, j] for i in range(3) for j in range(3) if (i, j) != (1, 1))

    x = np.arange(9.0).reshape(3, 3)
    assert sluice.program(around, strict=True)(x, 3) == around(x, 3)


def test_an_array_beside_a_list_is_compared_element_by_element():
    def against(x):
        return x == [1, 2], np.array([1, 3]) < (2, 2)

    for one, other in zip(sluice.program(against, strict=True)(np.array([1, 5])), against(np.array([1, 5]))):
        np.testing.assert_array_equal(one, other)


def test_what_has_no_one_truth_is_refused():
    def arrays(x):
        return (x, 1) == (x, 1)

    with pytest.raises(sluice.CompileError, match="F001.*a comparison of tuples of these values"):
        sluice.program(arrays, strict=True)(np.ones(3))
    with pytest.raises(sluice.CompileError, match="F001.*an order of a tuple and a list"):
        sluice.program(lambda i: (i, 1) < [i, 1], strict=True)(2)


def test_tuple_makes_tuples():
    def made(x):
        t = tuple(x * k for k in (1, -1))
        return t, tuple([1, 2]), tuple(), t[0] @ t[1], tuple((x[0], 3))

    x = np.arange(3.0)
    for one, other in zip(sluice.program(made, strict=True)(x), made(x)):
        assert type(one) is type(other)
        np.testing.assert_array_equal(one, other)
    with pytest.raises(sluice.CompileError, match="F001.*a tuple whose length the run decides"):
        sluice.program(lambda x: tuple(v for v in x if v > 1), strict=True)(x)
