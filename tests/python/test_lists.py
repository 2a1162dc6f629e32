"""Lists that grow while the program runs, and what becomes of them, as in Python and NumPy."""
import numpy as np
import pytest

import sluice
from test_data_sizes import agree
from test_returned_structures import assert_same

VECTORS = [np.array([1.0, -2.0, 3.0, 0.0, 5.0, -1.0]), np.array([-1.0, -2.0])]


def chosen(a):
    xs = []
    for i in range(len(a)):
        if a[i] > 0:
            xs.append(a[i])
    return np.array(xs)


def places(a):
    idx = []
    for i in range(len(a)):
        if a[i] > 0:
            idx.append(i)
    return np.array(idx, dtype=np.int64), len(idx), a[idx]


def that_looks_back(a):
    xs = [0.0]
    for v in a:
        xs.append(xs[-1] + v)
    return np.array(xs)


def comprehension(a):
    xs = [v * 2 for v in a if v > 0]
    return np.array(xs), len(xs)


def comprehension_of_the_run(a):
    n = len(a[a > 0])
    return np.array([i * 1.5 + j for i in range(n) for j in range(i)])


def in_nested_loops(a):
    out = []
    for i in range(3):
        for j in range(i):
            out.append(i * j * 1.0)
        out.append(-1.0)
    s = 0.0
    for v in out:
        s += v
    return np.array(out), s, sum(out), out[0]


def of_rows(a):
    rows = []
    for i in range(3):
        rows.append(a * i)
    return np.array(rows)


def anew_in_a_loop(a):
    t = 0.0
    for k in range(3):
        xs = []
        for i in range(len(a)):
            if a[i] > k:
                xs.append(a[i])
        t += np.sum(xs) * len(xs)
    return t


def two_at_once(a):
    xs = []
    ys = []
    for i in range(len(a)):
        if a[i] > 0:
            xs.append(a[i])
        else:
            ys.append(a[i])
    return np.concatenate((np.array(xs), np.array(ys)))


def extended(a):
    xs = [1.0]
    for i in range(2):
        xs += [a[i], 2.0]
        xs.extend((3.0, a[0]))
    return np.array(xs)


def above(a, limit):
    kept = []
    for v in a:
        if v > limit:
            kept.append(v)
    return np.array(kept)


def of_called_functions(a):
    return above(a, 0).sum() + above(a, 1).size


def under_another_name(a):
    xs = []
    ys = xs
    for v in a:
        xs.append(v)
    return len(ys), np.array(ys)


@pytest.mark.parametrize("a", VECTORS, ids=["mixed", "negative"])
@pytest.mark.parametrize("function", [
    chosen, places, that_looks_back, comprehension, comprehension_of_the_run, in_nested_loops, of_rows, anew_in_a_loop, two_at_once, extended,
    of_called_functions, under_another_name], ids=lambda one: one.__name__)
def test_lists(function, a):
    agree(function, a)


def added(a):
    xs = []
    for v in a:
        xs.append(v)
    return np.array(xs + xs)


def returned(a):
    xs = []
    for v in a:
        xs.append(v)
    return xs


def places(a):
    out = []
    for i in range(len(a)):
        if a[i] > 0:
            out.append(i)
    return out, len(out)


def truths(a):
    ours, theirs = [], []
    for v in a:
        ours.append(v > 0)
        theirs.append(bool(v > 0))
    return ours, theirs


def rows_of_it(a):
    rows = []
    for k in range(3):
        rows.append(a * k)
    return rows


def numbers_of_pythons(a):
    xs = [0.5]
    for v in a:
        xs.append(float(v))
    return {"xs": xs}


@pytest.mark.parametrize("function", [added, returned, places, truths, rows_of_it, numbers_of_pythons], ids=lambda one: one.__name__)
@pytest.mark.parametrize("values", [np.array([1.0, -2, 3]), -np.ones(2), np.zeros(0)])
def test_lists_are_returned(function, values):
    assert_same(sluice.program(strict=True)(function)(values), function(values))


def of_both_kinds(a):
    xs = [0.5]
    for v in a:
        xs.append(v)
    return xs


