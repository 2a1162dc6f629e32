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

    with pytest.raises(sluice.CompileError, match="F009.*a float of Python's does not fit into uint8"):
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
