"""heat2d: steps of a five-point stencil of float32, the first one given; the border keeps its values."""
import numpy as np

from sluice.schedule import Computation, Constant, Input, Var, codegen, init

ALPHA = 0.1


def data(rng, quick):
    n, steps = (256, 20) if quick else (1024, 100)
    return {"u0": rng.random((n, n), np.float32), "u": np.zeros((steps, n, n), np.float32)}


def reference(u0, u):
    for t in range(len(u)):
        old = u0 if t == 0 else u[t - 1]
        new = old.copy()
        new[1:-1, 1:-1] += np.float32(ALPHA) * (old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:] - 4 * old[1:-1, 1:-1])
        u[t] = new
    return {"u": u}


def schedule():
    init("heat2d")
    T, N = Constant("T"), Constant("N")
    t, y, x = Var("t", 0, T), Var("y", 0, N), Var("x", 0, N)
    Input("u0", [N, N], "float32")
    u = Computation("u", [t, y, x], 0.0, dtype="float32")
    step = lambda a: f"{a('y', 'x')} + {ALPHA} * ({a('y - 1', 'x')} + {a('y + 1', 'x')} + {a('y', 'x - 1')} + {a('y', 'x + 1')} - 4 * {a('y', 'x')})"
    first, later = (lambda y, x: f"u0[{y}, {x}]"), (lambda y, x: f"u[t - 1, {y}, {x}]")
    border = "y == 0 or y == N - 1 or x == 0 or x == N - 1"
    u[t, y, x] = (f"(({first('y', 'x')} if {border} else {step(first)}) if t == 0 else "
                  f"({later('y', 'x')} if {border} else {step(later)}))")
    u.parallelize(y)
    return codegen([u])


C = """
void kernel(long T, long n, const float* restrict u0, float* restrict u) {
    for (long t = 0; t < T; ++t) {
        const float* old = t == 0 ? u0 : u + (t - 1) * n * n;
        float* new = u + t * n * n;
        #pragma omp parallel for
        for (long y = 0; y < n; ++y)
            for (long x = 0; x < n; ++x) {
                const float* at = old + y * n + x;
                new[y * n + x] = y == 0 || y == n - 1 || x == 0 || x == n - 1
                                     ? at[0] : at[0] + 0.1f * (at[-n] + at[n] + at[-1] + at[1] - 4 * at[0]);
            }
    }
}
"""


def c_arguments(arrays):
    return [len(arrays["u"]), len(arrays["u0"]), arrays["u0"], arrays["u"]]
