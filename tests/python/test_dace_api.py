"""DaCe's graph API: subsets with their algebra, dictionaries that belong to a graph, ports that edges leave out."""
import copy

import numpy as np
import pytest

import sluice as dace
from sluice import subsets
from sluice.subsets import Indices, Range, SubsetUnion

N, M = dace.symbols("N M")


def test_expressions_compare_and_take_values():
    assert bool(N < N + 1) and not bool(N > 2 * N) and bool(N >= 1) and not bool(N - N)
    with pytest.raises(TypeError, match="N < M"):
        bool(N < M)
    assert (2 * N + M).subs({N: 3, "M": N}) == N + 6


def test_sizes_of_subsets():
    box = Range.from_string("0:N, 2:M:2, i, min(N, M):9")
    assert str(box) == "0:N, 2:M:2, i, min(M, N):9"
    assert box.dims() == 4 and box.data_dims() == 3 and box.free_symbols == {"N", "M", "i"}
    assert box.min_element()[:2] == [0, 2] and box.max_element()[:2] == [N - 1, M - 1]
    assert Range([(0, N - 1, 1), (0, 9, 2)]).num_elements() == 5 * N
    assert Range.from_string("10:0:-2").size() == [5] and Range.from_string("10:0:-2").bounding_box_size() == [10]
    assert Range.from_string("2:10:2").coord_at([2]) == (6,) and Range.from_string("2:10, 0:N").at([1, 2], [N, 1]) == 3 * N + 2
    assert Indices([1, "i"]).indices == [1, dace.Expr("i")] and Range.from_indices(Indices([1])) == "1"
    with pytest.raises(ValueError, match="end inclusive"):
        Range([(0, 1)])


@pytest.mark.parametrize("outer, inner, box, precise", [
    ("0:N", "1:N - 1", True, True), ("0:10:2", "2:10:4", True, True), ("0:10:2", "1:9:2", True, False), ("1:N", "0:N", False, False),
    ("0:20:s", "0:10:s", True, True), ("0:20:s", "0:10:2*s", True, True), ("0:20:2*s", "0:10:s", True, False), ("0:N", "0:M", False, False)])
def test_covers(outer, inner, box, precise):
    assert Range.from_string(outer).covers(Range.from_string(inner)) is box
    assert Range.from_string(outer).covers_precise(Range.from_string(inner)) is precise


def test_two_subsets():
    assert subsets.intersects(Range.from_string("0:N"), Range.from_string("N:2*N")) is False
    assert subsets.intersects(Range.from_string("0:N"), Range.from_string("N - 1:M")) is not False
    assert subsets.union(Range.from_string("0:N"), Range.from_string("2:N + 4")) == "0:N + 4"
    assert subsets.union(None, Range.from_string("0:N")) == "0:N"
    assert SubsetUnion([Range.from_string("0:4"), Range.from_string("6:9")]).covers(Range.from_string("7"))
    assert Range.from_string("2:10:2, j").compose(Range.from_string("1:3")) == "4:7:2, j"
    with pytest.raises(ValueError, match="dimensions"):
        Range.from_string("0:3").covers(Range.from_string("0:3, 0:3"))


def test_changes_of_subsets():
    box = Range.from_string("i:i + 10, j, 2:4")
    kept = copy.deepcopy(box)
    assert box.squeeze() == [0, 2] and box == "0:10, 0:2" and kept == "i:i + 10, j, 2:4"
    assert box.unsqueeze([0, 2]) == [0, 2] and box == "0, 0:10, 0, 0:2"
    box.replace({"i": 3})
    box.pop([0, 2])
    box.reorder([1, 0])
    box[0] = (1, N, 1)
    assert box == "1:N + 1, 0:10" and kept.offset_new([1, 2, 3], True, indices=[0]) == "i - 1:i + 9, j, 2:4"


def graph():
    sdfg = dace.SDFG("shift")
    sdfg.add_array("A", [N], dace.float64)
    sdfg.add_array("B", [N], dace.float64)
    state = sdfg.add_state()
    tasklet, entry, leave = state.add_mapped_tasklet("add", {"i": "0:N"}, {"a": dace.Memlet("A[i]")}, "b = a + 1",
                                                     {"b": dace.Memlet("B[i]")}, external_edges=True)
    return sdfg, state, tasklet, entry


