"""Symbolic sizes and strides; a triangular tiled map that copies within one array.

C[j] = C[i + (j - i) // 2] for j in tiles of four from i. The map is parallel, so a read must not depend on the order: the second
element of every tile equals the first.
"""
import numpy as np


def cases(random):
    n, m, p = 10, 3, 2
    size, stride = m * p + n - 1, n // 2
    memory = random.random((size - 1) * stride + 1, np.float32)
    C = np.lib.stride_tricks.as_strided(memory, (size,), (4 * stride,))
    C[1:n:4] = C[0:n:4]
    yield dict(A=random.random((n // 4, -(-n // 3) + 1, n * p)), C=C, N=n, M=m, P=p)


def run(C, N, **_):
    for i in range(0, N, 4):
        for j in range(i, min(N, i + 4)):
            C[j] = C[i + (j - i) // 2]
