"""What an engineer does with a graph besides running it: look, name, specialise, hash, keep, set."""
import copy
import html.parser
import pickle
import subprocess
import sys
import xml.etree.ElementTree

import numpy as np
import pytest

import sluice
from sluice import _core

N, M = sluice.symbol("N"), sluice.symbol("M")


@sluice.program
def shifted(A: sluice.float64[N], B: sluice.float64[N]):
    for i in range(1, N):
        B[i] = A[i - 1] + N


@sluice.program
def two_results(A: sluice.float64[N]):
    return A[1:], A.sum()


def graph():
    return shifted.to_sdfg()


def run(sdfg, n=6, **names):
    names = {"A": "A", "B": "B", **names}
    A, B = np.arange(float(n)), np.zeros(n)
    sdfg(**{names["A"]: A, names["B"]: B})
    return B


EXPECTED = np.array([0.0, 6, 7, 8, 9, 10])


# ---- other names and values ----
def test_replace_gives_containers_and_symbols_other_names():
    sdfg = graph()
    sdfg.replace("A", "source")
    sdfg.replace("N", "length")
    assert sdfg.arg_names == ["source", "B"] and set(sdfg.arrays) >= {"source", "B"} and sdfg.free_symbols == {"length"}
    np.testing.assert_array_equal(run(sdfg, A="source"), EXPECTED)
    sdfg.replace_dict({"source": "B", "B": "source"})  # they change places
    assert sdfg.arg_names == ["B", "source"]
    np.testing.assert_array_equal(run(sdfg, A="B", B="source"), EXPECTED)


def test_replace_of_a_loop_variable():
    sdfg = shifted.to_sdfg(simplify=False)
    loop = next(block for block in sdfg.nodes() if isinstance(block, sluice.LoopRegion))
    variable = loop.loop_variable
    sdfg.replace(variable, "counter")
    assert loop.loop_variable == "counter" and loop.init_statement.startswith("counter =") and variable not in loop.loop_condition
    sdfg.validate()
    np.testing.assert_array_equal(run(sdfg), EXPECTED)


def test_replace_captures_nothing_and_refuses_what_is_not_there():
    sdfg = graph()
    sdfg.optimize(3)
    text = sdfg.text()
    for name, new in (("A", "B"), ("N", "A"), ("A", "2x"), ("A", "")):
        with pytest.raises(sluice.CompileError) as caught:
            sdfg.replace(name, new)
        assert caught.value.code == "D021"
    with pytest.raises(sluice.CompileError, match=r"(?s)NN.*perhaps you mean one of: N"):
        sdfg.replace("NN", "K")
    with pytest.raises(sluice.CompileError):
        sdfg.replace_dict({"A": "x", "missing": "y"})
    with pytest.raises(ValueError, match="replace_keys"):
        sdfg.replace_dict({"A": "x"}, replace_keys=False)
    parameter = next(node for node, _ in sdfg.all_nodes_recursive() if type(node).__name__ == "MapEntry").params[0]
    with pytest.raises(sluice.CompileError) as caught:
        sdfg.replace("N", parameter)
    assert caught.value.code == "D021" and sdfg.text() == text


def test_the_name_of_a_result_stays():
    sdfg = two_results.to_sdfg()
    with pytest.raises(ValueError, match="result"):
        sdfg.replace("__return_0", "x")
    sdfg.replace("A", "values")  # the first result is a view of it
    A = np.arange(5.0)
    part, total = sdfg(values=A)
    assert total == 10 and np.shares_memory(part, A)


def test_specialize_makes_a_symbol_a_number():
    sdfg = graph()
    sdfg.specialize({N: np.int64(6)})
    assert not sdfg.free_symbols and sdfg.arrays["A"].shape == (6,)
    np.testing.assert_array_equal(run(sdfg), EXPECTED)
    with pytest.raises(ValueError):
        run(sdfg, n=7)
    other = graph()
    other.replace_dict({"N": 6})
    assert other == sdfg


