"""@program(target=...) and SDFG.compile(target=...): the same results from C99, and what it has not."""
import pickle

import numpy as np
import pytest

import sluice

N = sluice.symbol("N")


@sluice.program(target="c99")
def smooth(x: sluice.float64[N], y: sluice.float64[N], steps: sluice.int64):
    for _ in range(steps):
        y[1:-1] = (x[:-2] + x[1:-1] + x[2:]) / 3
        x[:] = np.where(y > 0.5, np.sqrt(y), y ** 2)
    return np.sum(x), np.max(y) // 0.25, x % 0.3


def by_numpy(x, y, steps):
    for _ in range(steps):
        y[1:-1] = (x[:-2] + x[1:-1] + x[2:]) / 3
        x[:] = np.where(y > 0.5, np.sqrt(y), y ** 2)
    return np.sum(x), np.max(y) // 0.25, x % 0.3


def test_programs_agree_with_numpy():
    x, y = np.random.default_rng(3).random((2, 50))
    ours, theirs = (x.copy(), y.copy()), (x.copy(), y.copy())
    got, expected = smooth(*ours, 4), by_numpy(*theirs, 4)
    for one, other in zip((*ours, *got), (*theirs, *expected)):
        np.testing.assert_allclose(one, other, rtol=1e-13)
    compiled = smooth.compile(*ours, 4)
    assert '#include "sluice/c99.h"' in compiled.source


def test_integers_are_numpys():
    @sluice.program(target="c99", strict=True)
    def arithmetic(a, b):
        return a // b, a % b, abs(a), a << 2, a >> 1, np.minimum(a, b), np.sign(a), ~a

    for dtype in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint32, np.uint64):
        info = np.iinfo(dtype)
        a = np.array([info.min, info.max, 7, 0, 5, info.max - 1], dtype)
        b = np.array([1, 3, info.max, 2, 4, 2] if info.min == 0 else [-1, 3, -2, 2, -4, 2], dtype)
        with np.errstate(all="ignore"):
            for one, other in zip(arithmetic(a, b), arithmetic.f(a, b)):
                np.testing.assert_array_equal(one, other)
                assert one.dtype == other.dtype


def test_a_check_raises_what_it_raises_on_a_cpu():
    @sluice.program(target="c99", check=True)
    def pick(x, k):
        return x[k]

    x = np.arange(5.0)
    assert pick(x, 3) == 3
    with pytest.raises(IndexError, match="7"):
        pick(x, 7)
    assert pick(x, -1) == 4


def test_what_it_has_not_is_an_error_that_names_it():
    @sluice.program(target="c99", strict=True)
    def turn(x: sluice.complex128[4]):
        x[:] = x * 1j

    with pytest.raises(sluice.CompileError, match="L024.*container `x` holds complex128, which C99 does not have here"):
        turn(np.ones(4, np.complex128))

    @sluice.program(target="c99", strict=True)
    def solve(a: sluice.float64[3, 3], b: sluice.float64[3]):
        return np.linalg.solve(a, b)

    with pytest.raises(sluice.CompileError, match="B004.*the target calls no library"):
        solve(np.eye(3), np.ones(3))


def test_a_graph_says_its_target_when_it_is_compiled(tmp_path):
    graph = smooth.to_sdfg()
    compiled = graph.compile(str(tmp_path), target="c99")
    assert (tmp_path / "smooth.c").exists() and not (tmp_path / "smooth.cpp").exists()
    assert "c99" in compiled.source and "c99" not in graph.compile().source
    with pytest.raises(sluice.CompileError, match="D023.*no target `abacus`"):
        graph.compile(target="abacus")


def test_a_target_that_nobody_knows():
    with pytest.raises(ValueError, match="knows no target 'abacus': choose among cpu, c99"):
        sluice.program(target="abacus")(lambda x: x)


def test_a_target_goes_with_the_program():
    assert pickle.loads(pickle.dumps(smooth)).target == "c99"

    class Box:
        @sluice.program(target="c99")
        def twice(self, x):
            return 2 * x

    assert Box().twice.target == "c99"


def test_products_become_loops():
    @sluice.program(target="c99", strict=True)
    def product(a: sluice.float64[N, N], b: sluice.float64[N, N]):
        return a @ b

    a, b = np.random.default_rng(5).random((2, 30, 30))
    np.testing.assert_allclose(product(a, b), a @ b, rtol=1e-13)
    assert "blas" not in product.compile(a, b).source


def test_names_of_c_are_names_of_the_users():
    """Arguments, variables and the program itself may be called as what the printed text uses."""
    @sluice.program(target="c99", name="free", strict=True)
    def named(made, status, exp, memcpy, NAN, INFINITY, calloc, restrict, inline, NULL, k: sluice.int64):
        free = np.empty((k,))
        malloc = np.zeros((k,))
        for i in range(k):
            longjmp = made[i] + status[i] * np.exp(exp[i])
            free[i] = longjmp
            if longjmp > 3:
                continue
            mark0 = np.full((k,), longjmp)
            malloc[i] = mark0[i] + memcpy[i] + NAN[i] + INFINITY[i] + calloc[i] + restrict[i] + inline[i] + NULL[i]
        return free + malloc

    arguments = np.random.default_rng(9).random((10, 6)) * 2
    np.testing.assert_allclose(named(*arguments, 6), named.f(*arguments, 6), rtol=1e-13)


def test_a_constant_table():
    @sluice.program(target="c99", strict=True)
    def weighted(x: sluice.float64[4]):
        return x * np.array([0.1, -2.5, np.inf, 1e-300]) + np.array([1, 2, 3, -(2**40)])

    x = np.array([1.0, 2.0, 3.0, 4.0])
    np.testing.assert_array_equal(weighted(x), weighted.f(x))
