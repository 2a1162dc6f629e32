"""Systems of equations: by LAPACK and by elimination, against NumPy."""
import functools

import numpy as np
import pytest

import sluice
from sluice import config


@sluice.program
def solved(a, b):
    return np.linalg.solve(a, b)


@sluice.program
def inverted(a):
    return np.linalg.inv(a)


N, M = sluice.symbol("N"), sluice.symbol("M")


def of_type(name):
    """For all sizes at once."""
    dtype = getattr(sluice, name)

    @sluice.program
    def of_all_sizes(a: dtype[N, N], b: dtype[N], c: dtype[N, M]):
        return np.linalg.solve(a, b), np.linalg.solve(a, c)

    @sluice.program
    def inverse(a: dtype[N, N]):
        return np.linalg.inv(a)
    return of_all_sizes, inverse


of_doubles = functools.cache(lambda: of_type("float64"))


def systems():
    rng = np.random.default_rng(8)
    for n in (1, 2, 5, 40):
        for columns in (1, 3, 0):
            yield rng.normal(size=(n, n)), rng.normal(size=n), rng.normal(size=(n, columns))
    yield np.zeros((0, 0)), np.zeros(0), np.zeros((0, 2))
    yield np.array([[0.0, 1.0], [2.0, 0.0]]), np.array([3.0, 4.0]), np.eye(2)  # No pivot without an exchange of rows.


@pytest.mark.parametrize("dtype, tolerance", [("float64", 1e-10), ("float32", 1e-3), ("complex128", 1e-10), ("complex64", 1e-3)])
@pytest.mark.parametrize("expansions", ["", "native"])
def test_solutions(dtype, tolerance, expansions):
    """By LAPACK, and by elimination."""
    before = config.get("expansions")
    config.set("expansions", expansions)
    try:
        compare(dtype, tolerance)
    finally:
        config.set("expansions", before)


def compare(dtype, tolerance):
    program, _ = of_type(dtype)
    lines = []
    program.to_sdfg().expand_library_nodes(trace=lines.append)
    assert ("Solve -> native" in " ".join(lines)) == (config.get("expansions") == "native"), lines
    for a, *rights in systems():
        if dtype[0] == "c":
            a, rights = a + 0.5j * a.T, [b * (1 - 2j) for b in rights]
        a, rights = a.astype(dtype), [b.astype(dtype) for b in rights]
        for b, got in zip(rights, program(a, *rights), strict=True):
            wanted = np.linalg.solve(a, b)
            assert wanted.dtype == got.dtype and wanted.shape == got.shape
            np.testing.assert_allclose(got, wanted, rtol=tolerance, atol=tolerance)


def test_sizes_that_are_numbers():
    rng = np.random.default_rng(12)
    for b in (rng.normal(size=1), rng.normal(size=(1, 3))):
        np.testing.assert_allclose(sluice.program(solved.f)(np.full((1, 1), 2.0), b), b / 2, rtol=1e-14)
    a = rng.normal(size=(5, 5))
    np.testing.assert_allclose(solved(a, a[0]), np.linalg.solve(a, a[0]), rtol=1e-10)


def test_integers_and_mixed_types():
    a, b = np.array([[2, 1], [1, 3]]), np.array([1, 2], dtype=np.int32)
    for left, right in ((a, b), (a.astype(np.float32), b.astype(np.float32)), (a.astype(np.float32), b * 1.0), (a * 1.0, b * 1j)):
        wanted, got = np.linalg.solve(left, right), solved(left, right)
        assert wanted.dtype == got.dtype
        np.testing.assert_allclose(got, wanted, rtol=1e-6)


def test_layouts():
    rng = np.random.default_rng(9)
    a, b = rng.normal(size=(12, 12)), rng.normal(size=(12, 6))
    for left, right in ((a.T, b), (np.asfortranarray(a), np.asfortranarray(b)), (a[::2, ::2], b[::2]), (a[:6, 3:9], b[:6, ::-2])):
        np.testing.assert_allclose(solved(left, right), np.linalg.solve(left, right), rtol=1e-10)


def test_operands_are_kept():
    rng = np.random.default_rng(9)
    a, b = rng.normal(size=(5, 5)), rng.normal(size=5)
    left, right = a.copy(), b.copy()
    solved(left, right)
    inverted(left)
    np.testing.assert_array_equal(left, a)
    np.testing.assert_array_equal(right, b)