def test_changes_of_subsets_reach_the_graph():
    sdfg, state, tasklet, entry = graph()
    entry.map.range[0] = (1, N - 1, 1)
    edge = state.in_edges(tasklet)[0]
    edge.data.subset.offset([1], True)
    assert entry.map.range == "1:N" and edge.data.subset == "i - 1" and edge.data.subset.num_elements() == 1
    b = np.zeros(4)
    sdfg(A=np.arange(4.0), B=b, N=4)
    assert b.tolist() == [0, 1, 2, 3]


def test_dictionaries_of_a_graph_take_changes():
    sdfg, state, tasklet, entry = graph()
    sdfg.arrays["C"] = dace.data.Scalar(dace.int32)
    sdfg.symbols["K"] = dace.int32
    assert isinstance(sdfg.arrays["C"], dace.data.Scalar) and sdfg.symbols["K"] == dace.int32
    del sdfg.arrays["C"]
    sdfg.symbols.pop("K")
    assert "C" not in sdfg.arrays and "K" not in sdfg.symbols
    entry.map.range = "0:N:2"
    tasklet.in_connectors["a"] = dace.vector(dace.float64, 2)
    tasklet.out_connectors = {"b": dace.vector(dace.float64, 2)}
    b = np.zeros(4)
    sdfg(A=np.arange(4.0), B=b, N=4)  # two elements in each iteration
    assert b.tolist() == [1, 2, 3, 4]
    nested = dace.SDFG("outer").add_state().add_nested_sdfg(sdfg, {"A"}, {"B"})
    nested.symbol_mapping["N"] = M
    assert nested.symbol_mapping["N"] == M


def test_edges_join_at_a_scope_by_their_containers():
    sdfg = dace.SDFG("sums")
    sdfg.add_array("A", [N], dace.int64)
    sdfg.add_array("s", [1], dace.int64)
    sdfg.add_array("p", [1], dace.int64)
    state = sdfg.add_state()
    entry, leave = state.add_map("m", {"i": "0:N"})
    state.add_edge(state.add_access("A"), None, entry, None, dace.Memlet("A[0:N]"))
    for name, operator in (("s", "+"), ("p", "*")):
        tasklet = state.add_tasklet(name, {"a"}, {"b"}, "b = a")
        state.add_edge(entry, None, tasklet, "a", dace.Memlet("A[i]"))
        state.add_edge(tasklet, "b", leave, None, dace.Memlet(f"{name}[0]", wcr=f"lambda x, y: x {operator} y"))
        state.add_edge(leave, None, state.add_access(name), None, dace.Memlet(f"{name}[0]"))
    total, product = np.zeros(1, np.int64), np.ones(1, np.int64)
    sdfg(A=np.arange(1, 6), s=total, p=product, N=5)
    assert (total[0], product[0]) == (15, 120)


def test_edges_that_bring_the_same_container_share_the_way_out():
    sdfg = dace.SDFG("halves")
    sdfg.add_array("A", [N], dace.int64)
    sdfg.add_array("B", [N], dace.int64)
    state = sdfg.add_state()
    entry, leave = state.add_map("m", {"i": "0:N:2"})
    state.add_edge(state.add_access("A"), None, entry, None, dace.Memlet("A[0:N]"))
    for at in range(2):
        tasklet = state.add_tasklet(f"t{at}", {"a"}, {"b"}, f"b = a + {at}")
        state.add_edge(entry, None, tasklet, "a", dace.Memlet("A[i]"))
        state.add_edge(tasklet, "b", leave, None, dace.Memlet(f"B[i + {at}]"))
    state.add_edge(leave, None, state.add_access("B"), None, dace.Memlet("B[0:N]"))
    B = np.zeros(4, np.int64)
    sdfg(A=np.arange(4), B=B, N=4)
    assert B.tolist() == [0, 1, 2, 3]


