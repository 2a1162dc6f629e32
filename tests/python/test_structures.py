"""Structures as parameters: programs of their fields."""
from dataclasses import dataclass

import numpy as np
import pytest

import sluice
from sluice.data import Array, Scalar, Structure

M, N, K = (sluice.symbol(name) for name in ("M", "N", "K"))
Rows = Structure({"begin": sluice.int64[M + 1], "column": sluice.int64[K], "value": sluice.float64[K]}, name="Rows")


@sluice.program(strict=True)
def times(A: Rows, x: sluice.float64[N], y: sluice.float64[M]):
    for i in range(M):
        y[i] = 0
        for at in range(A.begin[i], A.begin[i + 1]):
            y[i] += A.value[at] * x[A.column[at]]


def matrix():
    dense = np.array([[0, 2.5, 0], [1, 0, -3], [0, 0, 0], [0, 0, 4]])
    rows, columns = np.nonzero(dense)
    fields = dict(begin=np.searchsorted(rows, np.arange(5)), column=columns.copy(), value=dense[rows, columns])
    return dense, fields


def test_any_object_with_the_fields_is_an_argument():
    dense, fields = matrix()
    x, expected = np.arange(1.0, 4), dense @ np.arange(1.0, 4)

    class Sparse:
        def __init__(self):
            self.__dict__.update(fields)

    memory = Rows.dtype.base_type.as_ctypes()(**{name: array.ctypes.data for name, array in fields.items()})
    for given, sizes in ((Rows.make_argument(**fields), {}), (Rows.make_argument_from_object(Sparse()), {}), (Sparse(), {}), (fields, {}),
                         (memory, {"M": 4, "K": 4})):
        y = np.full(4, np.nan)
        times(given, x, y, **sizes)
        np.testing.assert_array_equal(y, expected)
        times.compile()(A=given, x=x, y=y * 0, **sizes)
    with pytest.raises(TypeError, match="A005.* the size M \\+ 1 of A.begin is not known"):
        times(memory, x, np.zeros(4))
    with pytest.raises(TypeError, match="A002.*without the field column"):
        times({"begin": fields["begin"]}, x, np.zeros(4))
    with pytest.raises(TypeError, match="A002.*A.begin is a null pointer"):
        times(Rows.dtype.base_type.as_ctypes()(), x, np.zeros(4), M=4, K=4)
    assert {"A_begin", "A_column", "A_value"} <= set(times.to_sdfg().arrays)


def test_structures_in_structures_and_of_the_program_itself():
    @dataclass
    class Inner:
        a: sluice.float32[5]
        factor: sluice.int32

    @dataclass
    class Outer:
        inner: Inner
        b: sluice.float64[2, N]

    Kind = Structure.from_dataclass(Outer)
    Local = Structure({"row": Array(sluice.float64, [N]), "last": Scalar(sluice.float64)}, "Local")

    @sluice.program(strict=True)
    def mixed(P: Kind, Q: Kind, P_b: sluice.float64):
        tmp = sluice.define_local_structure(Local)
        tmp.row[:] = P.b[0] + P_b
        tmp.last = tmp.row[-1]
        Q.inner.a[:] = P.inner.a * P.inner.factor; Q.inner.factor = 7  # noqa: E702
        Q.b[1] += tmp.row * 2 + tmp.last + Q.inner.factor

    P = Outer(Inner(np.arange(5, dtype=np.float32), 3), np.arange(6.0).reshape(2, 3))
    Q = Outer(Inner(np.zeros(5, np.float32), 1), np.ones((2, 3)))
    mixed(P, Q, 0.5)
    np.testing.assert_array_equal(Q.inner.a, P.inner.a * 3)
    row = P.b[0] + 0.5
    np.testing.assert_array_equal(Q.b, [[1, 1, 1], 1 + row * 2 + row[-1] + 7])
    assert Q.inner.factor == 1  # by value
    with pytest.raises(TypeError, match="the fields inner, b"):
        Kind.make_argument(inner=P.inner)
    with pytest.raises(TypeError, match="the field x of Bad has no type"):
        Structure({"x": 5}, "Bad")


def test_a_structure_is_no_value():
    @sluice.program(strict=True)
    def whole(A: Rows, y: sluice.float64[M]):
        B = A
        y[:] = B.value[:M]

    with pytest.raises(sluice.CompileError, match=r"test_structures.py:\d+:9: .*F001: .*the structure A as a value") as raised:
        whole(matrix()[1], np.zeros(4))
    assert raised.value.offset == 9

    @sluice.program(strict=True)
    def caller(y: sluice.float64[M]):
        times(y, y, y)

    with pytest.raises(sluice.CompileError, match="F011: .*parameters that are structures"):
        caller(np.zeros(4))
    with pytest.raises(TypeError, match="only inside a function"):
        sluice.define_local_structure(Rows)
