"""Handles as DaCe's objects: of called graphs across transformations, of blocks that are filled before they are in a graph."""
import numpy as np
import pytest

import sluice as dace
from sluice.regions import ConditionalBlock, ControlFlowRegion, LoopRegion
from sluice.state import SDFGState

N, M = dace.symbols("N M")


def mapped(name, code):
    sdfg = dace.SDFG(name)
    sdfg.add_array("a", [N], dace.float64)
    sdfg.add_array("b", [N], dace.float64)
    sdfg.add_state().add_mapped_tasklet("each", {"i": "0:N"}, {"x": dace.Memlet("a[i]")}, code, {"y": dace.Memlet("b[i]")}, external_edges=True)
    return sdfg


def rows(inner, names):
    """Calls of `inner` for each row, from one array to the next."""
    sdfg = dace.SDFG("outer")
    for name in names:
        sdfg.add_array(name, [M, N], dace.float64)
    state = sdfg.add_state("calls")
    access = {name: state.add_access(name) for name in names}
    for source, target in zip(names, names[1:]):
        call = state.add_nested_sdfg(inner, sdfg, {"a"}, {"b"})
        call.no_inline = True
        entry, exit_ = state.add_map(f"rows_{source}", {"r": "0:M"})
        state.add_memlet_path(access[source], entry, call, dst_conn="a", memlet=dace.Memlet(f"{source}[r, 0:N]"))
        state.add_memlet_path(call, exit_, access[target], src_conn="b", memlet=dace.Memlet(f"{target}[r, 0:N]"))
    return sdfg


def tasklet_of(sdfg):
    return next(node for node, _ in sdfg.all_nodes_recursive() if isinstance(node, dace.nodes.Tasklet))


def run(sdfg, names):
    given = {name: np.zeros((4, 6)) for name in names}
    given[names[0]][:] = np.arange(24.0).reshape(4, 6)
    sdfg(**given, M=4, N=6)
    return given


def test_a_called_graph_keeps_its_handle_when_the_graph_around_is_transformed():
    inner = mapped("inner", "y = x * x")
    sdfg = rows(inner, "AB")
    assert sdfg.apply_transformations("MapTiling", {"tile_sizes": [2]}) == 1
    tasklet_of(inner).code.as_string = "y = x + 1"
    given = run(sdfg, "AB")
    assert np.array_equal(given["B"], given["A"] + 1)
    sdfg.replace("M", "K")
    tasklet_of(inner).code = "y = x - 1"
    assert "y = x - 1" in sdfg.text()


def test_two_calls_of_one_graph_part_when_one_of_them_is_transformed():
    inner = mapped("inner", "y = x * x")
    sdfg = rows(inner, "ABC")
    second = next(match for match in sdfg.matches("MapTiling") if "inner#2" in match.path)
    second.apply(tile_sizes=[2])
    calls = [node for node, _ in sdfg.all_nodes_recursive() if isinstance(node, dace.nodes.NestedSDFG)]
    assert [len(call.sdfg.states()[0].nodes()) for call in calls] == [5, 7]
    tasklet_of(inner).code = "y = x + 1"
    given = run(sdfg, "ABC")
    assert np.array_equal(given["C"], (given["A"] + 1)**2)


def test_a_call_that_is_inlined_leaves_its_handle_alone():
    inner = mapped("inner", "y = x * x")
    sdfg = rows(inner, "AB")
    call = next(node for node, _ in sdfg.all_nodes_recursive() if isinstance(node, dace.nodes.NestedSDFG))
    call.no_inline = False
    sdfg.simplify()
    tasklet_of(inner).code = "y = x + 1"
    given = run(sdfg, "AB")
    assert np.array_equal(given["B"], given["A"]**2)
    assert sdfg.undo() and np.array_equal(run(sdfg, "AB")["B"], given["B"])


@pytest.mark.parametrize("late", [False, True])
def test_blocks_are_filled_before_they_are_in_a_graph(late):
    sdfg = dace.SDFG("signs")
    sdfg.add_array("A", [N], dace.float64)
    loop = LoopRegion("each", "i < N", "i", "i = 0", "i = i + 1", sdfg=sdfg)
    choice = ConditionalBlock("choice")
    bodies = [ControlFlowRegion(name, sdfg=sdfg) for name in ("even", "odd")]
    if not late:
        sdfg.add_node(loop)
        loop.add_node(choice)
    states = []
    for body, code in zip(bodies, ("o = i", "o = -i")):
        state = SDFGState(f"{body.label}_state") if late else body.add_state(f"{body.label}_state", is_start_block=True)
        if late:
            body.add_node(state, is_start_block=True)
        states.append(state)
        tasklet = state.add_tasklet("write", {}, {"o"}, code)
        state.add_edge(tasklet, "o", state.add_write("A"), None, dace.Memlet("A[i]"))
    choice.add_branch(dace.properties.CodeBlock("i % 2 == 0") if hasattr(dace, "properties") else "i % 2 == 0", bodies[0])
    choice.add_branch(None, bodies[1])
    if late:
        loop.add_node(choice)
        sdfg.add_node(loop, is_start_block=True)
    assert sdfg.states() == states and [branch for _, branch in choice.branches] == bodies
    assert [len(state.nodes()) for state in states] == [2, 2] and all(state.sdfg is sdfg for state in states)
    sdfg.validate()
    values = np.zeros(7)
    sdfg(A=values, N=7)
    at = np.arange(7)
    assert np.array_equal(values, np.where(at % 2 == 0, at, -at))
    with pytest.raises(ValueError, match="in a region already"):
        sdfg.add_node(loop)


def test_a_call_in_a_block_that_is_added_later_is_still_its_graph():
    inner = mapped("inner", "y = x * x")
    sdfg = dace.SDFG("later")
    sdfg.add_array("A", [N], dace.float64)
    sdfg.add_array("B", [N], dace.float64)
    state = SDFGState("call", sdfg)
    call = state.add_nested_sdfg(inner, {"a": dace.pointer(dace.float64)}, {"b"})
    state.add_edge(state.add_read("A"), None, call, "a", sdfg.make_array_memlet("A"))
    state.add_edge(call, "b", state.add_write("B"), None, sdfg.make_array_memlet("B"))
    sdfg.add_node(state, is_start_block=True)
    tasklet_of(inner).code = "y = x + 1"
    result = np.zeros(3)
    sdfg(A=np.ones(3), B=result, N=3)
    assert np.array_equal(result, [2, 2, 2])


@dace.program
def fibonacci(iv: dace.int32[1], res: dace.float32[1]):
    S = dace.define_stream(dace.int32, 0)
    with dace.tasklet:
        i << iv
        s >> S
        s = i

    @dace.consume(S, 4)
    def scope(elem, p):
        sout >> S(-1)
        val >> res(-1, lambda a, b: a + b)
        if elem == 1:
            val = 1
        elif elem > 1:
            sout = elem - 1
            sout = elem - 2


def test_a_consume_scope_has_its_element_first():
    result = np.zeros(1, np.float32)
    fibonacci(np.array([10], np.int32), result)
    assert result[0] == 55


def test_reports_of_graphs():
    sdfg = mapped("timed", "y = x + 1")
    assert not sdfg.is_instrumented() and sdfg.get_latest_report() is None
    sdfg.instrument = dace.InstrumentationType.Timer
    sdfg(a=np.zeros(3), b=np.zeros(3), N=3)
    assert sdfg.is_instrumented() and sdfg.get_latest_report().runs == 1
