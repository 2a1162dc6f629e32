"""Small programs over the whole subset, each against the same function in plain NumPy on seeded inputs."""
import copy

import numpy as np
import pytest

import sluice

N, M = sluice.symbol("N"), sluice.symbol("M")
f64, f32, i64, i32, u8, c128 = (sluice.float64, sluice.float32, sluice.int64, sluice.int32, sluice.uint8, sluice.complex128)


@sluice.program
def slices(A: f64[N], B: f64[N]):
    B[1:-1] = A[:-2] - A[2:]
    B[::2] += 1.0
    B[-1] = A[-2]


@sluice.program
def overlapping(A: f64[N]):
    A[1:] = A[:-1] + A[1:]
    A[:-1] = A[1:]


@sluice.program
def broadcasting(A: f64[N, M], x: f64[M], y: f64[N], B: f64[N, M]):
    B[:] = A * x + y[:, None] - 2


@sluice.program
def integers(a: i64[N], b: i64[N], q: i64[N], r: i64[N]):
    q[:] = a // b
    r[:] = a % b


@sluice.program
def narrow_types(a: u8[N], b: u8[N], c: u8[N], d: f32[N]):
    c[:] = a + b
    d[:] = a / b


@sluice.program
def mixed(a: f32[N], k: i32[N], out: f64[N]):
    out[:] = a * k + 1.5


@sluice.program
def complex_numbers(a: c128[N], b: c128[N], c: c128[N], m: f64[N]):
    c[:] = a * np.conj(b) / (b + 3)
    m[:] = np.abs(a)


@sluice.program
def functions(a: f64[N], b: f64[N]):
    b[:] = np.where(a > 0.5, np.sqrt(a), np.exp(-a)) + np.maximum(a, 0.3) * np.sin(a) ** 2


@sluice.program
def reductions(A: f64[N, M], rows: f64[N], columns: f64[M], extremes: f64[2]):
    rows[:] = np.sum(A, axis=1)
    columns[:] = np.max(A * 2, axis=0)
    extremes[0] = np.min(A)
    extremes[1] = A.sum()


@sluice.program
def products(A: f64[N, M], B: f64[M, N], v: f64[M], C: f64[N, N], w: f64[N]):
    C[:] = A @ B
    w[:] = A @ v


@sluice.program
def returned(A: f64[N, M]):
    return A.T + 1, np.sum(A, axis=0)


@sluice.program
def control(a: i64[N], out: i64[1]):
    total = 0
    for i in range(N):
        if a[i] % 3 == 0:
            continue
        elif a[i] > 90:
            break
        total += a[i]
    while total > 1000:
        total = total // 2
    out[0] = total


@sluice.program
def backwards(a: f64[N]):
    for i in range(N - 2, -1, -1):
        a[i] = a[i] + 0.5 * a[i + 1]


@sluice.program
def gathered(a: f64[N], index: i64[M], out: f64[M]):
    for i in sluice.map[0:M]:
        out[i] = a[index[i]]


@sluice.program
def doubled(x: f64[N]):
    x[:] = x * 2


@sluice.program
def called(A: f64[N, M]):
    for i in range(N):
        doubled(A[i, :])


@sluice.program
def created(A: f64[N]):
    t = np.zeros_like(A)
    u = np.ones(N)
    t[1:] = A[1:] * u[:-1]
    return t


def _inputs():
    rng = np.random.default_rng(8)
    n, m = 17, 9
    real = lambda *shape: rng.random(shape)  # noqa: E731
    whole = rng.integers(-50, 100, n)
    divisor = np.where(rng.integers(0, 2, n) == 0, rng.integers(1, 9, n), rng.integers(-8, 0, n))
    small = lambda: rng.integers(1, 255, n, dtype=np.uint8)  # noqa: E731
    cplx = lambda: real(n) + 1j * real(n)  # noqa: E731
    return {
        slices: (real(n), real(n)), overlapping: (real(n),), broadcasting: (real(n, m), real(m), real(n), real(n, m)),
        integers: (whole, divisor, whole.copy(), whole.copy()), narrow_types: (small(), small(), small(), real(n).astype(np.float32)),
        mixed: (real(n).astype(np.float32), whole.astype(np.int32), real(n)), complex_numbers: (cplx(), cplx(), cplx(), real(n)),
        functions: (real(n), real(n)), reductions: (real(n, m), real(n), real(m), real(2)),
        products: (real(n, m), real(m, n), real(m), real(n, n), real(n)), returned: (real(n, m),),
        control: (whole, np.zeros(1, dtype=np.int64)), backwards: (real(n),),
        gathered: (real(n), rng.integers(-n, n, m), real(m)), called: (real(n, m),), created: (real(n),),
    }


CASES = _inputs()


def by_numpy(program, arguments):
    """The function itself in CPython; its symbols and calls of programs stand for sizes and plain functions."""
    scope = dict(program.f.__globals__)
    scope.update(N=17, M=9, doubled=doubled.f)
    return type(program.f)(program.f.__code__, scope)(*arguments)


@pytest.mark.parametrize("program", CASES, ids=lambda p: p.f.__name__)
def test_agrees_with_numpy(program):
    ours, expected = copy.deepcopy(CASES[program]), copy.deepcopy(CASES[program])
    returned_values = program(*ours)
    expected_values = by_numpy(program, expected)
    for actual, wanted in zip(ours, expected):
        np.testing.assert_allclose(actual, wanted, rtol=1e-6 if wanted.dtype == np.float32 else 1e-12)
    if expected_values is not None:
        actual, wanted = (v if isinstance(v, tuple) else (v,) for v in (returned_values, expected_values))
        for a, w in zip(actual, wanted, strict=True):
            np.testing.assert_allclose(a, w, rtol=1e-12)
