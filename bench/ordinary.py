"""Ordinary programs, as scientists write them, by NumPy and compiled: the same function, in turns, at several sizes.

    OMP_NUM_THREADS=2 .venv/bin/python bench/ordinary.py [--seconds S] [--sizes tiny small mid large] [PROGRAM ...]

Results are compared before anything is timed. Prints the microseconds of each (the best, then the median) and NumPy's over Sluice's
(above 1: Sluice is faster). Sizes are elements of the largest argument: a hundred (what calls cost), some thousand (first cache),
some hundred thousand (second cache), some million (memory). A program that Python runs in part is marked `*`.
"""
import argparse
import os
import statistics
import time

THREADS = os.environ.setdefault("OMP_NUM_THREADS", str(len(os.sched_getaffinity(0))))
os.environ.setdefault("OPENBLAS_NUM_THREADS", THREADS)

import numpy as np  # noqa: E402: the libraries read the number of threads when they are loaded

import sluice  # noqa: E402
from measuring import differs, flat, fresh  # noqa: E402

SIZES = {"tiny": 100, "small": 1 << 12, "mid": 1 << 16, "large": 1 << 22}
PROGRAMS = {}


def arguments(make):
    """Registers a program with what makes its arguments of a random generator and a number of elements."""
    def register(function):
        PROGRAMS[function.__name__] = (function, make)
        return function
    return register


def vector(r, n):
    return [r.random(n)]


def vectors(r, n):
    return [r.random(n), r.random(n)]


def square(r, n):
    side = int(n ** 0.5)
    return [r.random((side, side))]


def squares(r, n):
    return square(r, n) + square(r, n)


@arguments(vector)
def in_place(x):
    x *= 1.5
    x += 1.0
    x -= 0.25
    return x


@arguments(square)
def argmin_of_rows(a):
    return np.argmin(a, axis=1)


@arguments(square)
def argmax_of_columns(a):
    return np.argmax(a, axis=0)


@arguments(vector)
def argmax_of_all(x):
    return np.argmax(x)


