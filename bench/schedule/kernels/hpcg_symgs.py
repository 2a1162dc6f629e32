"""HPCG's smoother: one forward and one backward sweep of Gauss-Seidel for the 27-point matrix of a box, whose border is zero."""
import numpy as np

from sluice.schedule import Computation, Constant, Input, Var, codegen, init

AROUND = [at for at in np.ndindex(3, 3, 3) if at != (1, 1, 1)]


def data(rng, quick):
    n = 6 if quick else 48
    x = np.zeros((n + 2,) * 3)
    x[1:-1, 1:-1, 1:-1] = rng.random((n, n, n))
    return {"x": x, "r": rng.random((n + 2,) * 3), "back": np.zeros_like(x)}


def reference(x, r):
    x, n = x.copy(), len(x) - 2
    inner = list(np.ndindex(n, n, n))
    for order in (inner, inner[::-1]):
        for z, y, c in order:
            around = x[z:z + 3, y:y + 3, c:c + 3]
            around[1, 1, 1] = (r[z + 1, y + 1, c + 1] + around.sum() - around[1, 1, 1]) / 26
    return {"back": x}


def schedule():
    init("hpcg_symgs")
    N = Constant("N")
    i, j, k = Var("i", 0, N + 2), Var("j", 0, N + 2), Var("k", 0, N + 2)
    Input("x", [N + 2, N + 2, N + 2]), Input("r", [N + 2, N + 2, N + 2])
    border = " or ".join(f"{d} == 0 or {d} == N + 1" for d in "ijk")

    def sweep(new, old, is_new):
        read = [f"{new if is_new(at) else old}[i + {at[0] - 1}, j + {at[1] - 1}, k + {at[2] - 1}]" for at in AROUND]
        return f"{old}[i, j, k] if {border} else (r[i, j, k] + {' + '.join(read)}) / 26"

    forward, back = Computation("forward", [i, j, k], 0.0), Computation("back", [i, j, k], 0.0)
    forward[i, j, k] = sweep("forward", "x", lambda at: at < (1, 1, 1))
    back[i, j, k] = sweep("back", "forward", lambda at: at > (1, 1, 1))
    back.reverse(i, "ib").reverse(j, "jb").reverse(k, "kb")
    return codegen([back])


C = """
void kernel(long N, const double* restrict x, const double* restrict r, double* restrict back) {
    long P = N + 2;
    for (long at = 0; at < P * P * P; ++at) back[at] = x[at];
    for (long sweep = 0; sweep < 2; ++sweep)
        for (long step = 0; step < N * N * N; ++step) {
            long at = sweep ? N * N * N - 1 - step : step;
            long place = ((at / (N * N) + 1) * P + at / N % N + 1) * P + at % N + 1;
            double sum = r[place] - back[place];
            for (long a = -1; a <= 1; ++a)
                for (long b = -1; b <= 1; ++b)
                    for (long c = -1; c <= 1; ++c) sum += back[place + (a * P + b) * P + c];
            back[place] = sum / 26;
        }
}
"""


def c_arguments(arrays):
    return [len(arrays["x"]) - 2, arrays["x"], arrays["r"], arrays["back"]]