def test_specialize_gives_an_array_its_values():
    @sluice.program
    def chosen(k: sluice.int32[2, 2], x: sluice.float64[4]):
        for i in sluice.map[0:4]:
            x[i] = x[i] * k[0, 1] + k[1, 0]

    sdfg = chosen.to_sdfg()
    before = sdfg.to_json()
    for wrong, error in [(np.zeros(4, np.int32), ValueError), (np.full((2, 2), 0.5), sluice.CompileError)]:
        with pytest.raises(error):
            sdfg.specialize({"k": wrong})
        assert sdfg.to_json() == before
    with pytest.raises(sluice.CompileError, match="IC1"):
        sdfg.specialize({"x": np.zeros(4)})
    sdfg.specialize({"k": np.array([[1, 2], [3, 4]])})
    assert list(sdfg.arglist()) == ["x"]
    x = np.arange(4.0)
    sdfg(x=x)
    assert x.tolist() == [3.0, 5.0, 7.0, 9.0]


def test_specialize_refuses_what_is_no_symbol_of_the_caller():
    sdfg = graph()
    for values in ({"K": 1}, {"A": 1}, {"N": 1.5}, {"N": "many"}):
        with pytest.raises(sluice.CompileError) as caught:
            sdfg.specialize(values)
        assert caught.value.code == "D022"
    assert sdfg == graph()


# ---- hash, history, pickle ----
def test_hash_is_that_of_the_meaning():
    sdfg, other = graph(), graph()
    assert sdfg.hash_sdfg() == other.hash_sdfg() == graph().hash_sdfg(sdfg.to_json()) and len(sdfg.hash_sdfg()) == 64
    other.name = "renamed"
    assert other.hash_sdfg() == sdfg.hash_sdfg()
    other.replace("A", "C")
    assert other.hash_sdfg() != sdfg.hash_sdfg()
    again = subprocess.run([sys.executable, "-c", "import sluice, sys, json; print(sluice.SDFG.from_json(sys.stdin.read()).hash_sdfg())"],
                           input=__import__("json").dumps(sdfg.to_json()), capture_output=True, text=True, check=True).stdout.strip()
    assert again == sdfg.hash_sdfg()


def test_history_lists_what_was_applied():
    sdfg = shifted.to_sdfg(simplify=False)
    assert sdfg.transformation_history == []
    sdfg.simplify()
    sdfg.optimize(3)
    history = sdfg.transformation_history
    assert any(line.startswith("LoopToMap @") for line in history) and "\n".join(history) + "\n" == sdfg.recipe
    while sdfg.undo():
        pass
    assert sdfg.transformation_history == []


def test_pickle_keeps_graph_recipe_and_results():
    sdfg = two_results.to_sdfg()
    for again in (pickle.loads(pickle.dumps(sdfg)), copy.deepcopy(sdfg)):
        assert again.hash_sdfg() == sdfg.hash_sdfg() and again.recipe == sdfg.recipe and again.name == sdfg.name
        A = np.arange(5.0)
        part, total = again(A)
        np.testing.assert_array_equal(part, A[1:])
        assert total == 10 and isinstance(total, np.float64) and np.shares_memory(part, A)


def test_pickle_of_types_sizes_and_memlets():
    memlet = sluice.Memlet("A[0:N:2] -> [3]", wcr="lambda a, b: a + b")
    for value in (N, 2 * N + M, sluice.float64, sluice.float32[N, 4], sluice.vector(sluice.float64, 4), memlet):
        again = pickle.loads(pickle.dumps(value))
        assert again == value and repr(again) == repr(value)
    assert pickle.loads(pickle.dumps(sluice.symbol("k", sluice.int32))).dtype == sluice.int32


def test_pickle_of_a_program_is_by_name():
    assert pickle.loads(pickle.dumps(shifted)) is shifted


# ---- pictures and code ----
def test_svg_and_page(tmp_path, monkeypatch):
    sdfg = graph()
    assert xml.etree.ElementTree.fromstring(sdfg.svg()).tag.endswith("svg")
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address))
    path = sdfg.view(tmp_path / "graph.html")
    temporary = sdfg.view()
    assert opened == [path.as_uri(), temporary.as_uri()]
    for page in (path, temporary):
        assert page.read_text() == sdfg.html() and "shifted" in page.read_text()
    temporary.unlink()


