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


def test_handles_of_one_thing_are_one_object():
    sdfg = mapped("one", "y = x + 1")
    state = sdfg.start_block
    assert sdfg.start_block is state and sdfg.nodes()[0] is state and state.nodes()[0] is state.nodes()[0]
    outer = rows(sdfg, "AB")
    call = next(node for node, _ in outer.all_nodes_recursive() if isinstance(node, dace.nodes.NestedSDFG))
    assert call.sdfg is sdfg and call.state is outer.states()[0]


def test_symbols_that_a_called_graph_reads_need_no_declaration():
    inner = dace.SDFG("part")
    inner.add_array("a", [N], dace.int64)
    inner.add_array("b", [N], dace.int64)
    inner.add_state().add_mapped_tasklet("half", {"i": "0:N/2"}, {"x": dace.Memlet("a[k*N/2 + i]")}, "y = 10 * x",
                                         {"y": dace.Memlet("b[k*N/2 + i]")}, external_edges=True)
    sdfg = dace.SDFG("halves")
    for name in "AB":
        sdfg.add_array(name, [N], dace.int64)
    state = sdfg.add_state()
    entry, leave = state.add_map("both", {"k": "0:2"})
    call = state.add_nested_sdfg(inner, {"a"}, {"b"})
    state.add_memlet_path(state.add_read("A"), entry, call, dst_conn="a", memlet=dace.Memlet("A[0:N]"))
    state.add_memlet_path(call, leave, state.add_write("B"), src_conn="b", memlet=dace.Memlet("B[0:N]"))
    result = np.zeros(10, np.int64)
    sdfg(A=np.arange(10), B=result, N=10)
    assert np.array_equal(result, 10 * np.arange(10))


def test_both_sides_of_a_bounded_stream_run_at_the_same_time_through_two_access_nodes():
    sdfg = dace.SDFG("sides")
    sdfg.add_array("A", [2 * N], dace.int64)
    sdfg.add_array("B", [N], dace.int64)
    state = sdfg.add_state()
    A = state.add_read("A")
    for name in ("first", "second"):
        sdfg.add_stream(name, dace.int64, 1, transient=True)
    for name, box in (("first", "0:N"), ("second", "N:2*N")):
        entry, leave = state.add_map(name, {"i": box}, schedule=dace.ScheduleType.Sequential)
        push = state.add_tasklet(name, {"a"}, {"s"}, "s = a")
        state.add_memlet_path(A, entry, push, dst_conn="a", memlet=dace.Memlet("A[i]"))
        state.add_memlet_path(push, leave, state.add_write(name), src_conn="s", memlet=dace.Memlet(f"{name}[0]"))
    entry, leave = state.add_map("sum", {"i": "0:N"}, schedule=dace.ScheduleType.Sequential)
    add = state.add_tasklet("sum", {"a", "b"}, {"c"}, "c = a + b")
    for name, connector in (("first", "a"), ("second", "b")):
        state.add_memlet_path(state.add_read(name), entry, add, dst_conn=connector, memlet=dace.Memlet(f"{name}[0]"))
    state.add_memlet_path(add, leave, state.add_write("B"), src_conn="c", memlet=dace.Memlet("B[i]"))
    result = np.zeros(50, np.int64)
    sdfg(A=np.arange(100), B=result, N=50)
    assert np.array_equal(result, 50 + 2 * np.arange(50))


@dace.program(strict=True)
def pushed(A: dace.float64[N]):
    found = dace.define_stream(dace.float64, N)
    result = dace.define_local([N], dace.float64)
    result[:] = 0
    for i in dace.map[0:N]:
        if A[i] > 0.5:
            A[i] >> found(-1)
    found >> result
    return result


def test_elements_are_pushed_without_a_tasklet():
    given = np.random.default_rng(3).random(20)
    expected = given[given > 0.5]
    result = pushed(given)
    assert np.array_equal(np.sort(result[:len(expected)]), np.sort(expected)) and not result[len(expected):].any()


def test_streams_and_scalars_in_plain_python():
    S = dace.define_streamarray([2, 2])
    S[1, 0].append(3)
    assert [len(one) for one in S.flat] == [0, 0, 1, 0] and len(dace.define_stream()[0]) == 0
    assert list(dace.consume(dace.stream([1, 2, 3]))) == [3, 2, 1]
    assert dace.scalar(dace.uint32).dtype == np.uint32 and dace.scalar().shape == (1,)
    with pytest.raises(TypeError, match="meaning only inside"):
        dace.consume(dace.stream(), 4)


