"""HPCG's sparse product: the 27-point matrix (26 on the diagonal, -1 beside it) of a box times a vector, rows padded to 27 entries, and the
product with the vector itself."""
import numpy as np

from sluice.schedule import Computation, Constant, Input, Update, Var, codegen, init


def matrix(n):
    """Values and columns; entries outside of the box are zeros in column 0."""
    values, columns = np.zeros((n**3, 27)), np.zeros((n**3, 27), np.int64)
    z, y, x = np.unravel_index(np.arange(n**3), (n, n, n))
    for k, (a, b, c) in enumerate(np.ndindex(3, 3, 3)):
        at = [z + a - 1, y + b - 1, x + c - 1]
        inside = np.all([(0 <= one) & (one < n) for one in at], axis=0)
        columns[inside, k] = np.ravel_multi_index([one[inside] for one in at], (n, n, n))
        values[inside, k] = 26 if (a, b, c) == (1, 1, 1) else -1
    return values, columns


def data(rng, quick):
    n = 6 if quick else 64
    values, columns = matrix(n)
    return {"values": values, "columns": columns, "x": rng.random(n**3), "y": np.zeros(n**3), "xy": np.zeros(1)}


def reference(values, columns, x):
    y = (values * x[columns]).sum(1)
    return {"y": y, "xy": np.array([x @ y])}


def schedule():
    init("hpcg_spmv")
    N = Constant("N")
    i, k = Var("i", 0, N), Var("k", 0, 27)
    values, x = Input("values", [N, 27]), Input("x", [N])
    Input("columns", [N, 27], "int64")
    y = Computation("y", [i], 0.0)
    row = Update("row", [i, k], y[i], "+", "values[i, k] * x[min(max(columns[i, k], 0), N - 1)]")
    xy = Computation("xy", [Var("o", 0, 1)], 0.0)
    dot = Update("dot", [i], xy[0], "+", x[i] * y[i])
    row.after(y, i).parallelize(i)
    dot.after(row, i)
    xy.before(y)
    return codegen([y, xy])


C = """
void kernel(long N, const double* restrict values, const long* restrict columns, const double* restrict x, double* restrict y,
            double* restrict xy) {
    double sum = 0;
    #pragma omp parallel for reduction(+ : sum)
    for (long i = 0; i < N; ++i) {
        double row = 0;
        for (long k = 0; k < 27; ++k) row += values[i * 27 + k] * x[columns[i * 27 + k]];
        y[i] = row;
        sum += row * x[i];
    }
    *xy = sum;
}
"""


def c_arguments(arrays):
    return [len(arrays["x"]), *(arrays[name] for name in ("values", "columns", "x", "y", "xy"))]
