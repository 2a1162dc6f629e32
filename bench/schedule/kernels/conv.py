"""conv: a layer of 3x3 convolutions of float32, batch, features, rows, columns; the input has a border of its own."""
import numpy as np

from sluice.schedule import Computation, Constant, Input, Update, Var, codegen, init

K = 3


def data(rng, quick):
    b, fi, fo, n = (2, 4, 8, 20) if quick else (4, 32, 32, 112)
    return {"image": rng.random((b, fi, n + K - 1, n + K - 1), np.float32), "weights": rng.random((fo, fi, K, K), np.float32),
            "bias": rng.random(fo, np.float32), "out": np.zeros((b, fo, n, n), np.float32)}


def reference(image, weights, bias):
    n = image.shape[2] - K + 1
    windows = np.lib.stride_tricks.sliding_window_view(image, (n, n), (2, 3))
    return {"out": np.einsum("ofab,nfabyx->noyx", weights, windows, optimize=True) + bias[:, None, None]}


def schedule():
    init("conv")
    B, FI, FO, N = Constant("B"), Constant("FI"), Constant("FO"), Constant("N")
    n, o, y, x = Var("n", 0, B), Var("o", 0, FO), Var("y", 0, N), Var("x", 0, N)
    f, a, b = Var("f", 0, FI), Var("a", 0, K), Var("b", 0, K)
    image, weights = Input("image", [B, FI, N + K - 1, N + K - 1], "float32"), Input("weights", [FO, FI, K, K], "float32")
    bias = Input("bias", [FO], "float32")
    out = Computation("out", [n, o, y, x], bias[o], dtype="float32")
    total = Update("total", [n, o, y, f, a, b, x], out[n, o, y, x], "+", weights[o, f, a, b] * image[n, f, y + a, x + b])
    out.parallelize(n).parallelize(o)
    total.after(out, y).parallelize(n).parallelize(o).vectorize(x, 8)
    return codegen([out])


C = """
void kernel(long B, long FI, long FO, long N, const float* restrict image, const float* restrict weights, const float* restrict bias,
            float* restrict out) {
    long P = N + 2;
    #pragma omp parallel for collapse(2)
    for (long n = 0; n < B; ++n)
        for (long o = 0; o < FO; ++o)
            for (long y = 0; y < N; ++y) {
                float* row = out + ((n * FO + o) * N + y) * N;
                for (long x = 0; x < N; ++x) row[x] = bias[o];
                for (long f = 0; f < FI; ++f)
                    for (long a = 0; a < 3; ++a)
                        for (long b = 0; b < 3; ++b) {
                            float w = weights[((o * FI + f) * 3 + a) * 3 + b];
                            const float* from = image + ((n * FI + f) * P + y + a) * P + b;
                            for (long x = 0; x < N; ++x) row[x] += w * from[x];
                        }
            }
}
"""


def c_arguments(arrays):
    (b, fo, n, _), fi = arrays["out"].shape, arrays["image"].shape[1]
    return [b, fi, fo, n, arrays["image"], arrays["weights"], arrays["bias"], arrays["out"]]