def test_a_list_of_pythons_numbers_and_numpys_is_returned():
    found, wanted = sluice.program(strict=True)(of_both_kinds)(VECTORS[0]), of_both_kinds(VECTORS[0])
    assert found == wanted and list(map(type, found)) == list(map(type, wanted))


def joined_rows(a, n):
    rows = []
    for k in range(n):
        rows.append(a * k)
    return np.stack(rows), np.stack(rows, axis=-1), np.vstack(rows), np.hstack(rows), np.column_stack(rows), np.concatenate(rows)


@pytest.mark.parametrize("shape", [(4,), (3, 2), (2, 3, 2)])
def test_lists_of_arrays_are_joined(shape):
    a = np.arange(float(np.prod(shape))).reshape(shape)
    assert_same(sluice.program(strict=True)(joined_rows)(a, 3), joined_rows(a, 3))


def test_nothing_is_not_joined():
    def stacked(a):
        rows = []
        for v in a:
            rows.append(a * v)
        return np.stack(rows)
    program = sluice.program(strict=True)(stacked)
    for n in (2, 3):
        assert_same(program(np.ones(n)), stacked(np.ones(n)))
    with pytest.raises(ValueError, match="need at least one array"):
        sluice.program(strict=False)(stacked)(np.zeros(0))


def windows(a, k):
    return np.column_stack([a[i:len(a) - k + i] for i in range(k)])


def test_a_comprehension_of_views_that_a_function_reads():
    assert_same(sluice.program(strict=True)(windows)(VECTORS[0], 2), windows(VECTORS[0], 2))


def filled(x):
    out = [x.sum()]
    out.append(x.max())
    out.append(3)
    out += [1.5, x.min()]
    out.insert(0, 7)
    last = out.pop()
    return out, last, len(out)


def of_names(x):
    v = x.copy()
    xs = [v, v]
    v = v + 1
    xs.append(v)
    v[0] = 50
    xs[0][1] = 7
    return xs[0], xs[2], v


def one_list_by_many_names(x):
    a = [1.0]
    b = a
    c = {"l": a}
    b.append(2.0)
    c["l"].append(3.0)
    a[0] = 5.0
    return len(a), sum(b), sum(c["l"]), x


def grown_by_a_function(x):
    def add(l, v):
        l.append(v)
        return len(l)
    xs = []
    n = add(xs, x[0]) + add(xs, x[1])
    return n, xs


def once_per_iteration(x):
    s = 0.0
    for i in range(len(x)):
        xs = [x[i]]
        xs.append(x[i] * 2)
        xs[0] = 1.0
        s += xs[0] + xs[1]
    return s


def one_for_each(x):
    c = []
    for s in (x, x * 2, x[1:]):
        c.append(np.sum(s))
    return c[0] - c[1] + c[2]


def two_at_once(x):
    rows, columns = [], []
    for i in range(len(x)):
        if x[i] > 0:
            rows.append(i)
            columns.append(i * 2)
    return np.array(rows, dtype=int), np.array(columns, dtype=int)


def dictionary(x):
    d = {}
    if not d:
        d["a"] = x.sum()
    d["n"] = 2
    d["n"] += 1
    d["u"] = x.copy()
    d["u"] += 1
    e = d
    e["n"] += 1
    return d, len(d)


def replaced_while_it_is_walked(x):
    xs = [1.0, 2.0, 3.0]
    for i, v in enumerate(xs):
        if i < 2:
            xs[i + 1] = v * 10
    return xs


def by_an_index_of_the_run(x):
    w = [0.25, 0.5, 0.25]
    y = np.zeros_like(x)
    for i in range(1, len(x) - 1):
        for k in range(3):
            y[i] += w[k] * x[i + k - 1]
    return y, w[int(x[0] > 0)]


def rest_of_a_target(x):
    a, *b = [x[0], 1, 2]
    return b, a


def asked_whether_there_is_any(x):
    xs = []
    for v in x:
        if v > 0:
            xs.append(v)
    if xs:
        return float(xs[0])
    if not xs and len(xs) == 0:
        return -1.0
    return 0.0


