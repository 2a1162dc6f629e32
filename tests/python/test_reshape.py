"""Reshaped arrays are views where NumPy's are: what is written through them arrives, or is lost, as in NumPy."""
import random

import numpy as np
import pytest

import sluice


def bump(v):
    v += 1


def both(function, make, *arguments):
    ours, theirs = make(), make()
    got, wanted = sluice.program(strict=True)(function)(ours, *arguments), function(theirs, *arguments)
    assert np.array_equal(ours, theirs)
    for one, other in zip(got if isinstance(got, tuple) else (got,), wanted if isinstance(wanted, tuple) else (wanted,)):
        assert np.array_equal(one, other)


ARRAYS = [lambda: np.arange(12.0).reshape(3, 4), lambda: np.arange(12.0).reshape(4, 3).T, lambda: np.arange(24.0).reshape(3, 8)[:, ::2],
          lambda: np.arange(4.0).reshape(1, 4), lambda: np.arange(4.0).reshape(4, 1)]


def all_of_it(a):
    bump(a.reshape(-1))


def columns(a):
    bump(a[:, ::2].reshape(-1))


def turned(a):
    bump(a.T.reshape(-1))


def rows(a, n):
    bump(a[:n].reshape(-1))


def named(a):
    c = a[:, 1:].reshape(-1)
    c += 1
    return c


def raveled(a):
    c = a.ravel()
    c[0] = 7
    return c


def raveled_part(a):
    c = a[:, ::2].ravel()
    c[0] = 7
    return c


@pytest.mark.parametrize("make", ARRAYS)
@pytest.mark.parametrize("function, arguments", [(all_of_it, ()), (columns, ()), (turned, ()), (rows, (2,)), (named, ()), (raveled, ()),
                                                 (raveled_part, ())])
def test_writes_arrive_where_numpy_writes_them(function, arguments, make):
    both(function, make, *arguments)


@pytest.mark.parametrize("seed", range(6))
def test_random_parts_in_random_shapes(seed):
    """Ten functions of one program: a random view takes a random shape, is written, and so is what it was taken from."""
    rng = random.Random(seed)
    for _ in range(10):
        shape = tuple(rng.choice((1, 2, 3, 4)) for _ in range(rng.randint(1, 3)))
        base = np.arange(float(np.prod(shape))).reshape(shape)
        index = ", ".join(rng.choice((":", ":", "::2", "1:", "::-1", ":1")) for _ in shape)
        order = rng.sample(range(len(shape)), len(shape))
        part = eval(f"base[{index}].transpose({order})")
        factors, left = [], part.size
        while left > 1:
            factor = rng.choice([k for k in range(2, left + 1) if left % k == 0])
            factors.append(factor)
            left //= factor
        factors.insert(rng.randint(0, len(factors)), 1)
        if part.size == 0:
            continue
        new = f"reshape({tuple(factors)})" if rng.random() < 0.7 else "ravel()"
        source = f"def f(a):\n    v = a[{index}].transpose({order}).{new}\n    v += 10\n    a *= 2\n    return v.copy(), a.sum()\n"
        path = f"reshaped_{seed}"
        space = {}
        exec(compile(source, path, "exec"), space)
        import linecache
        linecache.cache[path] = (len(source), None, source.splitlines(True), path)
        try:
            both(space["f"], lambda base=base: base.copy())
        except sluice.CompileError as error:
            assert error.code == "F001" and "only the run knows" in str(error), source


def test_what_only_the_run_decides_is_refused_where_it_matters():
    def written(a, n):
        bump(a[:, :n].reshape(-1))

    def read(a, n):
        return np.sum(a[:, :n].reshape(-1))

    with pytest.raises(sluice.CompileError, match="only the run knows"):
        sluice.program(strict=True)(written)(np.ones((3, 4)), 2)
    both(read, ARRAYS[0], 2)


def test_one_element_along_a_dimension_is_checked_where_sizes_are_symbols():
    N = sluice.symbol("N")

    @sluice.program
    def inner(a: sluice.float64[N, N]):
        v = a[1:-1, 1:-1].reshape(-1)
        v += 1
        return v.sum()

    assert inner(np.ones((5, 5))) == 18
    with pytest.raises(ValueError, match="one element along a dimension"):
        inner(np.ones((3, 3)))


def fortran_ravel(m):
    v = np.ravel(m, order="F")
    v[1] = 3
    return v


def fortran_reshape(m):
    v = m.reshape((2, 8), order="F")
    v[1, 2] = 4
    return v


