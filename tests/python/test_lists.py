"""Lists that grow while the program runs, and what becomes of them, as in Python and NumPy."""
import numpy as np
import pytest

import sluice
from test_data_sizes import agree

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


def returned(a):
    xs = []
    for v in a:
        xs.append(v)
    return xs


def without_a_bound(a):
    xs = []
    i = 0
    while i < len(a):
        xs.append(a[i])
        i += 1
    return np.array(xs)


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


def while_it_is_walked(a):
    xs = [1.0]
    for x in xs:
        if len(xs) < 5:
            xs.append(x)
    return np.array(xs)


def added(a):
    xs = []
    for v in a:
        xs.append(v)
    return np.array(xs + xs)


def kept_while_a_new_one_is_made(a):
    old = [0.0]
    for k in range(3):
        xs = []
        for v in a:
            xs.append(v * k)
        old = xs
    return np.array(old)


@pytest.mark.parametrize("function, word", [
    (returned, "np.array"), (without_a_bound, "only the run can count"), (of_two_types, "differ in type"), (of_one_array_many_times, "have names"),
    (while_it_is_walked, "in a loop over it"), (added, "np.array"), (kept_while_a_new_one_is_made, "another name")], ids=lambda one: getattr(one, "__name__", ""))
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
