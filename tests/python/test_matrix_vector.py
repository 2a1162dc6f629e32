"""Products of a matrix and a vector: small ones as loops, cached ones by the calling thread, large ones by a BLAS."""
import numpy as np
import pytest

import sluice
from test_batched_products import steps

M, N = sluice.symbol("M"), sluice.symbol("N")
SHAPES = [(1, 1), (1, 90), (90, 1), (3, 200), (5, 1000), (64, 64), (97, 203), (301, 202), (0, 5), (5, 0)]


def both(A, x, y):
    return A @ x, y @ A


def of_parts(A, x, y):
    return A[1:, 2:] @ x[2:], A[::2].T @ y[::2], A[:, ::-1] @ x, A[:, 1] * 2 + A @ x, A @ np.stack((x, x), axis=1)[:, 1]


@pytest.mark.parametrize("dtype, rtol", [(np.float64, 1e-13), (np.float32, 2e-5), (np.complex128, 1e-13), (np.int64, 0)])
@pytest.mark.parametrize("function", [both, of_parts])
@pytest.mark.parametrize("layout", ["C", "F"])
def test_every_shape(function, dtype, rtol, layout):
    rng = np.random.default_rng(11)
    program = sluice.program(function)
    for rows, columns in SHAPES if dtype is np.float64 and layout == "C" else SHAPES[3::2]:  # The others: numbers, symbols, without columns.
        if function is of_parts and columns < 3:
            continue
        A, x, y = (np.asarray(rng.integers(-9, 9, shape) if dtype is np.int64 else rng.random(shape), dtype=dtype)
                   for shape in ((rows, columns), columns, rows))
        A = np.asarray(A, order=layout)
        for got, wanted in zip(program(A, x, y), function(A, x, y), strict=True):
            assert got.dtype == wanted.dtype
            np.testing.assert_allclose(got, wanted, rtol=rtol, atol=rtol)


def test_sizes_decide_who_multiplies():
    def product(A, x, y):
        y[:] = A @ x

    def chosen(rows):
        return steps(sluice.program(product), np.zeros((rows, rows)), np.zeros(rows), np.zeros(rows))

    assert "Gemv -> native" in chosen(20) and "Gemv -> Blocked" in chosen(500) and "Gemv -> NumPy" in chosen(1100)


def test_a_team_multiplies_by_blocks():
    """No library's threads are asked inside of a team, and rows of growing length are dealt out."""
    @sluice.program
    def products(A: sluice.float64[M, N], out: sluice.float64[N, N]):
        for i in range(A.shape[1] - 1):
            out[i, i + 1:] = A[:, i] @ A[:, i + 1:]

    graph = products.to_sdfg()
    graph.optimize(3)
    assert "omp_schedule=Dynamic" in graph.text()
    lines = []
    graph.expand_library_nodes(trace=lines.append)
    assert "Gemv -> Blocked" in " ".join(lines)
    for rows, columns in [(3, 4), (1, 9), (130, 257)]:
        A = np.random.default_rng(5).random((rows, columns))
        out = np.zeros((columns, columns))
        products(A, out)
        np.testing.assert_allclose(out, np.triu(A.T @ A, 1), rtol=1e-12)


def test_sizes_of_the_run():
    @sluice.program
    def product(A: sluice.float64[M, N], x: sluice.float64[N], y: sluice.float64[M], z: sluice.float64[N]):
        y[:] = A @ x
        z[:] = y @ A

    for rows, columns in [(3, 4), (500, 300), (1100, 1200)]:
        A, x, y, z = np.random.default_rng(2).random((rows, columns)), np.arange(float(columns)), np.zeros(rows), np.zeros(columns)
        product(A, x, y, z)
        np.testing.assert_allclose(y, A @ x, rtol=1e-12)
        np.testing.assert_allclose(z, (A @ x) @ A, rtol=1e-12)


def test_infinities_and_what_is_no_number():
    A, x = np.full((100, 100), 2.0), np.ones(100)
    A[3, 4], A[5, 6], x[99] = np.nan, np.inf, 0.0
    A[7, 99] = np.inf
    with np.errstate(invalid="ignore"):
        for got, wanted in zip(sluice.program(both)(A, x, x), both(A, x, x), strict=True):
            np.testing.assert_array_equal(np.isnan(got), np.isnan(wanted))
            np.testing.assert_allclose(got, wanted)


def fused_steps(program, *arguments):
    """Which expansions the products get once those of one matrix are one operation."""
    graph, lines = program.to_sdfg(*arguments), []
    graph.optimize(3)
    graph.expand_library_nodes(trace=lines.append)
    return " ".join(lines)


def test_products_of_one_matrix_read_it_once():
    rng = np.random.default_rng(5)
    twice, pair = sluice.program(lambda A, x: (A @ x) @ A), sluice.program(both)
    for rows, columns in [(301, 203), (1100, 1203)]:  # In a cache, and by a team.
        A, x, z = rng.random((rows, columns)), rng.random(columns), rng.random(rows)
        assert "GemvPair -> one_pass" in fused_steps(twice, A, x)
        for matrix in (A, np.asfortranarray(A)):  # Where columns are contiguous the second product waits for all of the first.
            np.testing.assert_allclose(twice(matrix, x), (A @ x) @ A, rtol=1e-12)
        for arguments in [(A, x, z), (A, np.repeat(x, 2)[::2], np.repeat(z, 3)[::3]), (np.asfortranarray(A), x, z)]:
            assert "GemvPair -> one_pass" in fused_steps(pair, *arguments)
            for got, wanted in zip(pair(*arguments), both(*arguments), strict=True):
                np.testing.assert_allclose(got, wanted, rtol=1e-12)
    assert "GemvPair -> native" in fused_steps(pair, np.ones((4, 5)), np.ones(5), np.ones(4))


def test_matrices_that_no_cache_holds():
    """A team shares the rows or columns; short rows, few rows and short pieces of memory go to the BLAS."""
    @sluice.program
    def plain(A: sluice.float64[M, N], x: sluice.float64[N]):
        return A @ x

    @sluice.program
    def transposed(A: sluice.float64[M, N], x: sluice.float64[M]):
        return x @ A

    rng = np.random.default_rng(8)
    for rows, columns in [(5021, 5033), (2103, 2101), (30, 140001), (150001, 30)]:
        A, x, y = rng.random((rows, columns)), rng.random(columns), rng.random(rows)
        np.testing.assert_allclose(plain(A, x), A @ x, rtol=1e-12)
        np.testing.assert_allclose(plain(A, np.repeat(x, 2)[::2]), A @ x, rtol=1e-12)
        np.testing.assert_allclose(transposed(A, y), y @ A, rtol=1e-12)


def backwards_substituted(c, v):
    rows = c.shape[0]
    x = np.zeros((rows, 1))
    for row in range(rows - 1, -1, -1):
        total = np.dot(c[row, row + 1:], x[row + 1:])
        x[row, 0] = (v[row, 0] - total[0]) / c[row, row]
    return x


@pytest.mark.parametrize("rows", [1, 2, 3, 6])
def test_sizes_that_a_loop_counts_down_to_nothing(rows):
    """A loop variable counted as positive: 1 - row was no element."""
    c, v = np.arange(1.0, rows * rows + 1).reshape(rows, rows), np.arange(1.0, rows + 1).reshape(rows, 1)
    np.testing.assert_allclose(sluice.program(backwards_substituted, strict=True)(c, v), backwards_substituted(c, v), rtol=1e-12)
