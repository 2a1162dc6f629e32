"""gaussian: a separable filter of five taps over three channels of float32; no border."""
import numpy as np

from sluice.schedule import Computation, Constant, Input, Var, codegen, init

TAPS = np.array([1, 4, 6, 4, 1], np.float32) / 16


def data(rng, quick):
    h, w = (516, 772) if quick else (2116, 3588)
    return {"p": rng.random((3, h, w), np.float32), "k": TAPS, "gy": np.zeros((3, h - 4, w - 4), np.float32)}


def reference(p, k):
    w, h = p.shape[2] - 4, p.shape[1] - 4
    rows = sum(p[:, :, a:w + a] * k[a] for a in range(5))
    return {"gy": sum(rows[:, a:h + a] * k[a] for a in range(5))}


def schedule():
    init("gaussian")
    H, W = Constant("H"), Constant("W")
    c, y, x = Var("c", 0, 3), Var("y", 0, H - 4), Var("x", 0, W - 4)
    Input("p", [3, H, W], "float32"), Input("k", [5], "float32")
    gx = Computation("gx", [c, y, x], " + ".join(f"p[c, y, x + {a}] * k[{a}]" for a in range(5)), dtype="float32")
    gy = Computation("gy", [c, y, x], " + ".join(f"gx[c, y + {a}, x] * k[{a}]" for a in range(5)), dtype="float32")
    gy.tile(y, x, 32, 256, "y0", "x0", "y1", "x1").parallelize("y0").vectorize("x1", 8)
    gx.compute_at(gy, "x0").vectorize(x, 8)
    return codegen([gy])


C = """
void kernel(long H, long W, const float* restrict p, const float* restrict k, float* restrict gy) {
    long h = H - 4, w = W - 4;
    float* gx = malloc(sizeof(float) * H * w);
    for (long c = 0; c < 3; ++c) {
        #pragma omp parallel for
        for (long y = 0; y < H; ++y)
            for (long x = 0; x < w; ++x) {
                const float* at = p + (c * H + y) * W + x;
                gx[y * w + x] = at[0] * k[0] + at[1] * k[1] + at[2] * k[2] + at[3] * k[3] + at[4] * k[4];
            }
        #pragma omp parallel for
        for (long y = 0; y < h; ++y)
            for (long x = 0; x < w; ++x) {
                const float* at = gx + y * w + x;
                gy[(c * h + y) * w + x] = at[0] * k[0] + at[w] * k[1] + at[2 * w] * k[2] + at[3 * w] * k[3] + at[4 * w] * k[4];
            }
    }
    free(gx);
}
"""


def c_arguments(arrays):
    return [arrays["p"].shape[1], arrays["p"].shape[2], arrays["p"], arrays["k"], arrays["gy"]]


def halide(hl, arrays):
    x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
    x0, y0, x1, y1 = hl.Var("x0"), hl.Var("y0"), hl.Var("x1"), hl.Var("y1")
    p, k = hl.Buffer(arrays["p"]), hl.Buffer(arrays["k"])
    gx, gy = hl.Func("gx"), hl.Func("gy")
    gx[x, y, c] = sum((p[x + a, y, c] * k[a] for a in range(1, 5)), p[x, y, c] * k[0])
    gy[x, y, c] = sum((gx[x, y + a, c] * k[a] for a in range(1, 5)), gx[x, y, c] * k[0])
    gy.tile(x, y, x0, y0, x1, y1, 256, 32).parallel(y0).vectorize(x1, 8)
    gx.compute_at(gy, x0).vectorize(x, 8)
    return gy, hl.Buffer(arrays["gy"])
