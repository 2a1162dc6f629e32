"""filter: the elements above a threshold, through a stream; their order is not determined."""
import numpy as np

import sluice

N = sluice.symbol("N")


@sluice.program
def filter(A: sluice.float32[N], threshold: sluice.float32, B: sluice.float32[N], count: sluice.int64[1]):
    S = sluice.define_stream(sluice.float32, N)

    @sluice.map(_[0:N])
    def select(i):
        a << A[i]
        limit << threshold
        kept >> S(-1)
        one >> count(-1, lambda x, y: x + y)[0]
        if a > limit:
            kept = a
            one = 1

    S >> B


def reference(A, threshold, B, count):
    kept = A[A > threshold]
    B[:kept.size] = kept
    count[0] += kept.size


def comparable(arguments):
    """The results in an order of our own."""
    return {"B": np.sort(arguments["B"]), "count": arguments["count"]}


def inputs(size):
    n = {"small": 1_000, "large": 16_000_000}[size]
    rng = np.random.default_rng(5)
    return {"A": rng.random(n, dtype=np.float32), "threshold": np.float32(0.9), "B": np.zeros(n, dtype=np.float32),
            "count": np.zeros(1, dtype=np.int64)}
