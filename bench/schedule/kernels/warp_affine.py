"""warpAffine: bilinear interpolation of one channel of bytes at an affine place, clamped to the image."""
import numpy as np

from sluice.schedule import Computation, Constant, Input, Var, codegen, init


def data(rng, quick):
    h, w = (128, 192) if quick else (2112, 3520)
    return {"image": rng.integers(0, 256, (h, w), np.uint8), "m": np.array([0.9, 0.1, -1.5, 0.2, 1.1, 2.25], np.float32),
            "warped": np.zeros((h, w), np.float32)}


def reference(image, m):
    h, w = image.shape
    y, x = np.mgrid[:h, :w].astype(np.float32)
    row, column = m[0] * y + m[1] * x + m[2], m[3] * y + m[4] * x + m[5]
    top, left = np.floor(row), np.floor(column)
    r, c = row - top, column - left

    def tap(p, q):
        return image[np.clip(top.astype(int) + p, 0, h - 1), np.clip(left.astype(int) + q, 0, w - 1)]

    return {"warped": (tap(0, 0) * (1 - r) + tap(1, 0) * r) * (1 - c) + (tap(0, 1) * (1 - r) + tap(1, 1) * r) * c}


def schedule():
    init("warp_affine")
    H, W = Constant("H"), Constant("W")
    y, x = Var("y", 0, H), Var("x", 0, W)
    Input("image", [H, W], "uint8"), Input("m", [6], "float32")
    row = Computation("row", [y, x], "m[0] * y + m[1] * x + m[2]", dtype="float32")
    column = Computation("column", [y, x], "m[3] * y + m[4] * x + m[5]", dtype="float32")
    r, c = "(row[y, x] - floor(row[y, x]))", "(column[y, x] - floor(column[y, x]))"

    def tap(p, q):
        return f"image[min(max(int(floor(row[y, x])) + {p}, 0), H - 1), min(max(int(floor(column[y, x])) + {q}, 0), W - 1)]"

    def mix(u, v, t):
        return f"(({u}) * (1 - {t}) + ({v}) * {t})"

    warped = Computation("warped", [y, x], mix(mix(tap(0, 0), tap(1, 0), r), mix(tap(0, 1), tap(1, 1), r), c), dtype="float32")
    warped.parallelize(y)
    for place in (row, column):
        place.compute_at(warped, x)
    return codegen([warped])


C = """
#include <math.h>
static long clamped(long at, long size) { return at < 0 ? 0 : at >= size ? size - 1 : at; }
void kernel(long H, long W, const unsigned char* restrict image, const float* restrict m, float* restrict warped) {
    #pragma omp parallel for
    for (long y = 0; y < H; ++y)
        for (long x = 0; x < W; ++x) {
            float row = m[0] * y + m[1] * x + m[2], column = m[3] * y + m[4] * x + m[5];
            float top = floorf(row), left = floorf(column), r = row - top, c = column - left;
            const unsigned char* a = image + W * clamped((long)top, H);
            const unsigned char* b = image + W * clamped((long)top + 1, H);
            long p = clamped((long)left, W), q = clamped((long)left + 1, W);
            warped[y * W + x] = (a[p] * (1 - r) + b[p] * r) * (1 - c) + (a[q] * (1 - r) + b[q] * r) * c;
        }
}
"""


def c_arguments(arrays):
    return [*arrays["image"].shape, arrays["image"], arrays["m"], arrays["warped"]]
