"""@program(check=True) compares indices that only the run knows; numbers and helpers of the module are looked up at every call."""
import numpy as np
import pytest

import sluice
from against_numpy import agree, plain

N, M = sluice.symbol("N"), sluice.symbol("M")
f8, i8 = sluice.float64, sluice.int64
SCALE = 2.0


@sluice.program(check=True)
def element(A: f8[N], k: i8):
    A[k] = 1.0
    return A[k - 1]


@sluice.program(check=True)
def by_data(A: f8[N], index: i8[M]):
    for i in range(M):
        A[index[i]] += 1.0


@sluice.program(check=True)
def in_a_map(A: f8[N], index: i8[M], B: f8[M]):
    for i in sluice.map[0:M]:
        B[i] = A[index[i]]


@sluice.program(check=True)
def gathered(A: f8[N], index: i8[M], B: f8[M]):
    B[:] = A[index]


@sluice.program(check=True)
def row(A: f8[N, M], k: i8):
    r = A[k]
    r += 1.0


@sluice.program(check=True)
def guarded(A: f8[N], n: i8):
    s = 0.0
    for i in range(n):
        s += A[i + 1] if i + 1 < N else 0.0
        if i < N and A[i] > 2.0:
            s += 1.0
    return s


@pytest.mark.parametrize("program, arguments", [
    (element, (np.zeros(4), 3)), (element, (np.zeros(4), -4 + 1)), (by_data, (np.zeros(4), np.array([3, -4, 0]))),
    (in_a_map, (np.arange(4.0), np.array([3, -4, 0]), np.zeros(3))), (gathered, (np.arange(4.0), np.array([3, -4, 0]), np.zeros(3))),
    (row, (np.zeros((3, 2)), -1)), (guarded, (np.arange(4.0), 9)),
])
def test_inside(program, arguments):
    agree(program, *arguments, N=len(arguments[0]), M=len(arguments[1]) if isinstance(arguments[1], np.ndarray) else 2)


@pytest.mark.parametrize("program, arguments, line", [
    (element, (np.zeros(4), 4), "A[k] = 1.0"), (element, (np.zeros(4), -5), "A[k] = 1.0"), (element, (np.zeros(0), 0), "A[k] = 1.0"),
    (by_data, (np.zeros(4), np.array([0, 4])), "A[index[i]] += 1.0"), (in_a_map, (np.zeros(4), np.array([0, -5]), np.zeros(2)), "B[i] = A[index[i]]"),
    (gathered, (np.zeros(4), np.array([0, 7]), np.zeros(2)), "B[:] = A[index]"), (row, (np.zeros((3, 2)), 3), "r = A[k]"),
])
def test_outside_names_the_line(program, arguments, line):
    with pytest.raises(IndexError) as error:
        program(*arguments)
    assert error.value.code == "A011" and line in str(error.value) and error.value.filename == __file__
    with pytest.raises(IndexError) as wanted:
        plain(program, N=len(arguments[0]), M=len(arguments[1]) if isinstance(arguments[1], np.ndarray) else 2)(*arguments)
    assert str(wanted.value) in str(error.value)  # NumPy's words.


@sluice.program
def scaled(x: f8[N]):
    return SCALE * x


@sluice.program
def helped(x: f8[N]):
    return scaled(x) + 1.0


def test_names_of_the_module_are_looked_up_at_each_call(monkeypatch):
    x = np.ones(3)
    assert scaled(x)[0] == 2 and helped(x)[0] == 3
    monkeypatch.setitem(globals(), "SCALE", 5.0)
    assert scaled(x)[0] == 5 and helped(x)[0] == 6

    @sluice.program
    def other(x: f8[N]):
        return x - 1.0
    monkeypatch.setitem(globals(), "scaled", other)
    assert helped(x)[0] == 1
    compiled = helped.compile()
    monkeypatch.setitem(globals(), "SCALE", 5.0 * 1)
    assert helped.compile() is compiled  # An equal number is no other program.


def test_asserts_of_tasklets_hold():
    @sluice.program
    def positive(A: f8[N], B: f8[N]):
        for i in sluice.map[0:N]:
            with sluice.tasklet:
                a << A[i]
                b >> B[i]
                assert a > 0, "elements are positive"
                b = a
    positive(np.ones(3), np.zeros(3))
    with pytest.raises(ValueError, match="elements are positive"):
        positive(np.zeros(3), np.zeros(3))
