"""The graph builder under DaCe's names."""
import copy

import numpy as np
import pytest

import sluice
from sluice import InterstateEdge, Memlet, SDFG

N = sluice.symbol("N")


def axpy():
    sdfg = SDFG("axpy_graph")
    sdfg.add_scalar("a", sluice.float64)
    sdfg.add_array("x", [N], sluice.float64)
    sdfg.add_array("y", [N], sluice.float64)
    state = sdfg.add_state("main")
    x, y_in, y_out, a = state.add_read("x"), state.add_read("y"), state.add_write("y"), state.add_read("a")
    entry, exit_ = state.add_map("axpy", {"i": "0:N"})
    tasklet = state.add_tasklet("axpy", {"a_in", "x_in", "y_in"}, {"y_out"}, "y_out = a_in * x_in + y_in")
    state.add_memlet_path(a, entry, tasklet, dst_conn="a_in", memlet=Memlet("a[0]"))
    state.add_memlet_path(x, entry, tasklet, dst_conn="x_in", memlet=Memlet("x[i]"))
    state.add_memlet_path(y_in, entry, tasklet, dst_conn="y_in", memlet=Memlet("y[i]"))
    state.add_memlet_path(tasklet, exit_, y_out, src_conn="y_out", memlet=Memlet("y[i]"))
    return sdfg


def mapped():
    sdfg = SDFG("scale")
    sdfg.add_array("A", [N], sluice.float64)
    sdfg.add_array("B", [N], sluice.float64)
    state = sdfg.add_state()
    state.add_mapped_tasklet("scale", {"i": "0:N"}, {"a": Memlet("A[i]")}, "b = 2 * a", {"b": Memlet("B[i]")}, external_edges=True)
    return sdfg


def test_axpy_by_hand():
    sdfg = axpy()
    sdfg.validate()
    x, y = np.random.rand(50), np.random.rand(50)
    expected = 3.0 * x + y
    sdfg(a=3.0, x=x, y=y)
    np.testing.assert_allclose(y, expected)


def test_outer_memlets_follow():
    sdfg = axpy()
    outer = [edge for edge in sdfg.states()[0].edges() if isinstance(edge.src, sluice.nodes.AccessNode) and edge.data.data == "x"]
    assert outer[0].data.subset == "0:N" and outer[0].data.volume == N


@pytest.mark.parametrize("text, code", [("x[i", "X101"), ("x[0] -> y[1", "X101"), ("x[i +]", "S010")])
def test_a_memlet_that_does_not_read(text, code):
    sdfg = SDFG("f")
    sdfg.add_array("x", [N], sluice.float64)
    state = sdfg.add_state()
    with pytest.raises(sluice.CompileError, match=code):
        state.add_nedge(state.add_read("x"), state.add_write("x"), Memlet(text))


def test_mapped_tasklet():
    sdfg = mapped()
    A = np.arange(10.0)
    B = np.zeros(10)
    sdfg(A=A, B=B)
    np.testing.assert_array_equal(B, 2 * A)


def test_round_trips(tmp_path):
    sdfg = axpy()
    for name in ("a.sdfg", "a.sdfgz", "a.txt"):
        sdfg.save(tmp_path / name)
        assert SDFG.from_file(tmp_path / name) == sdfg
    assert SDFG.from_json(sdfg.to_json()) == sdfg
    assert SDFG.from_text(sdfg.text()) == sdfg
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.sdfg", "a.sdfgz", "a.txt"]


def test_a_copy_is_independent():
    sdfg = mapped()
    other = copy.deepcopy(sdfg)
    other.add_array("C", [3], sluice.int32)
    assert "C" not in sdfg.arrays and other != sdfg


def test_a_call_after_an_edit_compiles_again():
    sdfg = mapped()
    A, B = np.ones(4), np.zeros(4)
    sdfg(A=A, B=B)
    (tasklet,) = [node for node in sdfg.states()[0].nodes() if isinstance(node, sluice.nodes.Tasklet)]
    tasklet.code = "b = 5 * a"
    sdfg(A=A, B=B)
    assert B[0] == 5


def test_loops_and_transitions():
    sdfg = SDFG("count")
    sdfg.add_array("A", [1], sluice.int64)
    init, body = sdfg.add_state("init"), sdfg.add_state("body")
    tasklet = body.add_tasklet("add", {"a"}, {"o"}, "o = a + i")
    body.add_edge(body.add_read("A"), None, tasklet, "a", Memlet("A[0]"))
    body.add_edge(tasklet, "o", body.add_write("A"), None, Memlet("A[0]"))
    sdfg.add_loop(init, body, None, "i", "0", "i < 10", "i + 1")
    A = np.zeros(1, np.int64)
    sdfg(A=A)
    assert A[0] == 45


