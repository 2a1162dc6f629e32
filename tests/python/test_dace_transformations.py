"""DaCe's classes of transformations and of library nodes as users write them, its options, helpers and properties."""
import copy
import sys
import types

import numpy as np
import pytest

import sluice as dace
from sluice import nodes
from sluice.dace_compat import library, properties
from sluice.dace_compat.sdfg import utils as sdutil
from sluice.dace_compat.sdfg.graph import OrderedDiGraph, SubgraphView
from sluice.dace_compat.transformation import helpers
from sluice.dace_compat.transformation.auto.auto_optimize import greedy_fuse
from sluice.dace_compat.transformation.optimizer import Optimizer
from sluice.transformation import (CompositeFusion, ExpandTransformation, MapCollapse, MapExpansion, MapFusionHorizontal, MapTiling, MapTiling as Tiling,
                                   MultiExpansion, MultiStateTransformation, PatternNode, SingleStateTransformation, SubgraphFusion)

N = dace.symbol("N")


@dace.program
def two_maps(A: dace.float64[N], B: dace.float64[N], C: dace.float64[N]):
    for i in dace.map[0:N]:
        B[i] = A[i] * 2
    for i in dace.map[0:N]:
        C[i] = A[i] + 3


@dace.program
def cube(A: dace.float64[N, N, N]):
    for i, j, k in dace.map[0:N, 0:N, 0:N]:
        A[i, j, k] = A[i, j, k] * 2 + i


def entries(sdfg):
    return [node for node, _ in sdfg.all_nodes_recursive() if isinstance(node, nodes.MapEntry)]


class Sequential(SingleStateTransformation):
    """Runs a map in order."""
    entry = PatternNode(nodes.MapEntry)
    least = properties.Property(dtype=int, default=1, desc="Fewest dimensions.")

    @classmethod
    def expressions(cls):
        return [sdutil.node_path_graph(cls.entry)]

    def can_be_applied(self, graph, expr_index, sdfg, permissive=False):
        return self.entry.map.schedule != dace.ScheduleType.Sequential and len(self.entry.map.params) >= self.least

    def apply(self, graph, sdfg):
        self.entry.map.schedule = dace.ScheduleType.Sequential


class Renamed(MultiStateTransformation):
    """Names a state."""
    first = PatternNode(dace.SDFGState)

    @classmethod
    def expressions(cls):
        pattern = OrderedDiGraph()
        pattern.add_node(cls.first)
        return [pattern]

    def can_be_applied(self, graph, expr_index, sdfg, permissive=False):
        return self.first.label != "named"

    def apply(self, graph, sdfg):
        assert graph is sdfg and self.first in graph.nodes()
        self.first.label = "named"


def test_classes_of_dace_are_transformations():
    sdfg = two_maps.to_sdfg()
    assert sdfg.apply_transformations_repeated(Sequential(least=2)) == 0
    assert sdfg.apply_transformations(Sequential) == 1 and sdfg.apply_transformations_repeated([Sequential]) == 1
    assert not Sequential.can_be_applied_to(sdfg, entry=entries(sdfg)[0]) and "Sequential @" in sdfg.recipe
    assert sdfg.apply_transformations(Renamed) == 1 and sdfg.states()[0].label == "named"
    with pytest.raises(TypeError, match="no option most"):
        Sequential(most=3)
    one = Sequential()
    state = sdfg.states()[0]
    one.setup_match(sdfg, 0, sdfg.node_id(state), {Sequential.entry: state.node_id(entries(sdfg)[1])}, 0)
    assert not one.can_be_applied(state, 0, sdfg) and one.entry == entries(sdfg)[1]


def test_a_class_with_the_name_of_a_built_in_one_leaves_that_alone():
    class MapFusion(Sequential):
        pass
    sdfg = two_maps.to_sdfg()
    assert sdfg.apply_transformations_repeated(MapFusion) == 2 and "MapFusionOfPython" in sdfg.recipe
    assert dace.transformation.MapFusion.group == "map"


