"""edgeDetector: a ring blur, then Roberts' filter, of int32; no border. Halide refuses the cyclic form of the paper; this one is acyclic."""
import numpy as np

from sluice.schedule import Computation, Constant, Input, Var, codegen, init

RING = [(a, b) for a in range(3) for b in range(3) if (a, b) != (1, 1)]


def data(rng, quick):
    h, w = (516, 772) if quick else (2116, 3524)
    return {"p": rng.integers(0, 256, (h, w), np.int32), "out": np.zeros((h - 4, w - 4), np.int32)}


def reference(p):
    h, w = p.shape
    r = sum(p[a:h - 2 + a, b:w - 2 + b] for a, b in RING) // 8
    return {"out": abs(r[1:-1, 1:-1] - r[2:, :-2]) + abs(r[2:, 1:-1] - r[1:-1, :-2])}


def schedule():
    init("edge_detector")
    N, M = Constant("N"), Constant("M")
    i, j, u, v = Var("i", 0, N - 2), Var("j", 0, M - 2), Var("u", 0, N - 4), Var("v", 0, M - 4)
    Input("p", [N, M], "int32")
    around = " + ".join(f"p[i + {a}, j + {b}]" for a, b in RING)
    R = Computation("R", [i, j], f"({around}) // 8", dtype="int32")
    out = Computation("out", [u, v], "abs(R[u + 1, v + 1] - R[u + 2, v]) + abs(R[u + 2, v + 1] - R[u + 1, v])", dtype="int32")
    out.tile(u, v, 32, 256, "u0", "v0", "u1", "v1").parallelize("u0").vectorize("v1", 8)
    R.compute_at(out, "v0").vectorize(j, 8)
    return codegen([out])


C = """
void kernel(long N, long M, const int* restrict p, int* restrict out) {
    long n = N - 2, m = M - 2;
    int* R = malloc(sizeof(int) * n * m);
    #pragma omp parallel for
    for (long i = 0; i < n; ++i)
        for (long j = 0; j < m; ++j) {
            const int* at = p + i * M + j;
            R[i * m + j] = (at[0] + at[1] + at[2] + at[M] + at[M + 2] + at[2 * M] + at[2 * M + 1] + at[2 * M + 2]) / 8;
        }
    #pragma omp parallel for
    for (long i = 0; i < n - 2; ++i)
        for (long j = 0; j < m - 2; ++j) {
            const int* r = R + (i + 1) * m + j;
            out[i * (m - 2) + j] = abs(r[1] - r[m]) + abs(r[m + 1] - r[0]);
        }
    free(R);
}
"""


def c_arguments(arrays):
    return [*arrays["p"].shape, arrays["p"], arrays["out"]]