def test_regions_with_names():
    from sluice.state import BreakBlock, ConditionalBlock, ControlFlowRegion, FunctionCallRegion, LoopRegion, NamedRegion
    sdfg = dace.SDFG("regions")
    sdfg.add_array("A", [N], dace.float64)
    group = sdfg.add_node(ControlFlowRegion("group"), is_start_block=True)
    call = group.add_node(NamedRegion("inner"), is_start_block=True).add_node(FunctionCallRegion("f", {"x": "A"}), is_start_block=True)
    state = call.add_state("body", is_start_block=True)
    state.add_mapped_tasklet("m", {"i": "0:N"}, {"a": dace.Memlet("A[i]")}, "b = a + 1", {"b": dace.Memlet("A[i]")}, external_edges=True)
    assert isinstance(sdfg.nodes()[0].nodes()[0], NamedRegion) and sdfg.states() == [state] and call.arguments == {"x": "A"}
    loop = sdfg.add_node(LoopRegion("loop", "i < N", "i", "i = 0", "i = i + 1"))
    edge = sdfg.add_edge(group, loop)
    choice = loop.add_node(ConditionalBlock("choice"), is_start_block=True)
    choice.add_branch("i > 2").add_node(BreakBlock("leave"), is_start_block=True)
    assert loop.has_break and not loop.has_continue and not loop.has_return and choice.number_of_nodes() == 1
    sdfg.validate()
    A = np.arange(3.0)
    sdfg(A=A, N=3)
    assert A.tolist() == [1, 2, 3]
    choice.remove_branch(choice.nodes()[0])
    assert choice.branches == []
    sdfg.remove_edge(edge)
    assert sdfg.edges() == []
    sdfg.remove_node(loop)
    assert sdfg.nodes() == [group] and sdfg.node(0) == group and sdfg.node_id(group) == 0


def test_a_branch_that_is_made_on_its_own():
    sdfg = dace.SDFG("choice")
    sdfg.add_array("A", [1], dace.float64)
    sdfg.add_symbol("c", dace.int32)
    choice = sdfg.add_node(dace.ConditionalBlock("choice"), is_start_block=True)
    body = dace.ControlFlowRegion("body", sdfg=sdfg)
    assert choice.add_branch("c == 1", body) is body
    state = body.add_state("write", is_start_block=True)
    state.add_edge(state.add_tasklet("t", None, {"a"}, "a = 5"), "a", state.add_write("A"), None, dace.Memlet("A[0]"))
    A = np.ones(1)
    sdfg(A=A, c=0)
    assert A[0] == 1
    sdfg(A=A, c=1)
    assert A[0] == 5


def test_library_nodes_that_are_made_on_their_own():
    from sluice.dace_compat.libraries import blas
    from sluice.dace_compat.libraries.standard import Reduce
    sdfg = dace.SDFG("product")
    for name in "ABC":
        sdfg.add_array(name, [N, N], dace.float64)
    sdfg.add_array("r", [N], dace.float64)
    state = sdfg.add_state()
    gemm, largest = blas.Gemm("gemm", transA=True), Reduce("largest", "lambda a, b: max(a, b)", axes=[0], identity=-1e9)
    state.add_node(gemm)
    state.add_node(largest)
    for name, connector in (("A", "_a"), ("B", "_b")):
        state.add_edge(state.add_read(name), None, gemm, connector, dace.Memlet(f"{name}[0:N, 0:N]"))
    C = state.add_access("C")
    state.add_edge(gemm, None, C, None, dace.Memlet("C[0:N, 0:N]"))
    state.add_edge(C, None, largest, None, dace.Memlet("C[0:N, 0:N]"))
    state.add_edge(largest, None, state.add_write("r"), None, dace.Memlet("r[0:N]"))
    assert isinstance(gemm, blas.Gemm) and not isinstance(gemm, blas.Dot) and gemm.transA is True
    a, b = np.random.default_rng(0).random((2, 4, 4))
    c, r = np.zeros((4, 4)), np.zeros(4)
    sdfg(A=a, B=b, C=c, r=r, N=4)
    np.testing.assert_allclose(c, a.T @ b)
    np.testing.assert_array_equal(r, c.max(0))
    with pytest.raises(ValueError, match="is a node of state, not of state_0"):
        sdfg.add_state().add_node(C)


def test_connectors_at_the_ends_of_a_path():
    sdfg = dace.SDFG("ends")
    sdfg.add_array("B", [5, 1], dace.float64)
    state = sdfg.add_state()
    (outer, outer_exit), (inner, inner_exit) = state.add_map("o", {"j": "0:5"}), state.add_map("i", {"i": "0:1"})
    tasklet = state.add_tasklet("t", {}, {"b"}, "b = j")
    state.add_memlet_path(outer, inner, memlet=dace.Memlet())
    state.add_memlet_path(inner, tasklet, memlet=dace.Memlet())
    state.add_memlet_path(tasklet, inner_exit, memlet=dace.Memlet("B[j, i]"), src_conn="b", dst_conn="IN_B")
    state.add_memlet_path(inner_exit, outer_exit, memlet=dace.Memlet("B[j, 0]"), src_conn="OUT_B", dst_conn="IN_B")
    state.add_memlet_path(outer_exit, state.add_write("B"), memlet=dace.Memlet("B[0:5, 0]"), src_conn="OUT_B")
    B = np.zeros((5, 1))
    sdfg(B=B)
    assert B.ravel().tolist() == [0, 1, 2, 3, 4]


