"""sgemm: the product of two matrices of 1060 x 1060 float32; OpenBLAS by NumPy."""
import numpy as np

from sluice.schedule import Computation, Constant, Input, Update, Var, codegen, init


def data(rng, quick):
    n = 260 if quick else 1060
    return {"A": rng.random((n, n), np.float32), "B": rng.random((n, n), np.float32), "C": np.zeros((n, n), np.float32)}


def reference(A, B):
    return {"C": (A.astype(np.float64) @ B.astype(np.float64)).astype(np.float32)}


def openblas(arrays):
    np.matmul(arrays["A"], arrays["B"], out=arrays["C"])


def schedule():
    init("sgemm")
    N = Constant("N")
    i, j, k = Var("i", 0, N), Var("j", 0, N), Var("k", 0, N)
    A, B = Input("A", [N, N], "float32"), Input("B", [N, N], "float32")
    C = Computation("C", [i, j], 0.0, dtype="float32")
    total = Update("total", [i, j, k], C[i, j], "+", A[i, k] * B[k, j])
    total.split(i, 32, "i0", "i1").split(k, 64, "k0", "k1")
    total.interchange(j, "k0").interchange("i1", "k0").interchange(j, "k1").vectorize(j, 16)
    total.parallelize("i0")
    return codegen([C])


C = """
void kernel(long n, const float* restrict A, const float* restrict B, float* restrict C) {
    #pragma omp parallel for
    for (long i = 0; i < n; ++i) {
        for (long j = 0; j < n; ++j) C[i * n + j] = 0;
        for (long k = 0; k < n; ++k)
            for (long j = 0; j < n; ++j) C[i * n + j] += A[i * n + k] * B[k * n + j];
    }
}
"""


def c_arguments(arrays):
    return [len(arrays["A"]), arrays["A"], arrays["B"], arrays["C"]]
