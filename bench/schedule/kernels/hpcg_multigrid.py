"""HPCG's change of grids: the residual of every second point goes to the coarse grid, whose correction is added where it came from."""
import numpy as np

from sluice.schedule import Computation, Constant, Input, Update, Var, codegen, init


def data(rng, quick):
    n = 4 if quick else 40
    box = lambda size: rng.random((size,) * 3)
    return {"x": box(2 * n + 2), "r": box(2 * n), "correction": box(n), "coarse": np.zeros((n,) * 3), "fine": np.zeros((2 * n,) * 3)}


def reference(x, r, correction):
    n = len(r)
    product = 27 * x[1:-1, 1:-1, 1:-1] - sum(x[a:a + n, b:b + n, c:c + n] for a, b, c in np.ndindex(3, 3, 3))
    fine = x[1:-1, 1:-1, 1:-1].copy()
    fine[::2, ::2, ::2] += correction
    return {"coarse": (r - product)[::2, ::2, ::2], "fine": fine}


def schedule():
    init("hpcg_multigrid")
    N = Constant("N")
    i, j, k = Var("i", 0, N), Var("j", 0, N), Var("k", 0, N)
    u, v, w = Var("u", 0, 2 * N), Var("v", 0, 2 * N), Var("w", 0, 2 * N)
    a, b, c = Var("a", 0, 3), Var("b", 0, 3), Var("c", 0, 3)
    Input("x", [2 * N + 2, 2 * N + 2, 2 * N + 2]), Input("r", [2 * N, 2 * N, 2 * N]), Input("correction", [N, N, N])
    coarse = Computation("coarse", [i, j, k], "r[2 * i, 2 * j, 2 * k] - 27 * x[2 * i + 1, 2 * j + 1, 2 * k + 1]")
    around = Update("around", [i, j, k, a, b, c], coarse[i, j, k], "+", "x[2 * i + a, 2 * j + b, 2 * k + c]")
    fine = Computation("fine", [u, v, w], "x[u + 1, v + 1, w + 1] + correction[u // 2, v // 2, w // 2] "
                       "if u % 2 == 0 and v % 2 == 0 and w % 2 == 0 else x[u + 1, v + 1, w + 1]")
    coarse.parallelize(i)
    around.after(coarse, k).unroll(c, 3)
    fine.parallelize(u)
    return codegen([coarse, fine])


C = """
void kernel(long N, const double* restrict x, const double* restrict r, const double* restrict correction, double* restrict coarse,
            double* restrict fine) {
    long M = 2 * N, P = M + 2;
    #pragma omp parallel for
    for (long i = 0; i < N; ++i)
        for (long j = 0; j < N; ++j)
            for (long k = 0; k < N; ++k) {
                const double* at = x + ((2 * i + 1) * P + 2 * j + 1) * P + 2 * k + 1;
                double sum = r[(2 * i * M + 2 * j) * M + 2 * k] - 27 * at[0];
                for (long a = -1; a <= 1; ++a)
                    for (long b = -1; b <= 1; ++b)
                        for (long c = -1; c <= 1; ++c) sum += at[(a * P + b) * P + c];
                coarse[(i * N + j) * N + k] = sum;
            }
    #pragma omp parallel for
    for (long u = 0; u < M; ++u)
        for (long v = 0; v < M; ++v)
            for (long w = 0; w < M; ++w)
                fine[(u * M + v) * M + w] = x[((u + 1) * P + v + 1) * P + w + 1] +
                                            (u % 2 || v % 2 || w % 2 ? 0 : correction[(u / 2 * N + v / 2) * N + w / 2]);
}
"""


def c_arguments(arrays):
    return [len(arrays["coarse"]), *(arrays[name] for name in ("x", "r", "correction", "coarse", "fine"))]