def test_edits_of_called_graphs_reach_the_call():
    inner, outer = dace.SDFG("inner"), dace.SDFG("outer")
    outer.add_array("A", [N], dace.float64)
    state = outer.add_state()
    node = state.add_nested_sdfg(inner, {"x"}, {"x"})  # filled behind its call
    state.add_edge(state.add_read("A"), None, node, "x", dace.Memlet("A[0:N]"))
    state.add_edge(node, "x", state.add_write("A"), None, dace.Memlet("A[0:N]"))
    inner.add_array("x", [N], dace.float64)
    body = inner.add_state()
    tasklet, _, _ = body.add_mapped_tasklet("m", {"i": "0:N"}, {"a": dace.Memlet("x[i]")}, "b = a + 1", {"b": dace.Memlet("x[i]")},
                                            external_edges=True)
    A = np.zeros(3)
    outer(A=A, N=3)
    assert A.tolist() == [1, 1, 1] and node.sdfg == inner and "N" in outer.free_symbols
    tasklet.code = "b = a + 10"
    outer(A=A, N=3)
    assert A.tolist() == [11, 11, 11]
    for one, _, _ in outer.arrays_recursive():
        if one.name == "inner":
            one.arrays["x"].may_alias = True
    assert inner.arrays["x"].may_alias and dace.SDFG.from_json(outer.to_json()).states()[0].nodes()[0].sdfg.arrays["x"].may_alias
    kept = copy.deepcopy(outer)
    tasklet.code = "b = a"
    kept(A=A, N=3)
    assert A.tolist() == [21, 21, 21]


def test_transitions_tell_what_they_read():
    sdfg, state, _, _ = graph()
    edge = sdfg.add_edge(state, sdfg.add_state(), dace.InterstateEdge("A[0] > n", {"n": "n + 1", "k": "2*m"}))
    assert edge.data.read_symbols() == {"A", "n", "m"} == edge.data.free_symbols
    assert edge.data.used_arrays(sdfg.arrays) == {"A"} and edge.data.used_sdfg_symbols(sdfg.arrays, union_lhs_symbols=True) == {"n", "m", "k"}
    edge.data.replace("n", "count")
    assert edge.data.condition == "A[0] > count" and edge.data.assignments == {"count": "count + 1", "k": "2 * m"}


def test_edits_of_states():
    sdfg, state, tasklet, entry = graph()
    sdfg.add_symbol("K", dace.int64)
    sdfg.add_symbol("L", dace.int64)
    tasklet.code = "b = a + K"
    assert state.free_symbols == {"N", "K"} and set(state.symbols_defined_at(tasklet)) == {"N", "K", "L", "i"}
    state.replace("K", "L")
    assert tasklet.code == "b = a + L" and state.node(state.node_id(tasklet)) == tasklet
    assert state.is_leaf_memlet(state.in_edges(tasklet)[0])
    kept = dace.SDFG.from_json(sdfg.to_json())
    state.remove_memlet_path(state.in_edges(tasklet)[0])
    assert not tasklet.in_connectors and [node.data for node in state.data_nodes()] == ["B"] and not entry.in_connectors
    sdfg = kept
    with pytest.raises(ValueError, match="an access node uses it"):
        sdfg.remove_data("A")
    b = np.zeros(3)
    sdfg(A=np.arange(3.0), B=b, N=3, L=5)
    assert b.tolist() == [5, 6, 7]
    sdfg.add_constant("c", np.arange(3, dtype=np.int32))
    assert sdfg.constants["c"].tolist() == [0, 1, 2] and sdfg.constants["c"].dtype == np.int32


def test_transformations_by_their_nodes():
    from sluice.transformation import MapTiling
    sdfg, state, _, first = graph()
    state.add_mapped_tasklet("add", {"i": "0:N"}, {"a": dace.Memlet("A[i]")}, "b = a + 1", {"b": dace.Memlet("B[i]")}, external_edges=True)
    assert MapTiling.can_be_applied_to(sdfg, map_entry=first, options={"tile_sizes": [4]})
    MapTiling.apply_to(sdfg, map_entry=first, options={"tile_sizes": [4]})
    assert sum(isinstance(node, dace.nodes.MapEntry) for node in state.nodes()) == 3
    with pytest.raises(ValueError, match="conditions always hold"):
        MapTiling.apply_to(sdfg, map_entry=first, verify=False)


