"""Bad input through the package: one exception with code, place and remedy, and a program that works afterwards."""
import json
import re

import numpy as np
import pytest

import sluice
from sluice import SDFG

N, M = sluice.symbol("N"), sluice.symbol("M")


@sluice.program
def axpy(a: sluice.float64, x: sluice.float64[N], y: sluice.float64[N]):
    y += a * x


def one_diagnostic(error, code, *texts):
    """Checks the text of an exception: one code, one remedy."""
    text = str(error)
    assert re.findall(r"\berror ([A-Z]\d{3}): ", text) == [code] == [error.code], text
    assert text.count("help: ") == 1, text
    for each in texts:
        assert each in text, text


WRONG = [
    ("dtype", (np.ones(4, np.float32), np.ones(4)), TypeError, ["`x`", "float32", "float64"]),
    ("integer for float", (np.ones(4, int), np.ones(4)), TypeError, ["`x`", "int64", "float64"]),
    ("byte order", (np.ones(4, ">f8"), np.ones(4)), TypeError, ["x"]),
    ("rank above", (np.ones((4, 1)), np.ones(4)), ValueError, ["`x`", "2 dimensions"]),
    ("rank below", (np.ones(()), np.ones(4)), ValueError, ["`x`", "0 dimensions"]),
    ("sizes disagree", (np.ones(4), np.ones(5)), ValueError, ["N", "4", "5"]),
]


