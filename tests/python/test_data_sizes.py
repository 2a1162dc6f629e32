"""Arrays whose sizes data decide: made by masks, nonzero, unique and their kin, computed with, and returned, as NumPy has them."""
import copy

import numpy as np
import pytest

import sluice

V = np.array([1.0, -2.0, 3.0, 0.0, 5.0, -1.0])
VECTORS = [V, -np.ones(6), np.zeros(0)]  # Two of one size: they share what is compiled.
A = np.arange(12.0).reshape(3, 4) % 5 - 2
J = np.array([3, 1, 2, 3, 1, 7], dtype=np.int32)
NAN = np.array([np.nan, 1.0, 2.0, np.nan, 1.0])


def same(got, wanted):
    if isinstance(wanted, tuple):
        return isinstance(got, tuple) and len(got) == len(wanted) and all(map(same, got, wanted))
    if not isinstance(wanted, np.ndarray):
        return type(got) is type(wanted) and got == wanted
    return (isinstance(got, np.ndarray) and got.dtype == wanted.dtype and got.shape == wanted.shape
            and np.array_equal(got, wanted, equal_nan=wanted.dtype.kind == "f"))


def agree(function, *arguments):
    wanted_arguments, own = copy.deepcopy(arguments), copy.deepcopy(arguments)
    wanted = function(*wanted_arguments)
    got = sluice.program(function)(*own)
    assert same(got, wanted), f"{got!r} instead of {wanted!r}"
    for one in got if isinstance(got, tuple) else (got,):
        assert not isinstance(one, np.ndarray) or one.flags.owndata or any(np.shares_memory(one, argument) for argument in own) or not one.size
    for w, g in zip(wanted_arguments, own):
        np.testing.assert_array_equal(g, w)


def selected(a): return a[a > 0]
def selected_late(a): return a[np.isfinite(a)]
def places(a): return np.nonzero(a > 0)
def places_of_where(a): return np.where(a > 0)[0]
def places_by_method(a): return (a > 0).nonzero()
def places_flat(a): return np.flatnonzero(a)
def rows_of_places(a): return np.argwhere(a > 0)
def summed(a): return a[a > 0].sum()
def largest(a): return a[a > 0].max(initial=0.0), a[a > 100].size
def computed(a): return a[a > 0] * 2 + a[a > 0]
def gathered(a): return (a * 2)[np.nonzero(a > 0)]
def compressed(a): return np.compress(a > 0, a), np.extract(a > 0, a), a.compress(a > 0)
def differences(a): return np.diff(a[a > 0])
def joined(a): return np.concatenate((a[a > 0], a[a <= 0]))
def table(a): return np.outer(a[a > 0], a[a < 1])
def ordered(a): return np.sort(a[a > 0])[::-1]
def running(a): return np.cumsum(a[a > 0])
def unique(a): return np.unique(a)
def unique_with_all(a): return np.unique(a, return_index=True, return_inverse=True, return_counts=True)


def sizes(a):
    x = a[a > 0]
    n = x.size
    return x, n, len(x), x.shape[0], np.arange(n) * 2


def as_bounds(a):
    x = a[a > 0]
    out = np.zeros(len(x) + 1)
    for i in range(len(x)):
        out[i + 1] = out[i] + x[i] * i
    return out


def in_a_loop(a):
    s = a[:0].sum()
    for k in range(3):
        x = a[a > k]
        s += x.sum() * len(x)
    return s


def in_branches(a):
    if a.sum() > 0:
        return a[a > 0]
    return a[a < 0]


def of_several_sizes(a):
    if a.sum() > 0:
        return a[:2]
    return a


def reversed_in_place(a):
    a[a > 0] = a[a > 0][::-1]


def numbered(a):
    a[a > 0] = np.arange(np.sum(a > 0))


def other_masks(a):
    a[a > 0] += a[::-1][a[::-1] > 0]
    a[a < 0] *= a[a < 0]


def positive(x):
    return x[x > 0]


