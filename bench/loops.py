"""Explicit loops, as one writes them for Numba, beside the same loops in C: `cc -O3 -march=native`, one thread.

    OMP_NUM_THREADS=1 .venv/bin/python bench/loops.py [--seconds S] [--sizes small mid large] [PROGRAM ...]

Results are compared before anything is timed. Prints the microseconds of each (the best) and C's over Sluice's, of the best and, in
brackets, of the medians (above 1: Sluice is faster); a call of ours takes less than 1 us of Python, one of C's by ctypes 1. Both run on the
same arrays in turns, which hold the same values before each call.
"""
import argparse
import ctypes
import os
import statistics
import subprocess
import tempfile
import time

THREADS = os.environ.setdefault("OMP_NUM_THREADS", str(len(os.sched_getaffinity(0))))

import numpy as np  # noqa: E402: the libraries read the number of threads when they are loaded

import sluice  # noqa: E402
from measuring import fresh  # noqa: E402

SIZES = {"small": 1 << 12, "mid": 1 << 16, "large": 1 << 22}
PROGRAMS = {}


def beside(c, make):
    """Registers a program with a function `f` in C, which gets the arrays and then all extents, and with what makes its arguments."""
    def register(function):
        PROGRAMS[function.__name__] = (function, c, make)
        return function
    return register


@beside("""
double f(const double* x, long n) {
    double m = x[0];
    for (long i = 1; i < n; i++)
        if (x[i] > m) m = x[i];
    return m;
}
""", lambda r, n: [r.random(n)])
def maximum(x):
    m = x[0]
    for i in range(1, len(x)):
        if x[i] > m:
            m = x[i]
    return m


@beside("""
double f(const double* x, long n) {
    double m = x[0];
    long k = 0;
    for (long i = 1; i < n; i++)
        if (x[i] > m) {
            m = x[i];
            k = i;
        }
    return k;
}
""", lambda r, n: [r.random(n)])
def argmaximum(x):
    m = x[0]
    k = 0
    for i in range(1, len(x)):
        if x[i] > m:
            m = x[i]
            k = i
    return k


@beside("""
double f(const double* x, long n) {
    double best = 1e300;
    for (long i = 0; i < n; i++)
        for (long j = i + 1; j < n; j++) {
            double d = __builtin_fabs(x[i] - x[j]);
            if (d < best) best = d;
        }
    return best;
}
""", lambda r, n: [r.random(4 * int(n ** 0.5))])
def nearest_pair(x):
    best = 1e300
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            d = abs(x[i] - x[j])
            if d < best:
                best = d
    return best


@beside("""
double f(const double* x, long n) {
    int found = 0;
    for (long i = 0; i < n; i++)
        if (x[i] > 2.0) found = 1;
    return found;
}
""", lambda r, n: [r.random(n)])
def flag(x):
    found = False
    for i in range(len(x)):
        if x[i] > 2.0:
            found = True
    return found


@beside("""
double f(const double* x, long n) {
    for (long i = 0; i < n; i++)
        if (x[i] > 2.0) return 1;
    return 0;
}
""", lambda r, n: [r.random(n)])
def flag_break(x):
    found = False
    for i in range(len(x)):
        if x[i] > 2.0:
            found = True
            break
    return found


@beside("""
double f(const double* x, long n) {
    long c = 0;
    for (long i = 0; i < n; i++)
        if (x[i] > 0.5) c++;
    return c;
}
""", lambda r, n: [r.random(n)])
def count(x):
    c = 0
    for i in range(len(x)):
        if x[i] > 0.5:
            c += 1
    return c


@beside("""
double f(const double* x, long n) {
    double s = 0, q = 0;
    for (long i = 0; i < n; i++) {
        s += x[i];
        q += x[i] * x[i];
    }
    return q / n - (s / n) * (s / n);
}
""", lambda r, n: [r.random(n)])
def variance(x):
    s = 0.0
    q = 0.0
    n = len(x)
    for i in range(n):
        s += x[i]
        q += x[i] * x[i]
    return q / n - (s / n) ** 2


