"""Streams in the memory of a device: pushes of threads, generations of consume scopes, and what stays on the host."""
import importlib.util
import pathlib

import numpy as np
import pytest
from devices import for_each_device, on, served

import sluice

pytestmark = for_each_device
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
N, M = sluice.symbol("N"), sluice.symbol("M")


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name, most_launches", [("filter", 1), ("fibonacci", 1 + 12)])
def test_examples_run_in_kernels(name, most_launches, target):
    module = example(name)
    program = on(target, getattr(module, name).f)
    ours, theirs = module.inputs("small"), module.inputs("small")
    compiled = program.compile(**ours)
    assert compiled.on_host == []
    before = compiled.traffic["launches"]
    program(**ours), module.reference(**theirs)
    assert 0 < compiled.traffic["launches"] - before <= most_launches, "one for each generation"
    comparable = getattr(module, "comparable", lambda arguments: arguments)
    for key, value in comparable(theirs).items():
        np.testing.assert_array_equal(comparable(ours)[key], value)


def test_queues_in_many_forms(target):
    """Two streams from one map, one of them longer than the array that it is copied to; a search whose queue grows and shrinks, whose workers
    have memory of their own; and nothing to do at all."""
    def sorted_out(A: sluice.int64[N], low: sluice.int64[M], high: sluice.int64[N], edges: sluice.int64[N, 2], seen: sluice.int64[N],
                   of_worker: sluice.int64[3]):
        S = sluice.define_stream(sluice.int64, N)
        T = sluice.define_stream(sluice.int64, 0)

        @sluice.map(_[0:N])
        def select(i):
            a << A[i]
            small >> S(-1)
            large >> T(-1)
            if a < 50:
                small = a
            else:
                large = a
                if a == 99:
                    large = a

        S >> low
        T >> high
        Q = sluice.define_stream(sluice.int64, 0)

        @sluice.map(_[0:N])
        def begin(i):
            a << A[i]
            start >> Q(-1)
            if a % 16 == 0:
                start = i

        @sluice.consume(Q, 3)
        def visit(item, p):
            to << edges[:]
            more >> Q(-1)
            count >> seen(-1, lambda x, y: x + y)[:]
            mine >> of_worker[p]
            count[item] = 1
            mine = 1
            if to[item, 0] > item:
                more = to[item, 0]
            if to[item, 1] > item:
                more = to[item, 1]

    random = np.random.default_rng(8)
    for n, m in ((60, 5), (3, 2), (40, 40)):
        A = random.integers(0, 100, n)
        A[-1] = 99
        edges = np.stack([np.minimum(np.arange(n) + random.integers(-3, 9, n), n - 1) for _ in range(2)], axis=1)
        arguments = [A, np.full(m, -1), np.full(n + 1, -1)[:n].copy(), edges, np.zeros(n, np.int64), np.zeros(3, np.int64)]
        small, large = A[A < 50], np.concatenate([A[A >= 50], A[A == 99]])
        seen, queue = np.zeros(n, np.int64), [i for i in range(n) if A[i] % 16 == 0]
        while queue:
            item = queue.pop()
            seen[item] += 1
            queue += [to for to in edges[item] if to > item]
        if large.size > n:
            continue
        program = on(target, sorted_out)
        program(*arguments)
        np.testing.assert_array_equal(np.sort(arguments[2][:large.size]), np.sort(large))
        np.testing.assert_array_equal(arguments[2][large.size:], -1)
        taken = arguments[1][:min(m, small.size)]
        assert np.all(taken < 50) and np.isin(taken, small).all()
        np.testing.assert_array_equal(arguments[1][small.size:], -1)
        np.testing.assert_array_equal(arguments[4], seen)
        assert arguments[5].max() <= 1
    assert program.compile(*arguments).on_host == []


def test_queues_that_no_device_has_stay(target):
    """How much a loop in a tasklet pushes is not known before; the consume scope of its stream stays with it."""
    def pushed(A: sluice.int64[N], total: sluice.int64[1]):
        S = sluice.define_stream(sluice.int64, 0)

        @sluice.map(_[0:N])
        def push(i):
            a << A[i]
            out >> S(-1)
            for k in range(a):
                out = k

        @sluice.consume(S, 2)
        def add(item, p):
            value >> total(-1, lambda x, y: x + y)[0]
            value = item

    A, total = np.arange(7), np.zeros(1, np.int64)
    program = on(target, pushed)
    program(A, total)
    assert total[0] == sum(sum(range(a)) for a in A)
    reasons = program.compile(A, total).on_host
    assert [part.split(" ")[0] for part, _, _ in reasons] == ["map", "consume"] and "is a stream" in reasons[0][2]


TWO_SIDES = """sdfg sides(A) {
  array A: int64[4]
  transient stream S: int64[1] storage=GPU_Global
  state main {
    n0 = tasklet one -> (o) { o = 1 }
    n1 = access S
    n2 = access A
    n0.o -> n1 : S[0]
    n1 -> n2 : A[0:4]
  }
}
"""


def test_the_host_does_not_push_into_a_queue_of_the_device(target):
    with pytest.raises(sluice.CompileError, match="L026"):
        sluice.SDFG.from_text(TWO_SIDES).compile(target=served(target))
