"""Writes graphs with library nodes by DaCe's own front end: python write_programs.py FOLDER, under the Python of DaCe's environment.

The files are samples like any other: check.py --samples FOLDER runs them here and compares with references/.
"""
import pathlib
import sys

import dace
import numpy as np

M, N, K, B = (dace.symbol(name) for name in "MNKB")
f64 = dace.float64


@dace.program
def lib_transpose(A: f64[M, N], C: f64[N, M]):
    C[:] = np.transpose(A)


@dace.program
def lib_permute(A: f64[M, N, K], C: f64[K, M, N]):
    C[:] = np.transpose(A, axes=(2, 0, 1))


@dace.program
def lib_dot(x: f64[N], y: f64[N], s: f64[1]):
    s[0] = np.dot(x, y)


@dace.program
def lib_gemv(A: f64[M, N], x: f64[N], y: f64[M]):
    y[:] = A @ x


@dace.program
def lib_batched(A: f64[B, M, K], C: f64[B, K, N], D: f64[B, M, N]):
    D[:] = A @ C


@dace.program
def lib_einsum(A: f64[M, K], C: f64[K, N], D: f64[N, M]):
    D[:] = np.einsum("ik,kj->ji", A, C)


@dace.program
def lib_tensordot(A: f64[M, N, K], C: f64[K, N, B], D: f64[M, B]):
    D[:] = np.tensordot(A, C, axes=([1, 2], [1, 0]))


@dace.program
def lib_cholesky(A: f64[N, N], C: f64[N, N]):
    C[:] = np.linalg.cholesky(A)


@dace.program
def lib_reduce(A: f64[M, N, K], r: f64[M, K], least: f64[1]):
    r[:] = np.sum(A, axis=1)
    least[0] = np.min(A)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    programs = {name: value for name, value in globals().items() if name.startswith("lib_")}
    for name, program in programs.items():
        for form in ("raw", "simplified"):
            program.to_sdfg(simplify=form == "simplified").save(str(folder / f"{name}.{form}.sdfg"))


if __name__ == "__main__":
    main()
