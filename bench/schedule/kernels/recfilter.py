"""recfilter: 0.7 v + 0.2 and 0.1 of the two values before, along columns, then along rows, of float32."""
import numpy as np

from sluice.schedule import Computation, Constant, Input, Var, codegen, init


def data(rng, quick):
    h, w = (30, 40) if quick else (1056, 1760)
    return {"p": rng.random((3, h, w), np.float32), "down": np.zeros((3, h, w), np.float32)}


def reference(p):
    down = p.copy()
    for axis in (2, 1):
        along = np.moveaxis(down, axis, 0)
        for at in range(2, len(along)):
            along[at] = np.float32(0.7) * along[at] + np.float32(0.2) * along[at - 1] + np.float32(0.1) * along[at - 2]
    return {"down": down}


def schedule():
    init("recfilter")
    H, W = Constant("H"), Constant("W")
    c, y, x = Var("c", 0, 3), Var("y", 0, H), Var("x", 0, W)
    Input("p", [3, H, W], "float32")
    right, down = Computation("right", [c, y, x], 0.0, dtype="float32"), Computation("down", [c, y, x], 0.0, dtype="float32")
    right[c, y, x] = "p[c, y, x] if x < 2 else 0.7 * p[c, y, x] + 0.2 * right[c, y, x - 1] + 0.1 * right[c, y, x - 2]"
    down[c, y, x] = "right[c, y, x] if y < 2 else 0.7 * right[c, y, x] + 0.2 * down[c, y - 1, x] + 0.1 * down[c, y - 2, x]"
    down.after(right, y)
    right.parallelize(c)
    right.store_in(["c", "y % 1", "x"])
    down.vectorize(x, 8)
    return codegen([down])


C = """
void kernel(long H, long W, const float* restrict p, float* restrict down) {
    #pragma omp parallel for
    for (long c = 0; c < 3; ++c) {
        float* row = malloc(sizeof(float) * W);
        for (long y = 0; y < H; ++y) {
            const float* from = p + (c * H + y) * W;
            float* to = down + (c * H + y) * W;
            for (long x = 0; x < W; ++x) row[x] = x < 2 ? from[x] : 0.7f * from[x] + 0.2f * row[x - 1] + 0.1f * row[x - 2];
            for (long x = 0; x < W; ++x) to[x] = y < 2 ? row[x] : 0.7f * row[x] + 0.2f * to[x - W] + 0.1f * to[x - 2 * W];
        }
        free(row);
    }
}
"""


def c_arguments(arrays):
    return [*arrays["p"].shape[1:], arrays["p"], arrays["down"]]