def changed_on_a_path(x):
    xs = ["a", "b"]
    if x[0] < 0:
        xs[0] = "c"
    return xs, x.sum()


def grown_while_it_is_walked(x):
    xs = [1.0]
    for v in xs:
        if len(xs) < 3:
            xs.append(v + 1)
    return sum(xs) + x


@pytest.mark.parametrize("function", [filled, of_names, one_list_by_many_names, grown_by_a_function, once_per_iteration, one_for_each, two_at_once,
                                      dictionary, replaced_while_it_is_walked, by_an_index_of_the_run, rest_of_a_target,
                                      asked_whether_there_is_any, changed_on_a_path, grown_while_it_is_walked], ids=lambda one: one.__name__)
def test_changes_that_are_known(function):
    for values in (np.array([1.0, -2, 3]), np.array([-1.0, -2, -3])):
        ours, theirs = values.copy(), values.copy()
        assert_same(sluice.program(strict=True)(function)(ours), function(theirs))
        assert np.array_equal(ours, theirs)


def one_of_two(x):
    a, b = [1.0], [2.0]
    c = a if x[0] < 0 else b
    c.append(3.0)
    return len(a), len(b)


def shrunk_in_a_loop(x):
    xs = [3, 2, 1]
    s = 0
    while xs:
        s = s * 10 + xs.pop()
    return s


@pytest.mark.parametrize("function", [one_of_two], ids=lambda one: one.__name__)
def test_changes_that_the_run_decides_are_pythons(function):
    for x in (np.ones(2), -np.ones(2)):
        assert_same(sluice.program(strict=True)(function)(x), function(x))
        assert_same(sluice.program(strict=False)(function)(x), function(x))


@pytest.mark.parametrize("x", [np.ones(2), -np.ones(2)])
def test_lists_may_shrink_in_loops(x):
    assert_same(sluice.program(strict=True)(shrunk_in_a_loop)(x), shrunk_in_a_loop(x))


def test_rows_are_assigned_from_tuples_and_lists():
    def rows(x):
        a = np.zeros((3, 2))
        for i in range(3):
            a[i] = i, x[0]
        a[0] = [7, 8]
        a[:, 1] = (1, 2, 3)
        return a
    assert_same(sluice.program(strict=True)(rows)(VECTORS[0]), rows(VECTORS[0]))


def without_a_bound(a):
    xs = []
    i = 0
    while i < len(a):
        xs.append(a[i])
        i += 1
    return np.array(xs)


def test_a_list_may_grow_without_a_bound():
    assert_same(sluice.program(strict=True)(without_a_bound)(VECTORS[0]), without_a_bound(VECTORS[0]))


def of_two_types(a):
    xs = [True]
    for v in a:
        xs.append(v)
    return np.array(xs)


def of_one_array_many_times(a):
    row = np.zeros(2)
    rows = []
    for i in range(3):
        row[0] = i
        rows.append(row)
    return np.array(rows)


def kept_while_a_new_one_is_made(a):
    old = [0.0]
    for k in range(3):
        xs = []
        for v in a:
            xs.append(v * k)
        old = xs
    return np.array(old), len(xs)


@pytest.mark.parametrize("function, word", [
    (of_two_types, "differ in type"), (of_one_array_many_times, "have names"),
    (kept_while_a_new_one_is_made, "another name")], ids=lambda one: getattr(one, "__name__", ""))
def test_what_is_no_array_is_refused(function, word):
    with pytest.raises(sluice.CompileError, match=word):
        sluice.program(function).to_sdfg(VECTORS[0])


def test_an_empty_list_has_no_type():
    @sluice.program
    def f(a):
        idx = []
        for i in range(len(a)):
            if a[i] > 0:
                idx.append(i)
        return np.array(idx)
    assert f(VECTORS[0]).dtype == np.int64
    with pytest.raises(NotImplementedError, match="empty list"):
        f(VECTORS[1])


def medians_of_each(a, b):
    return [np.median(s) for s in (a, b)], np.array([np.percentile(s, 30) for s in (a, b)])


