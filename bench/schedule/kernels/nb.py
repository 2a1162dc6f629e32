"""nb: four passes over bytes, the negative, twice the value, their sum and difference modulo 256, fused into one pass."""
import numpy as np

from sluice.schedule import Computation, Constant, Input, Var, codegen, init

VALUES = {"f": "255 - p[y, x]", "g": "2 * p[y, x]", "h": "f[y, x] + g[y, x]", "k": "f[y, x] - g[y, x]"}


def data(rng, quick):
    shape = (512, 768) if quick else (2112, 3520)
    return {"p": rng.integers(0, 256, shape, np.uint8), **{name: np.zeros(shape, np.uint8) for name in VALUES}}


def reference(p):
    f, g = np.uint8(255) - p, np.uint8(2) * p
    return {"f": f, "g": g, "h": f + g, "k": f - g}


def schedule():
    init("nb")
    H, W = Constant("H"), Constant("W")
    y, x = Var("y", 0, H), Var("x", 0, W)
    Input("p", [H, W], "uint8")
    f, g, h, k = all = [Computation(name, [y, x], value, dtype="uint8") for name, value in VALUES.items()]
    for one in all:
        one.vectorize(x, 32)
    f.parallelize(y).then(g, "x_inner").then(h, "x_inner").then(k, "x_inner")
    return codegen(all)


C = """
typedef unsigned char u8;
void kernel(long n, const u8* restrict p, u8* restrict f, u8* restrict g, u8* restrict h, u8* restrict k) {
    #pragma omp parallel for
    for (long i = 0; i < n; ++i) f[i] = 255 - p[i];
    #pragma omp parallel for
    for (long i = 0; i < n; ++i) g[i] = 2 * p[i];
    #pragma omp parallel for
    for (long i = 0; i < n; ++i) h[i] = f[i] + g[i];
    #pragma omp parallel for
    for (long i = 0; i < n; ++i) k[i] = f[i] - g[i];
}
"""


def c_arguments(arrays):
    return [arrays["p"].size, *(arrays[name] for name in "pfghk")]