def test_notebooks_show_the_picture(monkeypatch, tmp_path):
    class Tags(html.parser.HTMLParser):
        def __init__(self, text):
            super().__init__()
            self.seen = []
            self.feed(text)

        def handle_starttag(self, tag, attributes):
            self.seen.append(tag)

    assert Tags(graph()._repr_html_()).seen[:2] == ["div", "svg"]
    monkeypatch.setenv("PATH", str(tmp_path))  # no Graphviz: the page in a frame
    assert Tags(graph()._repr_html_()).seen == ["iframe"]


def test_generated_code_is_what_is_compiled():
    sdfg = graph()
    source, header = sdfg.generate_code()
    assert (source.language, header.language, source.name) == ("cpp", "h", "shifted")
    assert source.code == source.clean_code == sdfg.compile().source and "int shifted(" in header.code
    assert source.linkable and not header.linkable
    in_c = sdfg.generate_code(target="c99", optimize=2)[0]
    assert in_c.language == "c" and in_c.code == sdfg.compile(target="c99", optimize=2).source


# ---- every property can be set ----
def elements():
    sdfg = graph()
    sdfg.add_stream("S", sluice.float64)
    state = sdfg.add_state("more")
    tasklet = state.add_tasklet("t", {"x"}, {"y"}, "y = x")
    entry, _ = state.add_map("m", {"i": "0:N"})
    consume, _ = state.add_consume("c", ("p", "4"))
    nested = state.add_nested_sdfg(graph(), {"A"}, {"B"})
    library = state.add_library_node("Gemm", ["_a", "_b"], ["_c"])
    access = state.add_access("A")
    edge = state.add_edge(access, None, tasklet, "x", sluice.Memlet("A[0]"))
    sdfg.add_node(sluice.LoopRegion("l", "k < 3", "k", "k = 0", "k = k + 1"))
    loop = next(block for block in sdfg.nodes() if isinstance(block, sluice.LoopRegion) and block.label == "l")
    return {"SDFG": [sdfg], "SDFGState": [state], "LoopRegion": [loop], "Descriptor": [sdfg.arrays["A"], sdfg.arrays["S"]],
            "Memlet": [edge.data], "AccessNode": [access], "Tasklet": [tasklet], "MapEntry": [entry], "ConsumeEntry": [consume],
            "NestedSDFG": [nested], "LibraryNode": [library]}


