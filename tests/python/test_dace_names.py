"""DaCe's names: imports below `dace`, descriptions of data, walks over graphs, annotations that only Python can evaluate."""
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import sluice

N = sluice.symbol("N")
PACKAGE = os.path.dirname(os.path.dirname(sluice.__file__))


def run_python(text):
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(text)], env={**os.environ, "PYTHONPATH": PACKAGE},
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_imports_below_dace_are_the_modules_of_this_package():
    run_python("""
        import sluice.dace_compat
        import dace, dace.dtypes, dace.data, dace.config, dace.sdfg.nodes
        from dace.autodiff import add_backward_pass
        from dace.config import Config, temporary_config
        from dace.data import Array
        from dace.frontend.python.common import DaceSyntaxError
        from dace.frontend.python.parser import DaceProgram
        from dace.sdfg.state import ConditionalBlock, LoopRegion
        from dace.codegen.exceptions import CompilationError
        from dace.sdfg import InvalidSDFGError
        from dace.sdfg.graph import SubgraphView
        from dace.sdfg.propagation import propagate_memlets_sdfg
        from dace.sdfg.utils import fuse_states, inline_sdfgs
        from dace.sdfg.validation import InvalidSDFGEdgeError, validate_sdfg
        from dace.transformation.auto.auto_optimize import auto_optimize
        from dace.transformation.dataflow import MapTiling
        from dace.transformation.dataflow.map_fusion import MapFusion
        from dace.transformation.interstate import StateFusion
        import sluice
        try:
            import dace.transformation.dataflow.NoTransformation
        except ImportError:
            pass
        else:
            raise AssertionError("a class of a name that nobody has is no module")
        assert CompilationError is InvalidSDFGError is InvalidSDFGEdgeError is sluice.CompileError
        assert dace is sluice and dace.data is sluice.data and Config is sluice.Config
        assert dace.dtypes is sluice.dtypes and dace.sdfg.nodes is sluice.nodes and DaceSyntaxError is sluice.CompileError
        import importlib
        assert importlib.import_module("sluice.config").__spec__.name == "sluice.config"
    """)


def test_dace_itself_and_unknown_modules_are_left_alone():
    run_python("""
        import sys, types
        import sluice
        try:
            import dace
        except ImportError:
            pass
        else:
            assert dace is not sluice
        sys.modules["dace"] = types.ModuleType("dace")
        try:
            import sluice.dace_compat
        except ImportError as error:
            assert "before it" in str(error)
        else:
            raise AssertionError
        sys.modules["dace"] = sluice
        for name in ("dace.nothing", "dace.transformation.passes.nothing"):
            try:
                __import__(name)
            except ModuleNotFoundError as error:
                assert error.name == name, error.name
            else:
                raise AssertionError
    """)


def test_a_program_of_dace_runs_with_auto_optimize():
    out = run_python("""
        import sluice.dace_compat
        import numpy as np
        import dace
        from dace.transformation.auto.auto_optimize import auto_optimize
        N = dace.symbol("N")

        sdfg = dace.SDFG("shift")
        sdfg.add_array("A", [N], dace.float64)
        sdfg.add_array("B", [N], dace.float64)
        state = sdfg.add_state()
        state.add_mapped_tasklet("add", {"i": "0:N"}, {"a": dace.Memlet("A[i]")}, "b = a + 1", {"b": dace.Memlet("B[i]")},
                                 external_edges=True)
        assert auto_optimize(sdfg, dace.DeviceType.CPU) is sdfg
        b = np.zeros(3)
        sdfg(A=np.arange(3.0), B=b, N=3)
        print(b.tolist())
        for call in (lambda: auto_optimize(sdfg, dace.DeviceType.GPU), lambda: auto_optimize(sdfg, symbols={"N": 3})):
            try:
                call()
            except ValueError:
                continue
            raise AssertionError
    """)
    assert out.strip() == "[1.0, 2.0, 3.0]"


def test_the_module_decorates():
    @sluice
    def twice(A: sluice.float64[N]):
        return A * 2.0

    assert np.array_equal(twice(np.arange(3.0)), [0, 2, 4])


def test_names_that_only_annotations_use():
    def make():
        M, element = sluice.symbol("M"), sluice.float32

        @sluice.program
        def add(A: element[M], B: element[M, 2], c: element):
            B[:, 0] = A + c
        return add

    a, b = np.arange(3, dtype=np.float32), np.zeros((3, 2), np.float32)
    make()(a, b, np.float32(2))
    assert np.array_equal(b[:, 0], a + 2)
    with pytest.raises(ValueError):
        make()(a, np.zeros((4, 2), np.float32), np.float32(2))


def test_descriptions_as_annotations():
    @sluice.program
    def add(A: sluice.data.Array(sluice.float64, [N]), c: sluice.data.Scalar(sluice.float64)):
        return A + c

    assert np.array_equal(add(np.arange(3.0), 2.0), [2, 3, 4])
    with pytest.raises(TypeError, match="come with the argument"):
        @sluice.program
        def strided(A: sluice.data.Array(sluice.float64, [N], strides=[2])):
            return A + 1
        strided(np.zeros(3))


