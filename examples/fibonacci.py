"""fibonacci: the recurrence without memoisation; workers consume a stream and push the work that is left (SDFG paper, figure 8)."""
import numpy as np

import sluice


@sluice.program
def fibonacci(n: sluice.int32[1], result: sluice.int64[1]):
    S = sluice.define_stream(sluice.int32, 0)

    with sluice.tasklet:
        first << n[0]
        work >> S
        work = first

    @sluice.consume(S, 4)
    def step(item, p):
        more >> S(-1)
        value >> result(-1, lambda a, b: a + b)[0]
        if item == 1:
            value = 1
        elif item > 1:
            more = item - 1
            more = item - 2


def reference(n, result):
    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    result[0] += fib(int(n[0]))


def inputs(size):
    n = {"small": 12, "large": 25}[size]
    return {"n": np.array([n], dtype=np.int32), "result": np.zeros(1, dtype=np.int64)}
