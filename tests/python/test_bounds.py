"""Indices that leave an array raise IndexError with NumPy's words, as Python does, without check=True: outside of loops, in `while`, and
in `for` loops, behind conditions and read from data as well. What is inside runs, negative indices included."""
import numpy as np
import pytest

import sluice

N, M = sluice.symbol("N"), sluice.symbol("M")


def shifted(x, k):
    s = 0.0
    for i in range(5):
        s += x[i + k]
    return s


def backwards(x, k):
    s = 0.0
    for i in range(k - 1, -1, -1):
        s += x[i]
    return s


def by_steps(x, k):
    for i in range(0, k, 3):
        x[i] = 1.0
    return x


def counted_from_the_end(x, k):
    s = 0.0
    for i in range(5):
        s += x[i - k]
    return s


def triangle(x, k):
    s = 0.0
    for i in range(k):
        for j in range(i):
            s += x[j]
    return s


def nested(x, k):
    s = 0.0
    for i in range(k):
        for j in range(2):
            s += x[i * 2 + j]
    return s


def two_arrays(x, k):
    y = np.ones(k)
    s = 0.0
    for i in range(len(y)):
        s += x[i] * y[i]
    return s


def doubled_element(v, i):
    return v[i] * 2


def by_helper(x, k):
    s = 0.0
    for i in range(k):
        s += doubled_element(x, i)
    return s


def in_steps_of_time(x, k):
    for t in range(3):
        y = x.copy()
        for i in range(1, k - 1):
            x[i] = (y[i - 1] + y[i + 1]) / 2
    return x


def behind_a_while(x, k):
    i, s = 0, 0.0
    while i < k:
        s += x[i]
        i += 1
    return s


def until_found(x, k):
    i = 0
    while x[i] < k:
        i += 1
    return i


def guarded_while(x, k):
    i = 0
    while i < len(x) and x[i] < k:
        i += 1
    return i


def guarded(x, k):
    s = 0.0
    for i in range(k):
        if i < len(x):
            s += x[i]
    return s


def left_early(x, k):
    s = 0.0
    for i in range(k):
        if i > 8:
            break
        s += x[i]
    return s


def unreached(x, k):
    s = 0.0
    for i in range(4):
        if i > k:
            for j in range(k + 8):
                s += x[j]
    return s


def around(x, k):
    s = 0.0
    for i in range(k):
        s += x[i % len(x)]
    return s


LOOPS = [shifted, backwards, by_steps, counted_from_the_end, triangle, nested, two_arrays, by_helper, in_steps_of_time, behind_a_while,
         until_found, guarded_while, guarded, left_early, unreached, around]


def outcome(function, arguments):
    try:
        return function(*arguments)
    except (IndexError, ValueError) as error:
        return error


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("function", LOOPS)
def test_loops_raise_where_python_does(function, strict):
    program = sluice.program(function, strict=strict)
    raised = 0
    for k in (0, 1, 3, 4, 5, 6, 9, 10, 11, 12, 16, -1, -4):
        ours, theirs = np.arange(10.0), np.arange(10.0)
        got, wanted = outcome(program, (ours, k)), outcome(function, (theirs, k))
        if isinstance(wanted, Exception):
            raised += 1
            assert isinstance(got, type(wanted)), (k, got, wanted)
            if isinstance(wanted, IndexError) and function not in (triangle, nested):  # These name another index.
                assert str(wanted) in str(got)
        else:
            assert np.array_equal(got, wanted) and np.array_equal(ours, theirs), (k, got, wanted)
    assert raised or function in (guarded_while, guarded, left_early, unreached, around)


def walked(x, at):
    s = 0.0
    for j in at:
        s += x[j]
    return s


def by_data(x, at):
    s = 0.0
    for i in range(len(at)):
        s += x[at[i]]
    return s


def by_data_in_while(x, at):
    i, s = 0, 0.0
    while i < len(at):
        s += x[at[i]]
        i += 1
    return s


def behind_a_condition(x, at):
    s = 0.0
    for i in range(len(at)):
        if at[i] > 2:
            s += x[at[i]]
        else:
            s += x[i + 7]
    return s


