"""conv2D: a filter of three by three over three channels of float32, one output channel each; no border."""
import numpy as np

from sluice.schedule import Computation, Constant, Input, Var, codegen, init

TAPS = [(a, b) for a in range(3) for b in range(3)]


def data(rng, quick):
    h, w = (514, 770) if quick else (2114, 3586)
    return {"p": rng.random((3, h, w), np.float32), "k": rng.random((3, 3), np.float32), "out": np.zeros((3, h - 2, w - 2), np.float32)}


def reference(p, k):
    h, w = p.shape[1] - 2, p.shape[2] - 2
    return {"out": sum(p[:, a:h + a, b:w + b] * k[a, b] for a, b in TAPS)}


def schedule():
    init("conv2d")
    H, W = Constant("H"), Constant("W")
    c, y, x = Var("c", 0, 3), Var("y", 0, H - 2), Var("x", 0, W - 2)
    Input("p", [3, H, W], "float32"), Input("k", [3, 3], "float32")
    out = Computation("out", [c, y, x], " + ".join(f"p[c, y + {a}, x + {b}] * k[{a}, {b}]" for a, b in TAPS), dtype="float32")
    out.parallelize(y).vectorize(x, 8)
    return codegen([out])


C = """
void kernel(long H, long W, const float* restrict p, const float* restrict k, float* restrict out) {
    long h = H - 2, w = W - 2;
    for (long c = 0; c < 3; ++c)
        #pragma omp parallel for
        for (long y = 0; y < h; ++y)
            for (long x = 0; x < w; ++x) {
                float sum = 0;
                for (long a = 0; a < 3; ++a)
                    for (long b = 0; b < 3; ++b) sum += p[(c * H + y + a) * W + x + b] * k[a * 3 + b];
                out[(c * h + y) * w + x] = sum;
            }
}
"""


def c_arguments(arrays):
    return [arrays["p"].shape[1], arrays["p"].shape[2], arrays["p"], arrays["k"], arrays["out"]]


def halide(hl, arrays):
    x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
    p, k = hl.Buffer(arrays["p"]), hl.Buffer(arrays["k"])
    out = hl.Func("out")
    terms = [p[x + b, y + a, c] * k[b, a] for a, b in TAPS]
    out[x, y, c] = sum(terms[1:], terms[0])
    out.parallel(y).vectorize(x, 8)
    return out, hl.Buffer(arrays["out"])