@beside("""
double f(const double* x, const long* at, double* y, long n, long m, long k) {
    for (long i = 0; i < m; i++) y[i] = x[at[i]];
    return 0;
}
""", lambda r, n: [r.random(n), r.integers(0, n, n), np.zeros(n)])
def gather(x, at, y):
    for i in range(len(at)):
        y[i] = x[at[i]]


@beside("""
double f(double* y, const long* at, const double* x, long n, long m, long k) {
    for (long i = 0; i < m; i++) y[at[i]] += x[i];
    return 0;
}
""", lambda r, n: [np.zeros(n), r.integers(0, n, n), r.random(n)])
def scatter(y, at, x):
    for i in range(len(at)):
        y[at[i]] += x[i]


@beside("""
double f(const long* row, const long* col, const double* val, const double* x, double* y, long n1, long nnz, long a, long b, long n) {
    for (long i = 0; i < n; i++) {
        double s = 0;
        for (long j = row[i]; j < row[i + 1]; j++) s += val[j] * x[col[j]];
        y[i] = s;
    }
    return 0;
}
""", lambda r, n: [np.arange(0, n // 16 + 1) * 16, r.integers(0, n // 16, n // 16 * 16), r.random(n // 16 * 16), r.random(n // 16), np.zeros(n // 16)])
def spmv(row, col, val, x, y):
    for i in range(len(y)):
        s = 0.0
        for j in range(row[i], row[i + 1]):
            s += val[j] * x[col[j]]
        y[i] = s


@beside("""
double f(const double* a, const double* b, double* c, long m, long k, long k2, long n, long q, long r) {
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            double s = 0;
            for (long l = 0; l < k; l++) s += a[i * k + l] * b[l * n + j];
            c[i * n + j] = s;
        }
    return 0;
}
""", lambda r, n: [r.random((min(300, int(n ** .5)),) * 2), r.random((min(300, int(n ** .5)),) * 2), np.zeros((min(300, int(n ** .5)),) * 2)])
def matmul(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = 0.0
            for l in range(a.shape[1]):
                s += a[i, l] * b[l, j]
            c[i, j] = s


@beside("""
double f(const long* g, long* h, long n, long m, long p, long q) {
    for (long i = 1; i < n - 1; i++)
        for (long j = 1; j < m - 1; j++) {
            long c = 0;
            for (long a = -1; a < 2; a++)
                for (long b = -1; b < 2; b++)
                    if (a || b) c += g[(i + a) * m + j + b];
            h[i * m + j] = (c == 3 || (g[i * m + j] && c == 2));
        }
    return 0;
}
""", lambda r, n: [r.integers(0, 2, (int(n ** .5),) * 2), np.zeros((int(n ** .5),) * 2, dtype=np.int64)])
def life(g, h):
    for i in range(1, g.shape[0] - 1):
        for j in range(1, g.shape[1] - 1):
            c = 0
            for a in range(-1, 2):
                for b in range(-1, 2):
                    if a != 0 or b != 0:
                        c += g[i + a, j + b]
            if c == 3 or (g[i, j] == 1 and c == 2):
                h[i, j] = 1
            else:
                h[i, j] = 0


@beside("""
double f(const double* x, double* y, long n, long m) {
    y[0] = x[0];
    for (long i = 1; i < n; i++) y[i] = 0.9 * y[i - 1] + 0.1 * x[i];
    return 0;
}
""", lambda r, n: [r.random(n), np.zeros(n)])
def ema(x, y):
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = 0.9 * y[i - 1] + 0.1 * x[i]


@beside("""
#include <stdlib.h>
double f(const long* s, const long* t, long n, long m) {
    long *p = malloc((m + 1) * 8), *q = malloc((m + 1) * 8);
    for (long j = 0; j <= m; j++) p[j] = j;
    for (long i = 0; i < n; i++) {
        q[0] = i + 1;
        for (long j = 0; j < m; j++) {
            long c = p[j] + (s[i] != t[j]);
            long d = p[j + 1] + 1;
            long e = q[j] + 1;
            if (d < c) c = d;
            if (e < c) c = e;
            q[j + 1] = c;
        }
        long* z = p;
        p = q;
        q = z;
    }
    double r = p[m];
    free(p);
    free(q);
    return r;
}
""", lambda r, n: [r.integers(0, 4, int(n ** .5)), r.integers(0, 4, int(n ** .5))])
def levenshtein(s, t):
    n, m = len(s), len(t)
    d = np.zeros((n + 1, m + 1), dtype=np.int64)
    for i in range(n + 1):
        d[i, 0] = i
    for j in range(m + 1):
        d[0, j] = j
    for i in range(n):
        for j in range(m):
            c = d[i, j]
            if s[i] != t[j]:
                c += 1
            d[i + 1, j + 1] = min(c, d[i, j + 1] + 1, d[i + 1, j] + 1)
    return d[n, m]


@beside("""
#include <stdlib.h>
#include <string.h>
double f(long n) {
    unsigned char* p = malloc(n + 1);
    memset(p, 1, n + 1);
    p[0] = p[1] = 0;
    for (long i = 2; i * i <= n; i++)
        if (p[i])
            for (long j = i * i; j <= n; j += i) p[j] = 0;
    long c = 0;
    for (long i = 0; i <= n; i++) c += p[i];
    free(p);
    return c;
}
""", lambda r, n: [n])
def sieve(n):
    p = np.ones(n + 1, dtype=np.bool_)
    p[0] = False
    p[1] = False
    i = 2
    while i * i <= n:
        if p[i]:
            for j in range(i * i, n + 1, i):
                p[j] = False
        i += 1
    c = 0
    for i in range(n + 1):
        if p[i]:
            c += 1
    return c


@beside("""
double f(long n) {
    unsigned long s = 12345;
    long h = 0;
    for (long i = 0; i < n; i++) {
        s = (s * 1103515245ul + 12345ul) % 2147483648ul;
        double x = s / 2147483648.0;
        s = (s * 1103515245ul + 12345ul) % 2147483648ul;
        double y = s / 2147483648.0;
        if (x * x + y * y < 1) h++;
    }
    return 4.0 * h / n;
}
""", lambda r, n: [n])
def monte_carlo(n):
    s = 12345
    h = 0
    for i in range(n):
        s = (s * 1103515245 + 12345) % 2147483648
        x = s / 2147483648.0
        s = (s * 1103515245 + 12345) % 2147483648
        y = s / 2147483648.0
        if x * x + y * y < 1.0:
            h += 1
    return 4.0 * h / n


@beside("""
#include <math.h>
double f(const double* p, double* q, long n, long three, long a, long b) {
    for (long i = 0; i < n; i++) {
        double x = 0, y = 0, z = 0;
        for (long j = 0; j < n; j++)
            if (i != j) {
                double dx = p[3 * j] - p[3 * i], dy = p[3 * j + 1] - p[3 * i + 1], dz = p[3 * j + 2] - p[3 * i + 2];
                double r = dx * dx + dy * dy + dz * dz + 1e-3;
                double w = 1.0 / (r * sqrt(r));
                x += w * dx;
                y += w * dy;
                z += w * dz;
            }
        q[3 * i] = x;
        q[3 * i + 1] = y;
        q[3 * i + 2] = z;
    }
    return 0;
}
""", lambda r, n: [r.random((int(n ** .5), 3)), np.zeros((int(n ** .5), 3))])
def forces(p, q):
    n = p.shape[0]
    for i in range(n):
        x = 0.0
        y = 0.0
        z = 0.0
        for j in range(n):
            if i != j:
                dx = p[j, 0] - p[i, 0]
                dy = p[j, 1] - p[i, 1]
                dz = p[j, 2] - p[i, 2]
                r = dx * dx + dy * dy + dz * dz + 1e-3
                w = 1.0 / (r * np.sqrt(r))
                x += w * dx
                y += w * dy
                z += w * dz
        q[i, 0] = x
        q[i, 1] = y
        q[i, 2] = z


@beside("""
double f(long n) {
    long best = 0;
    for (long i = 1; i < n; i++) {
        long k = i, c = 0;
        while (k != 1) {
            k = (k & 1) ? 3 * k + 1 : k / 2;
            c++;
        }
        if (c > best) best = c;
    }
    return best;
}
""", lambda r, n: [n // 8])
def collatz(n):
    best = 0
    for i in range(1, n):
        k = i
        c = 0
        while k != 1:
            if k % 2 == 1:
                k = 3 * k + 1
            else:
                k = k // 2
            c += 1
        if c > best:
            best = c
    return best


@beside("""
double f(double* a, long n) {
    for (long i = 1; i < n; i++) {
        double v = a[i];
        long j = i - 1;
        while (j >= 0 && a[j] > v) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = v;
    }
    return 0;
}
""", lambda r, n: [r.random(int(n ** .5))])
def insertion(a):
    for i in range(1, len(a)):
        v = a[i]
        j = i - 1
        while j >= 0 and a[j] > v:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = v


@beside("""
double f(const double* a, const double* x, long* o, long n, long m, long q) {
    for (long i = 0; i < m; i++) {
        long l = 0, h = n;
        while (l < h) {
            long k = (l + h) / 2;
            if (a[k] < x[i]) l = k + 1;
            else h = k;
        }
        o[i] = l;
    }
    return 0;
}
""", lambda r, n: [np.sort(r.random(n)), r.random(n), np.zeros(n, dtype=np.int64)])
def bisect(a, x, o):
    for i in range(len(x)):
        l = 0
        h = len(a)
        while l < h:
            k = (l + h) // 2
            if a[k] < x[i]:
                l = k + 1
            else:
                h = k
        o[i] = l


@beside("""
double f(const double* a, const double* b, const double* c, double* d, double* w, long n, long n1, long n2, long n3, long n4) {
    w[0] = c[0] / b[0];
    d[0] /= b[0];
    for (long i = 1; i < n; i++) {
        double m = 1.0 / (b[i] - a[i] * w[i - 1]);
        w[i] = c[i] * m;
        d[i] = (d[i] - a[i] * d[i - 1]) * m;
    }
    for (long i = n - 2; i >= 0; i--) d[i] -= w[i] * d[i + 1];
    return 0;
}
""", lambda r, n: [r.random(n), r.random(n) + 3, r.random(n), r.random(n), np.zeros(n)])
def thomas(a, b, c, d, w):
    n = len(b)
    w[0] = c[0] / b[0]
    d[0] /= b[0]
    for i in range(1, n):
        m = 1.0 / (b[i] - a[i] * w[i - 1])
        w[i] = c[i] * m
        d[i] = (d[i] - a[i] * d[i - 1]) * m
    for i in range(n - 2, -1, -1):
        d[i] -= w[i] * d[i + 1]


@beside("""
double f(const unsigned char* x, long* h, long n, long m) {
    for (long i = 0; i < n; i++) h[x[i]]++;
    return 0;
}
""", lambda r, n: [r.integers(0, 256, n).astype(np.uint8), np.zeros(256, dtype=np.int64)])
def histo(x, h):
    for i in range(len(x)):
        h[x[i]] += 1


@beside("""
double f(const double* x, double* o, long n, long m) {
    for (long i = 0; i < m; i++) {
        double b = 1e300;
        for (long j = 0; j < n; j++) {
            double d = x[j] - o[i];
            if (d < 0) d = -d;
            if (d < b && d > 0) b = d;
        }
        o[i] = b;
    }
    return 0;
}
""", lambda r, n: [r.random(int(n ** .5)), r.random(int(n ** .5))])
def nearest(x, o):
    for i in range(len(o)):
        b = 1e300
        for j in range(len(x)):
            d = abs(x[j] - o[i])
            if d < b and d > 0:
                b = d
        o[i] = b


@beside("""
double f(double* u, long n, long m) {
    for (int t = 0; t < 10; t++)
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                u[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
    return 0;
}
""", lambda r, n: [r.random((int(n ** .5),) * 2)])
def gauss_seidel(u):
    for t in range(10):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


@beside("""
double f(double* u, double* v, long n, long m, long p, long q) {
    for (long i = 1; i < n - 1; i++)
        for (long j = 1; j < m - 1; j++)
            v[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
    return 0;
}
""", lambda r, n: [r.random((int(n ** .5),) * 2), np.zeros((int(n ** .5),) * 2)])
def jacobi(u, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


@beside("""
double f(const double* x, double* m, double* k, long n, long rows, long a, long b) {
    for (long i = 0; i < n; i++) {
        double best = x[i * rows];
        long at = 0;
        for (long j = 1; j < rows; j++)
            if (x[i * rows + j] < best) {
                best = x[i * rows + j];
                at = j;
            }
        m[i] = best;
        k[i] = at;
    }
    return 0;
}
""", lambda r, n: [r.random((int(n ** .5),) * 2), np.zeros(int(n ** .5)), np.zeros(int(n ** .5))])
def argmin_rows(x, m, k):
    for i in range(x.shape[0]):
        best = x[i, 0]
        at = 0
        for j in range(1, x.shape[1]):
            if x[i, j] < best:
                best = x[i, j]
                at = j
        m[i] = best
        k[i] = at


@beside("""
double f(const long* x, long n) {
    long best = x[0], cur = x[0];
    for (long i = 1; i < n; i++) {
        cur = cur + x[i] > x[i] ? cur + x[i] : x[i];
        if (cur > best) best = cur;
    }
    return best;
}
""", lambda r, n: [r.integers(-100, 100, n)])
def kadane(x):
    best = x[0]
    cur = x[0]
    for i in range(1, len(x)):
        cur = max(cur + x[i], x[i])
        if cur > best:
            best = cur
    return best


def built(name, text, folder):
    """The function in C."""
    source, library = os.path.join(folder, name + ".c"), os.path.join(folder, name + ".so")
    with open(source, "w") as file:
        file.write(text)
    subprocess.run(["cc", "-O3", "-march=native", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True)
    function = ctypes.CDLL(library).f
    function.restype = ctypes.c_double
    return function


def call_of(function, arguments):
    """A call with the arrays' addresses and all extents and numbers."""
    addresses = [ctypes.c_void_p(one.ctypes.data) for one in arguments if isinstance(one, np.ndarray)]
    extents = [ctypes.c_long(n) for one in arguments for n in (one.shape if isinstance(one, np.ndarray) else (one,))]
    return lambda: function(*addresses, *extents)


def turns(name, size, seconds, folder):
    function, text, make = PROGRAMS[name]
    given = make(np.random.default_rng(1), SIZES[size])
    mine, theirs = fresh(given), fresh(given)
    program, other = sluice.program(function), call_of(built(name, text, folder), theirs)
    result, wanted = program(*mine), other()
    same = all(np.allclose(one, another) for one, another in zip(mine, theirs))
    same = same and (result is None or np.allclose(float(np.ravel(result)[0]), wanted))
    times = {"ours": [], "C": []}
    started = time.perf_counter()
    while time.perf_counter() - started < seconds or len(times["C"]) < 5:
        for who, arguments, call in (("ours", mine, lambda: program(*mine)), ("C", theirs, other)):
            for one, before in zip(arguments, given):
                if isinstance(one, np.ndarray):
                    np.copyto(one, before)
            start = time.perf_counter()
            call()
            times[who].append(time.perf_counter() - start)
    return times["ours"], times["C"], same


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=0.2, help="time for each program and size")
    options.add_argument("--sizes", nargs="+", choices=list(SIZES), default=list(SIZES))
    options.add_argument("programs", nargs="*", metavar="PROGRAM")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen.programs or PROGRAMS:
            line = f"{name:14}"
            for size in chosen.sizes:
                ours, theirs, same = turns(name, size, chosen.seconds, folder)
                best, middle = min(theirs) / min(ours), statistics.median(theirs) / statistics.median(ours)
                line += f" | {size} {min(theirs) * 1e6:9.1f} {min(ours) * 1e6:9.1f} {best:6.2f} ({middle:5.2f})"
                line += "" if same else " WRONG"
            print(line, flush=True)


if __name__ == "__main__":
    main()
