"""Arguments that are not in C order: Fortran's order, slices, steps, reversed and transposed arrays, alone and overlapping."""
import numpy as np
import pytest

import sluice
from against_numpy import differences


@sluice.program
def element_wise(x, y):
    y += x * 2
    return x + y, x.sum(axis=0), x * x[0]


@sluice.program
def loops(x, y):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] + 10 * i + j
    return y[1:].sum()


@sluice.program
def reshaped(x, y):
    flat = x.copy().reshape(-1)
    flat[0] = 99.0
    z = x.T
    z[0, 1] = 5.0
    return flat, x.flatten(), x.T.copy(), y.T.copy().reshape(-1)


@sluice.program
def products(x, y):
    return x @ y.T, x.T @ y, x[0] @ y[0], np.dot(y, x.T)


@sluice.program
def views(x, y):
    return x[1:], y.T, x[::-1], y[:, 0], x


@sluice.program
def called(x, y):
    return helper(x[1:], y), helper(x.T, y.T)


def helper(a, b):
    a[0, 0] = 1.0
    return a.sum() + b[0, 0]


@sluice.program
def sorts(x, y):
    np.sort(x)
    y.sort(axis=0)
    x[:, 0] = y[:, 1]
    return np.cumsum(x, axis=1), np.argmax(y), x.max(axis=1), np.where(x > 2, x, y), y[y > 3].sum()


BASE = {"C": lambda a: a, "F": np.asfortranarray, "steps": lambda a: np.repeat(np.repeat(a, 2, 0), 3, 1)[::2, ::3], "reversed": lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
        "columns": lambda a: np.pad(a, 2)[2:-2, 2:-2], "transposed": lambda a: a.T.copy().T, "row step": lambda a: np.repeat(a, 3, 0)[::3]}


@pytest.mark.parametrize("program", [element_wise, loops, reshaped, products, views, called, sorts], ids=lambda one: one.name)
@pytest.mark.parametrize("first, second", [("F", "C"), ("steps", "F"), ("reversed", "columns"), ("transposed", "reversed"), ("row step", "steps"), ("C", "columns")])
def test_means_what_numpy_means(program, first, second):
    x, y = (np.arange(12.0).reshape(3, 4) * k % 7 for k in (1, 3))
    ours, theirs = ([BASE[first](x.copy()), BASE[second](y.copy())] for _ in "ab")
    assert first == "C" or not ours[0].flags.c_contiguous
    scope = dict(program.f.__globals__)
    wanted, got = program.f(*theirs), program(*ours)
    assert scope
    found = differences(wanted, got, "result") + differences(theirs[0], ours[0], "x") + differences(theirs[1], ours[1], "y")
    assert not found, "\n".join(found)
    for one, other in zip(got if isinstance(got, tuple) else (), wanted if isinstance(wanted, tuple) else ()):
        if isinstance(other, np.ndarray):
            assert [np.shares_memory(one, a) for a in ours] == [np.shares_memory(other, a) for a in theirs]


N, M = sluice.symbol("N"), sluice.symbol("M")


@sluice.program
def annotated(x: sluice.float64[N, M], y: sluice.float64[M]):
    for i in range(N):
        for j in range(M):
            x[i, j] += y[j] * N
    return x[:, 0]


@pytest.mark.parametrize("layout", BASE)
def test_annotated_arrays_of_any_layout(layout):
    ours, theirs = (BASE[layout](np.arange(12.0).reshape(3, 4)) for _ in "ab")
    y = np.repeat(np.arange(4.0), 2)[::-2]
    column = annotated(ours, y)
    theirs += y * 3
    assert np.array_equal(ours, theirs) and np.shares_memory(column, ours)
    with pytest.raises(ValueError, match="A003"):
        annotated(ours, y[:3])


def test_overlapping_arrays_with_steps():
    @sluice.program
    def shifted(x, y):
        for i in range(x.shape[0]):
            y[i] = x[i] + 1.0

    for first, second in ((slice(None, None, 2), slice(1, None, 2)), (slice(0, 8, 2), slice(2, 10, 2)), (slice(None, None, -1), slice(None)), (slice(0, 4), slice(0, 8, 2))):
        ours, theirs = np.arange(10.0), np.arange(10.0)
        shifted(ours[first][:4], ours[second][:4])
        shifted.f(theirs[first][:4], theirs[second][:4])
        assert np.array_equal(ours, theirs)


def test_read_only_broadcast():
    @sluice.program
    def total(x):
        return x.sum(), x[1] * 2

    x = np.broadcast_to(np.arange(4.0), (3, 4))
    got = total(x)
    assert got[0] == 18.0 and np.array_equal(got[1], np.arange(4.0) * 2)


def test_strides_of_part_elements_are_refused():
    records = np.zeros(4, dtype=[("a", np.float64), ("b", np.int32)])
    records["a"] = np.arange(4.0)

    @sluice.program
    def doubled(x):
        return x * 2

    with pytest.raises(ValueError, match="A004|A007"):
        doubled(records["a"])


def test_a_product_into_a_transposed_place():
    """The product was written as if the place were in C's order."""
    def update(A, B):
        A[:] = A @ B

    def transposed(A, B):
        V = A.T
        V[:] = np.dot(B, B)

    random = np.random.default_rng(3)
    for function, order in ((update, "F"), (transposed, "C"), (transposed, "F")):
        A, B = np.array(random.normal(size=(5, 5)), order=order), random.normal(size=(5, 5))
        mine = A.copy(order="K")
        function(A, B)
        sluice.program(function)(mine, B)
        np.testing.assert_allclose(mine, A, rtol=1e-12)
