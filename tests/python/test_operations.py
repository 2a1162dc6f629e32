"""Operations from Python: a user's own with two expansions, expansions added to ours, choosing and its trace, environments."""
import pathlib
import runpy
import subprocess
import sys

import numpy as np
import pytest

import sluice
from sluice.operation import Operation, expansion

ROOT = pathlib.Path(__file__).resolve().parents[2]


def around(operation, shapes, dtype=sluice.float64, **properties):
    """One node between arrays named after its connectors; the last shape is the output's."""
    sdfg = sluice.SDFG("around")
    state = sdfg.add_state("main")
    names = list(shapes)
    for name, shape in shapes.items():
        sdfg.add_array("a" + name, shape, dtype)
    node = state.add_library_node(operation, names[:-1], names[-1:], **properties)
    for name in names[:-1]:
        state.add_edge(state.add_read("a" + name), None, node, name, sluice.Memlet("a" + name))
    state.add_edge(node, names[-1], state.add_write("a" + names[-1]), None, sluice.Memlet("a" + names[-1]))
    return sdfg


@pytest.fixture(scope="module")
def clamped():
    return runpy.run_path(str(ROOT / "examples" / "operations" / "clamped.py"))


@pytest.mark.parametrize("chosen, steps", [("one_map", ["one_map"]), ("two_steps", ["two_steps", "native"])])
def test_a_users_operation_has_two_expansions(clamped, chosen, steps):
    sdfg = clamped["program"]()
    assert sdfg.expand_library_nodes(chosen) == len(steps)
    assert [line.split('implementation="')[1].split('"')[0] for line in sdfg.recipe.splitlines()] == steps
    x, y, out = np.linspace(-4, 4, 9), np.arange(9.0), np.zeros(9)
    sdfg(x=x, y=y, out=out)
    assert np.array_equal(out, np.clip(x, -2, 2) + y)


def test_all_expansions_of_a_users_operation_are_its_reference(clamped):
    checks = sluice.operation.verify(clamped["ClampedAdd"])
    assert set(checks) == {"one_map", "two_steps"}
    for samples, differences, _ in checks.values():
        assert samples > 0 and not differences


def wrong(name):
    class Wrong(Operation):
        """_y = 2 * _x, they say."""
        forms = ["_x[N] -> _y[N]"]
        element_wise = True

        def reference(self, _x):
            return 2 * _x

        @expansion
        def triple(self, node):
            node.sdfg.add_state("all").add_mapped_tasklet("all", {"i": f"0:{node.shape('_x')[0]}"}, {"x": sluice.Memlet("_x[i]")},
                                                          "y = 3 * x", {"y": sluice.Memlet("_y[i]")}, external_edges=True)
    Wrong.__name__ = name
    return sluice.operation.register(Wrong)


def test_a_wrong_expansion_is_found_at_its_first_use(monkeypatch):
    sdfg = around(wrong("WrongOnce"), {"_x": [4], "_y": [4]})
    with pytest.raises(sluice.CompileError) as found:
        sdfg(a_x=np.ones(4), a_y=np.zeros(4))
    assert found.value.code == "B008" and "triple of WrongOnce" in str(found.value)
    monkeypatch.setenv("SLUICE_VERIFY_OPERATIONS", "0")
    y = np.zeros(4)
    sdfg(a_x=np.ones(4), a_y=y)
    assert (y == 3).all()


def test_the_recipe_names_each_level_and_replays():
    sdfg = around("MatMul", {"_a": [70, 60], "_b": [60, 50], "_c": [70, 50]})
    other = around("MatMul", {"_a": [70, 60], "_b": [60, 50], "_c": [70, 50]})
    assert sdfg.expand_library_nodes(priorities=["specialize", "native"]) == 2
    lines = sdfg.recipe.splitlines()
    assert 'implementation="specialize"' in lines[0] and 'implementation="native"' in lines[1]
    assert all(line.startswith("ExpandLibraryNode @ main") and "recursive=False" in line for line in lines)
    other.replay(sdfg.recipe)
    a, b = np.random.default_rng(0).random((70, 60)), np.random.default_rng(1).random((60, 50))
    for program in (sdfg, other):
        c = np.zeros((70, 50))
        program(a_a=a, a_b=b, a_c=c)
        assert np.allclose(c, a @ b)


def test_one_level_and_refusals():
    sdfg = around("MatMul", {"_a": [3, 4], "_b": [4], "_c": [3]})
    assert sdfg.expand_library_nodes(recursive=False) == 1
    assert 'implementation="specialize"' in sdfg.recipe
    with pytest.raises(sluice.CompileError) as refused:
        sdfg.apply("ExpandLibraryNode", implementation="Einsum")
    assert refused.value.code == "E007" and "X2" in str(refused.value)
    with pytest.raises(sluice.CompileError) as unknown:
        sdfg.expand_library_nodes("cuBLAS")
    assert unknown.value.code == "B004"


