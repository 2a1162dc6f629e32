"""Kernels that decisions make fast or slow, each the same function run by NumPy and compiled: medians of interleaved runs.

    OMP_NUM_THREADS=2 .venv/bin/python bench/against_numpy.py [-O LEVEL] [--seconds S] [KERNEL ...]

Prints the threads of both (all cores unless the environment says otherwise), the milliseconds of each and their ratio (above 1:
Sluice is faster). Results are compared before they are timed. The kernels are written here; sizes are those at which one call takes
NumPy some milliseconds.
"""
import argparse
import os
import statistics
import time

THREADS = os.environ.setdefault("OMP_NUM_THREADS", str(len(os.sched_getaffinity(0))))
os.environ.setdefault("OPENBLAS_NUM_THREADS", THREADS)

import numpy as np  # noqa: E402: the libraries read the number of threads when they are loaded

import sluice  # noqa: E402

M, N = sluice.symbol("M"), sluice.symbol("N")
f64 = sluice.float64


@sluice.program
def lu(A: f64[N, N]):
    n = A.shape[0]
    for i in range(n):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[:j, j]
            A[i, j] /= A[j, j]
        for j in range(i, n):
            A[i, j] -= A[i, :i] @ A[:i, j]


@sluice.program
def cholesky(A: f64[N, N]):
    n = A.shape[0]
    A[0, 0] = np.sqrt(A[0, 0])
    for i in range(1, n):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[j, :j]
            A[i, j] /= A[j, j]
        A[i, i] -= A[i, :i] @ A[i, :i]
        A[i, i] = np.sqrt(A[i, i])


@sluice.program
def trisolv(L: f64[N, N], x: f64[N], b: f64[N]):
    n = L.shape[0]
    for i in range(n):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]


@sluice.program
def syrk(C: f64[N, N], A: f64[N, M]):
    n, k = A.shape
    for i in range(n):
        C[i, :i + 1] *= 0.5
        for l in range(k):
            C[i, :i + 1] += 1.5 * A[i, l] * A[:i + 1, l]


@sluice.program
def symm(C: f64[M, N], A: f64[M, M], B: f64[M, N]):
    m, n = C.shape
    temp = np.zeros((n,))
    C *= 0.5
    for i in range(m):
        for j in range(n):
            C[:i, j] += 1.5 * B[i, j] * A[i, :i]
            temp[j] = B[:i, j] @ A[i, :i]
        C[i, :] += 1.5 * B[i, :] * A[i, i] + 1.5 * temp


@sluice.program
def trmm(A: f64[M, M], B: f64[M, N]):
    m, n = B.shape
    for i in range(m):
        for j in range(n):
            B[i, j] += A[i + 1:, i] @ B[i + 1:, j]
    B *= 1.5


@sluice.program
def column_sums(A: f64[M, N], s: f64[N]):
    s[:] = np.sum(A, axis=0)


@sluice.program
def row_sums(A: f64[M, N], s: f64[M]):
    s[:] = np.sum(A, axis=1)


@sluice.program
def standardised(A: f64[M, N]):
    A -= np.mean(A, axis=0)
    A /= np.std(A, axis=0)


@sluice.program
def jacobi_2d(A: f64[N, N], B: f64[N, N]):
    for t in range(20):
        B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
        A[1:-1, 1:-1] = 0.2 * (B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1])


@sluice.program
def norm(x: f64[N], s: f64[M]):
    s[0] = np.sqrt(np.sum(x * x))


@sluice.program
def bicg(A: f64[N, M], p: f64[M], r: f64[N], q: f64[N], s: f64[M]):
    s[:] = 0.0
    q[:] = 0.0
    for i, j in sluice.map[0:N, 0:M]:
        s[j] += r[i] * A[i, j]
        q[i] += A[i, j] * p[j]


def bicg_numpy(A, p, r, q, s):
    s[:] = r @ A
    q[:] = A @ p


def kernels():
    """Program, arguments, and the function for NumPy."""
    rng = np.random.default_rng(1)

    def well_conditioned(n):
        A = rng.random((n, n))
        return A @ A.T + n * np.eye(n)

    yield lu, [well_conditioned(150)], lu.f
    yield cholesky, [well_conditioned(150)], cholesky.f
    yield trisolv, [well_conditioned(2000), rng.random(2000), rng.random(2000)], trisolv.f
    yield syrk, [rng.random((120, 120)), rng.random((120, 100))], syrk.f
    yield symm, [rng.random((60, 80)), rng.random((60, 60)), rng.random((60, 80))], symm.f
    yield trmm, [rng.random((100, 100)), rng.random((100, 120))], trmm.f
    yield column_sums, [rng.random((2000, 1500)), np.zeros(1500)], column_sums.f
    yield row_sums, [rng.random((2000, 1500)), np.zeros(2000)], row_sums.f
    yield standardised, [rng.random((800, 600))], standardised.f
    yield jacobi_2d, [rng.random((400, 400)), rng.random((400, 400))], jacobi_2d.f
    yield norm, [rng.random(4_000_000), np.zeros(1)], norm.f
    yield bicg, [rng.random(shape) for shape in ((1900, 2100), 2100, 1900, 1900, 2100)], bicg_numpy


def timed(function, arguments):
    own = [argument.copy() for argument in arguments]
    start = time.perf_counter()
    function(*own)
    return time.perf_counter() - start, own


def compare(program, arguments, function, seconds):
    (_, mine), (_, expected) = timed(program, arguments), timed(function, arguments)
    for one, other in zip(mine, expected):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9 * max(abs(other).max(), 1e-30), err_msg=program.name)
    ours, theirs = [], []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(ours) < 3:
        ours.append(timed(program, arguments)[0])
        theirs.append(timed(function, arguments)[0])
    mine, other = statistics.median(ours) * 1e3, statistics.median(theirs) * 1e3
    print(f"{program.name:14} Sluice {mine:9.3f} ms   NumPy {other:9.3f} ms   ratio {other / mine:7.2f}   ({len(ours)} runs)",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="KERNEL")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each kernel")
    parser.add_argument("-O", dest="level", help="the pipeline: 0 to 3 or decide; without it the setting `optimize`")
    options = parser.parse_args()
    print(f"{THREADS} threads for both, level {options.level or sluice.config.get('optimize')}")
    for program, arguments, function in kernels():
        program.optimize = options.level
        if not options.names or program.name in options.names:
            compare(program, arguments, function, options.seconds)


if __name__ == "__main__":
    main()
