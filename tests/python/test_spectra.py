"""Eigenvalues, singular values, determinants and least squares: NumPy's numbers, and the equations that define the vectors."""
import functools

import numpy as np
import pytest

import sluice

RNG = np.random.default_rng(5)


def matrix(*shape, dtype=np.float64):
    x = RNG.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * RNG.standard_normal(shape)
    return x.astype(dtype)


def close(got, wanted):
    wanted = np.asarray(wanted)
    assert np.asarray(got).dtype == wanted.dtype and np.shape(got) == wanted.shape
    np.testing.assert_allclose(got, wanted, rtol=0, atol=(2e-4 if wanted.dtype.itemsize * (1 + (wanted.dtype.kind != "c")) <= 8 else 1e-10) * max(1, np.abs(wanted).max(initial=0)))


M, N, K = sluice.symbol("M"), sluice.symbol("N"), sluice.symbol("K")
TYPES = ["float64", "float32", "complex128", "complex64"]


@sluice.program
def eigh(a):
    return np.linalg.eigh(a)


@sluice.program
def eigvalsh(a):
    return np.linalg.eigvalsh(a)


@functools.cache
def of_hermitian(dtype):
    """For all sizes at once."""
    @sluice.program
    def hermitian(a: getattr(sluice, dtype)[N, N]):
        w, v = np.linalg.eigh(a)
        w_upper, v_upper = np.linalg.eigh(a, UPLO="U")
        return w, v, w_upper, v_upper, np.linalg.eigvalsh(a), np.linalg.eigvalsh(a, "u")
    return hermitian


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_hermitian_matrices(dtype, n):
    a = matrix(n, n, dtype=dtype)  # one triangle is read
    *both, values_lower, values_upper = of_hermitian(dtype)(a)
    for w, v, values, uplo in ((*both[:2], values_lower, "L"), (*both[2:], values_upper, "U")):
        wanted = np.linalg.eigh(a, UPLO=uplo)
        close(w, wanted[0])
        close(np.abs(v), np.abs(wanted[1]))
        triangle = np.tril(a, -1) if uplo == "L" else np.triu(a, 1)
        whole = triangle + triangle.conj().T + np.diag(np.diag(a).real)
        close(whole @ v, v * w)
        close(values, wanted[0])


def test_signs_are_those_of_numpy():
    a = matrix(12, 12)
    a = a @ a.T
    np.testing.assert_allclose(of_hermitian("float64")(a)[1], np.linalg.eigh(a)[1], atol=1e-10)


def test_equal_eigenvalues_and_integers():
    for a in (np.eye(5), np.ones((6, 6)), np.arange(9).reshape(3, 3), np.zeros((4, 4)), np.zeros((0, 0))):
        w, v, *_ = (eigh if a.dtype.kind == "i" else of_hermitian("float64"))(a)
        close(w, np.linalg.eigh(a)[0])
        close(v @ v.T, np.eye(len(a)))


def test_stacks_of_matrices():
    a = matrix(4, 5, 5)

    @sluice.program
    def stacks(a, b):
        return (np.linalg.eigh(a), np.linalg.eigvalsh(a, UPLO="l"), np.linalg.solve(a, b), np.linalg.svd(a, full_matrices=False), np.linalg.svdvals(a),
                np.linalg.cholesky(a @ np.transpose(a, (0, 2, 1))))
    (w, v), only_values, x, (u, s, vh), values, factors = stacks(a, matrix(4, 5, 2))
    for one in (w, only_values):
        close(one, np.linalg.eigh(a)[0])
    close(u * s[:, None, :] @ vh, a)
    close(values, np.linalg.svd(a)[1])
    close(factors, np.linalg.cholesky(a @ a.transpose(0, 2, 1)))


@sluice.program
def svd(a):
    return np.linalg.svd(a)


@sluice.program
def values(a):
    return np.linalg.svd(a, compute_uv=False)


@functools.cache
def of_singular(dtype):
    @sluice.program
    def decomposed(a: getattr(sluice, dtype)[M, N]):
        u, s, vh = np.linalg.svd(a, full_matrices=False)
        whole_u, whole_s, whole_vh = np.linalg.svd(a)
        return u, s, vh, whole_u, whole_s, whole_vh, np.linalg.svd(a, compute_uv=False)
    return decomposed


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("m, n", [(1, 1), (5, 5), (7, 3), (3, 7), (30, 20), (1, 4)])
def test_singular_values(dtype, m, n):
    a = matrix(m, n, dtype=dtype)
    u, s, vh, whole_u, whole_s, whole_vh, only_values = of_singular(dtype)(a)
    close(s, np.linalg.svd(a)[1])
    close(np.abs(u), np.abs(np.linalg.svd(a, full_matrices=False)[0]))
    close((u * s) @ vh, a)
    close(whole_u @ whole_u.conj().T, np.eye(m, dtype=dtype))
    close(whole_vh @ whole_vh.conj().T, np.eye(n, dtype=dtype))
    k = min(m, n)
    close((whole_u[:, :k] * whole_s) @ whole_vh[:k], a)
    close(only_values, s)