def test_parts_of_a_state_are_fused():
    for kind in (SubgraphFusion, CompositeFusion):
        sdfg = two_maps.to_sdfg()
        state = sdfg.states()[0]
        one, part = kind(), SubgraphView(state, state.nodes())
        one.setup_match(part)
        assert one.can_be_applied(sdfg, part) and not one.can_be_applied(sdfg, SubgraphView(state, entries(sdfg)[:1]))
        one.apply(sdfg)
        assert len(entries(sdfg)) == 1
        with pytest.raises(ValueError, match="cannot be applied"):
            kind.apply_to(sdfg, *state.nodes())
    sdfg = two_maps.to_sdfg()
    assert greedy_fuse(sdfg.states()[0], False) == 1
    with pytest.raises(NotImplementedError, match="MapExpansion"):
        MultiExpansion()


@dace.program
def three_maps(A: dace.float64[N], B: dace.float64[N], C: dace.float64[N], D: dace.float64[N]):
    for i in dace.map[0:N]:
        B[i] = A[i] * 2
    for i in dace.map[0:N]:
        C[i] = A[i] + 3
    for i in dace.map[0:N]:
        D[i] = A[i] - 1


@dace.program
def chain_of_maps(A: dace.float64[N], B: dace.float64[N]):
    between = np.empty_like(A)
    for i in dace.map[0:N]:
        between[i] = A[i] * 2
    for i in dace.map[0:N]:
        B[i] = between[i] + 1


def test_maps_outside_of_a_part_stay():
    sdfg = three_maps.to_sdfg()
    state = sdfg.states()[0]
    first, second, third = entries(sdfg)
    inside = [node for entry in (first, third) for node in state.scope_subgraph(entry).nodes()]
    SubgraphFusion.apply_to(sdfg, SubgraphView(state, inside))
    left = entries(sdfg)
    assert len(left) == 2 and second in left and [one.label for one in left] == [second.label] * 2 and len(state.scope_subgraph(second).nodes()) == 3
    chained = chain_of_maps.to_sdfg(simplify=False)
    chained.simplify()
    state = chained.states()[0]
    one = SubgraphFusion()
    one.setup_match(SubgraphView(state, state.nodes()))
    one.apply(chained)
    given, result = np.arange(5.0), np.zeros(5)
    chained(A=given, B=result, N=5)
    assert np.array_equal(result, given * 2 + 1) and len(entries(chained)) == 1


def test_options_of_dace_say_what_happens_or_are_refused():
    sdfg = two_maps.to_sdfg()
    assert sdfg.apply_transformations_repeated(MapFusionHorizontal(only_if_common_ancestor=False, never_consolidate_edges=False)) == 1
    tiling = MapTiling(tile_sizes=[4])
    tiling.prefix = "outer"
    assert sdfg.apply_transformations(tiling, {"skew": True}) == 1 and "outer_i" in entries(sdfg)[1].params + entries(sdfg)[0].params
    with pytest.raises(ValueError, match="does not know only_inner_maps=True"):
        MapFusionHorizontal(only_inner_maps=True)
    with pytest.raises(TypeError, match="no parameter sizes: it has tile_sizes"):
        MapTiling(sizes=3)
    assert [match.transformation for match in Optimizer(sdfg).get_pattern_matches(patterns=[Tiling])] == ["MapTiling", "MapTiling"]


