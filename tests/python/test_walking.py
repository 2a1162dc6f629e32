"""What DaCe's classes answer about neighbours, scopes, blocks at any depth, names and what is read and written."""
import pytest

import sluice

N = sluice.symbol("N")


@pytest.fixture
def scaled():
    """B[i] = (A[i, :] + t) * 2 as a map in a map, with a loop behind it."""
    sdfg = sluice.SDFG("scaled")
    sdfg.add_array("A", [N, 8], sluice.float64, strides=[N * 0 + 8, 1])
    sdfg.add_array("B", [N], sluice.float64)
    state = sdfg.add_state("first", is_start_block=True)
    outer, outer_exit = state.add_map("rows", {"i": "0:N"})
    inner, inner_exit = state.add_map("columns", {"j": "0:8"})
    tasklet = state.add_tasklet("double", {"a"}, {"b"}, "b = a * 2")
    read, write = state.add_read("A"), state.add_write("B")
    state.add_memlet_path(read, outer, inner, tasklet, dst_conn="a", memlet=sluice.Memlet("A[i, j]"))
    state.add_memlet_path(tasklet, inner_exit, outer_exit, write, src_conn="b",
                          memlet=sluice.Memlet("B[i]", wcr="lambda x, y: x + y"))
    return sdfg, state, dict(outer=outer, outer_exit=outer_exit, inner=inner, inner_exit=inner_exit, tasklet=tasklet, read=read, write=write)


def test_scopes(scaled):
    sdfg, state, n = scaled
    around = state.scope_dict()
    assert around == {n["read"]: None, n["outer"]: None, n["inner"]: n["outer"], n["tasklet"]: n["inner"], n["inner_exit"]: n["inner"],
                      n["outer_exit"]: n["outer"], n["write"]: None}
    assert set(state.scope_children()[n["outer"]]) == {n["inner"], n["outer_exit"]}
    assert state.entry_node(n["tasklet"]) == n["inner"] == state.entry_node(n["inner_exit"]) and state.entry_node(n["read"]) is None
    assert state.exit_node(n["outer"]) == n["outer_exit"]
    assert state.bfs_nodes()[0] == n["read"] and state.bfs_nodes()[-1] == n["write"]


def test_parts_of_a_state(scaled):
    sdfg, state, n = scaled
    part = state.scope_subgraph(n["inner"])
    assert set(part.nodes()) == {n["inner"], n["tasklet"], n["inner_exit"]} and part.number_of_edges() == 2
    assert part.source_nodes() == [n["inner"]] and part.sink_nodes() == [n["inner_exit"]] and n["read"] not in part
    assert state.scope_subgraph(n["outer"], include_entry=False, include_exit=False).number_of_nodes() == 3


def test_connectors_and_paths(scaled):
    sdfg, state, n = scaled
    last = state.in_edges_by_connector(n["tasklet"], "a")
    path = state.memlet_path(last[0])
    assert [edge.src for edge in path] == [n["read"], n["outer"], n["inner"]] and path[-1].dst == n["tasklet"]
    out = state.out_edges_by_connector(n["tasklet"], "b")[0]
    assert [edge.dst for edge in state.memlet_path(out)] == [n["inner_exit"], n["outer_exit"], n["write"]]
    assert len(state.edges_by_connector(n["outer"], "IN_A")) == 1
    assert state.all_edges_and_connectors(n["tasklet"])[0][1] in ("a", "b")
    assert path[0].data.src_subset == path[0].data.subset and path[0].data.dst_subset is None
    assert last[0].data.free_symbols == {"i", "j"} and sluice.Memlet.from_memlet(last[0].data).subset == last[0].data.subset
    assert state.read_and_write_sets() == ({"A"}, {"B"}) == sdfg.read_and_write_sets()


