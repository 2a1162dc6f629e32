"""A baryon's blocks: sums over three sites of determinants over colours, which tables name, of float64."""
import itertools

import numpy as np

from sluice.schedule import Computation, Constant, Input, Update, Var, codegen, init

COLOURS = list(itertools.permutations(range(3)))
SIGNS = [1.0, -1.0, -1.0, 1.0, 1.0, -1.0]


def data(rng, quick):
    t, n = (4, 5) if quick else (32, 16)
    tables = {f"c{d + 1}": np.array([one[d] for one in COLOURS]) for d in range(3)}
    return {"S": rng.random((t, n, 3)), "w": np.array(SIGNS), **tables, "site": rng.random((n, n, n)), "B": np.zeros(t)}


def reference(S, site, w, c1, c2, c3):
    return {"B": np.einsum("abc,k,tak,tbk,tck->t", site, w, S[..., c1], S[..., c2], S[..., c3], optimize=True)}


def schedule():
    init("baryon")
    T, N = Constant("T"), Constant("N")
    t, a, b, c, k = Var("t", 0, T), Var("a", 0, N), Var("b", 0, N), Var("c", 0, N), Var("k", 0, 6)
    Input("S", [T, N, 3]), Input("w", [6]), Input("site", [N, N, N])
    for d in "123":
        Input("c" + d, [6], "int64")
    colour = lambda site, d: f"S[t, {site}, min(max(c{d}[k], 0), 2)]"
    B = Computation("B", [t], 0.0)
    pair = Computation("pair", [t, a, b, k], f"w[k] * {colour('a', 1)} * {colour('b', 2)}")
    total = Update("total", [t, a, b, c, k], B[t], "+", f"site[a, b, c] * pair[t, a, b, k] * {colour('c', 3)}")
    B.parallelize(t)
    total.after(B, t).unroll(k, 6)
    pair.compute_at(total, b)
    return codegen([B])


C = """
void kernel(long T, long N, const double* restrict S, const double* restrict site, const double* restrict w, const long* restrict c1,
            const long* restrict c2, const long* restrict c3, double* restrict B) {
    #pragma omp parallel for
    for (long t = 0; t < T; ++t) {
        double sum = 0;
        for (long a = 0; a < N; ++a)
            for (long b = 0; b < N; ++b)
                for (long c = 0; c < N; ++c)
                    for (long k = 0; k < 6; ++k)
                        sum += site[(a * N + b) * N + c] * w[k] * S[(t * N + a) * 3 + c1[k]] * S[(t * N + b) * 3 + c2[k]] *
                               S[(t * N + c) * 3 + c3[k]];
        B[t] = sum;
    }
}
"""


def c_arguments(arrays):
    return [len(arrays["S"]), len(arrays["site"]), *(arrays[name] for name in ("S", "site", "w", "c1", "c2", "c3", "B"))]