def test_an_expansion_is_added_to_an_operation_of_ours(tmp_path):
    (tmp_path / "added.py").write_text("""
import numpy as np, sluice
calls = []
@sluice.operation.register_expansion("Dot", "by_einsum")
def by_einsum(node):
    "Einsum knows it."
    calls.append(node.dtype("_x"))
    return node.operation("Einsum", {"_x": "_a", "_y": "_b"}, {"_result": "_c"}, einsum_str="i,i->")
sdfg = sluice.SDFG("dot")
state = sdfg.add_state("main")
for name, shape in [("x", [5]), ("y", [5]), ("r", [1])]:
    sdfg.add_array(name, shape, sluice.float64)
node = state.add_library_node("Dot", ["_x", "_y"], ["_result"])
state.add_edge(state.add_read("x"), None, node, "_x", sluice.Memlet("x"))
state.add_edge(state.add_read("y"), None, node, "_y", sluice.Memlet("y"))
state.add_edge(node, "_result", state.add_write("r"), None, sluice.Memlet("r"))
sdfg.expand_library_nodes()
assert set(calls) == {"float64"} and "by_einsum" in sdfg.recipe, sdfg.recipe
x, r = np.arange(5.0), np.zeros(1)
sdfg(x=x, y=x, r=r)
assert r[0] == 30
""")
    done = subprocess.run([sys.executable, tmp_path / "added.py"], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr


def test_contracts_that_contradict_themselves():
    class Odd(Operation):
        """Odd."""
        forms = ["_x[N -> _y[N]"]

        def reference(self, _x):
            return _x
    with pytest.raises(sluice.CompileError) as refused:
        sluice.operation.register(Odd)
    assert refused.value.code == "B006" and "column" in str(refused.value)
    Odd.reference = None
    with pytest.raises(TypeError, match="reference"):
        sluice.operation.register(Odd)


def test_what_does_not_fit_the_contract():
    for shapes, code in [({"_a": [4], "_b": [5], "_c": [4]}, "B003"), ({"_inp": [4], "_out": [4]}, "B003")]:
        sdfg = around("MatMul" if "_a" in shapes else "Transpose", shapes)
        with pytest.raises(sluice.CompileError) as refused:
            sdfg.compile()
        assert refused.value.code == code
    sdfg = around("Cholesky", {"_a": [3, 3], "_b": [3, 3]}, sluice.complex128)
    with pytest.raises(sluice.CompileError) as refused:
        sdfg.compile()
    assert refused.value.code == "B005"


def test_an_operand_in_the_output_is_copied_first():
    sdfg = sluice.SDFG("square")
    sdfg.add_array("A", [20, 20], sluice.float64)
    state = sdfg.add_state("main")
    node = state.add_library_node("MatMul", ["_a", "_b"], ["_c"])
    source = state.add_read("A")
    for connector in ("_a", "_b"):
        state.add_edge(source, None, node, connector, sluice.Memlet("A"))
    state.add_edge(node, "_c", state.add_write("A"), None, sluice.Memlet("A"))
    a = np.random.default_rng(2).random((20, 20))
    wanted = a @ a
    sdfg(A=a)
    assert np.allclose(a, wanted)


def typed(operation, operands, **properties):
    """One node between arrays `a<connector>`; operands: connector to (shape, type), the last is the output."""
    sdfg = sluice.SDFG("typed")
    state = sdfg.add_state("main")
    names = list(operands)
    for name, (shape, dtype) in operands.items():
        sdfg.add_array("a" + name, shape, dtype)
    node = state.add_library_node(operation, names[:-1], names[-1:], **properties)
    for name in names[:-1]:
        state.add_edge(state.add_read("a" + name), None, node, name, sluice.Memlet("a" + name))
    state.add_edge(node, names[-1], state.add_write("a" + names[-1]), None, sluice.Memlet("a" + names[-1]))
    return sdfg


def some(shape, dtype, seed):
    random = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        return (random.integers(-32, 33, shape) / 8).astype(dtype)
    return random.integers(0 if np.dtype(dtype).kind in "ub" else -100, 2 if dtype == "bool" else 100, shape).astype(dtype)


MIXED = [("int32", "float32", "float64"), ("float64", "float64", "int32"), ("uint8", "uint8", "int32"), ("int8", "int32", "float32"),
         ("float32", "float64", "float32"), ("bool", "bool", "int32"), ("bool", "uint8", "uint8"), ("int64", "float32", "int64"),
         ("int16", "int16", "int64"), ("bool", "bool", "bool"), ("float32", "float32", "float64"), ("uint8", "int8", "int8")]


@pytest.mark.parametrize("left, right, out", MIXED)
@pytest.mark.parametrize("alpha", [1, 3, 0.5])
def test_products_of_mixed_types_are_those_of_numpy(left, right, out, alpha):
    a, b = some((5, 7), left, 1), some((7, 4), right, 2)
    wanted = a @ b
    wanted = (wanted if alpha == 1 else alpha * wanted).astype(out)
    sdfg = typed("MatMul", {"_a": ([5, 7], left), "_b": ([7, 4], right), "_c": ([5, 4], out)}, alpha=alpha)
    c = np.zeros((5, 4), out)
    sdfg(a_a=a, a_b=b, a_c=c)
    assert np.array_equal(c, wanted)


@pytest.mark.parametrize("left, right, out", MIXED)
def test_updates_of_mixed_types_are_those_of_numpy(left, right, out):
    x, y, z = some(9, left, 1), some(9, right, 2), np.zeros(9, out)
    typed("Axpy", {"_x": ([9], left), "_y": ([9], right), "_res": ([9], out)}, a=3)(a_x=x, a_y=y, a_res=z)
    assert np.array_equal(z, (3 * x + y).astype(out))


def test_a_reference_in_numpy_gets_arrays_of_the_operands_types():
    class Types(Operation):
        """_y = _x."""
        forms = ["_x[N] -> _y[N]"]
        seen = set()

        def reference(self, _x):
            self.seen.add(str(_x.dtype))
            return _x

        @expansion
        def copy(self, node):
            node.sdfg.add_state("all").add_mapped_tasklet("all", {"i": f"0:{node.shape('_x')[0]}"}, {"x": sluice.Memlet("_x[i]")},
                                                          "y = x", {"y": sluice.Memlet("_y[i]")}, external_edges=True)
    sluice.operation.register(Types)
    for samples, differences, _ in sluice.operation.verify(Types).values():
        assert samples > 0 and not differences
    assert {"float64", "float32", "complex128", "int32"} <= Types.seen


@pytest.mark.parametrize("chosen", ["OpenBLAS", "native"])
def test_a_call_of_a_library_follows_its_operand_to_another_container(chosen):
    sdfg = sluice.SDFG("slice")
    for name, shape in [("A", [30, 40]), ("B", [20, 20]), ("C", [20, 20])]:
        sdfg.add_array(name, shape, sluice.float64)
    sdfg.add_transient("T", [20, 20], sluice.float64)
    state = sdfg.add_state("main")
    node = state.add_library_node("Gemm", ["_a", "_b"], ["_c"])
    copy = state.add_access("T")
    state.add_edge(state.add_read("A"), None, copy, None, sluice.Memlet("A[5:25, 10:30] -> [0:20, 0:20]"))
    state.add_edge(copy, None, node, "_a", sluice.Memlet("T"))
    state.add_edge(state.add_read("B"), None, node, "_b", sluice.Memlet("B"))
    state.add_edge(node, "_c", state.add_write("C"), None, sluice.Memlet("C"))
    sdfg.expand_library_nodes(priorities=[chosen])
    assert sdfg.apply_transformations("RedundantSecondArray") == 1 or chosen == "native"
    a, b, c = np.random.default_rng(0).random((30, 40)), np.random.default_rng(1).random((20, 20)), np.zeros((20, 20))
    sdfg(A=a, B=b, C=c)
    assert np.allclose(c, a[5:25, 10:30] @ b)


@pytest.mark.skipif(not list((pathlib.Path(np.__file__).parent.parent / "numpy.libs").glob("libscipy_openblas64_*.so")),
                    reason="this NumPy brings no OpenBLAS")
@pytest.mark.parametrize("operation", ["Axpy", "Dot", "Gemm", "Gemv", "Ger", "Cholesky", "Solve", "Lu"])
def test_the_library_in_numpy_computes_the_reference(operation):
    samples, differences, _ = sluice.operation.verify(operation)["NumPy"]
    assert samples > 0 and not differences


def test_what_every_node_costs_is_listed(tmp_path):
    sdfg = around("MatMul", {"_a": [sluice.symbol("M"), sluice.symbol("K")], "_b": [sluice.symbol("K"), 7], "_c": [sluice.symbol("M"), 7]})
    sdfg.save(str(tmp_path / "g.sdfg"))
    sluice_command = ROOT / "build/release/bin/sluice"
    listed = subprocess.run([sluice_command, "opt", tmp_path / "g.sdfg", "--list"], text=True, capture_output=True, check=True).stdout
    assert "# MatMul" in listed and "14*K*M operations" in listed, listed


def test_expansions_that_yield_each_other_without_end_are_refused():
    class Endless(Operation):
        """_y = _x."""
        forms = ["_x[N] -> _y[N]"]

        def reference(self, _x):
            return _x

        @expansion
        def itself(self, node):
            return node.operation("Endless", {"_x": "_x"}, {"_y": "_y"})
    sluice.operation.register(Endless)
    with pytest.raises(sluice.CompileError) as refused:
        around("Endless", {"_x": [4], "_y": [4]}).compile()
    assert refused.value.code == "B004" and "without end" in str(refused.value)
