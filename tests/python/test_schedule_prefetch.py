"""Prefetches: what they say in the graph and in C, that they change no result, and where they are refused."""
import re

import numpy as np
import pytest

import sluice
from sluice import CompileError
from sluice.schedule import Computation, Constant, Input, Update, Var, codegen, init
from test_schedule_commands import refused


def sums(n=300, m=40):
    init("sums")
    N, M = Constant("N"), Constant("M")
    i, j = Var("i", 0, N), Var("j", 0, M)
    x = Input("x", [N, M])
    s = Computation("s", [i], 0.0)
    total = Update("total", [i, j], s[i], "+", x[i, j] * 2)
    return i, j, x, s, total


def run(s):
    x = np.random.default_rng(0).random((300, 40))
    graph, result = codegen([s]), np.zeros(300)
    graph(x=x, s=result)
    assert np.allclose(result, 2 * x.sum(1))
    assert sluice.SDFG.from_text(graph.text()).text() == graph.text()
    return graph


def prefetched(graph):
    return re.findall(r"prefetch=\[([^]]*)\]", graph.text())


def test_rows_of_later_iterations():
    i, j, x, s, total = sums()
    total.prefetch(x, i, 4)
    graph = run(s)
    assert len(prefetched(graph)) == 1 and re.fullmatch(r"\w+ \+ 4, \w+", prefetched(graph)[0])
    source = graph.generate_code()[0].code
    assert "__builtin_prefetch(&x[" in source
    assert "sluice_prefetch(&x[" in graph.generate_code(target="c99")[0].code
    result, given = np.zeros(300), np.ones((300, 40))
    graph.compile(target="c99")(x=given, s=result)
    assert (result == 80).all()


def test_distances_follow_the_schedule():
    """A tile further on is a tile's size of iterations."""
    i, j, x, s, total = sums()
    total.split(i, 16, "i0", "i1").prefetch(x, "i0", 2)
    assert re.search(r"\b32\b", prefetched(run(s))[0].split(",")[0])
    i, j, x, s, total = sums()
    total.split(i, 16, "i0", "i1").prefetch(x, "i1", 1)
    assert re.search(r"\b1\b", prefetched(run(s))[0].split(",")[0])
    i, j, x, s, total = sums()
    total.skew(i, j, 1, "a", "b").prefetch(x, "b", 3)
    assert prefetched(run(s))[0].endswith("+ 3")
    i, j, x, s, total = sums()
    total.prefetch(x, j, 8).reverse(j, "k")
    refused("M009", "its level `j`, which later commands took away", lambda: codegen([s]))
    i, j, x, s, total = sums()
    total.split(i, 16, "i0", "i1").prefetch(x, "i1", 16)
    refused("M009", "no fixed distance away", lambda: codegen([s]))


def test_neighbours_are_prefetched_once():
    init("blur")
    N = Constant("N")
    i = Var("i", 0, N)
    x = Input("x", [N + 2, 7])
    a = Computation("a", [i], x[i, 0] + x[i, 1] + x[i + 1, 0])
    a.prefetch(x, i, 2).prefetch(x, i, 5)
    graph = codegen([a])
    assert len(prefetched(graph)) == 2
    values, result = np.random.default_rng(0).random((9, 7)), np.zeros(7)
    graph(x=values, a=result)
    assert np.allclose(result, values[:7, 0] + values[:7, 1] + values[1:8, 0])


def test_what_is_not_prefetched():
    i, j, x, s, total = sums()
    refused("M004", "before reads", lambda: total.prefetch(x, i, 0))
    refused("M004", "it is to prefetch", lambda: codegen([total.prefetch(s, i, 1) and s]))
    i, j, x, s, total = sums()
    total.prefetch(x, i, 4).vectorize(j, 8)
    refused("M009", "its iterations prefetch", lambda: codegen([s]))
    i, j, x, s, total = sums()
    total.split(i, 8, "b", "t").gpu("b", "t").prefetch(x, "b", 1)
    refused("M010", "kernels of a device do not", lambda: codegen([s]))
    init("looked_up")
    N = Constant("N")
    i = Var("i", 0, N)
    x, at = Input("x", [N]), Input("at", [N], "int64")
    a = Computation("a", [i], x[at[i] % N])
    a.prefetch(x, i, 1)
    refused("M009", "data decide what `a` reads of `x`", lambda: codegen([a]))


def test_a_memlet_of_any_graph():
    @sluice.program
    def scaled(x: sluice.float64[64], y: sluice.float64[64]):
        for i in sluice.map[0:64]:
            y[i] = 2 * x[i]

    graph = scaled.to_sdfg()
    graph.simplify()
    state = graph.states()[0]
    edge = next(edge for edge in state.edges() if edge.data.data == "x" and type(edge.dst).__name__ == "Tasklet")
    edge.data.prefetch = "i + 8"
    assert prefetched(graph) == ["i + 8"]
    graph.validate()
    x, y = np.arange(64.0), np.zeros(64)
    graph(x=x, y=y)
    assert np.array_equal(y, 2 * x)
    edge.data.prefetch = "nowhere"
    with pytest.raises(CompileError, match="nowhere"):
        graph.validate()
    edge.data.prefetch = "i + 8"
    graph.apply("GPUTransformSDFG")
    with pytest.raises(CompileError, match="a prefetch of `gpu_x`") as raised:
        graph.compile(target="opencl")
    assert raised.value.code == "L025"