def test_singular_matrices():
    for a in (np.ones((4, 3)), np.zeros((3, 5)), np.arange(12).reshape(4, 3)):
        u, s, vh = svd(a) if a.dtype.kind == "i" else of_singular("float64")(a)[3:6]
        close(s, np.linalg.svd(a)[1])
        close(u @ u.T, np.eye(len(a)))
        close((u[:, :len(s)] * s) @ vh[:len(s)], a.astype(float))


def test_not_a_number_raises():
    a = matrix(4, 4)
    a[2, 1] = np.nan
    for program in (eigh, eigvalsh, svd, values):
        with pytest.raises(np.linalg.LinAlgError, match="did not converge"):
            program(a)
    with pytest.raises(np.linalg.LinAlgError, match="square"):
        eigh(matrix(3, 4))


@functools.cache
def of_determinants(dtype):
    @sluice.program
    def determinants(a: getattr(sluice, dtype)[N, N]):
        sign, logarithm = np.linalg.slogdet(a)
        return np.linalg.det(a), sign, logarithm
    return determinants


@pytest.mark.parametrize("a", [matrix(1, 1), matrix(6, 6), matrix(5, 5, dtype=np.complex128), matrix(5, 5, dtype=np.float32), np.ones((3, 3)), np.zeros((2, 2)),
                               np.arange(16).reshape(4, 4) % 5, np.eye(4)[[1, 0, 3, 2]], np.zeros((0, 0))], ids=str)
def test_determinants(a):
    got, wanted = of_determinants(a.dtype.name)(a), (np.linalg.det(a), *np.linalg.slogdet(a))
    for one, other in zip(got, wanted):
        close(one, other)


@functools.cache
def of_least_squares(dtype):
    """A vector and a matrix at the right."""
    @sluice.program
    def both(a: getattr(sluice, dtype)[M, N], b: sluice.float64[M], c: sluice.float64[M, K]):
        x, residuals, rank, s = np.linalg.lstsq(a, b, rcond=None)
        x_of_c, residuals_of_c, rank_of_c, s_of_c = np.linalg.lstsq(a, c, rcond=None)
        return x, residuals, rank, s, x_of_c, residuals_of_c, rank_of_c, s_of_c

    @sluice.program
    def vector(a: getattr(sluice, dtype)[M, N], b: sluice.float64[M]):
        return np.linalg.lstsq(a, b, rcond=None)
    return both if dtype in ("float64", "complex128") else vector


@pytest.mark.parametrize("m, n, columns", [(9, 3, 2), (3, 3, 1), (3, 5, 4), (1, 1, 3)])
@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "int64"])
def test_least_squares(m, n, columns, dtype):
    a = (10 * matrix(m, n)).astype(dtype) if dtype == "int64" else matrix(m, n, dtype=dtype)
    program = of_least_squares(dtype)
    right = [matrix(m), matrix(m, columns)][:1 + (program.name == "both")]
    wanted = [one for b in right for one in np.linalg.lstsq(a, b, rcond=None)]
    for one, other in zip(program(a, *right), wanted, strict=True):
        close(one, other)


def test_least_squares_without_full_rank():
    a = np.outer(np.arange(1.0, 6.0), [1.0, 2.0, 3.0])
    got, wanted = of_least_squares("float64")(a, np.arange(5.0), matrix(5, 1)), np.linalg.lstsq(a, np.arange(5.0), rcond=None)
    for one, other in zip(got, wanted):
        close(one, other)
    assert got[2] == 1 and got[1].shape == (0,)


@sluice.program
def derived(a: sluice.float64[M, N]):
    return (np.linalg.pinv(a), np.linalg.pinv(a, rcond=0.3), np.linalg.matrix_rank(a), np.linalg.matrix_rank(a, tol=1.0), np.linalg.cond(a),
            np.linalg.norm(a, 2), np.linalg.norm(a, -2), np.linalg.norm(a, "nuc"), np.linalg.cond(a, -2))


@sluice.program
def derived_of_other_types(a):
    return np.linalg.pinv(a), np.linalg.matrix_rank(a), np.linalg.cond(a)


@pytest.mark.parametrize("a", [matrix(5, 3), matrix(3, 5), matrix(4, 4, dtype=np.complex128), matrix(6, 2, dtype=np.float32)], ids=lambda a: f"{a.shape}{a.dtype}")
def test_what_follows_from_singular_values(a):
    program = derived if a.dtype == np.float64 else derived_of_other_types
    for one, other in zip(program(a), program.f(a), strict=True):
        close(one, other)


def test_polynomials_of_least_squares():
    @sluice.program
    def fit(x, y, w):
        return np.polyfit(x, y, 3), np.polyfit(x, y, 1, w=w), np.polyfit(x, np.stack((y, y * y), axis=1), 2)
    x = np.linspace(-1, 3, 30)
    y = np.sin(x) + 0.1 * matrix(30)
    w = np.abs(matrix(30))
    for one, other in zip(fit(x, y, w), fit.f(x, y, w)):
        close(one, other)


def test_vectors_of_a_view_and_in_a_loop():
    @sluice.program
    def components(x, steps):
        total = np.zeros(x.shape[1])
        for t in range(steps):
            part = x[t::2]
            centred = part - part.mean(axis=0)
            w, v = np.linalg.eigh(centred.T @ centred)
            total += w[::-1] * np.abs(v[:, -1])
        return total
    x = matrix(40, 4)
    close(components(x, 3), components.f(x, 3))