def test_containers_are_instances_of_their_kind():
    sdfg = sluice.SDFG("kinds")
    assert sdfg.add_datadesc("A", sluice.data.Array(sluice.float32, [N, 4], transient=True)) == "A"
    sdfg.add_datadesc("s", sluice.data.Scalar(sluice.int64))
    sdfg.add_datadesc("S", sluice.data.Stream(sluice.int32, buffer_size=4))
    assert sdfg.add_datadesc("A", sluice.data.Array(sluice.float32, [N]), find_new_name=True) != "A"
    arrays = sdfg.arrays
    assert isinstance(arrays["A"], sluice.data.Array) and isinstance(arrays["A"], sluice.data.Data) and arrays["A"].transient
    assert isinstance(arrays["s"], sluice.data.Scalar) and not isinstance(arrays["s"], sluice.data.Array)
    assert isinstance(arrays["S"], sluice.data.Stream) and arrays["S"].buffer_size == 4
    assert not isinstance(np.zeros(3), sluice.data.Data) and not isinstance(3, sluice.data.Scalar)
    with pytest.raises(TypeError, match="no description"):
        sdfg.add_datadesc("x", np.zeros(3))
    described = sluice.data.create_datadescriptor(np.zeros((2, 3), np.int16))
    assert type(described) is sluice.data.Array and described.shape == (2, 3) and described.dtype == sluice.int16
    assert type(sluice.data.create_datadescriptor(2.5)) is sluice.data.Scalar
    with pytest.raises(TypeError):
        sluice.data.create_datadescriptor(object())


@pytest.mark.parametrize("given, expected", [(np.float32, "float32"), (np.dtype("int16"), "int16"), (bool, "bool_"), (float, "float64")])
def test_types_of_numpy(given, expected):
    assert sluice.dtypes.dtype_to_typeclass(given) == getattr(sluice, expected)


def test_settings_of_dace_are_kept_and_said_to_do_nothing():
    assert sluice.Config.get("compiler", "anything") is None
    with pytest.warns(UserWarning, match="compiler.anything has no effect"):
        with sluice.config.set_temporary("compiler", "anything", value="true"):
            assert sluice.Config.get("compiler", "anything") == "true" and sluice.Config.get_bool("compiler", "anything")
    assert sluice.Config.get("compiler", "anything") is None
    with pytest.raises(ValueError, match="sluice config"):
        sluice.Config.set("compiler", "anything", value=1, autosave=True)


def called_graph():
    inner = sluice.SDFG("inner")
    inner.add_array("x", [N], sluice.float64)
    state = inner.add_state()
    state.add_mapped_tasklet("double", {"i": "0:N"}, {"a": sluice.Memlet("x[i]")}, "b = a * 2", {"b": sluice.Memlet("x[i]")},
                             external_edges=True)
    outer = sluice.SDFG("outer")
    outer.add_array("A", [N], sluice.float64)
    call = outer.add_state("call")
    read, write = call.add_read("A"), call.add_write("A")
    node = call.add_nested_sdfg(inner, {"x"}, {"x"})
    call.add_edge(read, None, node, "x", sluice.Memlet("A[0:N]"))
    call.add_edge(node, "x", write, None, sluice.Memlet("A[0:N]"))
    return outer, call, read, node, write


def test_walks_over_called_graphs():
    outer, call, read, node, write = called_graph()
    assert [sdfg.name for sdfg in outer.all_sdfgs_recursive()] == ["outer", "inner"]
    assert [(sdfg.name, name) for sdfg, name, _ in outer.arrays_recursive()] == [("outer", "A"), ("inner", "x")]
    found = [type(one).__name__ for one, _ in outer.all_nodes_recursive()]
    assert found.count("SDFGState") == 2 and found.count("Tasklet") == 1 and found.count("NestedSDFG") == 1
    assert len(list(outer.all_edges_recursive())) == 2 + 4
    assert call.source_nodes() == [read] and call.sink_nodes() == [write]
    assert call.predecessors(node) == [read] and call.successors(node) == [write]
    assert call.in_degree(node) == 1 and call.out_degree(write) == 0 and call.number_of_edges() == 2 and not call.is_empty()
    assert len(call.edges_between(read, node)) == 1 and len(call.all_edges(node)) == 2


def test_pairs_of_edges_through_a_scope():
    sdfg = sluice.SDFG("pairs")
    sdfg.add_array("A", [N], sluice.float64)
    sdfg.add_array("B", [N], sluice.float64)
    state = sdfg.add_state()
    entry, leave = state.add_map("m", {"i": "0:N"})
    tasklet = state.add_tasklet("t", {"a"}, {"b"}, "b = a + 1")
    outer, inner = state.add_edge_pair(entry, tasklet, state.add_read("A"), sluice.Memlet("A[i]"), internal_connector="a")
    assert outer.dst == entry and inner.src == entry and inner.dst_conn == "a"
    state.add_edge_pair(leave, tasklet, state.add_write("B"), sluice.Memlet("B[i]"), internal_connector="b")
    assert isinstance(entry, sluice.nodes.EntryNode) and not isinstance(leave, sluice.nodes.EntryNode)
    assert isinstance(leave, sluice.nodes.ExitNode) and not isinstance(leave, sluice.nodes.MapEntry)
    with pytest.raises(NotImplementedError, match="add_edge twice"):
        state.add_edge_pair(entry, tasklet, state.add_read("A"), sluice.Memlet("A[i]"), scope_connector="x")
    b = np.zeros(3)
    sdfg(A=np.arange(3.0), B=b, N=3)
    assert np.array_equal(b, [1, 2, 3])


def test_the_page_of_names_is_up_to_date():
    root = os.path.dirname(PACKAGE)
    check = subprocess.run([sys.executable, os.path.join(root, "tools", "dace_names_page.py"), "--check"], capture_output=True, text=True)
    assert check.returncode == 0, check.stderr