def test_blocks_and_names():
    sdfg = sluice.SDFG("looped")
    sdfg.add_array("A", [N], sluice.float64)
    loop = sluice.LoopRegion("loop", "k < N", "k", "k = 0", "k = k + 1")
    before = sdfg.add_state("before", is_start_block=True)
    sdfg.add_node(loop)
    edge = sdfg.add_edge(before, loop, sluice.InterstateEdge("A[0] > m", {"m": "N + 1"}))
    inside = loop.add_state("inside", is_start_block=True)
    after = sdfg.add_state_after(loop, "after")
    assert not edge.data.is_unconditional() and edge.data.free_symbols == {"A", "m", "N"}
    assert [region is sdfg or region.label for region in sdfg.all_control_flow_regions()] == [True, "loop"]
    assert [block.label for block in sdfg.all_control_flow_blocks()] == ["before", "loop", "after", "inside"]
    assert len(list(sdfg.all_interstate_edges())) == 2 and sdfg.find_state("inside") == inside
    assert sdfg.predecessor_states(after) == sdfg.predecessors(after) and sdfg.out_degree(before) == 1
    assert sdfg.read_and_write_sets() == ({"A"}, set())
    with pytest.raises(LookupError):
        sdfg.find_state("none")
    sdfg.add_constant("c", 3)
    name, made = sdfg.add_temp_transient([N, 2], sluice.int32)
    other, like = sdfg.add_temp_transient_like(made)
    assert made.transient and like.dtype == made.dtype and other != name and set(sdfg.transients()) == {name, other}
    assert sdfg.make_array_memlet(name).num_elements() == N * 2 and sdfg.data(name).shape == made.shape
    assert sdfg.is_name_used("c") and sdfg.is_name_free("d") and sdfg.find_new_symbol("c") != "c" and sdfg.find_new_symbol("d") == "d"
    for state in (before, inside):
        state.add_nedge(state.add_scalar(f"s_{state.label}", sluice.float64, transient=True), state.add_write(name),
                        sluice.Memlet(f"s_{state.label}[0] -> [0, 0]"))
    assert sdfg.shared_transients() == [name] and set(before.all_transients()) == {"s_before", name}


def test_each_place_once():
    sdfg = sluice.SDFG("several")
    sdfg.add_array("A", [64], sluice.float64)
    for at in range(3):
        state = sdfg.add_state_after(sdfg.sink_nodes()[0]) if at else sdfg.add_state()
        state.add_mapped_tasklet(f"map_{at}", {"i": "0:64"}, {"a": sluice.Memlet("A[i]")}, "b = a + 1", {"b": sluice.Memlet("A[i]")},
                                 external_edges=True)
    assert sdfg.apply_transformations_once_everywhere("MapTiling", {"tile_sizes": [8]}) == 3
    import numpy as np
    A = np.zeros(64)
    sdfg(A=A)
    assert (A == 3).all()


def test_an_outer_memlet_of_its_own():
    sdfg = sluice.SDFG("pair")
    sdfg.add_array("A", [8], sluice.float64)
    sdfg.add_array("B", [8], sluice.float64)
    state = sdfg.add_state()
    entry, exit_ = state.add_map("m", {"i": "0:4"})
    tasklet = state.add_tasklet("t", {"a"}, {"b"}, "b = a")
    outer, inner = state.add_edge_pair(entry, tasklet, state.add_read("A"), sluice.Memlet("A[i]"), sluice.Memlet("A[0:8]"), "a")
    state.add_edge_pair(exit_, tasklet, state.add_write("B"), sluice.Memlet("B[i]"), internal_connector="b")
    assert outer.data.subset == "0:4" and inner.data.subset == "i"
    with pytest.raises(ValueError, match="of one container"):
        state.add_edge_pair(entry, tasklet, state.add_read("A"), sluice.Memlet("A[i]"), sluice.Memlet("B[0:8]"))
    with pytest.raises(NotImplementedError, match="leave scope_connector out"):
        state.add_edge_pair(entry, tasklet, state.add_read("A"), sluice.Memlet("A[i]"), scope_connector="A")