def test_loop_regions_and_branches():
    sdfg = SDFG("odd")
    sdfg.add_array("A", [10], sluice.int64)
    loop = sluice.LoopRegion("loop", "i < 10", "i", "i = 0", "i = i + 1")
    sdfg.add_node(loop, is_start_block=True)
    conditional = loop.add_node(sluice.ConditionalBlock("odd"), is_start_block=True)
    for condition, value in (("i % 2 == 1", "i"), (None, "-1")):
        state = conditional.add_branch(condition).add_state("set", is_start_block=True)
        tasklet = state.add_tasklet("set", {}, {"o"}, f"o = {value}")
        state.add_edge(tasklet, "o", state.add_write("A"), None, Memlet("A[i]"))
    A = np.zeros(10, np.int64)
    sdfg(A=A)
    np.testing.assert_array_equal(A, [i if i % 2 else -1 for i in range(10)])


def test_nested_sdfg():
    outer = SDFG("nest")
    outer.add_array("X", [4, N], sluice.float64)
    outer.add_array("Y", [4, N], sluice.float64)
    state = outer.add_state()
    node = state.add_nested_sdfg(mapped(), {"A"}, {"B"}, {"N": N})
    state.add_edge(state.add_read("X"), None, node, "A", Memlet("X[1, 0:N]"))
    state.add_edge(node, "B", state.add_write("Y"), None, Memlet("Y[2, 0:N]"))
    X, Y = np.random.rand(4, 7), np.zeros((4, 7))
    outer(X=X, Y=Y)
    np.testing.assert_allclose(Y[2], 2 * X[1])
    assert Y[0].sum() == 0


def test_reduce():
    sdfg = SDFG("rows")
    sdfg.add_array("A", [N, 5], sluice.float64)
    sdfg.add_array("r", [N], sluice.float64)
    state = sdfg.add_state()
    node = state.add_reduce("lambda a, b: a + b", [1], 0)
    state.add_edge(state.add_read("A"), None, node, "_in", Memlet("A[0:N, 0:5]"))
    state.add_edge(node, "_out", state.add_write("r"), None, Memlet("r[0:N]"))
    A, r = np.random.rand(6, 5), np.zeros(6)
    sdfg(A=A, r=r)
    np.testing.assert_allclose(r, A.sum(axis=1))


def test_states_in_order():
    sdfg = SDFG("order")
    first = sdfg.add_state("s")
    second = sdfg.add_state_after(first, "s")
    before = sdfg.add_state_before(first, "zero")
    assert [second.label, before.label] == ["s_0", "zero"]
    assert sdfg.start_state == before
    sdfg.add_edge(second, sdfg.add_state("end"), InterstateEdge("N > 3", {"k": N + 1}))
    assert sdfg.edges()[-1].data.assignments == {"k": "N + 1"}
    assert sdfg.free_symbols == {"N"}


def test_properties():
    sdfg = mapped()
    sdfg.arrays["A"].storage = sluice.StorageType.CPU_Heap
    assert sdfg.arrays["A"].storage == "CPU_Heap"
    entry = next(node for node in sdfg.states()[0].nodes() if isinstance(node, sluice.nodes.MapEntry))
    entry.map.schedule = sluice.ScheduleType.Sequential
    assert entry.schedule == "Sequential" and entry.map.params == ("i",) and entry.range == "0:N"
    assert list(sdfg.arglist()) == ["A", "B", "N"]


def test_mistakes():
    sdfg = mapped()
    with pytest.raises(ValueError, match="already"):
        sdfg.add_array("A", [1], sluice.int32)
    with pytest.raises(TypeError, match="not an element type"):
        sdfg.add_array("Z", [1], "quadruple")
    with pytest.raises(sluice.CompileError):
        sdfg.add_array("Z", ["N +"], sluice.int32)
    state = sdfg.states()[0]
    with pytest.raises(sluice.CompileError):
        state.add_tasklet("t", {}, {}, "a = = b")
    state.add_edge(state.add_read("A"), None, state.add_write("B"), None, Memlet("missing[0]"))
    with pytest.raises(sluice.CompileError, match="missing"):
        sdfg.validate()
    assert not sdfg.is_valid()


@pytest.mark.parametrize("text", ["", "{", '{"type": "SDFG"', "[]", '{"type": "Nothing"}'])
def test_malformed_files(tmp_path, text):
    path = tmp_path / "bad.sdfg"
    path.write_text(text)
    with pytest.raises(sluice.CompileError) as error:
        SDFG.from_file(path)
    assert error.value.code


def test_a_missing_file():
    with pytest.raises(sluice.CompileError, match="nowhere.sdfg"):
        SDFG.from_file("nowhere.sdfg")


