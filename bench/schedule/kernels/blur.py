"""The blur of Tiramisu's Figure 2: rows, then columns, of three channels of float32; no border."""
import numpy as np

from sluice.schedule import Computation, Constant, Input, Var, codegen, init


def data(rng, quick):
    h, w = (514, 770) if quick else (2114, 3586)
    return {"p": rng.random((3, h, w), np.float32), "by": np.zeros((3, h - 2, w - 2), np.float32)}


def reference(p):
    rows = (p[:, :, :-2] + p[:, :, 1:-1] + p[:, :, 2:]) / np.float32(3)
    return {"by": (rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]) / np.float32(3)}


def schedule():
    init("blur")
    H, W = Constant("H"), Constant("W")
    c, y, x = Var("c", 0, 3), Var("y", 0, H - 2), Var("x", 0, W - 2)
    Input("p", [3, H, W], "float32")
    bx = Computation("bx", [c, y, x], "(p[c, y, x] + p[c, y, x + 1] + p[c, y, x + 2]) * 0.33333334", dtype="float32")
    by = Computation("by", [c, y, x], "(bx[c, y, x] + bx[c, y + 1, x] + bx[c, y + 2, x]) * 0.33333334", dtype="float32")
    by.tile(y, x, 32, 256, "y0", "x0", "y1", "x1").parallelize("y0").vectorize("x1", 8)
    bx.compute_at(by, "x0").vectorize(x, 8)
    return codegen([by])


C = """
void kernel(long H, long W, const float* restrict p, float* restrict by) {
    float* bx = malloc(sizeof(float) * H * (W - 2));
    for (long c = 0; c < 3; ++c) {
        #pragma omp parallel for
        for (long y = 0; y < H; ++y)
            for (long x = 0; x < W - 2; ++x) {
                const float* at = p + (c * H + y) * W + x;
                bx[y * (W - 2) + x] = (at[0] + at[1] + at[2]) * 0.33333334f;
            }
        #pragma omp parallel for
        for (long y = 0; y < H - 2; ++y)
            for (long x = 0; x < W - 2; ++x) {
                const float* at = bx + y * (W - 2) + x;
                by[(c * (H - 2) + y) * (W - 2) + x] = (at[0] + at[W - 2] + at[2 * (W - 2)]) * 0.33333334f;
            }
    }
    free(bx);
}
"""


def c_arguments(arrays):
    return [arrays["p"].shape[1], arrays["p"].shape[2], arrays["p"], arrays["by"]]


def halide(hl, arrays):
    """The same schedule."""
    x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
    x0, y0, x1, y1 = hl.Var("x0"), hl.Var("y0"), hl.Var("x1"), hl.Var("y1")
    p = hl.Buffer(arrays["p"])
    bx, by = hl.Func("bx"), hl.Func("by")
    third = hl.f32(0.33333334)
    bx[x, y, c] = (p[x, y, c] + p[x + 1, y, c] + p[x + 2, y, c]) * third
    by[x, y, c] = (bx[x, y, c] + bx[x, y + 1, c] + bx[x, y + 2, c]) * third
    by.tile(x, y, x0, y0, x1, y1, 256, 32).parallel(y0).vectorize(x1, 8)
    bx.compute_at(by, x0).vectorize(x, 8)
    return by, hl.Buffer(arrays["by"])