def test_helpers_take_maps_apart():
    sdfg = cube.to_sdfg()
    entry = entries(sdfg)[0]
    helpers.tile(sdfg, entry, False, True, i=8, k=4)
    helpers.tile(sdfg, entry, False, False, i=2)
    assert {name for one in entries(sdfg) for name in one.params} == {"i", "j", "k", "tile_i", "tile_k", "tile1_i"}
    sdfg = cube.to_sdfg()
    outer, inner = helpers.extract_map_dims(sdfg, entries(sdfg)[0], [2, 0])
    assert outer.params == ["k", "i"] and inner.params == ["j"]
    state = outer.state
    assert helpers.get_parent_map(state, inner) == (outer, state) and helpers.contained_in(state, inner, outer)
    parts = MapExpansion.apply_to(sdfg, map_entry=outer)
    assert [one.params for one in parts] == [["k"], ["i"]]
    entry, leave = MapCollapse.apply_to(sdfg, {}, outer_map_entry=parts[0], inner_map_entry=parts[1])
    assert entry.params == ["k", "i"] and state.entry_node(leave) == entry
    assert helpers.replace_sdfg_dtypes(sdfg, dace.float64, dace.float32) >= 1 and sdfg.arrays["A"].dtype == dace.float32
    given = np.ones((3, 3, 3), np.float32)
    sdfg(A=given, N=3)
    assert np.array_equal(given[:, 0, 0], [2, 3, 4])


@library.expansion
class ExpandScale(ExpandTransformation):
    environments = []

    @staticmethod
    def expansion(node, parent_state, parent_sdfg):
        return nodes.Tasklet("scale", {"_in"}, {"_out"}, f"_out = _in * {node.factor}")


@library.node
class Scale(nodes.LibraryNode):
    implementations = {"pure": ExpandScale}
    default_implementation = "pure"
    factor = properties.Property(dtype=int, default=2)

    def __init__(self, name, factor=2):
        super().__init__(name, inputs={"_in"}, outputs={"_out"})
        self.factor = factor


@library.register_expansion(Scale, "nested")
class ExpandNested(ExpandTransformation):
    environments = []

    @staticmethod
    def expansion(node, parent_state, parent_sdfg, added=0):
        inner = dace.SDFG("scaled")
        for name, edge in (("_in", parent_state.in_edges(node)[0]), ("_out", parent_state.out_edges(node)[0])):
            inner.add_datadesc(name, copy.deepcopy(parent_sdfg.arrays[edge.data.data]))
        inner.add_state().add_mapped_tasklet("all", {"i": "0:1"}, {"x": dace.Memlet("_in[i]")}, f"y = x * {node.factor} + {added}",
                                             {"y": dace.Memlet("_out[i]")}, external_edges=True)
        return inner


def scaled(factor):
    sdfg = dace.SDFG("scale")
    sdfg.add_array("A", [1], dace.float64)
    state = sdfg.add_state()
    node = Scale("scale", factor)
    state.add_node(node)
    state.add_edge(state.add_read("A"), None, node, "_in", dace.Memlet("A[0]"))
    state.add_edge(node, "_out", state.add_write("A"), None, dace.Memlet("A[0]"))
    return sdfg, state, node


def test_library_nodes_of_users():
    sdfg, state, node = scaled(5)
    assert isinstance(state.nodes()[0], Scale) and state.nodes()[0].factor == 5
    value = np.ones(1)
    sdfg(A=value)
    assert value[0] == 5 and isinstance(state.nodes()[0], Scale)  # the graph itself is as it was
    node.factor = 3
    assert node.expand(state, "nested", added=1) == "nested"
    sdfg(A=value)
    assert value[0] == 16
    sdfg, state, node = scaled(5)
    with library.change_default(Scale, "nested"):
        assert sdfg.expand_library_nodes() == 1
    assert isinstance(next(one for one in state.nodes() if not isinstance(one, nodes.AccessNode)), nodes.NestedSDFG)
    sdfg, state, node = scaled(5)
    with pytest.raises(KeyError, match="Unknown implementation for node Scale: other"):
        state.expand_library_node(node, "other")
    with pytest.raises(ValueError, match="not in this state"):
        sdfg.add_state().expand_library_node(node)
    with pytest.raises(ValueError, match="no implementations"):
        library.node(type("Bare", (nodes.LibraryNode,), {}))
    with pytest.raises(ValueError, match="CMake"):
        library.environment(types.SimpleNamespace(__name__="Found", cmake_packages=["MPI"]))
    library.register_library(__name__, "scales")
    assert sys.modules[__name__].default_implementation is None


