"""What programs may name and index: masks, clipped slices, sizes by expression, arrays of the module, consume scopes."""
import numpy as np
import pytest

import sluice

N, M = sluice.symbol("N"), sluice.symbol("M")
K = N + 1
TABLE = np.arange(8.0)
MORE = np.ones((2, 3))


@sluice.program
def masks(a: sluice.float64[N], b: sluice.float64[N], m: sluice.bool_[N], A: sluice.float64[N, M], c: sluice.int64[N]):
    a[a > 0.5] = 0
    b[m] += 2 * b[m] + 1
    b[~m] = np.sqrt(a[~m])
    A[m] = -1
    A[:, A[0] > 0.5] *= 2
    A[A < -2] = A[A < -2] + 7
    c[c % 2 == 0] = 2.7


def test_assignment_through_masks():
    rng = np.random.default_rng(0)
    args = [rng.random(9), rng.random(9), rng.random(9) > .5, rng.random((9, 5)), rng.integers(0, 100, 9)]
    want = [x.copy() for x in args]
    masks.f(*want)
    masks(*args)
    for x, y in zip(args, want):
        np.testing.assert_allclose(x, y)


@sluice.program
def extended(x: sluice.float64[K], y: sluice.int64[1]):
    x[K - 1] = K
    for i in range(K):
        y[0] += i


def test_a_global_expression_of_symbols():
    x, y = np.zeros(6), np.zeros(1, int)
    extended(x, y)
    assert x[5] == 6 and y[0] == 15


@sluice.program
def inner(x: sluice.float64[8]):
    x += TABLE * 2


@sluice.program
def closure(x: sluice.float64[8]):
    x += TABLE
    MORE[1, 2] += x[1]
    inner(x)
    for i in sluice.map[0:8]:
        if i > 3:
            x[i] += TABLE[i]

def reference(x):
    x += TABLE
    MORE[1, 2] += x[1]
    x += TABLE * 2
    x[4:] += TABLE[4:]


def test_arrays_of_the_module_are_arguments(monkeypatch):
    x, want = np.zeros(8), np.zeros(8)
    closure(x)
    got = MORE.copy()
    MORE[:] = 1
    reference(want)
    np.testing.assert_allclose(x, want)
    np.testing.assert_allclose(got, MORE)
    assert set(closure.compile().arguments) == {"x", "__g_TABLE", "__g_MORE"}
    # Another array under the same name, of another size: bound at call time.
    monkeypatch.setitem(globals(), "TABLE", np.ones(8))
    monkeypatch.setitem(globals(), "MORE", np.ones((4, 4)))
    x[:] = 0
    closure(x)
    np.testing.assert_allclose(x, [3] * 4 + [4] * 4)
    assert MORE[1, 2] == 2


def test_a_closed_over_array():
    weights = np.arange(4.0)

    @sluice.program
    def add_up(x: sluice.float64[4]):
        x *= weights

    x = np.ones(4)
    add_up(x)
    np.testing.assert_array_equal(x, weights)
    weights += 1
    add_up(x)
    np.testing.assert_array_equal(x, np.arange(4.0) * weights)


@sluice.program
def clipped(a: sluice.float64[N], i: sluice.int64, j: sluice.int64, out: sluice.float64[N], n: sluice.int64[1], s: sluice.float64[1]):
    n[0] = a[i:j].shape[0]
    s[0] = np.sum(a[i:j])
    out[i:j] = a[i:j] * 2
    out[-5:] += 1
    out[:-3:-1] += 1


def test_slice_bounds_are_clipped_as_in_numpy():
    for n in (1, 2, 7):
        for i in range(-9, 10):
            for j in range(-9, 10):
                a, o, w = np.random.rand(n), np.zeros(n), np.zeros(n)
                c, d, s, t = np.zeros(1, int), np.zeros(1, int), np.zeros(1), np.zeros(1)
                clipped(a, i, j, o, c, s)
                clipped.f(a, i, j, w, d, t)
                np.testing.assert_allclose(o, w, err_msg=f"{n} elements, {i}:{j}")
                assert c == d
                np.testing.assert_allclose(s, t)