def test_an_argument_that_becomes_transient_is_no_argument_any_more():
    N = sluice.symbol("N")

    @sluice.program
    def chain(x: sluice.float64[N], t: sluice.float64[N], y: sluice.float64[N]):
        for i in sluice.map[0:N]:
            t[i] = 2 * x[i]
        for i in sluice.map[0:N]:
            y[i] = t[i] + 1

    sdfg = chain.to_sdfg(simplify=False)
    sdfg.arrays["t"].transient = True
    assert sdfg.arg_names == ["x", "y"] and sdfg.arrays["t"].transient
    sdfg.validate()
    x, y = np.arange(5.0), np.zeros(5)
    sdfg(x=x, y=y)
    np.testing.assert_array_equal(y, 2 * x + 1)
    sdfg.arrays["t"].transient = False
    assert not sdfg.arrays["t"].transient


def counting(sdfg, *states):
    """In each state a digit is put behind what `A` holds: the order in which they run."""
    for digit, state in enumerate(states, 1):
        task = state.add_tasklet("digit", {"x"}, {"y"}, f"y = 10 * x + {digit}")
        state.add_edge(state.add_read("A"), None, task, "x", Memlet("A[0]"))
        state.add_edge(task, "y", state.add_write("A"), None, Memlet("A[0]"))


def order_of(sdfg):
    A = np.zeros(1, np.int64)
    sdfg(A=A)
    return int(A[0])


def of_states(*names, start=None):
    sdfg = SDFG("order")
    sdfg.add_array("A", [1], sluice.int64)
    states = [sdfg.add_state(name, is_start_block=name == start) for name in names]
    return sdfg, states


def test_the_start_is_the_only_state_that_no_edge_enters():
    sdfg, (last, middle, first) = of_states("last", "middle", "first")
    counting(sdfg, first, middle, last)
    sdfg.add_edge(middle, last, InterstateEdge())
    sdfg.add_edge(first, middle, InterstateEdge())
    assert sdfg.start_state == first
    sdfg.validate()
    assert order_of(sdfg) == 123
    assert SDFG.from_json(sdfg.to_json()).start_state.label == "first"


def test_a_state_in_front_of_a_programs_start():
    @sluice.program
    def doubled(A: sluice.int64[1]):
        A[0] = 2 * A[0]

    sdfg = doubled.to_sdfg()
    before = sdfg.add_state("before")
    counting(sdfg, before)
    sdfg.add_edge(before, sdfg.start_state, InterstateEdge())
    assert sdfg.start_state == before and order_of(sdfg) == 2


def test_a_loop_back_to_the_start_leaves_it_the_start():
    sdfg, (body, guard, after) = of_states("body", "guard", "after", start="guard")
    sdfg.add_symbol("i", sluice.int64)
    counting(sdfg, body, guard, after)
    sdfg.add_edge(body, guard, InterstateEdge(assignments={"i": "i + 1"}))
    sdfg.add_edge(guard, body, InterstateEdge("A[0] < 100"))
    sdfg.add_edge(guard, after, InterstateEdge("A[0] >= 100"))
    assert sdfg.start_state == guard


def test_the_start_goes_back_where_the_edge_goes_or_the_state():
    sdfg, (first, second, other) = of_states("first", "second", "other")
    sdfg.add_edge(first, second, InterstateEdge())
    edge = sdfg.add_edge(other, first, InterstateEdge())
    assert sdfg.start_state == other
    sdfg.remove_edge(edge)
    assert sdfg.start_state == first
    sdfg.add_edge(other, first, InterstateEdge())
    sdfg.remove_node(other)
    assert sdfg.start_state == first


def test_a_loop_around_the_first_state():
    sdfg, (body,) = of_states("body")
    sdfg.add_symbol("i", sluice.int64)
    task = body.add_tasklet("digit", {"x"}, {"y"}, "y = 10 * x + i")
    body.add_edge(body.add_read("A"), None, task, "x", Memlet("A[0]"))
    body.add_edge(task, "y", body.add_write("A"), None, Memlet("A[0]"))
    before, _, after = sdfg.add_loop(None, body, None, "i", "1", "i < 5", "i + 1")
    counting(sdfg, before, after)
    assert sdfg.start_state == before and order_of(sdfg) == 112342


def with_pending_work(state):
    """A map whose memlets are to be propagated and whose ports are to be found, once the graph is used."""
    entry, exit_ = state.add_map("m", {"i": "0:1"})
    task = state.add_tasklet("t", {}, {"o"}, "o = 7")
    state.add_nedge(entry, task, Memlet())
    state.add_memlet_path(task, exit_, state.add_write("A"), src_conn="o", memlet=Memlet("A[i]"))


def test_a_removed_state_leaves_nothing_to_be_done():
    sdfg, (first, second) = of_states("first", "second")
    counting(sdfg, first)
    sdfg.add_edge(first, second, InterstateEdge())
    with_pending_work(second)
    sdfg.remove_node(second)
    assert order_of(sdfg) == 1