def test_nodes_that_are_made_on_their_own():
    sdfg = dace.SDFG("alone")
    sdfg.add_array("A", [N], dace.float64)
    state = sdfg.add_state()
    box = nodes.Map("each", ["i"], dace.subsets.Range.from_string("0:N"))
    read, write, entry, leave = nodes.AccessNode("A"), nodes.AccessNode("A"), nodes.MapEntry(box), nodes.MapExit(box)
    tasklet = nodes.Tasklet("add", {"a"}, {"b"}, "b = a + 1")
    tasklet.code = "b = a + 2"
    state.add_nodes_from([read, write, entry, tasklet, leave])
    assert len(state.nodes()) == 5 and entry.map == leave.map == box and isinstance(entry.map, nodes.Map) and entry.label == "each"
    state.add_memlet_path(read, entry, tasklet, dst_conn="a", memlet=dace.Memlet("A[i]"))
    state.add_memlet_path(tasklet, leave, write, src_conn="b", memlet=dace.Memlet("A[i]"))
    again = copy.deepcopy(state)
    copied = copy.deepcopy(tasklet)
    copied.code = "b = a * 3"
    assert tasklet.code == "b = a + 2"
    sdfg.add_node(again)
    sdfg.add_edge(state, again, dace.InterstateEdge())
    given = np.zeros(4)
    sdfg(A=given, N=4)
    assert np.array_equal(given, [4] * 4)
    with pytest.raises(TypeError, match="one scope"):
        copy.deepcopy(entry)


def test_descriptions_have_the_layout_that_they_mean():
    sdfg = dace.SDFG("layouts")
    sdfg.add_array("A", [N, 4], dace.float64)
    sdfg.add_array("F", [N, 4], dace.float64, strides=[1, N], total_size=8 * N)
    sdfg.add_stream("S", dace.int32)
    assert tuple(sdfg.arrays["A"].strides) == (4, 1) and sdfg.arrays["A"].total_size == 4 * N and tuple(sdfg.arrays["A"].offset) == (0, 0)
    for name in sdfg.arrays:
        sdfg.add_datadesc(f"{name}2", copy.deepcopy(sdfg.arrays[name]))
    assert tuple(sdfg.arrays["F2"].strides) == (1, N) and sdfg.arrays["F2"].total_size == 8 * N and sdfg.arrays["S2"].kind == "Stream"
    described = dace.data.Array(dace.float32, [3, 5])
    assert described.strides == (5, 1) and described.total_size == 15 and described.clone().shape == (3, 5)


@properties.make_properties
class Options:
    size = properties.SymbolicProperty(default=4)
    names = properties.ListProperty(str)
    table = properties.DictProperty(str, int)
    kind = properties.EnumProperty(dace.ScheduleType, default=dace.ScheduleType.Default)
    fixed = properties.Property(dtype=int, default=1, allow_none=False)


def test_properties():
    one, other = Options(), Options()
    one.size, one.names, one.table, one.kind = "N + 1", ("a", 1), {"x": "3"}, "Sequential"
    one.names.append("b")
    assert one.size == N + 1 and one.names == ["a", "1", "b"] and one.table == {"x": 3} and one.kind is dace.ScheduleType.Sequential
    assert other.names == [] and other.size == 4 and {name.name for name, _ in one.properties()} == {"size", "names", "table", "kind", "fixed"}
    for name, value, error in (("fixed", None, ValueError), ("fixed", "x", TypeError), ("kind", "Never", TypeError)):
        with pytest.raises(error):
            setattr(one, name, value)
    assert properties.CodeProperty.from_string("i < 3") == "i < 3"
