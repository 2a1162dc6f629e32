"""heat3d: steps of a seven-point stencil of float32, all levels kept, the first as given; the border keeps its values."""
import numpy as np

from sluice.schedule import Computation, Constant, Input, Var, codegen, init

ALPHA, BETA = 0.125, 2


def data(rng, quick):
    n, steps = (24, 5) if quick else (100, 40)
    return {"u0": rng.random((n, n, n), np.float32), "u": np.zeros((steps, n, n, n), np.float32)}


def reference(u0, u):
    alpha, beta = np.float32(ALPHA), np.float32(3 * BETA)
    for t in range(len(u)):
        old = u0 if t == 0 else u[t - 1]
        u[t] = old
        if t == 0:
            continue
        inner = old[1:-1, 1:-1, 1:-1]
        around = (old[:-2, 1:-1, 1:-1] + old[2:, 1:-1, 1:-1] + old[1:-1, :-2, 1:-1] + old[1:-1, 2:, 1:-1] + old[1:-1, 1:-1, :-2] +
                  old[1:-1, 1:-1, 2:])
        u[t, 1:-1, 1:-1, 1:-1] = inner + alpha * (around - beta * inner)
    return {"u": u}


def schedule():
    init("heat3d")
    T, N = Constant("T"), Constant("N")
    t, z, y, x = Var("t", 0, T), Var("z", 0, N), Var("y", 0, N), Var("x", 0, N)
    Input("u0", [N, N, N], "float32")
    u = Computation("u", [t, z, y, x], 0.0, dtype="float32")
    near = ["z - 1, y, x", "z + 1, y, x", "z, y - 1, x", "z, y + 1, x", "z, y, x - 1", "z, y, x + 1"]
    border = " or ".join(f"{d} == 0 or {d} == N - 1" for d in "zyx")

    around = " + ".join(f"u[t - 1, {at}]" for at in near)
    u[t, z, y, x] = (f"u0[z, y, x] if t == 0 or {border} else "
                     f"u[t - 1, z, y, x] + {ALPHA} * ({around} - {3 * BETA} * u[t - 1, z, y, x])")
    u.parallelize(z)
    return codegen([u])


C = """
void kernel(long T, long n, const float* restrict u0, float* restrict u) {
    for (long t = 0; t < T; ++t) {
        const float* old = t == 0 ? u0 : u + (t - 1) * n * n * n;
        float* new = u + t * n * n * n;
        #pragma omp parallel for
        for (long z = 0; z < n; ++z)
            for (long y = 0; y < n; ++y)
                for (long x = 0; x < n; ++x) {
                    const float* at = old + (z * n + y) * n + x;
                    long inner = t > 0 && z > 0 && z < n - 1 && y > 0 && y < n - 1 && x > 0 && x < n - 1;
                    new[(z * n + y) * n + x] =
                        inner ? at[0] + 0.125f * (at[-n * n] + at[n * n] + at[-n] + at[n] + at[-1] + at[1] - 6 * at[0]) : at[0];
                }
    }
}
"""


def c_arguments(arrays):
    return [len(arrays["u"]), len(arrays["u0"]), arrays["u0"], arrays["u"]]