def test_a_removed_branch_leaves_nothing_to_be_done():
    sdfg, () = of_states()
    block = sluice.sdfg.ConditionalBlock("choice")
    sdfg.add_node(block, is_start_block=True)
    for condition in ("1 > 2", "2 > 1", None):
        with_pending_work(block.add_branch(condition).add_state("s", is_start_block=True))
    block.remove_branch(block.branches[0][1])
    assert order_of(sdfg) == 7


def test_two_states_that_control_may_begin_in():
    sdfg, (first, second) = of_states("first", "second")
    counting(sdfg, first, second)
    for use in sdfg.validate, lambda: order_of(sdfg):
        with pytest.raises(sluice.CompileError) as error:
            use()
        assert error.value.code == "V601" and "first or in second" in str(error.value)
    sdfg.start_block = first
    assert order_of(sdfg) == 1
    sdfg.start_block = second
    assert order_of(sdfg) == 2
    sdfg, (first, second) = of_states("first", "second", start="second")
    counting(sdfg, first, second)
    assert order_of(sdfg) == 2


def a_map():
    sdfg = SDFG("removed")
    sdfg.add_array("A", [5], sluice.int64)
    state = sdfg.add_state("main")
    tasklet, entry, exit_ = state.add_mapped_tasklet("fill", {"i": "0:5"}, {}, "o = i", {"o": Memlet("A[i]")}, external_edges=True)
    return sdfg, state, tasklet, entry, exit_, state.sink_nodes()[0]


def removed_things():
    """Uses of handles whose element is gone."""
    sdfg, state, tasklet, entry, exit_, access = a_map()
    edge = state.in_edges(access)[0]
    state.remove_edge(edge)
    yield from (lambda: state.remove_edge(edge), lambda: edge.data.subset)
    state.remove_node(tasklet)
    yield from (lambda: state.remove_node(tasklet), lambda: tasklet.code, lambda: setattr(tasklet, "label", "x"),
                lambda: state.add_edge(tasklet, "o", access, None, Memlet("A[0]")),
                lambda: state.add_memlet_path(tasklet, access, src_conn="o", memlet=Memlet("A[0]")))
    state.remove_node(exit_)
    yield lambda: state.exit_node(entry)
    other = sdfg.add_state("other")
    transition = sdfg.add_edge(state, other, InterstateEdge())
    sdfg.remove_edge(transition)
    yield lambda: sdfg.remove_edge(transition)
    sdfg.remove_node(other)
    yield from (lambda: sdfg.add_edge(state, other, InterstateEdge()), lambda: other.label, lambda: other.add_read("A"),
                lambda: sdfg.remove_node(other))


def test_handles_of_what_was_removed():
    uses = 0
    for use in removed_things():
        with pytest.raises(ValueError) as error:
            use()
        assert "removed" in str(error.value) or "no exit" in str(error.value), error.value
        uses += 1
    assert uses == 13


def test_a_graph_does_not_call_itself():
    sdfg, state, *_ = a_map()
    inner = SDFG("inner")
    inner.add_array("A", [5], sluice.int64)
    within = inner.add_state("within")
    state.add_nested_sdfg(inner, {}, {"A"})
    for place, graph in (state, sdfg), (within, sdfg), (within, inner):
        with pytest.raises(ValueError, match="cannot call itself"):
            place.add_nested_sdfg(graph, {}, {"A"})
    within.add_nested_sdfg(copy.deepcopy(sdfg), {}, {"A"})


def test_a_loop_that_a_transformation_writes_out():
    sdfg, () = of_states()
    loop = sluice.sdfg.LoopRegion("loop", "i < 4", "i", "i = 1", "i = i + 1")
    sdfg.add_node(loop)
    body = loop.add_state("body")  # of which nothing says that the loop begins there
    task = body.add_tasklet("digit", {"x"}, {"y"}, "y = 10 * x + i")
    body.add_edge(body.add_read("A"), None, task, "x", Memlet("A[0]"))
    body.add_edge(task, "y", body.add_write("A"), None, Memlet("A[0]"))
    assert sdfg.apply_transformations("LoopUnroll") == 1
    sdfg.validate()
    assert order_of(sdfg) == 123


def test_two_states_that_control_may_begin_in_of_a_called_graph():
    inner, (first, second) = of_states("first", "second")
    counting(inner, first, second)
    outer, (main,) = of_states("main")
    call = main.add_nested_sdfg(inner, {"A"}, {"A"})
    main.add_edge(main.add_read("A"), None, call, "A", Memlet("A[0:1]"))
    main.add_edge(call, "A", main.add_write("A"), None, Memlet("A[0:1]"))
    with pytest.raises(sluice.CompileError, match="V601"):
        outer.validate()
    inner.add_edge(second, first, InterstateEdge())
    assert order_of(outer) == 21