def quantiles_unpacked(a, b):
    x, y = [np.quantile(s, 0.2) * 2 for s in (a, b)]
    return x - y


def compacted_each(a, b):
    p, q = [s[s > 1.5] for s in (a, b)]
    return p, q


def zeros_in_a_list(a, b):
    vs = [np.zeros_like(a), np.zeros_like(a)]
    for v in vs:
        v += 1
    for v in vs:
        a += v
    return a


def filled_in_a_tuple(a, b):
    vs = (np.zeros_like(a), np.ones_like(a))
    u, v = vs
    u += 1
    return a + vs[0]


def zeros_in_a_comprehension(a, b):
    w = [np.zeros_like(p) for p in (a, b)]
    for v in w:
        v[0] = 3
    return w


def one_array_twice(a, b):
    vs = [np.zeros(3)] * 2
    u = vs[0]
    u[0] = 3
    return vs[1] * 1


@pytest.mark.parametrize("function", [medians_of_each, quantiles_unpacked, compacted_each, zeros_in_a_list, filled_in_a_tuple,
                                      zeros_in_a_comprehension, one_array_twice])
def test_elements_are_arrays_and_numbers_of_their_own(function):
    a, b = np.array([1.0, 2, 3]), np.array([5.0, 7, 1])
    ours, theirs = sluice.program(function)(a.copy(), b.copy()), function(a.copy(), b.copy())
    assert repr(ours) == repr(theirs)


def test_a_lambda_that_is_called_twice_has_two_results():
    def main(a, b):
        part = lambda s: np.percentile(s, 40)  # noqa: E731
        return part(a) - part(b), [part(a), part(b)]
    a, b = np.array([1.0, 2, 3]), np.array([5.0, 7, 1])
    assert repr(sluice.program(main)(a, b)) == repr(main(a, b))


def changed_beside_the_list(x):
    xs = [1, 2, 3]
    t = (xs, xs.pop())
    return len(t[0]), x


def changed_where_python_does_not_come(x):
    xs = [1.0]
    xs[0] = xs.pop() if False else 2.0
    return xs


def keys_that_are_equal(x):
    d = {1: 2.0}
    d[True] = 3.0
    return len(d), d[1], d.get(1.0)


@pytest.mark.parametrize("function", [changed_beside_the_list, changed_where_python_does_not_come], ids=lambda one: one.__name__)
def test_changes_inside_of_expressions(function):
    assert_same(sluice.program(strict=True)(function)(np.ones(2)), function(np.ones(2)))


def stacked_twice(x):
    rows = []
    for k in range(3):
        rows.append(x * k)
    a, b = np.stack(rows), np.stack(rows, axis=-1)
    a[0] = 100
    rows[1][0] = -5
    return a, b, np.vstack(rows)


def test_stacks_are_arrays_of_their_own():
    expected, got = stacked_twice(np.ones(2)), sluice.program(strict=True)(stacked_twice)(np.ones(2))
    assert_same(got, expected)
    assert not np.shares_memory(got[0], got[1])


@pytest.mark.parametrize("function", [keys_that_are_equal], ids=lambda one: one.__name__)
def test_what_expressions_would_see_is_pythons(function):
    """True as another key than 1."""
    with pytest.raises(sluice.CompileError):
        sluice.program(strict=True)(function)(np.ones(2))
    assert_same(sluice.program(strict=False)(function)(np.ones(2)), function(np.ones(2)))


def test_lists_that_are_assigned_together():
    @sluice.program
    def f(y, end):
        t, h = 0.0, 0.5
        ts, ys = [t], [y]
        while t < end:
            t += h
            y = y - h * y * 0.5
            if y > 0.3:
                ts.append(t)
                ys.append(y)
        return np.array(ts), np.array(ys)
    for got, wanted in zip(f(1.0, 4.0), f.f(1.0, 4.0)):
        np.testing.assert_array_equal(got, wanted)

    @sluice.program
    def swapped(x):
        a, b = [x, 1.0], [2.0, x]
        a, b = b, a
        a, c = [b[0], 5.0], b[1]
        return a[0] + 10 * c
    assert swapped(3.0) == swapped.f(3.0)
