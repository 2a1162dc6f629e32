"""Ticket #2373 of Halide: a volume of shifted columns of bytes, defined where no column left of the image is read; Halide reads there."""
import numpy as np

from sluice.schedule import Computation, Constant, Input, Var, codegen, init

SHIFTS = 32


def data(rng, quick):
    n, m = (100, 40) if quick else (1024, 1024)
    return {"p": rng.integers(0, 256, (n, m), np.uint8), "volume": np.zeros((n, SHIFTS, m), np.uint8)}


def reference(p):
    n, m = p.shape
    volume = np.zeros((n, SHIFTS, m), np.uint8)
    for r in range(SHIFTS):
        volume[r:, r] = p[:n - r]
    return {"volume": volume}


def schedule():
    init("ticket2373")
    N, M = Constant("N"), Constant("M")
    x, r, y = Var("x", 0, N), Var("r", 0, SHIFTS), Var("y", 0, M)
    p = Input("p", [N, M], "uint8")
    volume = Computation("volume", [x, r, y], p[x - r, y], dtype="uint8", predicate="x >= r")
    volume.parallelize(x).vectorize(y, 16)
    return codegen([volume])


C = """
void kernel(long N, long M, const unsigned char* restrict p, unsigned char* restrict volume) {
    #pragma omp parallel for
    for (long x = 0; x < N; ++x)
        for (long r = 0; r < 32 && r <= x; ++r)
            for (long y = 0; y < M; ++y) volume[(x * 32 + r) * M + y] = p[(x - r) * M + y];
}
"""


def c_arguments(arrays):
    return [*arrays["p"].shape, arrays["p"], arrays["volume"]]