def of_a_function(a):
    p = positive(a)
    q = positive(-a)
    return p.sum() - q.sum(), p, q


@pytest.mark.parametrize("a", VECTORS, ids=["mixed", "none", "empty"])
@pytest.mark.parametrize("function", [
    selected, selected_late, places, places_of_where, places_by_method, places_flat, rows_of_places, summed, largest, computed, gathered,
    compressed, differences, joined, table, ordered, running, unique, unique_with_all, sizes, as_bounds, in_a_loop, in_branches,
    of_several_sizes, reversed_in_place, numbered, other_masks, of_a_function], ids=lambda one: one.__name__)
def test_vectors(function, a):
    agree(function, a)


def elements(a): return a[a > 0]
def places_of_elements(a): return np.nonzero(a > 0)
def rows_of_indices(a): return np.argwhere(a > 0)
def rows(a): return a[a[:, 0] > 0]
def columns(a): return a[:, a.sum(axis=0) > 0]
def rows_of_one_column(a): return a[a[:, 0] > -5, 1]
def two_masks(a): return a[a[:, 0] > -3, a[0] != 0]
def a_list(a): return a[[True, False, True]]
def behind_an_ellipsis(a): return a[..., a[0] > -2]
def a_new_dimension(a): return a[a > 0, None]
def reshaped(a): return a[a > 0].reshape(-1, 1)
def unique_inverse(a): return np.unique(a, return_inverse=True)
def negated(a): return a[~(a > 0)].sum()
def compressed_rows(a): return np.compress([True, False, True], a, axis=0)


@pytest.mark.parametrize("function", [
    elements, places_of_elements, rows_of_indices, rows, columns, rows_of_one_column, two_masks, a_list, behind_an_ellipsis, a_new_dimension, reshaped, unique_inverse, negated, compressed_rows], ids=lambda one: one.__name__)
def test_matrices(function):
    agree(function, A)


def test_places_as_bounds():
    def f(a):
        r = np.where((a > 0).any(axis=1))[0]
        c = np.where((a > 1).any(axis=0))[0]
        return a[r[0]:r[-1] + 1, c[0]:c[-1] + 1]
    agree(f, A)


def test_a_size_that_a_parameter_limits():
    def f(n):
        sieve = np.ones(n + 1, dtype=bool)
        sieve[:2] = False
        for i in range(2, int(n ** 0.5) + 1):
            if sieve[i]:
                sieve[i * i::i] = False
        return np.nonzero(sieve)[0]
    agree(f, 60)


def test_rows_are_assigned_through_a_mask():
    def f(a):
        a[a[:, 0] > -2] = a[0]
        a[a[:, 1] < 0, 2] = 9
    agree(f, A)


def test_a_gathered_sum():
    def f(a):
        i, j = np.where(a > 0)
        return i + j, a[i, j]
    agree(f, A)


def test_sets():
    def f(a):
        return np.union1d(a, a + 1), np.intersect1d(a, a + 1), np.setdiff1d(a, a + 2), np.setxor1d(a, a + 1)

    def trimmed(a):
        return np.trim_zeros(a - 3) + 0, np.trim_zeros(a - 3, 'b') * 1, np.trim_zeros(a * 0, 'f') + 0
    agree(f, J)
    agree(trimmed, J)


def test_unique_knows_nan():
    def f(a):
        return np.unique(a), np.unique(a, equal_nan=False), np.unique(a, return_counts=True)[1]
    agree(f, NAN)


def unique_rows(a): return np.unique(a, axis=0)
def unique_rows_with_all(a): return np.unique(a, axis=0, return_index=True, return_inverse=True, return_counts=True)
def unique_along_the_last(a): return np.unique(a, axis=-1, return_counts=True)
def rows_again(a):
    rows, of = np.unique(a, axis=0, return_inverse=True)
    return rows[of]


THREES = np.arange(90).reshape(30, 3) ** 2 % 7 % 3
PARTS = [THREES, THREES[:0], THREES[:1], THREES[:, :1], (THREES - 1) * 0.5, np.where(THREES == 2, np.nan, THREES), (THREES % 2).astype(np.int8).reshape(6, 5, 3)]