@sluice.program
def fibonacci(n: sluice.int32[1], result: sluice.int64[1]):
    S = sluice.define_stream(sluice.int32, 0)
    with sluice.tasklet:
        first << n[0]
        work >> S
        work = first

    @sluice.consumescope(S, 4)
    def step(item, p):
        with sluice.tasklet:
            s << item
            more >> S(-1)
            value >> result(-1, lambda a, b: a + b)[0]
            if s == 1:
                value = 1
            elif s > 1:
                more = s - 1
                more = s - 2


def test_a_consume_scope_of_tasklets():
    r = np.zeros(1, int)
    fibonacci(np.array([12], np.int32), r)
    assert r[0] == 144


@sluice.program
def squares(n: sluice.int32[1], out: sluice.int64[N]):
    S = sluice.define_stream(sluice.int32, 0)
    with sluice.tasklet:
        first << n[0]
        work >> S
        work = first

    @sluice.consumescope(S, 2)
    def step(item, p):
        out[item] = item * item
        with sluice.tasklet:
            s << item
            more >> S(-1)
            if s > 0:
                more = s - 1


def test_a_consume_scope_with_statements():
    r = np.zeros(6, int)
    squares(np.array([5], np.int32), r)
    assert list(r) == [0, 1, 4, 9, 16, 25]


@pytest.mark.parametrize("statement, code, text", [
    ("y = x[x[0] > 0]", "F001", "a truth value as an index"),
    ("x[:-1][x > 0] = 0", "F004", "a mask and the dimension"),
])
def test_masks_that_are_refused(statement, code, text):
    source = f"def masked(x: sluice.float64[N]):\n    {statement}\n"
    with pytest.raises(sluice.CompileError, match=text) as error:
        sluice._core.parse_program(source, "masked.py", 1, {"sluice": ("module", "sluice"), "np": ("module", "numpy"),
                                                            "N": ("symbol", N)}).build({})
    assert error.value.code == code and error.value.lineno == 2


OUTSIDE = [
    "for i in range(11):\n    x[i] = 1",
    "for i in range(N + 1):\n    y[i] = 1",
    "for i in range(N):\n    for j in range(i + 2):\n        y[j] = 1",
    "for i in range(10, -1, -1):\n    x[i] = 1",
    "for i in range(0, 13, 4):\n    x[i] = 1",
    "for i in range(10):\n    x[i + 1] = x[i]",
    "for i in range(2, 5):\n    for j in range(i):\n        x[2 * i + j] = 1",
    "for i in range(12):\n    x[-i] = 1",
]
INSIDE = [
    "for i in range(11):\n    if i < 10:\n        x[i] = 1",
    "for i in range(11):\n    if i == 10:\n        break\n    x[i] = 1",
    "for i in range(0, 12, 4):\n    x[i] = 1",
    "for i in range(12):\n    for j in range(i, 10):\n        x[i] = 1",
    "for i in range(12):\n    for j in range(k):\n        x[i] = 1",
    "for i in range(11):\n    y[0] = x[i] if i < 10 else 0.0",
    "for i in range(M):\n    y[i] = 1",
    "for i in range(k):\n    x[i] = 1",
    "i = 0\nwhile i < 10:\n    x[i] = 1\n    i = i + 1",
    "for i in range(9, -1, -1):\n    x[i] = x[9 - i]",
    "for i in range(11):\n    x[i:i + 5] = 1",
]


def graph_of(body):
    """The graph of a program over x: float64[10] and y: float64[N]."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    source = f"def indexed(x: sluice.float64[10], y: sluice.float64[N], k: sluice.int64):\n{lines}"
    bindings = {"sluice": ("module", "sluice"), "N": ("symbol", N), "M": ("symbol", M)}
    return sluice._core.parse_program(source, "indexed.py", 1, bindings).build({})


@pytest.mark.parametrize("body", OUTSIDE)
def test_a_loop_that_leaves_an_array(body):
    with pytest.raises(sluice.CompileError, match="lies outside") as error:
        graph_of(body)
    assert error.value.code == "F007" and error.value.lineno > 2


@pytest.mark.parametrize("body", INSIDE)
def test_a_loop_that_may_stay_inside(body):
    graph_of(body)