def other(value):
    """A value of the same kind that differs."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + 1
    return None


@pytest.mark.parametrize("kind", sorted(_core.properties()))
def test_every_property_is_there_and_stays_as_set(kind):
    given = elements()[kind]
    for name in _core.properties()[kind]:
        cls = type(given[0])
        assert isinstance(getattr(cls, name, None), property), f"{cls.__name__}.{name} is no property"
        holder = next(one for one in given if readable(one, name))
        value = getattr(holder, name)
        setattr(holder, name, value)  # what is read can be set
        if name != "label":
            assert getattr(holder, name) == value, name
        if isinstance(value, bool):
            setattr(holder, name, not value)
            assert getattr(holder, name) is not value, name


def readable(holder, name):
    try:
        getattr(holder, name)
        return True
    except AttributeError:
        return False


def test_a_misspelt_property_is_refused_with_the_nearest_name():
    kinds = elements()
    for kind, wrong, right in (("MapEntry", "scheduel", "schedule"), ("Tasklet", "cod", "code"), ("SDFGState", "nosinc", "nosync"),
                               ("Descriptor", "transiend", "transient"), ("Memlet", "subsett", "subset"), ("AccessNode", "date", "data"),
                               ("LoopRegion", "loop_variabel", "loop_variable"), ("SDFG", "arg_name", "arg_names"),
                               ("NestedSDFG", "no_inlin", "no_inline"), ("LibraryNode", "implementatio", "implementation")):
        with pytest.raises(AttributeError, match=f"`{wrong}`: did you mean `{right}`"):
            setattr(kinds[kind][0], wrong, None)
    with pytest.raises(ValueError, match="CPU_Multicor;.*CPU_Multicore"):
        kinds["MapEntry"][0].schedule = "CPU_Multicor"


def test_a_tasklet_keeps_its_language():
    tasklet = elements()["Tasklet"][0]
    with pytest.raises(sluice.CompileError):
        tasklet.code = "y = ("
    tasklet.language = sluice.Language.CPP
    tasklet.code = "y = x * 2.0f;"
    tasklet.code_global = "#include <cmath>"
    assert tasklet.language == "CPP" and tasklet.code == "y = x * 2.0f;"
    with pytest.raises(sluice.CompileError):
        tasklet.language = "Python"
    assert "CPP" in tasklet.state.sdfg.text()


def test_what_is_set_on_an_edge_the_graph_has():
    sdfg = sluice.SDFG("edges")
    sdfg.add_array("A", [10], sluice.float64)
    first, second = sdfg.add_state("first"), sdfg.add_state("second")
    edge = sdfg.add_edge(first, second, sluice.InterstateEdge("N > 1", {"k": "N"}))
    edge.data.assignments["k"] = "N + 1"
    sdfg.edges()[0].data.condition = "N > 2"
    (found,) = sdfg.edges()
    assert (found.data.condition, found.data.assignments) == ("N > 2", {"k": "N + 1"})
    found.data = sluice.InterstateEdge(assignments={"j": 3})
    assert (sdfg.edges()[0].data.condition, sdfg.edges()[0].data.assignments) == ("", {"j": "3"})
    tasklet = first.add_tasklet("t", {}, {"o"}, "o = 1")
    write = first.add_edge(tasklet, "o", first.add_write("A"), None, sluice.Memlet("A[0]"))
    write.data.subset = "3"
    write.data.wcr = "lambda a, b: a + b"
    assert first.edges()[0].data.subset == "3" and first.edges()[0].data.wcr is not None
    loose = sluice.Memlet(write.data)
    loose.subset = "4"
    assert write.data.subset == "3"


def test_edges_between_loops_and_states():
    sdfg = sluice.SDFG("around")
    before = sdfg.add_state("before", is_start_block=True)
    other_state = sdfg.add_state("other")
    loop = sdfg.add_node(sluice.LoopRegion("loop", "i < 3", "i", "i = 0", "i = i + 1"))
    loop.add_state("body", is_start_block=True)
    sdfg.add_edge(before, loop)
    sdfg.add_edge(loop, other_state)
    assert [(edge.src.label, edge.dst.label) for edge in sdfg.edges()] == [("before", "loop"), ("loop", "other")]
    after = sdfg.add_state_after(loop, "after")
    assert {(edge.src.label, edge.dst.label) for edge in sdfg.edges()} == {("before", "loop"), ("loop", "after"), ("after", "other")}
    assert after.label == "after"
    sdfg.validate()


def test_branches_say_their_conditions():
    sdfg = sluice.SDFG("choice")
    choice = sdfg.add_node(sluice.ConditionalBlock("c"), is_start_block=True)
    choice.add_branch("k > 1")
    choice.add_branch()
    assert [condition for condition, _ in choice.branches] == ["k > 1", None]
    choice.set_branch_condition(0, "k > 2")
    assert choice.branches[0][0] == "k > 2"


def test_a_nested_graph_is_edited_and_replaced():
    nested = elements()["NestedSDFG"][0]
    nested.sdfg.name = "edited"
    assert nested.sdfg.name == "edited"
    nested.sdfg = sluice.SDFG.from_text(nested.sdfg.text().replace("edited", "another"))
    assert nested.sdfg.name == "another"


def test_properties_of_an_operation_are_attributes():
    node = elements()["LibraryNode"][0]
    node.state.sdfg  # noqa: B018
    gemm = node.state.add_library_node("Gemm", ["_a", "_b"], ["_c"], alpha=2, transA=False)
    assert gemm.properties == {"alpha": 2, "transA": False} and gemm.alpha == 2
    gemm.alpha = 3
    assert gemm.properties["alpha"] == 3
    with pytest.raises(AttributeError):
        gemm.alfa = 3
    with pytest.raises(AttributeError):
        gemm.alfa  # noqa: B018