def test_nan_is_no_error():
    a = np.eye(3)
    a[0, 2] = np.nan
    np.testing.assert_array_equal(np.isnan(solved(a, np.ones(3))), np.isnan(np.linalg.solve(a, np.ones(3))))


@pytest.mark.parametrize("a", [np.zeros((2, 2)), np.ones((3, 3)), np.array([[1, 2], [2, 4]]), np.zeros((1, 1), np.float32), np.ones((2, 2)) * 1j])
def test_singular_matrices(a):
    of_all_sizes, inverse = of_doubles() if a.dtype == np.float64 else (None, inverted)
    vector, matrix = np.ones(len(a)), np.ones((len(a), 2))
    for program, arguments in ((of_all_sizes, (a, vector, matrix)) if of_all_sizes else (solved, (a, vector)), (inverse, (a,))):
        with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
            program.f(*arguments)
        with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
            program(*arguments)


def test_sizes_that_differ():
    for a, b in ((np.eye(3), np.ones(4)), (np.eye(3), np.ones((2, 3)))):
        with pytest.raises(ValueError):
            solved.f(a, b)
        with pytest.raises((ValueError, sluice.CompileError)):
            solved(a, b)


def test_inverses():
    rng = np.random.default_rng(10)
    for a in (rng.normal(size=(1, 1)), rng.normal(size=(30, 30)), rng.normal(size=(4, 4)).astype(np.float32), rng.normal(size=(3, 3)) * (1 + 1j),
              rng.normal(size=(5, 3, 3)), rng.normal(size=(0, 0))):
        wanted, got = np.linalg.inv(a), (of_doubles()[1] if a.dtype == np.float64 and a.ndim == 2 else inverted)(a)
        assert wanted.dtype == got.dtype
        np.testing.assert_allclose(got, wanted, rtol=1e-3 if a.dtype == np.float32 else 1e-9, atol=1e-5)


def test_lapack_is_called():
    lines = []
    solved.to_sdfg(np.eye(30), np.ones(30)).expand_library_nodes(trace=lines.append)
    assert any("Solve -> NumPy" in line for line in lines), lines
    assert "extern template void sluice::lapack::solve(" in solved.compile(np.eye(30), np.ones(30)).source, "it is compiled once for all programs"


def test_who_does_without_numpys_library_does_without_its_lapack():
    config.set("without_libraries", "numpy")
    try:
        lines = []
        solved.to_sdfg(np.eye(30), np.ones(30)).expand_library_nodes(trace=lines.append)
    finally:
        config.set("without_libraries", "")
    assert "not NumPy: it counts as not installed" in " ".join(lines), lines


def test_in_a_parallel_scope_and_a_loop():
    @sluice.program
    def many(a, b):
        out = np.empty((a.shape[0], a.shape[1]))
        for i in range(a.shape[0]):
            out[i] = np.linalg.solve(a[i], b[i])
        return out

    rng = np.random.default_rng(11)
    a, b = rng.normal(size=(6, 4, 4)), rng.normal(size=(6, 4))
    np.testing.assert_allclose(many(a, b), many.f(a, b), rtol=1e-9)
    a[3] = 0
    with pytest.raises(np.linalg.LinAlgError):
        many(a, b)


def test_conditions_of_numpys_errors_are_computed_once():
    @sluice.program(strict=True)
    def factor(a):
        return np.linalg.cholesky(a)

    graph = factor.to_sdfg(np.eye(7), simplify=False)
    code = graph.generate_code()
    text = code if isinstance(code, str) else "\n".join(getattr(one, "code", str(one)) for one in code)
    assert text.count("isnan(") == 1
    with pytest.raises(np.linalg.LinAlgError):
        factor(-np.eye(7))
    got = factor(np.full((7, 7), np.nan))
    assert np.isnan(got[0, 0])


@pytest.mark.parametrize("count", [1, 31, 32, 33, 70])
def test_a_matrix_times_itself_transposed(count):
    @sluice.program
    def gram(a):
        return a @ a.T, a.T @ a

    a = np.random.default_rng(count).normal(size=(count, 45))
    for got, wanted in zip(gram(a), gram.f(a)):
        np.testing.assert_allclose(got, wanted, rtol=1e-9, atol=1e-9)
