"""Products of many matrices by one: the left matrices one below the other are one product where their rows are equally far apart."""
import numpy as np
import pytest

import sluice
from test_operations import around

N = sluice.symbol("N")


def product(a, b):
    return a @ b


def steps(program, *arguments):
    """Which expansions the products of the program get."""
    lines = []
    program.to_sdfg(*arguments).expand_library_nodes(trace=lines.append)
    return " ".join(lines)


@pytest.mark.parametrize("left, right", [((4, 5, 6), (6, 7)), ((3, 4, 5, 6), (6, 7)), ((4, 1, 6), (6, 7)), ((0, 5, 6), (6, 7)),
                                         ((4, 5, 0), (0, 7)), ((4, 5, 6), (1, 6, 7)), ((1, 1, 6), (6, 7)), ((4, 5, 1), (1, 1))])
def test_one_product(left, right):
    rng = np.random.default_rng(3)
    a, b = rng.random(left), rng.random(right)
    np.testing.assert_allclose(sluice.program(product)(a, b), a @ b, rtol=1e-13)


def test_it_is_chosen_for_sizes_of_the_call():
    @sluice.program
    def reshaped(n: sluice.int64, a: sluice.float64[6, 8, 10], b: sluice.float64[10, 7], c: sluice.float64[6, 8, 7]):
        c[:] = np.reshape(np.reshape(a, (6, n, 1, 10)) @ b, (6, n, 7))

    rng = np.random.default_rng(3)
    a, b, c = rng.random((6, 8, 10)), rng.random((10, 7)), np.zeros((6, 8, 7))
    reshaped(8, a, b, c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-13)
    assert "BatchedMatMul -> stacked" in steps(reshaped)


@sluice.program
def every_second(a: sluice.float64[6, 8, 10], b: sluice.float64[10, 7], c: sluice.float64[6, 8, 7]):
    c[::2] = a[::2] @ b
    c[1::2, ::2] = a[1::2, ::2] @ b


@sluice.program
def transposed(a: sluice.float64[6, 8, 10], b: sluice.float64[8, 7], c: sluice.float64[6, 10, 7]):
    c[:] = np.transpose(a, (0, 2, 1)) @ b


@sluice.program
def into_rows(a: sluice.float64[6, 8, 10], b: sluice.float64[10, 7], c: sluice.float64[6, 16, 7]):
    c[:, ::2] = a @ b
    c[:, 1::2] = 2.0 * (a @ b)


@pytest.mark.parametrize("program, shapes", [(every_second, [(6, 8, 10), (10, 7), (6, 8, 7)]),
                                             (transposed, [(6, 8, 10), (8, 7), (6, 10, 7)]),
                                             (into_rows, [(6, 8, 10), (10, 7), (6, 16, 7)])], ids=lambda v: getattr(v, "name", ""))
def test_rows_that_are_not_packed(program, shapes):
    rng = np.random.default_rng(4)
    mine = [rng.random(shape) for shape in shapes]
    theirs = [array.copy() for array in mine]
    program(*mine)
    program.f(*theirs)
    np.testing.assert_allclose(mine[2], theirs[2], rtol=1e-13)


def of_transposed(A, B, x, y):
    return A.T @ x, y @ A.T, A.T @ B, B.T @ A, A @ A.T, A.T @ A, x @ A, A.T[1:] @ B[:, 2:], A @ B.T


@pytest.mark.parametrize("convert", [np.copy, np.asfortranarray, lambda a: a.astype(np.float32), lambda a: a + 1j * a,
                                     lambda a: (10 * a).astype(np.int64)], ids=["C", "F", "float32", "complex", "int"])
def test_transposed_matrices_are_operands(convert):
    random = np.random.default_rng(4)
    arguments = [convert(random.normal(size=shape)) for shape in ((6, 4), (6, 4), 6, 4)]
    for wanted, got in zip(of_transposed(*arguments), sluice.program(of_transposed)(*arguments)):
        assert wanted.dtype == got.dtype
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-4)


def test_transposed_matrices_are_not_copied():
    graph = sluice.program(of_transposed).to_sdfg(*(np.ones(shape) for shape in ((6, 4), (6, 4), 6, 4)))
    assert not [name for name in graph.arrays if name.startswith(("left", "right"))]


