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