@pytest.mark.parametrize("arrays, kind, texts", [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_an_array_that_does_not_fit(arrays, kind, texts):
    before = [array.copy() for array in arrays]
    with pytest.raises(kind) as error:
        axpy(2.0, *arrays)
    for text in texts:
        assert text in str(error.value)
    for array, old in zip(arrays, before):
        np.testing.assert_array_equal(array, old)


def test_a_size_against_its_symbol():
    with pytest.raises((TypeError, ValueError), match="N"):
        axpy(1.0, np.ones(4), np.ones(4), N=5)


def test_constant_sizes():
    @sluice.program
    def three(x: sluice.float64[3]):
        x += 1

    with pytest.raises(ValueError, match="4.*3|3.*4"):
        three(np.ones(4))


def unsupported(x: sluice.float64[N]):
    with open("file") as file:
        x += 1


def unknown(x: sluice.float64[N]):
    x[:] = frobnicate(x)  # noqa: F821


def out_of_range(x: sluice.float64[10]):
    x[12] = 1


def map_out_of_range(x: sluice.float64[10]):
    for i in sluice.map[0:11]:
        x[i] = 1


def loop_out_of_range(x: sluice.float64[10]):
    for i in range(11):
        x[i] = 1


@pytest.mark.parametrize("function, code", [(unsupported, "F001|P007"), (unknown, "F00[26]"), (out_of_range, "F007"),
                                            (map_out_of_range, "V405"),
                                            (loop_out_of_range, "F007")])
def test_a_program_that_cannot_be_compiled(function, code):
    with pytest.raises(sluice.CompileError) as error:
        sluice.program(function).to_sdfg()
    assert re.fullmatch(code, error.value.code)
    one_diagnostic(error.value, error.value.code, __file__)
    first = function.__code__.co_firstlineno
    assert error.value.filename == __file__ and first <= error.value.lineno <= first + 3


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "axpy.sdfg"
    axpy.to_sdfg().save(path)
    return path


@sluice.program
def untyped(x, y):
    x += y


@pytest.mark.parametrize("call, code, text", [
    (lambda: untyped("text", 1.0), "A008", "type str"),
    (lambda: untyped(np.array(["a"]), 1.0), "A008", "not an element type"),
    (lambda: untyped(np.ones(3)), "A005", "no type for y"),
    (lambda: untyped(1, 2, 3), "A005", "takes 2 positional"),
    (lambda: sluice.SDFG("s").add_array("A", [1], "float65"), "A008", "float65"),
    (lambda: range(N + 1), "A008", "no value outside a program"),
    (lambda: axpy("one", np.ones(5), np.ones(5)), "A002", "argument a"),
])
def test_type_errors_carry_a_code(call, code, text):
    with pytest.raises(TypeError, match=text) as error:
        call()
    one_diagnostic(error.value, code)


def test_a_truncated_graph(saved):
    text = saved.read_bytes()
    for size in (0, 1, len(text) // 2, len(text) - 2):
        saved.write_bytes(text[:size])
        with pytest.raises(sluice.CompileError) as error:
            SDFG.from_file(saved)
        assert re.fullmatch("J00[12]", error.value.code)
        one_diagnostic(error.value, error.value.code, str(saved))


def test_a_cyclic_graph(saved):
    graph = json.loads(saved.read_text())
    state = next(node for node in graph["nodes"] if node["type"] == "SDFGState")
    back = json.loads(json.dumps(state["edges"][0]))
    back["src"], back["dst"] = back["dst"], back["src"]
    state["edges"].append(back)
    saved.write_text(json.dumps(graph))
    with pytest.raises(sluice.CompileError) as error:
        SDFG.from_file(saved).compile()
    assert re.fullmatch("V...|G001", error.value.code)
    one_diagnostic(error.value, error.value.code)


def fresh_program(amount):
    """A program whose library is in no cache."""
    @sluice.program
    def fresh(x: sluice.float64[N]):
        x += amount

    return fresh


@pytest.mark.parametrize("variables, code, texts", [
    ({"CXX": "/nonexistent"}, "D001", ["/nonexistent", "CXX"]),
    ({"CXX": "false"}, "D002", ["status 1"]),
    ({"SLUICE_CXXFLAGS": "-fno-such-flag"}, "D002", ["-fno-such-flag"]),
    ({"SLUICE_CACHE": "/etc/hostname/x"}, "D005", ["/etc/hostname", "SLUICE_CACHE"]),
])
def test_a_compiler_or_cache_that_does_not_work(monkeypatch, tmp_path, variables, code, texts):
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path))
    program, x = fresh_program(2.0), np.ones(3)
    with monkeypatch.context() as broken:
        for name, value in variables.items():
            broken.setenv(name, value)
        with pytest.raises(sluice.CompileError) as error:
            program(x)
    one_diagnostic(error.value, code, *texts)
    assert not list(tmp_path.rglob("*.so"))
    np.testing.assert_array_equal(x, 1)
    program(x)
    np.testing.assert_array_equal(x, 3)


def test_without_a_cache_the_temporary_folder_is_named(monkeypatch):
    sdfg = fresh_program(4.0).to_sdfg()
    monkeypatch.setenv("TMPDIR", "/etc/hostname")
    with pytest.raises(sluice.CompileError) as error:
        sdfg.compile(use_cache=False)
    assert error.value.code == "D004" and "SLUICE_CACHE" not in str(error.value)
    monkeypatch.undo()
    x = np.ones(2)
    sdfg.compile(use_cache=False)(x)
    np.testing.assert_array_equal(x, 5)


def test_a_program_that_waits_for_ever():
    """Popping from a stream that nobody fills ends the run with a diagnostic, and the next run works."""
    sdfg = SDFG("waits")
    sdfg.add_array("taken", [1], sluice.int64)
    sdfg.add_stream("S", sluice.int64, buffer_size=4, transient=True)
    state = sdfg.add_state()
    take = state.add_tasklet("take", {"inp"}, {"out"}, "out = inp")
    state.add_edge(state.add_read("S"), None, take, "inp", sluice.Memlet("S[0]"))
    state.add_edge(take, "out", state.add_write("taken"), None, sluice.Memlet("taken[0]"))
    compiled = sdfg.compile()
    for _ in range(2):
        with pytest.raises(sluice.CompileError) as error:
            compiled(taken=np.zeros(1, np.int64))
        one_diagnostic(error.value, "D010", "stream element that cannot come")


def test_arrays_without_dimensions_are_no_arguments():
    @sluice.program
    def untyped(x):
        return x + 1

    with pytest.raises(sluice.CompileError) as error:
        untyped(np.array(3.0))
    one_diagnostic(error.value, "F003", "without dimensions", "item()")
    assert untyped(np.float64(3)) == 4 and untyped(np.array([3.0]))[0] == 4
