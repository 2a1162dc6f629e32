"""mttkrp: a tensor of three dimensions times two matrices, A(i, j) = sum of B(i, k, l) D(l, j) C(k, j), of float64."""
import numpy as np

from sluice.schedule import Computation, Constant, Input, Update, Var, codegen, init


def data(rng, quick):
    i, k, l, j = (12, 10, 9, 16) if quick else (128, 64, 64, 64)
    return {"B": rng.random((i, k, l)), "C": rng.random((k, j)), "D": rng.random((l, j)), "A": np.zeros((i, j))}


def reference(B, C, D):
    return {"A": np.einsum("ikl,lj,kj->ij", B, D, C, optimize=True)}


def schedule():
    init("mttkrp")
    I, J, K, L = (Constant(name) for name in "IJKL")
    i, j, k, l = Var("i", 0, I), Var("j", 0, J), Var("k", 0, K), Var("l", 0, L)
    B, C, D = Input("B", [I, K, L]), Input("C", [K, J]), Input("D", [L, J])
    A = Computation("A", [i, j], 0.0)
    total = Update("total", [i, k, l, j], A[i, j], "+", B[i, k, l] * D[l, j] * C[k, j])
    A.parallelize(i)
    total.after(A, i).parallelize(i).vectorize(j, 4)
    return codegen([A])


C = """
void kernel(long I, long J, long K, long L, const double* restrict B, const double* restrict C, const double* restrict D,
            double* restrict A) {
    #pragma omp parallel for
    for (long i = 0; i < I; ++i) {
        for (long j = 0; j < J; ++j) A[i * J + j] = 0;
        for (long k = 0; k < K; ++k)
            for (long l = 0; l < L; ++l)
                for (long j = 0; j < J; ++j) A[i * J + j] += B[(i * K + k) * L + l] * D[l * J + j] * C[k * J + j];
    }
}
"""


def c_arguments(arrays):
    (i, k, l), j = arrays["B"].shape, arrays["A"].shape[1]
    return [i, j, k, l, arrays["B"], arrays["C"], arrays["D"], arrays["A"]]