def by_locals(x, at):
    for i in range(len(at)):
        k = at[i] + 1
        if i % 2 == 0:
            x[k] = i
    return x


def counted(x, at):
    y = np.zeros(len(x), dtype=np.int64)
    for i in range(len(at)):
        y[at[i]] += 1
    return y


def rows_by_data(x, at):
    A = np.outer(x, x)
    s = 0.0
    for i in range(len(at)):
        row = A[at[i]]
        s += row[0] + A[1, at[i]] + A[:, at[i]].sum() + (x[at[i]] if i < 2 else 1.0)
    return s


def followed(x, at):
    k, s = 0, 0.0
    for i in range(4):
        k = at[k]
        s += k
    return s


def searched_in_rows(x, at):
    s = 0
    for i in range(len(at)):
        j = 0
        while x[at[i] + j] < 6:
            j += 1
        s += j
    return s


def by_extents(x, at):
    s = 0.0
    for i in range(len(at) - 1):
        for j in range(at[i], at[i + 1]):
            s += x[j] * at[j]
    return s


def in_time_steps(x, at):
    y = np.zeros(len(at))
    for t in range(3):
        y += x[at]
    return y


def until_a_break(x, at):
    s = 0.0
    for i in range(len(at)):
        if at[i] == 5:
            break
        s += x[i + 5]
    return s


def exchanged(x, at):
    for i in range(len(at)):
        x[i], x[at[i]] = x[at[i]], x[i]
    return x


def filled(x, at):
    h = np.zeros(4)
    for v in x:
        h[int(v) - 4] += 1
    return h


BY_DATA = [walked, by_data, by_data_in_while, behind_a_condition, by_locals, counted, rows_by_data, followed, searched_in_rows, by_extents,
           in_time_steps, until_a_break, exchanged, filled]


@pytest.mark.parametrize("function", BY_DATA)
def test_indices_that_data_decide(function):
    program = sluice.program(function, strict=True)
    raised = 0
    for size, at in [(10, [1, 2, 3]), (10, [1, -2, 9]), (10, [1, 10, 0]), (10, [-11, 3]), (10, [8, 7, 3, 1000000]), (8, [0, 3, 2, 7]), (9, [2, 5]),
                     (3, [0, 1, 2, 1]), (10, []), (4, [])]:
        at = np.array(at, dtype=int)
        ours, theirs = np.arange(float(size)), np.arange(float(size))
        got, wanted = outcome(program, (ours, at)), outcome(function, (theirs, at))
        if isinstance(wanted, Exception):
            raised += 1
            assert isinstance(got, type(wanted)), (size, at, got, wanted)
        else:
            assert np.array_equal(got, wanted) and np.array_equal(ours, theirs), (size, at, got, wanted)
    assert raised


def test_comparing_by_data_keeps_loops_parallel():
    def rows(start, column, value, x):
        y = np.zeros(len(start) - 1)
        for i in range(len(start) - 1):
            for j in range(start[i], start[i + 1]):
                y[i] += value[j] * x[column[j]]
        return y

    start, column, value, x = np.arange(0, 41, 2), np.arange(40) % 20, np.arange(40.0), np.arange(20.0)
    program = sluice.program(rows, strict=True)
    graph = program.to_sdfg(start, column, value, x)
    graph.optimize(3)
    assert "checked_index" in graph.text() and "map_entry" in graph.text()
    assert np.array_equal(program(start, column, value, x), rows(start, column, value, x))
    for place, array in ((7, column), (20, start)):
        broken = array.copy()
        broken[place] = 999
        with pytest.raises(IndexError):
            program(broken if array is start else start, broken if array is column else column, value, x)


def gathered(x, at):
    return x[at] + 1


def scattered(x, at):
    x[at] = 7.0
    return x


def of_rows(x, at):
    return x.reshape(5, 2)[at, 1]


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("function", [gathered, scattered, of_rows])
def test_arrays_of_indices(function, strict):
    program = sluice.program(function, strict=strict)
    for at in ([1, 2, -1], [4, -5, 0], [], [1, 11], [-11, 3], [5, 0], [10]):
        at = np.array(at, dtype=int)
        got, wanted = outcome(program, (np.arange(10.0), at)), outcome(function, (np.arange(10.0), at))
        if isinstance(wanted, IndexError):
            assert isinstance(got, IndexError) and str(wanted) in str(got)
        else:
            assert np.array_equal(got, wanted)