@arguments(lambda r, n: [r.random((max(1, n // 256), 16, 16)), r.random((max(1, n // 256), 16, 16))])
def batch_of_16(a, b):
    return a @ b


@arguments(lambda r, n: [r.random((max(1, n // 9), 3, 3)), r.random((max(1, n // 9), 3))])
def rotations(a, v):
    return np.einsum("nij,nj->ni", a, v)


@arguments(vectors)
def concatenated(x, y):
    return np.concatenate((x, y))


@arguments(squares)
def concatenated_columns(a, b):
    return np.concatenate((a, b), axis=1)


@arguments(vectors)
def stacked(x, y):
    return np.stack((x, y))


@arguments(vectors)
def stacked_columns(x, y):
    return np.stack((x, y), axis=1)


@arguments(squares)
def vstacked(a, b):
    return np.vstack((a, b))


@arguments(lambda r, n: [r.random(n), r.random(9)])
def convolved(x, w):
    return np.convolve(x, w)


@arguments(lambda r, n: [r.random(n), np.ones(9) / 9])
def smoothed(x, w):
    return np.convolve(x, w, mode="same")


@arguments(vectors)
def dot_product(x, y):
    return np.dot(x, y)


@arguments(vectors)
def distance(x, y):
    return np.sqrt(np.sum((x - y) ** 2))


@arguments(square)
def heat_step(u):
    v = u.copy()
    v[1:-1, 1:-1] = u[1:-1, 1:-1] + 0.1 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
    return v


@arguments(square)
def laplacian_by_roll(u):
    return np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u


@arguments(square)
def means_of_columns(a):
    return a - np.mean(a, axis=0)


@arguments(square)
def normalised_rows(a):
    return a / np.linalg.norm(a, axis=1)[:, None]


@arguments(square)
def softmax(a):
    e = np.exp(a - np.max(a, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


@arguments(square)
def layer_norm(a):
    mean = np.mean(a, axis=-1, keepdims=True)
    variance = np.var(a, axis=-1, keepdims=True)
    return (a - mean) / np.sqrt(variance + 1e-5)


@arguments(lambda r, n: [r.random((int(n ** 0.5), 3))])
def pairwise_distances(p):
    d = p[:, None, :] - p[None, :, :]
    return np.sqrt(np.sum(d * d, axis=-1))


@arguments(lambda r, n: [r.integers(0, 64, n)])
def counted(k):
    return np.bincount(k, minlength=64)


@arguments(vector)
def histogram(x):
    return np.histogram(x, bins=32, range=(0.0, 1.0))[0]


@arguments(vector)
def running_sum(x):
    return np.cumsum(x)


@arguments(vector)
def running_mean(x):
    c = np.cumsum(x)
    return (c[16:] - c[:-16]) / 16


@arguments(square)
def cumulative_rows(a):
    return np.cumsum(a, axis=1)


@arguments(square)
def cumulative_columns(a):
    return np.cumsum(a, axis=0)


@arguments(vectors)
def clipped(x, y):
    return np.where(x > y, x - y, 0.0)


@arguments(vector)
def selected(x):
    return x[x > 0.5]


@arguments(vector)
def masked_sum(x):
    return np.sum(x[x > 0.5])


@arguments(vector)
def thresholded(x):
    x[x < 0.5] = 0.0
    return x


@arguments(lambda r, n: [r.random((min(int(n ** 0.5), 128),) * 2) + 128 * np.eye(min(int(n ** 0.5), 128))])
def small_lu(a):
    n = a.shape[0]
    for k in range(n - 1):
        a[k + 1:, k] /= a[k, k]
        a[k + 1:, k + 1:] -= np.outer(a[k + 1:, k], a[k, k + 1:])
    return a


@arguments(lambda r, n: [r.random((min(int(n ** 0.5), 160),) * 2)])
def floyd_warshall(d):
    n = d.shape[0]
    for k in range(n):
        d = np.minimum(d, d[:, k:k + 1] + d[k:k + 1, :])
    return d


@arguments(vector)
def rolling_max(x):
    return np.maximum(np.maximum(x[:-2], x[1:-1]), x[2:])


@arguments(vector)
def rolling_window(x):
    return np.lib.stride_tricks.sliding_window_view(x, 5).mean(axis=1)


@arguments(lambda r, n: [r.random(int(n ** 0.5)), r.random(int(n ** 0.5))])
def outer_product(x, y):
    return np.outer(x, y)


@arguments(vector)
def sorted_values(x):
    return np.sort(x)


@arguments(vector)
def ranked(x):
    return np.argsort(x)


@arguments(lambda r, n: [4 * (r.random(n) - 0.5), 2 * (r.random(n) - 0.5)])
def mandelbrot_step(re, im):
    c = re + 1j * im
    z = np.zeros_like(c)
    k = np.zeros(c.shape, dtype=np.int64)
    for _ in range(10):
        z = np.where(k < 10, z * z + c, z)
        k += np.abs(z) < 2.0
    return k


@arguments(square)
def box_blur(a):
    return (a[:-2, :-2] + a[:-2, 1:-1] + a[:-2, 2:] + a[1:-1, :-2] + a[1:-1, 1:-1] + a[1:-1, 2:] + a[2:, :-2] + a[2:, 1:-1] + a[2:, 2:]) / 9.0


@arguments(lambda r, n: [r.integers(0, 256, (int((n / 3) ** 0.5), int((n / 3) ** 0.5), 3)).astype(np.uint8)])
def grey(image):
    return (0.299 * image[:, :, 0] + 0.587 * image[:, :, 1] + 0.114 * image[:, :, 2]).astype(np.uint8)


@arguments(square)
def sobel(a):
    gx = a[:-2, 2:] + 2 * a[1:-1, 2:] + a[2:, 2:] - a[:-2, :-2] - 2 * a[1:-1, :-2] - a[2:, :-2]
    gy = a[2:, :-2] + 2 * a[2:, 1:-1] + a[2:, 2:] - a[:-2, :-2] - 2 * a[:-2, 1:-1] - a[:-2, 2:]
    return np.hypot(gx, gy)


@arguments(vectors)
def quarter_circle(x, y):
    return 4.0 * np.sum(x * x + y * y < 1.0) / x.shape[0]


@arguments(vector)
def options(s):
    paths = np.exp(0.03 + 0.2 * s)
    return np.mean(np.maximum(paths - 1.0, 0.0))


@arguments(square)
def both_products(a):
    return a.T @ (a @ a[0])


@arguments(square)
def power_iteration(a):
    v = np.ones(a.shape[0])
    for _ in range(10):
        v = a @ v
        v = v / np.linalg.norm(v)
    return v


@arguments(square)
def transposed_sum(a):
    return a + a.T


@arguments(square)
def extremes(a):
    return np.max(a, axis=0) - np.min(a, axis=0)


@arguments(square)
def medians(a):
    return np.median(a, axis=1)


@arguments(vector)
def differences(x):
    return np.diff(x) / 0.01


@arguments(vectors)
def trapezoid(x, y):
    return np.sum((x[1:] - x[:-1]) * (y[1:] + y[:-1])) / 2


@arguments(vector)
def logistic(x):
    return 1.0 / (1.0 + np.exp(-x))


@arguments(lambda r, n: [r.random(n), r.integers(0, n, n)])
def gathered(x, at):
    return x[at]


@arguments(vector)
def reversed_order(x):
    return x[::-1].copy()


@arguments(square)
def tiled(a):
    return np.tile(a, (2, 2))


@arguments(vector)
def repeated(x):
    return np.repeat(x, 3)


@arguments(square)
def standardised(a):
    return (a - a.mean(axis=0)) / a.std(axis=0)


@arguments(lambda r, n: [r.random((max(2, int(n ** 0.5)), 3))])
def rbf_kernel(p):
    d = np.sum((p[:, None, :] - p[None, :, :]) ** 2, axis=2)
    return np.exp(-0.5 * d)


@arguments(square)
def wave(u):
    v = u.copy()
    for _ in range(20):
        w = 2 * u - v
        w[1:-1, 1:-1] += 0.1 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
        v = u
        u = w
    return u


@arguments(vector)
def heat_1d(u):
    for _ in range(50):
        u[1:-1] = u[1:-1] + 0.2 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u


@arguments(lambda r, n: [r.random(n), r.integers(0, n, n), r.random(n)])
def scattered(out, at, w):
    np.add.at(out, at, w)
    return out


@arguments(lambda r, n: [r.random(n), r.integers(0, n, n)])
def gather_product(x, at):
    return x[at] * x + 1.0


@arguments(lambda r, n: [r.random((max(1, n // 8), 8)), r.integers(0, max(1, n // 8), n // 8 + 1)])
def gathered_rows(a, at):
    return a[at]


@arguments(lambda r, n: [r.random((max(1, n // 3), 3)), r.random((max(1, n // 3), 3))])
def crossed(a, b):
    return np.cross(a, b)


@arguments(lambda r, n: [r.random((max(1, n // 4), 4)), r.random((4, 4)), r.random((4, 2))])
def tall_chain(x, w, v):
    return np.tanh(x @ w) @ v


@arguments(lambda r, n: [r.random((max(8, n // 8), 8)), r.random(max(8, n // 8))])
def normal_equations(X, y):
    return np.linalg.solve(X.T @ X, X.T @ y)


@arguments(vector)
def draw_down(x):
    p = np.cumsum(x - 0.5)
    return np.max(np.maximum.accumulate(p) - p)


@arguments(lambda r, n: [r.random(n), np.sort(r.random(64)), r.random(64)])
def interpolated(x, xp, fp):
    return np.interp(x, xp, fp)


@arguments(lambda r, n: [r.random(n), np.sort(r.random(100))])
def searched(x, edges):
    return np.searchsorted(edges, x)


@arguments(vector)
def polynomial(x):
    return np.polyval(np.array([1.0, -2.0, 3.0, 0.5]), x)


@arguments(lambda r, n: [r.random((max(1, n // 64), 8, 8))])
def middle_axis(a):
    return a.sum(axis=1), a.max(axis=1), a.mean(axis=0)


@arguments(lambda r, n: [r.random((8, 8, max(1, n // 64)))])
def first_axes(a):
    return a.sum(axis=(0, 1)), a.min(axis=0)


@arguments(square)
def counted_rows(a):
    return np.count_nonzero(a > 0.5, axis=1)


@arguments(vector)
def selects(x):
    return np.select([x < 0.2, x < 0.5], [x * x, 2 * x], 1.0)


@arguments(vector)
def normalised(x):
    x = x - np.mean(x)
    return x / np.linalg.norm(x)


@arguments(vector)
def summary(x):
    return np.mean(x), np.std(x), np.min(x), np.max(x)


@arguments(vector)
def nan_mean(x):
    x[::7] = np.nan
    return np.nanmean(x), np.nanmax(x)


@arguments(vector)
def percentiles(x):
    return np.percentile(x, 25), np.percentile(x, 75)


@arguments(square)
def gradients(a):
    gy, gx = np.gradient(a)
    return np.sqrt(gx * gx + gy * gy)


@arguments(lambda r, n: [int(n ** 0.5)])
def evaluated(n):
    x = np.linspace(-1, 1, n)
    X, Y = np.meshgrid(x, x)
    return np.exp(-(X ** 2 + Y ** 2)) * np.cos(3 * X)


@arguments(lambda r, n: [r.random(n) + 1j * r.random(n)])
def rotated(z):
    return np.abs(z * np.exp(1j * 0.3)) ** 2


@arguments(lambda r, n: [r.random(n).astype(np.float32), r.random(n).astype(np.float32)])
def single(x, y):
    return np.sqrt(x * x + y * y) - np.sin(x)


@arguments(lambda r, n: [r.integers(0, 1000, n)])
def integers(k):
    return (k * 31 + 7) % 101 // 3


@arguments(lambda r, n: [r.integers(0, 50, n)])
def uniques(k):
    return np.unique(k)


@arguments(vector)
def top_ten(x):
    return np.argsort(x)[-10:][::-1]


@arguments(lambda r, n: [r.random((3, 3)), r.random((3, 3)), r.random((3, max(1, n // 3)))])
def rotation_chain(a, b, p):
    return a @ b @ p


@arguments(vector)
def fft_power(x):
    return np.abs(np.fft.rfft(x)) ** 2


@arguments(vectors)
def small_steps(x, y):
    a = np.dot(x, y)
    b = np.sum(x) / len(x)
    c = np.max(y) - np.min(y)
    z = (x - b) / c
    return np.clip(z, -1, 1) * a


@arguments(lambda r, n: [r.random((max(1, n // 4), 2, 2))])
def determinants(a):
    return a[:, 0, 0] * a[:, 1, 1] - a[:, 0, 1] * a[:, 1, 0]


@arguments(lambda r, n: [r.random((max(1, n // 16), 4, 4)), r.random((max(1, n // 16), 4))])
def batched_mv(a, x):
    return np.einsum("nij,nj->ni", a, x)


@arguments(lambda r, n: [r.random((max(1, n // 32), 32)), r.random((32, 32))])
def quadratic_forms(x, a):
    return np.sum((x @ a) * x, axis=1)


@arguments(lambda r, n: [r.random((max(1, n // 10), 10)), r.integers(0, 5, max(1, n // 10))])
def group_means(x, k):
    out = np.zeros((5, x.shape[1]))
    for g in range(5):
        out[g] = x[k == g].mean(axis=0)
    return out


@arguments(vector)
def digitised(x):
    return np.digitize(x, np.array([0.1, 0.3, 0.5, 0.9]))


@arguments(vector)
def lagged(x):
    n = len(x)
    m = np.mean(x)
    return np.array([np.sum((x[:n - k] - m) * (x[k:] - m)) for k in range(5)])


@arguments(square)
def symmetric_part(a):
    return 0.5 * (a + a.T), np.trace(a), np.diag(a)


@arguments(square)
def argmax_rows(a):
    return np.argmax(a, axis=1)


@arguments(square)
def sort_rows(a):
    return np.sort(a, axis=1)


@arguments(vectors)
def comparisons(x, y):
    return np.any(x > y), np.all(x < 2.0), np.allclose(x, y)


@arguments(vector)
def flag_where(x):
    return np.where(x > 0.99)[0]


@arguments(square)
def mat_vec(a):
    return a @ a[0]


@arguments(square)
def mat_t_vec(a):
    return a.T @ a[0]


@arguments(vector)
def padded(x):
    y = np.pad(x, 2)
    return (y[:-4] + y[1:-3] + y[2:-2] + y[3:-1] + y[4:]) / 5


def turns(name, size, seconds):
    function, make = PROGRAMS[name]
    given = make(np.random.default_rng(1), SIZES[size])
    compiled = sluice.program(function)
    expected, mine = function(*fresh(given)), compiled(*fresh(given))
    wrong = differs(flat(mine), flat(expected))
    times = {function: [], compiled: []}
    for one in (function, compiled):
        one(*fresh(given))
    started = time.perf_counter()
    while time.perf_counter() - started < seconds or len(times[compiled]) < 5:
        for one, measured in times.items():
            own = fresh(given)
            start = time.perf_counter()
            one(*own)
            measured.append(time.perf_counter() - start)
    return times[function], times[compiled], wrong


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=0.2, help="time for each program and size")
    options.add_argument("--sizes", nargs="+", choices=list(SIZES), default=list(SIZES))
    options.add_argument("programs", nargs="*", metavar="PROGRAM")
    chosen = options.parse_args()
    for name in chosen.programs or PROGRAMS:
        line = f"{name:22}"
        for size in chosen.sizes:
            try:
                theirs, ours, wrong = turns(name, size, chosen.seconds)
            except Exception as refused:
                line += f" | {size} {type(refused).__name__}: {str(refused)[:60]!r}"
                continue
            best, middle = min(theirs) / min(ours), statistics.median(theirs) / statistics.median(ours)
            line += f" | {size} {min(theirs) * 1e6:9.1f} {min(ours) * 1e6:9.1f} {best:6.2f} ({middle:5.2f})"
            line += f" WRONG {wrong}" if wrong else ""
        print(line, flush=True)


if __name__ == "__main__":
    main()