@pytest.mark.parametrize("function", [unique_rows, unique_rows_with_all, unique_along_the_last, rows_again], ids=lambda one: one.__name__)
def test_unique_parts_along_an_axis(function):
    for part in PARTS:
        agree(function, part)


def test_place_repeats_values():
    def f(a):
        np.place(a, a > 0, [1.0, 2.0])
    agree(f, V)


def test_a_mask_of_another_size_raises():
    @sluice.program
    def f(a, m):
        return a[m]
    with pytest.raises((ValueError, sluice.CompileError)):
        f(V, np.ones(4, dtype=bool))
    N, M = sluice.symbol("N"), sluice.symbol("M")

    @sluice.program
    def g(a: sluice.float64[N], b: sluice.float64[N], m: sluice.bool_[M]):
        a[m] = b[b > 0]
    with pytest.raises(IndexError, match="boolean index did not match"):
        g(V.copy(), V, np.ones(4, dtype=bool))
    with pytest.raises(ValueError):
        g(V.copy(), V, np.ones(6, dtype=bool))


def test_a_view_as_a_condition():
    def f(a, k):
        flat = np.ravel(a)
        if flat[k[0]] > 0:
            return 1.0
        return 2.0
    agree(f, A, np.array([5]))


def test_a_loop_that_never_runs_need_not_make_sense():
    def f(a):
        s = 1.0
        for i in range(len(a)):
            s += a[i]
        return s
    assert sluice.program(f)(np.zeros(0)) == 1.0


def test_a_returned_array_has_a_size_that_data_say():
    @sluice.program
    def f(a: sluice.int64[10]):
        return np.zeros(a[0])
    assert f(np.full(10, 3)).shape == (3,)


def test_arrays_of_run_time_sizes_keep_their_values_from_one_iteration_to_the_next():
    """They were allocated anew in each: the name means the sorted array first, and another one from the second iteration on."""
    def function(x, n):
        total = 0.0
        for i in range(n):
            y = np.sort(x[x > i])
            for k in range(3):
                y = y + 1
                if k < len(y):
                    total += y[k] * len(y)
        return total

    for level in range(4):
        assert sluice.program(function, optimize=level)(np.arange(6.0), 4) == function(np.arange(6.0), 4)


def test_results_of_any_size_keep_their_values_when_their_room_is_used_again():
    @sluice.program
    def counted(x, w):
        return np.bincount(x), np.bincount(x, minlength=3), np.bincount(x, w)

    kept = []
    for n in (1, 5000, 3, 100000, 2):
        x, w = np.arange(n) * 7 % 5003, np.arange(n) / 3
        kept.append((counted(x, w), (np.bincount(x), np.bincount(x, minlength=3), np.bincount(x, w))))
    with pytest.raises(ValueError):
        counted(np.array([-1]), np.ones(1))
    kept.append((counted(np.array([2]), np.ones(1)), (np.array([0, 0, 1]), np.array([0, 0, 1]), np.array([0.0, 0, 1]))))
    for got, wanted in kept:
        for mine, theirs in zip(got, wanted, strict=True):
            assert mine.dtype == theirs.dtype and np.array_equal(mine, theirs)


def pages_of_rooms():
    """Bytes in place of what is mapped for results of any size."""
    size = total = 0
    for line in open("/proc/self/smaps"):
        name, _, value = line.partition(":")
        if name == "Size":
            size = int(value.split()[0])
        if name == "Rss" and size > 8 << 20:
            total += int(value.split()[0]) << 10
    return total


def test_pages_of_large_results_are_given_back():
    @sluice.program(strict=True)
    def counted(x):
        return np.bincount(x)

    for largest in (5, 4_000_000, 3, 6_000_000):
        x = np.array([largest, 1])
        np.testing.assert_array_equal(counted(x), np.bincount(x))
        assert pages_of_rooms() < 16 << 20