def of_stacks(A, B):
    return A @ B, A @ B.transpose(0, 2, 1).copy().transpose(0, 2, 1), A.transpose(0, 2, 1) @ A, A[1:] @ B[0], A[0] @ B, A[:, ::2] @ B, A @ B[:, :, 1:]


@pytest.mark.parametrize("convert", [np.copy, lambda a: a.astype(np.float32), lambda a: a + 1j * a, lambda a: (10 * a).astype(np.int64)],
                         ids=["float64", "float32", "complex", "int"])
@pytest.mark.parametrize("sizes", [(3, 2, 4, 5), (2, 20, 30, 40), (1, 17, 18, 19), (2, 5, 1, 6), (0, 3, 4, 5), (2, 0, 4, 5), (2, 3, 0, 5)], ids=str)
def test_stacks_of_small_and_large_matrices(convert, sizes):
    batch, m, k, n = sizes
    random = np.random.default_rng(6)
    A, B = convert(random.normal(size=(batch + 1, m, k))), convert(random.normal(size=(batch + 1, k, n)))
    for wanted, got in zip(of_stacks(A, B), sluice.program(of_stacks)(A, B), strict=True):
        assert wanted.dtype == got.dtype and wanted.shape == got.shape
        np.testing.assert_allclose(got, wanted, rtol=2e-4, atol=2e-4)


def test_sizes_of_the_call_decide_between_loops_and_calls():
    @sluice.program
    def stacks(a: sluice.float64[N, N, N], b: sluice.float64[N, N, N], c: sluice.float64[N, N, N]):
        c[:] = a @ b

    for size in (3, 16, 17, 30):
        a, b = np.random.default_rng(7).random((2, size, size, size))
        c = np.zeros_like(a)
        stacks(a, b, c)
        np.testing.assert_allclose(c, a @ b, rtol=1e-13)
    line = steps(stacks)
    assert "BatchedMatMul -> NumPy" in line and "by_size" in line and "Gemm -> NumPy" in line


def test_constant_sizes_decide_at_once():
    @sluice.program
    def tiny(a: sluice.float64[N, 3, 3], b: sluice.float64[N, 3, 3], c: sluice.float64[N, 3, 3]):
        c[:] = a @ b

    assert "BatchedMatMul -> Small" in steps(tiny) and "loops are faster" in steps(tiny)


def test_small_products_of_constant_sizes_add_up_in_registers():
    def both(a, b):
        return a @ b, a[0] @ b[0], a[:, ::2, 1:] @ b[:, 1:, ::2], b.transpose(0, 2, 1) @ b

    def numbers(*shape):
        return np.random.default_rng(3).normal(size=shape)

    for dtype in (np.float64, np.float32):
        a, b = numbers(40, 16, 16).astype(dtype), numbers(40, 16, 16).astype(dtype)
        program = sluice.program(both)
        assert "BatchedMatMul -> Small" in steps(program, a, b) and " Gemm -> Small, by the operation" in steps(program, a, b)
        for got, wanted in zip(program(a, b), both(a, b), strict=True):
            assert got.dtype == wanted.dtype
            np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-12 if dtype is np.float64 else 1e-4)


def test_a_stack_by_a_vector():
    a, x = np.random.default_rng(8).random((4, 30, 20)), np.arange(20.0)
    np.testing.assert_allclose(sluice.program(product)(a, x), a @ x, rtol=1e-13)


def test_transposed_stacks_are_not_copied():
    graph = sluice.program(by_own_transposed).to_sdfg(np.ones((3, 30, 20)))
    assert not [name for name in graph.arrays if name.startswith(("left", "right"))]


def by_own_transposed(A):
    return A @ A.transpose(0, 2, 1)


@pytest.mark.parametrize("alpha, beta", [(2.0, 0.0), (1.0, 1.0), (0.5, 3.0)])
def test_small_products_are_scaled_and_added(alpha, beta):
    a, b, c = (np.random.default_rng(9).normal(size=shape) for shape in ((5, 7), (7, 4), (5, 4)))
    graph = around("Gemm", {"_a": a.shape, "_b": b.shape, "_c": c.shape}, alpha=alpha, beta=beta)
    lines, wanted = [], alpha * (a @ b) + beta * c
    graph.expand_library_nodes(trace=lines.append)
    graph(a_a=a, a_b=b, a_c=c)
    assert "Gemm -> Small" in " ".join(lines)
    np.testing.assert_allclose(c, wanted, rtol=1e-13)