def test_trees_of_memlets_and_scopes():
    sdfg = mapped("tree", "y = x + 1")
    state = sdfg.states()[0]
    entry = next(node for node in state.nodes() if isinstance(node, dace.nodes.MapEntry))
    inner, outer = state.out_edges(entry)[0], state.in_edges(entry)[0]
    tree = state.memlet_tree(inner)
    assert tree.edge == inner and tree.root().edge == outer and list(tree) == [outer, inner] and tree.root().leaves() == [inner] and tree.downwards
    leave = state.exit_node(entry)
    up = state.memlet_tree(state.in_edges(leave)[0])
    assert not up.downwards and up.root().edge == state.out_edges(leave)[0]
    assert [one.entry for one in state.scope_tree()[None].children] == [entry]
    assert [one.entry for one in state.scope_leaves()] == [entry]
    assert sdfg.apply_transformations("MapTiling", {"tile_sizes": [2]}, states=[state]) == 1
    assert sdfg.apply_transformations_repeated("MapToForLoop", states=[sdfg.add_state()]) == 0


def test_fields_of_tasklets_live_as_long_as_the_program():
    sdfg = dace.SDFG("counted")
    sdfg.add_array("A", [1], dace.int32)
    state = sdfg.add_state()
    tasklet = state.add_tasklet("count", {}, {"out"}, "out = ++*__state->count;", language=dace.Language.CPP, state_fields=["int *count;"],
                                code_init="__state->count = new int(41);", code_exit="delete __state->count;")
    state.add_edge(tasklet, "out", state.add_write("A"), None, dace.Memlet("A[0]"))
    value, compiled = np.zeros(1, np.int32), sdfg.compile()
    compiled(A=value)
    assert value[0] == 42
    compiled(A=value)
    assert value[0] == 43


FIVE = 5


@dace.program(strict=True)
def prints(A: dace.float64[N]):
    with dace.tasklet:
        i = 2
        printf(f"{FIVE} and {i} of {N}: 100%%\n")


@dace.program(strict=True)
def prints_a_real_number(A: dace.float64[N]):
    with dace.tasklet:
        a << A[0]
        printf(f"{a}")


def test_tasklets_print_integers_by_f_strings(capfd):
    import ctypes
    prints(np.zeros(3))
    ctypes.CDLL(None).fflush(None)
    assert capfd.readouterr().out == "5 and 2 of 3: 100%\n"
    with pytest.raises(dace.CompileError, match="f-string prints integers") as refused:
        prints_a_real_number(np.zeros(3))
    assert refused.value.code == "L010"


def test_edges_join_nodes_of_one_state():
    sdfg = mapped("edges", "y = x + 1")
    state, other = sdfg.states()[0], sdfg.add_state("other")
    with pytest.raises(ValueError, match="is a node of other, not of state"):
        state.add_edge(state.add_read("a"), None, other.add_write("b"), None, dace.Memlet("a[0:N]"))


def test_further_questions():
    sdfg = mapped("asked", "y = x + 1")
    sdfg.add_constant("c", np.arange(3))
    state = sdfg.state(0)
    assert sdfg.signature_arglist(with_types=False) == list(sdfg.arglist()) and sdfg.get_all_toplevel_symbols() == {"N"}
    assert sdfg.constants_prop["c"][0].shape == (3,) and state.defined_symbols() == sdfg.symbols and state.validate() is None
    _, guard, _ = sdfg.add_loop(state, None, None, "i", "0", "i < 3", "i + 1", label="rows")
    assert guard.label == "rows_guard" and len(sdfg.nodes()) == 4
    edge = dace.InterstateEdge("a[0] > b[1]", {"k": "a[N] + c"})
    assert [str(one) for one in edge.get_read_memlets(sdfg.arrays)] == ["a[0]", "b[1]", "a[N]"]
    assert list(dace.ndrange([slice(0, 2), slice(1, 3)])) == [(0, 1), (0, 2), (1, 1), (1, 2)] and list(dace.ndrange(slice(3))) == [0, 1, 2]
