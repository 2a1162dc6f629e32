"""cvtColor: colours as bytes, in planes, to grey, in OpenCV's fixed point."""
import numpy as np

from sluice.schedule import Computation, Constant, Input, Var, codegen, init


def data(rng, quick):
    h, w = (512, 768) if quick else (2112, 3520)
    return {"p": rng.integers(0, 256, (3, h, w), np.uint8), "gray": np.zeros((h, w), np.uint8)}


def reference(p):
    r, g, b = p.astype(np.uint32)
    return {"gray": ((4899 * r + 9617 * g + 1868 * b + 8192) >> 14).astype(np.uint8)}


def schedule():
    init("cvt_color")
    H, W = Constant("H"), Constant("W")
    y, x = Var("y", 0, H), Var("x", 0, W)
    Input("p", [3, H, W], "uint8")
    gray = Computation("gray", [y, x], "(4899 * int(p[0, y, x]) + 9617 * int(p[1, y, x]) + 1868 * int(p[2, y, x]) + 8192) // 16384", dtype="uint8")
    gray.parallelize(y).vectorize(x, 16)
    return codegen([gray])


C = """
void kernel(long H, long W, const unsigned char* restrict p, unsigned char* restrict gray) {
    #pragma omp parallel for
    for (long y = 0; y < H; ++y)
        for (long x = 0; x < W; ++x) {
            const unsigned char* at = p + y * W + x;
            gray[y * W + x] = (4899u * at[0] + 9617u * at[H * W] + 1868u * at[2 * H * W] + 8192u) >> 14;
        }
}
"""


def c_arguments(arrays):
    return [*arrays["gray"].shape, arrays["p"], arrays["gray"]]


def halide(hl, arrays):
    x, y = hl.Var("x"), hl.Var("y")
    p = hl.Buffer(arrays["p"])
    gray = hl.Func("gray")
    wide = [hl.u32(p[x, y, c]) for c in range(3)]
    gray[x, y] = hl.u8((hl.u32(4899) * wide[0] + hl.u32(9617) * wide[1] + hl.u32(1868) * wide[2] + hl.u32(8192)) >> 14)
    gray.parallel(y).vectorize(x, 16)
    return gray, hl.Buffer(arrays["gray"])
