"""Calls of SDFGs, and of objects that make them, inside of programs."""
import numpy as np
import pytest

import sluice
from sluice.convertible import SDFGConvertible

N, S, T = sluice.symbol("N"), sluice.symbol("S"), sluice.symbol("T")


@sluice.program
def add_one(A: sluice.int64[N], result: sluice.int64[N]):
    result[:] = A + 1


@sluice.program
def plus(A: sluice.float64[N]):
    return A + 20


@sluice.program
def total(A: sluice.float64[N]):
    return np.sum(A)


adds, adds_twenty, sums = add_one.to_sdfg(), plus.to_sdfg(), total.to_sdfg()


def test_arguments_by_position_and_name():
    @sluice.program(strict=True)
    def caller(A: sluice.int64[8]):
        result = np.empty_like(A)
        adds(A, result=result)
        return result + 1

    A = np.arange(8)
    assert np.array_equal(caller(A), A + 2)


def test_results():
    @sluice.program(strict=True)
    def caller(A: sluice.float64[30], B: sluice.float64[20]):
        B[:] = adds_twenty(A[10:]) + B
        return sums(B)

    A, B = np.random.rand(30), np.random.rand(20)
    expected = A[10:] + 20 + B
    assert np.isclose(caller(A, B), expected.sum()) and np.allclose(B, expected)


def test_symbols_that_are_strides():
    graph = sluice.SDFG("strided")
    graph.add_array("inp", [N, N], sluice.float64, strides=[S, T])
    graph.add_array("out", [1], sluice.float64)
    state = graph.add_state()
    tasklet = state.add_tasklet("copy", {"i"}, {"o"}, "o = i")
    state.add_edge(state.add_read("inp"), None, tasklet, "i", sluice.Memlet("inp[N - 1, 0]"))
    state.add_edge(tasklet, "o", state.add_write("out"), None, sluice.Memlet("out[0]"))

    @sluice.program(strict=True)
    def caller(A: sluice.float64[6, 9], B: sluice.float64[1]):
        graph(inp=A[:3, 0:9:3], out=B)

    A, B = np.random.rand(6, 9), np.zeros(1)
    caller(A, B)
    assert B[0] == A[2, 0]


def test_an_edit_of_the_graph_is_seen():
    graph = plus.to_sdfg()

    @sluice.program(strict=True)
    def caller(A: sluice.float64[4]):
        return graph(A)

    A = np.zeros(4)
    assert np.all(caller(A) == 20)
    tasklet = next(node for node, _ in graph.all_nodes_recursive() if isinstance(node, sluice.nodes.Tasklet))
    tasklet.code = tasklet.code.replace("20", "30")
    assert np.all(caller(A) == 30)


@pytest.mark.parametrize("call, message", [
    ("adds(A)", "F011.*result.* is missing"), ("adds(A, A)", "F011.*share memory"), ("adds(A, B)", "F011.*1 dimensions, not 2"),
    ("adds(A, A, wrong=1)", "F011.*wrong")])
def test_what_does_not_fit_is_refused(call, message, tmp_path):
    file = tmp_path / "caller.py"
    file.write_text(f"def caller(A, B):\n    {call}\n")
    names = {"adds": adds}
    exec(compile(file.read_text(), str(file), "exec"), names)
    caller = sluice.program(names["caller"], strict=True)
    with pytest.raises(sluice.CompileError, match=message):
        caller(np.arange(4), np.ones((2, 2), np.int64))


class Fills(SDFGConvertible):
    def __init__(self):
        self.made = 0

    def __sdfg__(self, value, A):
        self.made += 1

        @sluice.program
        def fill(value: sluice.compiletime, A: sluice.float64[N]):
            A[:] = value

        return fill.to_sdfg(value)

    def __sdfg_signature__(self):
        return ["value", "A"], ["value"]


def test_objects_that_make_graphs():
    fills = Fills()

    @sluice.program(strict=True)
    def caller(A: sluice.float64[N]):
        fills(7.0, A)
        A += 1

    A = np.zeros(5)
    caller(A)
    assert np.all(A == 8) and fills.made == 1


def several_results(x, k):
    return {"a": x * 2, "b": [x[0], 2]}, (x + k, (x.sum(), None))


def first_or_minus_one(x, k):
    if k > 2:
        return x[0]
    return -1


def test_the_graph_of_a_program_returns_what_the_program_does():
    """They were a tuple of all arrays and numbers, and of the numbers that say what they are."""
    x = np.array([0.25, 0.5])
    graph = sluice.program(several_results).to_sdfg(x, 1)
    chooses = sluice.program(first_or_minus_one).to_sdfg(x, 1)

    def outer(x, k):
        return graph(x, k), k

    def of_one_path(x, k):
        return chooses(x, k)

    assert repr(sluice.program(outer, strict=True)(x, 3)) == repr((several_results(x, 3), 3))
    with pytest.raises(sluice.CompileError, match="F011: the path decides what first_or_minus_one returns"):
        sluice.program(of_one_path, strict=True)(x, 3)