def test_walks_over_what_surrounds_a_node():
    from sluice.dace_compat.sdfg import utils
    sdfg, state, tasklet, entry = graph()
    order = list(utils.dfs_topological_sort(state))
    assert len(order) == 5 and order.index(entry) < order.index(tasklet) < order.index(state.exit_node(entry))
    assert utils.find_upstream_nodes(tasklet, state) == {tasklet, entry, *state.source_nodes()}
    assert utils.find_downstream_nodes(tasklet, state, {state.exit_node(entry)}) == {tasklet, state.exit_node(entry)}
    other = state.add_access("A")
    read = state.source_nodes()[0]
    utils.change_edge_src(state, read, other)
    assert state.out_degree(read) == 0 and state.out_degree(other) == 1


def test_references_are_set_through_their_connector():
    sdfg = dace.SDFG("chosen")
    for name in "AB":
        sdfg.add_array(name, [4], dace.float64)
    sdfg.add_reference("ref", [4], dace.float64)
    first = sdfg.add_state()
    second = sdfg.add_state_after(first)
    first.add_edge(first.add_read("A"), None, first.add_write("ref"), "set", dace.Memlet("A[0:4]"))
    second.add_nedge(second.add_read("ref"), second.add_write("B"), dace.Memlet("ref[0:4]"))
    B = np.zeros(4)
    sdfg(A=np.arange(4.0), B=B)
    assert B.tolist() == [0, 1, 2, 3]


def test_functions_of_symbols():
    from sluice import symbolic
    assert symbolic.evaluate("2*N + 1", {N: 3}) == 7 and symbolic.pystr_to_symbolic("N + N") == 2 * N
    assert symbolic.issymbolic(N) and not symbolic.issymbolic(3) and not symbolic.issymbolic(N, {"N": 1})
    assert symbolic.symbols_in_code("a = f(b) + c") == {"a", "b", "c"} and symbolic.arrays("A[B[i]] + n") == {"A", "B"}
    assert symbolic.int_ceil(7, 2) == 4 and symbolic.int_floor(N, 1) == N and list(symbolic.symlist([N, "M + 1"])) == ["M", "N"]


def test_a_symbol_that_would_get_a_float_is_refused():
    sdfg = dace.SDFG("float_symbol")
    sdfg.add_array("A", [4], dace.float64)
    first, second = sdfg.add_state(), sdfg.add_state()
    second.add_edge(second.add_tasklet("t", {}, {"a"}, "a = s"), "a", second.add_write("A"), None, dace.Memlet("A[0]"))
    edge = sdfg.add_edge(first, second, dace.InterstateEdge(assignments={"s": "A[1]"}))
    with pytest.raises(dace.CompileError, match="S004.*the symbol s is an integer, but `A\\[1\\]` reads float64"):
        sdfg(A=np.arange(4.0) + 0.5)
    edge.data.assignments["s"] = "int(A[1])"
    A = np.arange(4.0) + 0.5
    sdfg(A=A)
    assert A[0] == 1


def test_tasklets_that_only_print(capfd):
    @dace.program
    def tell(A: dace.float64[3]):
        for i in dace.map[0:3] @ dace.ScheduleType.Sequential:
            with dace.tasklet:
                a << A[i]
                printf("%d: %.2f%%\n", i, a)
        A[:] = A + 1

    @dace.program
    def tell_in_cpp(A: dace.float64[3]):
        @dace.tasklet("CPP")
        def one():
            a << A[0]
            """
            printf("%g %g\\n", a, std::sqrt(a));
            """

    A = np.array([4.0, 5.0, 6.0])
    tell(A)
    tell_in_cpp(A + 11)
    assert A.tolist() == [5, 6, 7]
    import ctypes
    ctypes.CDLL(None).fflush(None)
    assert capfd.readouterr().out == "0: 4.00%\n1: 5.00%\n2: 6.00%\n16 4\n"


def test_python_tasklets_make_no_structures():
    pair = dace.struct("pair", at=dace.int32, value=dace.float64)

    @dace.program(strict=True)
    def make(A: dace.float64[3]):
        result = np.ndarray([1], dtype=pair)
        with dace.tasklet:
            a << A[1]
            out >> result[0]
            out = pair(at=1, value=a)
        return result

    with pytest.raises(dace.CompileError, match="F036.*objects of the type pair"):
        make(np.zeros(3))


