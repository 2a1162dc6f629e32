"""Eigenvalues, singular values, determinants and least squares: NumPy's numbers, and the equations that define the vectors."""
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


@sluice.program
def eigh(a):
    return np.linalg.eigh(a)


@sluice.program
def eigh_upper(a):
    return np.linalg.eigh(a, UPLO="U")


@sluice.program
def eigvalsh(a):
    return np.linalg.eigvalsh(a)


TYPES = [np.float64, np.float32, np.complex128, np.complex64]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_hermitian_matrices(dtype, n):
    a = matrix(n, n, dtype=dtype)  # one triangle is read
    for program, uplo in [(eigh, "L")] + [(eigh_upper, "U")] * (dtype in (np.float64, np.complex64)):
        w, v = program(a)
        wanted = np.linalg.eigh(a, UPLO=uplo)
        close(w, wanted[0])
        close(np.abs(v), np.abs(wanted[1]))
        triangle = np.tril(a, -1) if uplo == "L" else np.triu(a, 1)
        whole = triangle + triangle.conj().T + np.diag(np.diag(a).real)
        close(whole @ v, v * w)
    close(eigvalsh(a), np.linalg.eigvalsh(a))


def test_the_triangle_in_small_letters():
    @sluice.program
    def lower(a):
        return np.linalg.eigvalsh(a, UPLO="l"), np.linalg.eigvalsh(a, "u")
    a = matrix(4, 4)
    for got, wanted in zip(lower(a), lower.f(a)):
        close(got, wanted)


def test_signs_are_those_of_numpy():
    a = matrix(12, 12)
    a = a @ a.T
    np.testing.assert_allclose(eigh(a)[1], np.linalg.eigh(a)[1], atol=1e-10)


def test_equal_eigenvalues_and_integers():
    for a in (np.eye(5), np.ones((6, 6)), np.arange(9).reshape(3, 3), np.zeros((4, 4)), np.zeros((0, 0))):
        w, v = eigh(a)
        close(w, np.linalg.eigh(a)[0])
        close(v @ v.T, np.eye(len(a)))


def test_stacks_of_matrices():
    a = matrix(4, 5, 5)
    w, v = eigh(a)
    close(w, np.linalg.eigh(a)[0])
    close(eigvalsh(a), np.linalg.eigvalsh(a))

    @sluice.program
    def others(a, b):
        return np.linalg.solve(a, b), np.linalg.svd(a, full_matrices=False), np.linalg.svdvals(a), np.linalg.cholesky(a @ np.transpose(a, (0, 2, 1)))
    x, (u, s, vh), values, factors = others(a, matrix(4, 5, 2))
    close(u * s[:, None, :] @ vh, a)
    close(values, np.linalg.svd(a)[1])
    close(factors, np.linalg.cholesky(a @ a.transpose(0, 2, 1)))


@sluice.program
def svd(a):
    return np.linalg.svd(a)


@sluice.program
def thin(a):
    return np.linalg.svd(a, full_matrices=False)


@sluice.program
def values(a):
    return np.linalg.svd(a, compute_uv=False)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("m, n", [(1, 1), (5, 5), (7, 3), (3, 7), (30, 20), (1, 4)])
def test_singular_values(dtype, m, n):
    a = matrix(m, n, dtype=dtype)
    u, s, vh = thin(a)
    close(s, np.linalg.svd(a)[1])
    close(np.abs(u), np.abs(np.linalg.svd(a, full_matrices=False)[0]))
    close((u * s) @ vh, a)
    u, s, vh = svd(a)
    close(u @ u.conj().T, np.eye(m, dtype=dtype))
    close(vh @ vh.conj().T, np.eye(n, dtype=dtype))
    k = min(m, n)
    close((u[:, :k] * s) @ vh[:k], a)
    close(values(a), s)


def test_singular_matrices():
    for a in (np.ones((4, 3)), np.zeros((3, 5)), np.arange(12).reshape(4, 3)):
        u, s, vh = svd(a)
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


@sluice.program
def determinants(a):
    sign, logarithm = np.linalg.slogdet(a)
    return np.linalg.det(a), sign, logarithm


@pytest.mark.parametrize("a", [matrix(1, 1), matrix(6, 6), matrix(5, 5, dtype=np.complex128), matrix(5, 5, dtype=np.float32), np.ones((3, 3)), np.zeros((2, 2)),
                               np.arange(16).reshape(4, 4) % 5, np.eye(4)[[1, 0, 3, 2]], np.zeros((0, 0))], ids=str)
def test_determinants(a):
    got, wanted = determinants(a), (np.linalg.det(a), *np.linalg.slogdet(a))
    for one, other in zip(got, wanted):
        close(one, other)


@sluice.program
def lstsq(a, b):
    return np.linalg.lstsq(a, b, rcond=None)


@pytest.mark.parametrize("m, n, columns", [(9, 3, 0), (9, 3, 2), (3, 3, 0), (3, 5, 0), (3, 5, 4), (1, 1, 0)])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128, np.int64])
def test_least_squares(m, n, columns, dtype):
    a = (10 * matrix(m, n)).astype(dtype) if dtype is np.int64 else matrix(m, n, dtype=dtype)
    b = matrix(m, columns) if columns else matrix(m)
    got, wanted = lstsq(a, b), np.linalg.lstsq(a, b, rcond=None)
    for one, other in zip(got, wanted):
        close(one, other)


def test_least_squares_without_full_rank():
    a = np.outer(np.arange(1.0, 6.0), [1.0, 2.0, 3.0])
    got, wanted = lstsq(a, np.arange(5.0)), np.linalg.lstsq(a, np.arange(5.0), rcond=None)
    for one, other in zip(got, wanted):
        close(one, other)
    assert got[2] == 1 and got[1].shape == (0,)


@sluice.program
def derived(a):
    return (np.linalg.pinv(a), np.linalg.pinv(a, rcond=0.3), np.linalg.matrix_rank(a), np.linalg.matrix_rank(a, tol=1.0), np.linalg.cond(a),
            np.linalg.norm(a, 2), np.linalg.norm(a, -2), np.linalg.norm(a, "nuc"), np.linalg.cond(a, -2))


@pytest.mark.parametrize("a", [matrix(5, 3), matrix(3, 5), matrix(4, 4, dtype=np.complex128), matrix(6, 2, dtype=np.float32)], ids=lambda a: f"{a.shape}{a.dtype}")
def test_what_follows_from_singular_values(a):
    wanted = derived.f(a)
    for one, other in zip(derived(a), wanted):
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
