"""product: C = A @ B as a map over all products and a reduction, the form that the recipe beside this file starts from."""
import numpy as np

import sluice

N = 1024


@sluice.program
def product(A: sluice.float64[N, N], B: sluice.float64[N, N], C: sluice.float64[N, N]):
    products = np.empty((N, N, N))
    for i, j, k in sluice.map[0:N, 0:N, 0:N]:
        products[i, j, k] = A[i, k] * B[k, j]
    sluice.reduce(lambda a, b: a + b, products, C, axis=2, identity=0)
