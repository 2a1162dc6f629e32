"""A block of VGG in float32: two layers of 3x3 convolutions and ReLU, the second padded by zeros, then a 2x2 pool; one batch element at a time."""
import numpy as np

from sluice.schedule import Computation, Constant, Input, Update, Var, codegen, init

FEATURES = 8


def data(rng, quick):
    b, n, f = (2, 12, 3) if quick else (4, 112, 3)
    weights = lambda fi: rng.random((FEATURES, fi, 3, 3), np.float32) - np.float32(0.5)
    return {"image": rng.random((b, f, n + 2, n + 2), np.float32), "w1": weights(f), "w2": weights(FEATURES),
            "pool": np.zeros((b, FEATURES, n // 2, n // 2), np.float32)}


def reference(image, w1, w2):
    def layer(of, weights):
        n = of.shape[2] - 2
        windows = np.lib.stride_tricks.sliding_window_view(of, (n, n), (2, 3))
        return np.maximum(np.einsum("ofab,nfabyx->noyx", weights, windows, optimize=True), 0)

    last = layer(np.pad(layer(image, w1), ((0, 0), (0, 0), (1, 1), (1, 1))), w2)
    b, f, n, _ = last.shape
    return {"pool": last.reshape(b, f, n // 2, 2, n // 2, 2).max((3, 5))}


def schedule():
    init("vgg_block")
    B, H, F = Constant("B"), Constant("H"), FEATURES
    n, o, y, x = Var("n", 0, B), Var("o", 0, F), Var("y", 0, 2 * H), Var("x", 0, 2 * H)
    a, b, f1, f2 = Var("a", 0, 3), Var("b", 0, 3), Var("f", 0, 3), Var("f", 0, F)
    v, u = Var("v", 0, H), Var("u", 0, H)
    image, w1 = Input("image", [B, 3, 2 * H + 2, 2 * H + 2], "float32"), Input("w1", [F, 3, 3, 3], "float32")
    w2 = Input("w2", [F, F, 3, 3], "float32")
    c1 = Computation("c1", [n, o, y, x], 0.0, dtype="float32")
    sum1 = Update("sum1", [n, o, y, f1, a, b, x], c1[n, o, y, x], "+", w1[o, "f", a, b] * image[n, "f", y + a, x + b])
    padded = Computation("padded", [n, o, Var("yp", 0, 2 * H + 2), Var("xp", 0, 2 * H + 2)],
                         "0.0 if yp == 0 or yp == 2 * H + 1 or xp == 0 or xp == 2 * H + 1 else max(c1[n, o, yp - 1, xp - 1], 0.0)", dtype="float32")
    c2 = Computation("c2", [n, o, y, x], 0.0, dtype="float32")
    sum2 = Update("sum2", [n, o, y, f2, a, b, x], c2[n, o, y, x], "+", w2[o, "f", a, b] * padded[n, "f", y + a, x + b])
    pool = Computation("pool", [n, o, v, u], 0.0, dtype="float32")
    best = Update("best", [n, o, v, u, Var("p", 0, 2), Var("q", 0, 2)], pool[n, o, v, u], "max", c2[n, o, "2 * v + p", "2 * u + q"])
    for before, behind in zip((c1, sum1, padded, c2, sum2, pool), (sum1, padded, c2, sum2, pool, best)):
        behind.after(before, n)
    for convolution in (sum1, sum2):
        convolution.vectorize(x, 8)
    c1.parallelize(n)
    for of in (c1, padded, c2):
        of.buffer().allocate_at(best, n)
    return codegen([pool])


C = """
#include <string.h>
static void layer(long F, long N, const float* restrict in, const float* restrict w, float* restrict out) {
    long P = N + 2;
    memset(out, 0, sizeof(float) * 8 * N * N);
    for (long o = 0; o < 8; ++o)
        for (long y = 0; y < N; ++y)
            for (long f = 0; f < F; ++f)
                for (long a = 0; a < 3; ++a)
                    for (long b = 0; b < 3; ++b)
                        for (long x = 0; x < N; ++x)
                            out[(o * N + y) * N + x] += w[((o * F + f) * 3 + a) * 3 + b] * in[(f * P + y + a) * P + x + b];
}
void kernel(long B, long H, const float* restrict image, const float* restrict w1, const float* restrict w2, float* restrict pool) {
    long N = 2 * H, P = N + 2;
    #pragma omp parallel for
    for (long n = 0; n < B; ++n) {
        float *c = malloc(sizeof(float) * 8 * N * N), *padded = calloc(8 * P * P, sizeof(float));
        layer(3, N, image + n * 3 * P * P, w1, c);
        for (long o = 0; o < 8; ++o)
            for (long y = 0; y < N; ++y)
                for (long x = 0; x < N; ++x) {
                    float v = c[(o * N + y) * N + x];
                    padded[(o * P + y + 1) * P + x + 1] = v > 0 ? v : 0;
                }
        layer(8, N, padded, w2, c);
        for (long o = 0; o < 8; ++o)
            for (long y = 0; y < H; ++y)
                for (long x = 0; x < H; ++x) {
                    float best = 0;
                    for (long p = 0; p < 2; ++p)
                        for (long q = 0; q < 2; ++q) {
                            float v = c[(o * N + 2 * y + p) * N + 2 * x + q];
                            if (v > best) best = v;
                        }
                    pool[((n * 8 + o) * H + y) * H + x] = best;
                }
        free(c), free(padded);
    }
}
"""


def c_arguments(arrays):
    b, _, h, _ = arrays["pool"].shape
    return [b, h, arrays["image"], arrays["w1"], arrays["w2"], arrays["pool"]]
