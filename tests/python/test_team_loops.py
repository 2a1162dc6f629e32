"""Loops that one team of threads runs, compared with NumPy: on a machine where sharing pays however small a map is."""

import numpy as np
import pytest

import sluice

N = sluice.symbol("N")
M = sluice.symbol("M")
K = sluice.symbol("K")


@sluice.program
def jacobi(T: sluice.int64, A: sluice.float64[N, N], B: sluice.float64[N, N]):
    for t in range(1, T):
        B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
        A[1:-1, 1:-1] = 0.2 * (B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1])


@sluice.program
def waves(T: sluice.int64, ex: sluice.float64[N, M], ey: sluice.float64[N, M], hz: sluice.float64[N, M], f: sluice.float64[K]):
    for t in range(T):
        ey[0, :] = f[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


@sluice.program
def scalars_between(T: sluice.int64, A: sluice.float64[N], B: sluice.float64[N], s: sluice.float64[1]):
    for t in range(T):
        tmp = A[1:-1] * 2.0
        B[1:-1] = tmp + A[:-2] - A[2:]
        s[0] = s[0] + B[3] * t
        A[0] = s[0] * 0.001
        if t % 2 == 0:
            A[1:-1] = 0.3 * B[1:-1]
        else:
            A[1:-1] = 0.2 * (B[:-2] + B[2:])


@sluice.program
def columns(A: sluice.float64[N, M], B: sluice.float64[N, M]):
    for i in range(1, A.shape[0]):
        A[i, :] = A[i - 1, :] * 0.9 + B[i, :]
        B[i, :] = A[i, :] * 2.0


@sluice.program
def triangle(A: sluice.float64[N, N]):
    for k in range(A.shape[0] - 1):
        A[k + 1:, k] = A[k + 1:, k] / A[k, k]
        A[k + 1:, k + 1:] -= A[k + 1:, k:k + 1] * A[k:k + 1, k + 1:]


def arguments(program, n, steps):
    values = np.random.default_rng(n).random
    return {
        "jacobi": lambda: (steps, values((n, n)), values((n, n))),
        "waves": lambda: (steps, values((n, n + 2)), values((n, n + 2)), values((n, n + 2)), values(20)),
        "scalars_between": lambda: (steps, values(n), values(n), values(1)),
        "columns": lambda: (values((n, n + 1)), values((n, n + 1))),
        "triangle": lambda: (values((n, n)) + n * np.eye(n), ),
    }[program]()


@pytest.fixture
def eager(tmp_path, monkeypatch):
    (tmp_path / "eager").write_text("team = 1\nmeeting = 1\nthreads = 4\n")
    monkeypatch.setenv("SLUICE_MACHINE", str(tmp_path / "eager"))


@pytest.mark.parametrize("program", [jacobi, waves, scalars_between, columns, triangle], ids=lambda program: program.name)
def test_a_team_computes_what_numpy_does(program, eager):
    for n in (5, 33, 64):
        for steps in (0, 1, 17):
            given = arguments(program.name, n, steps)
            ours, theirs = ([np.copy(value) if isinstance(value, np.ndarray) else value for value in given] for _ in range(2))
            program(*ours)
            program.f(*theirs)
            for mine, numpys in zip(ours, theirs):
                np.testing.assert_allclose(mine, numpys, rtol=1e-10)


def triangle(A):
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] = (A[i, j] - A[i, :j] @ A[j, :j]) / A[j, j]
        A[i, i] = np.sqrt(A[i, i] - A[i, :i] @ A[i, :i])


def test_rows_of_a_triangle_have_no_team_around_them():
    """A row may be long enough for a team, which is asked for each row; a team around all of them met 7,000 times for nothing."""
    A = 60 * np.eye(60) + 1
    expected = A.copy()
    triangle(expected)
    program = sluice.program(triangle)
    compiled = program.compile(A)
    rows = compiled.source.index("for (int64_t i = 0; i < 60; ++i)")
    assert "omp parallel" not in compiled.source[:rows]
    program(A)
    np.testing.assert_allclose(A, expected)