def masked(x, m):
    y = x[m]
    x[m] = 0
    return y


def test_masks_of_another_size():
    program = sluice.program(masked, strict=False)  # A size that is known at the first call is refused, so that Python raises.
    for m in (np.arange(10) % 3 == 0, np.zeros(9, dtype=bool), np.ones(11, dtype=bool), np.zeros(0, dtype=bool)):
        got, wanted = outcome(program, (np.arange(10.0), m)), outcome(masked, (np.arange(10.0), m))
        if isinstance(wanted, IndexError):
            assert isinstance(got, IndexError) and str(wanted) in str(got)
        else:
            assert np.array_equal(got, wanted)


def taken_and_put(x, at):
    a, b = x.reshape(2, 5).copy(), np.zeros(3)
    for k in range(2):
        b[k] = np.take(x, at + k).sum()
    np.put(a, at, 7.0)
    return a, b, np.take(a, at, axis=1), np.take_along_axis(a, np.stack((at, at)), 1), a.item(at.size)


def test_functions_that_take_indices():
    program = sluice.program(taken_and_put, strict=True)
    for at in ([1, 2, -1], [4, -5, 0], [], [1, 9], [-11, 3], [5, 0], [4], [10], [0] * 10):
        at = np.array(at, dtype=int)
        got, wanted = outcome(program, (np.arange(10.0), at)), outcome(taken_and_put, (np.arange(10.0), at))
        if isinstance(wanted, IndexError):
            assert isinstance(got, IndexError), (at, got)
        else:
            assert all(map(np.array_equal, got, wanted)), (at, got, wanted)


def test_a_comparison_stands_in_front_of_a_map():
    graph = sluice.program(by_steps).to_sdfg(np.arange(10.0), 3)
    graph.optimize(3)
    assert graph.text().count("IndexError") == 1 and "loop" not in graph.text()


def behind_a_condition_by_a_number(x: sluice.float64[sluice.symbol("N")], k: sluice.int64, n: sluice.int64):
    s = 0.0
    for i in range(n):
        if x[i] > 2:
            s += x[i + k]
            for j in range(k):
                s += x[i + j]
    return s


def test_numbers_of_the_call_behind_conditions():
    program = sluice.program(behind_a_condition_by_a_number, strict=True)
    for k, n in ((0, 5), (3, 5), (7, 5), (-9, 5), (5, 5), (6, 5), (1, 0), (1, 11)):
        got, wanted = outcome(program, (np.arange(10.0), k, n)), outcome(behind_a_condition_by_a_number, (np.arange(10.0), k, n))
        assert type(got) is type(wanted) if isinstance(wanted, Exception) else got == wanted, (k, n, got, wanted)


def raises_before(x: sluice.float64[N], t: sluice.float64[M]):
    for j in range(3):
        if t[j] > 0:
            raise ValueError("positive")
        x[j] = t[j + 2]
    return x.sum()


def raises_around(x: sluice.float64[N], t: sluice.float64[M]):
    for j in range(2):
        x[j] = 5
        assert x[j] < 4 or t[0] < 0, "large"
        for k in range(5):
            x[k] = t[k]
    return x.sum()


@pytest.mark.parametrize("function", [raises_before, raises_around])
@pytest.mark.parametrize("n, m, value", [(8, 8, 1.0), (8, 3, 1.0), (8, 3, 0.0), (8, 3, -1.0), (2, 8, 0.0), (2, 8, -1.0), (8, 8, -1.0)])
def test_exceptions_of_iterations_come_in_their_order(function, n, m, value):
    """Indices are compared in front of a loop; where its iterations raise, the first of both is Python's."""
    own, program = (np.zeros(n), np.full(m, value)), sluice.program(function, strict=True)
    try:
        wanted = function(*own)
    except Exception as error:
        with pytest.raises(type(error)) as raised:
            program(np.zeros(n), np.full(m, value))
        assert str(error).splitlines()[0] in str(raised.value)
    else:
        assert program(np.zeros(n), np.full(m, value)) == wanted
