"""What NumPy refuses to store: updates in place by a richer kind, also through masks; floats of Python's that integers do not hold."""
import numpy as np
import pytest

import sluice

K = np.arange(6)


def by_mask(x):
    x[x > 2] *= 0.5


def by_named_mask(x):
    m = x > 2
    x[m] /= 2


def by_mask_in_rows(x):
    for row in x.reshape(2, 3):
        row[row > 1] += 0.5


def by_mask_of_a_part(x):
    y = x.reshape(2, 3)
    y[0, y[0] > 1] *= 0.5


def by_mask_of_a_view(x):
    x.T[x > 1] *= 0.5


@pytest.mark.parametrize("function", [by_mask, by_named_mask, by_mask_in_rows, by_mask_of_a_part, by_mask_of_a_view])
def test_masked_updates_by_a_richer_kind_are_refused(function):
    with pytest.raises(TypeError):
        function(K.copy())
    with pytest.raises(sluice.CompileError, match="F009.*an update in place cannot turn float64 into the array's int64"):
        sluice.program(function, strict=True)(K.copy())


def test_masked_updates_of_the_kind_itself_are_made():
    def updates(x, y):
        x[x > 2] //= 2
        x[x < 2] <<= 1
        y[y > 2.0] *= np.float64(0.5)
        y[x > 1] += np.ones(5)

    mine, own = (K.copy(), K.astype(np.float32)), (K.copy(), K.astype(np.float32))
    updates(*own)
    sluice.program(updates, strict=True)(*mine)
    for one, other in zip(mine, own):
        np.testing.assert_array_equal(one, other)


def stores(x, v):
    x[0] = v
    x[1:3] = v
    x[x == 4] = v
    return x


@pytest.mark.parametrize("type_of, value", [(np.uint8, 255.9), (np.uint8, -0.5), (np.int8, -128.5), (np.int64, -2.0**63), (np.uint64, 1.8e19), (np.uint8, 256.0),
                                            (np.uint8, -1.0), (np.int8, -129.0), (np.int64, 2.0**63), (np.int64, float("inf")), (np.int32, float("nan"))])
def test_floats_of_python_in_integers(type_of, value):
    x = np.arange(6).astype(type_of)
    try:
        expected = stores(x.copy(), value)
    except (OverflowError, ValueError) as error:
        with pytest.raises(type(error)):
            sluice.program(stores, strict=True)(x, value)
    else:
        np.testing.assert_array_equal(sluice.program(stores, strict=True)(x, value), expected)


def test_literals_that_integers_do_not_hold_are_refused():
    def literal(x):
        x[x > 2] = -1.5
        return x

    with pytest.raises(sluice.CompileError, match="F009.*a float does not fit into uint8"):
        sluice.program(literal, strict=True)(K.astype(np.uint8))


def test_putmask_casts_safely():
    def put(x, v):
        np.putmask(x, x > 1, v)
        return x

    for x, v in ((np.arange(4.0), np.array([9, 8])), (np.arange(4.0, dtype=np.float32), np.array([9, 8], dtype=np.int16))):
        np.testing.assert_array_equal(sluice.program(put, strict=True)(x.copy(), v), put(x.copy(), v))
    for x in (np.arange(4), np.arange(4.0, dtype=np.float32)):
        with pytest.raises((TypeError, sluice.CompileError), match="according to the rule 'safe'"):
            sluice.program(put, strict=True)(x, np.array([9.0, 8.0]))


def by_element(a, f):
    for i in range(len(f)):
        a[i] = f[i]
    return a


def by_update(a, f):
    a[0] += f[0]
    return a


def by_slice(a, f):
    a[:] = f[0]
    return a


def by_fill(a, f):
    a.fill(f[0])
    return a


def by_list(a, f):
    return np.array([f[0], 1.0], dtype=a.dtype)


def by_array(a, f):
    a[:len(f)] = f
    return a


def by_mask_of_one(a, f):
    a[a > 1] = f[0]
    return a


def by_indices(a, f):
    a[[0, 1]] = f[0]
    return a


@pytest.mark.parametrize("value", [2.9, -3.7, 1e30, np.nan, -np.inf])
@pytest.mark.parametrize("dtype", ["int8", "int64", "uint8"])
@pytest.mark.parametrize("function", [by_element, by_update, by_slice, by_fill, by_list, by_array, by_mask_of_one, by_indices])
def test_numpys_floats_in_arrays_of_integers(function, dtype, value):
    """They were cast where NumPy raises OverflowError or ValueError: as elements and slices of signed integers."""
    given, f = np.arange(4).astype(dtype), np.array([value, 2.0])
    program = sluice.program(function, strict=True)
    with np.errstate(all="ignore"):
        try:
            wanted = function(given.copy(), f)
        except (OverflowError, ValueError) as error:
            with pytest.raises(type(error)):
                program(given.copy(), f)
        else:
            np.testing.assert_array_equal(program(given.copy(), f), wanted)


def test_floats_that_become_integers_in_loops():
    def counted(f, n):
        c = np.zeros(n, dtype=np.int64)
        for x in f:
            c[int(x) % n] += 1
        return c

    def guarded(f, n):
        s = 0
        for x in f:
            s += int(x) if x == x else n
        return s

    program = sluice.program(counted, strict=True)
    np.testing.assert_array_equal(program(np.array([1.5, 7.0, -2.5]), 3), counted(np.array([1.5, 7.0, -2.5]), 3))
    for value, error in ((np.nan, ValueError), (1e30, OverflowError)):
        with pytest.raises(error):
            program(np.array([1.5, value]), 3)
    assert sluice.program(guarded, strict=True)(np.array([1.5, np.nan]), 3) == guarded(np.array([1.5, np.nan]), 3)


def test_numbers_of_pythons_as_numpys():
    def converted(f):
        return np.int64(f), np.uint8(f)

    program = sluice.program(converted, strict=True)
    assert program(7.9) == converted(7.9)
    with pytest.raises(OverflowError):
        program(1e30)


ROW, SQUARE = np.arange(3.0), np.arange(9.0).reshape(3, 3)


def summed(x, out):
    return np.sum(x, axis=0, out=out)


def averaged(x, out):
    return x.mean(axis=1, out=out)


def placed(x, out):
    return np.argmax(x, axis=0, out=out)


def dotted(x, out):
    return np.dot(x, x[0], out=out)


def contracted(x, out):
    return np.einsum("ij,j->i", x, x[0], out=out)


def accumulated(x, out):
    return np.cumsum(x[0], out=out)


def rounded(x, out):
    return np.round(x[0], out=out)


def joined(x, out):
    return np.concatenate((x[0], x[1, :0]), out=out)


@pytest.mark.parametrize("function", [summed, averaged, placed, dotted, contracted, accumulated, rounded, joined])
def test_outputs_that_numpy_refuses(function):
    """Reductions and products broadcast into no other shape, and some take one type only."""
    program = sluice.program(function, strict=True)
    own = np.zeros(3, dtype=np.int64 if function is placed else np.float64)
    np.testing.assert_array_equal(program(SQUARE, own.copy()), function(SQUARE, own.copy()))
    wrong = [np.zeros((2, 3), own.dtype), np.zeros(4, own.dtype)]
    if function in (dotted, contracted):
        wrong.append(np.zeros(3, np.float32))
    if function is dotted:
        wrong.append(np.zeros(6)[::2])
    if function is placed:
        wrong.append(np.zeros(3))
    for out in wrong:
        with pytest.raises((ValueError, TypeError)):
            function(SQUARE, out)
        with pytest.raises((ValueError, sluice.CompileError)):
            program(SQUARE, out)