def lifted(program, *args):
    from sluice.dace_compat.libraries.blas import Einsum
    from sluice.transformation import LiftEinsum
    sdfg = program.to_sdfg(*args, simplify=True)
    count = sdfg.apply_transformations(LiftEinsum)
    found = [node for node, _ in sdfg.all_nodes_recursive() if isinstance(node, Einsum)]
    assert len(found) == count
    return sdfg, found


def test_products_are_lifted_to_einsum():
    rng = np.random.default_rng(0)

    @dace.program
    def product(A: dace.float64[M, N], B: dace.float64[N, M], C: dace.float64[M, M]):
        for i, j, k in dace.map[0:M, 0:M, 0:N]:
            with dace.tasklet:
                a << A[i, k]
                b << B[k, j]
                c >> C(1, lambda x, y: x + y)[i, j]
                c = 2 * a * b

    sdfg, (node,) = lifted(product)
    assert node.einsum_str == "ij,jk->ik" and node.alpha == 2 and node.beta == 1
    a, b, c = rng.random((3, 4)), rng.random((4, 3)), np.ones((3, 3))
    sdfg(A=a, B=b, C=c, M=3, N=4)
    np.testing.assert_allclose(c, 1 + 2 * a @ b)

    @dace.program
    def outer(A: dace.float64[M], B: dace.float64[N], C: dace.float64[N, M]):
        for i, j in dace.map[0:M, 0:N]:
            C[j, i] = A[i] * B[j]

    sdfg, (node,) = lifted(outer)
    a, b, c = rng.random(3), rng.random(4), np.zeros((4, 3))
    sdfg(A=a, B=b, C=c, M=3, N=4)
    assert node.einsum_str == "i,j->ji"
    np.testing.assert_allclose(c, np.outer(b, a))


@pytest.mark.parametrize("code, read, write, condition", [
    ("c = a + b", "A[i, k]", "C(1, lambda x, y: x + y)[i, j]", "L1"), ("c = a * b", "A[i, k + 1]", "C(1, lambda x, y: x + y)[i, j]", "L2"),
    ("c = a * b", "A[i, k]", "C(1, lambda x, y: max(x, y))[i, j]", "L3"), ("c = a * b", "A[i, k]", "A(1, lambda x, y: x + y)[i, j]", "L3")])
def test_what_is_no_einsum(code, read, write, condition, tmp_path):
    from sluice.transformation import LiftEinsum
    module = tmp_path / "products.py"
    module.write_text(f"""
import sluice as dace
@dace.program
def f(A: dace.float64[4, 4], B: dace.float64[4, 4], C: dace.float64[4, 4]):
    for i, j, k in dace.map[0:3, 0:3, 0:3]:
        with dace.tasklet:
            a << {read}
            b << B[k, j]
            c >> {write}
            {code}
""")
    import importlib.util
    spec = importlib.util.spec_from_file_location(f"products_{condition}_{len(read)}_{len(write)}", module)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    sdfg = loaded.f.to_sdfg(simplify=True)
    (match,) = sdfg.matches(LiftEinsum)
    assert condition in match.refusal and sdfg.apply_transformations(LiftEinsum) == 0


def test_a_crash_stays_in_the_process_of_a_safe_call():
    sdfg = dace.SDFG("crash")
    sdfg.add_array("A", [2], dace.float64)
    sdfg.add_symbol("n", dace.int64)
    state = sdfg.add_state()
    tasklet = state.add_tasklet("t", {}, {"a"}, "if (n == 0) __builtin_trap();\na = n;", language=dace.Language.CPP)
    state.add_edge(tasklet, "a", state.add_write("A"), None, dace.Memlet("A[1]"))
    for call in (sdfg.safe_call, sdfg.compile().safe_call):
        A = np.zeros(2)
        call(A=A, n=3)
        assert A.tolist() == [0, 3]
        with pytest.raises(RuntimeError, match="process ended"):
            call(A=A, n=0)
        with pytest.raises(ValueError, match="A003"):
            call(A=np.zeros(5), n=1)


def test_another_expansion_for_some_lines():
    from sluice.dace_compat.library import change_default
    from sluice.dace_compat.libraries import blas
    before = dace.config.get("expansions")
    with change_default(blas, "pure"):
        assert blas.Gemm.default_implementation == "pure" and "Gemm: native" in dace.config.get("expansions")
        with change_default(blas.Gemm, "OpenBLAS"):
            assert "Gemm: OpenBLAS" in dace.config.get("expansions")
        assert "Gemm: native" in dace.config.get("expansions")
    assert dace.config.get("expansions") == before and blas.Gemm.default_implementation is None