@pytest.mark.parametrize("function", [fortran_ravel, fortran_reshape], ids=lambda one: one.__name__)
@pytest.mark.parametrize("order", ["C", "F"])
def test_columns_in_a_row_are_views_of_arrays_in_fortrans_order(function, order):
    plain = np.array(np.arange(16.0).reshape(4, 4), order=order)
    mine = plain.copy(order="K")
    wanted, got = function(plain), sluice.program(function)(mine)
    np.testing.assert_array_equal(got, wanted)
    np.testing.assert_array_equal(mine, plain)
    assert np.shares_memory(got, mine) == np.shares_memory(wanted, plain)


@pytest.mark.filterwarnings("ignore:Setting the shape:DeprecationWarning")
def test_shapes_are_assigned():
    @sluice.program(strict=True)
    def flattened(n, m):
        x, y = np.mgrid[0:n, 0:m]
        z = np.arange(6.0)
        z.shape = 2, 3
        x.shape = y.shape = n * m
        x += 1
        return x, y, z[1] * 2, z.T @ z, x.shape[0]

    for mine, own in zip(flattened(3, 4), flattened.f(3, 4), strict=True):
        np.testing.assert_array_equal(mine, own)

    def given(A):
        A.shape = 6

    def named_twice():
        a = np.arange(6.0)
        b = a
        a.shape = 2, 3
        return b

    def transposed():
        a = np.arange(6.0).reshape(2, 3).T
        a.shape = 6
        return a + 1

    for function, args, code in ((given, (np.zeros((2, 3)),), "F001"), (named_twice, (), "F001"), (transposed, (), "F004")):
        with pytest.raises(sluice.CompileError, match=code):
            sluice.program(function, strict=True)(*args)


def in_heads(x, heads):
    B, T, D = x.shape
    x = x.reshape(B, T, heads, D // heads).transpose(0, 2, 1, 3)
    x = x.reshape(B * heads, T, -1)
    return x


def poke(b):
    b[0, 0] = 100


def of_a_product(x, heads):
    B, T, D = x.shape
    q = x.reshape(B, T, heads, D // heads).transpose(0, 2, 1, 3)
    together = (q @ q.swapaxes(-1, -2) @ q).transpose(0, 2, 1, 3).reshape(B, T, -1)
    together[0] = 1
    return together


def never_changed(x, heads):
    B, T, D = x.shape
    q = x.reshape(B, T, heads, D // heads).transpose(0, 2, 1, 3)
    y = q.reshape(B * heads, T, D // heads)
    return y @ y.transpose(0, 2, 1), y.sum()


def in_a_function(x, heads):
    q = in_heads(x @ np.eye(x.shape[2]), heads)
    return q * 2


def of_blocks(x, k):
    m, n = x.shape[1:]
    return x[0, :m // k * k, :n // k * k].reshape(m // k, k, n // k, k).mean(axis=(1, 3))


@pytest.mark.parametrize("function", [of_a_product, never_changed, in_a_function, of_blocks])
@pytest.mark.parametrize("shape, k", [((2, 5, 8), 2), ((1, 4, 8), 4), ((3, 1, 4), 1)])
def test_copies_that_nobody_tells_from_views(function, shape, k):
    x = np.random.default_rng(3).random(shape)
    wanted, got = function(x.copy(), k), sluice.program(function, strict=True)(x.copy(), k)
    for one, other in zip(got if isinstance(got, tuple) else (got,), wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def through_the_copy(x, heads):
    y = x.reshape(2, -1, heads).transpose(1, 0, 2).reshape(-1, heads * 2)
    y[0, 0] = 7
    return x[0, 0] * 2


def behind_its_back(x, heads):
    b = x * 2
    y = b.T.reshape(heads, -1)
    poke(b)
    return y * 1


def by_a_closure(x, heads):
    b = x * 2
    y = b.T.reshape(heads, -1)

    def change():
        b[0, 0] = 100
    change()
    return y * 1


def by_another_name(x, heads):
    b = x * 2
    y = b.T.reshape(heads, -1)
    c = b[0]
    c += 1
    return y * 1


@pytest.mark.parametrize("function", [through_the_copy, behind_its_back, by_a_closure, by_another_name])
@pytest.mark.parametrize("shape", [(4, 6), (1, 12), (12, 1)])
def test_views_that_only_the_run_knows_and_somebody_changes(function, shape):
    """As in NumPy, or refused."""
    ours, theirs = np.arange(12.0 * (2 if shape == (4, 6) else 1)).reshape(shape), np.arange(12.0 * (2 if shape == (4, 6) else 1)).reshape(shape)
    wanted = function(theirs, 2)
    try:
        got = sluice.program(function, strict=True)(ours, 2)
    except (sluice.CompileError, NotImplementedError, ValueError):
        return
    np.testing.assert_array_equal(got, wanted)
    np.testing.assert_array_equal(ours, theirs)
