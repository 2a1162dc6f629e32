"""Pipelines and settings from Python."""
import re

import numpy as np
import pytest

import sluice

N = sluice.symbol("N")


@sluice.program
def double(a: sluice.float64[N]):
    a *= 2.0


def smooth(x: sluice.float64[N], y: sluice.float64[N]):
    t = x + 0.0
    double(t)
    for i in range(1, N - 1):
        y[i] = t[i - 1] + t[i + 1]


@pytest.fixture
def no_setting(monkeypatch):
    monkeypatch.delenv("SLUICE_OPTIMIZE", raising=False)


@pytest.mark.parametrize("options", [{"optimize": 0}, {"optimize": 1}, {"optimize": 2}, {"optimize": 3}, {"auto_optimize": True}])
def test_every_level_computes_the_same(options):
    x, y, expected = np.random.default_rng(2).random(40), np.zeros(40), np.zeros(40)
    sluice.program(**options)(smooth)(x, y)
    expected[1:-1] = 2.0 * x[:-2] + 2.0 * x[2:]
    np.testing.assert_allclose(y, expected, rtol=1e-15)


def test_a_level_changes_what_is_compiled_and_not_the_graph(no_setting):
    sdfg = sluice.program(smooth).to_sdfg(simplify=False)
    before = sdfg.text()
    sources = [sdfg.compile(optimize=level).source for level in (0, 1, 3)]
    assert sdfg.text() == before and not sdfg.recipe
    assert len(set(sources)) == 3
    assert sdfg.compile().source == sdfg.compile(optimize="decide").source
    assert "omp" in sdfg.compile().source and "omp parallel" not in sources[0] and "omp simd" not in sources[0]
    assert sluice.program(auto_optimize=True)(smooth).compile().source == sources[2]
    assert sluice.program(auto_optimize=False)(smooth).compile().source == sdfg.compile(optimize=2).source
    assert sluice.program(optimize=1)(smooth).compile(optimize=0).source == sources[0]


def test_a_call_takes_level_3_and_a_graph_keeps_its_shape(no_setting):
    program = sluice.program(smooth)
    graph = program.to_sdfg(simplify=False)
    assert program.compile().source == graph.compile(optimize=3).source != graph.compile().source
    simplified = program.to_sdfg()
    graph.simplify()
    assert simplified == graph and simplified.compile().source == graph.compile(optimize="decide").source


def test_the_setting_stands_where_no_level_is_given(monkeypatch):
    sdfg = sluice.program(smooth).to_sdfg()
    plain, simple = sdfg.compile(optimize=0).source, sdfg.compile(optimize=1).source
    monkeypatch.setenv("SLUICE_OPTIMIZE", "1")
    assert sluice.config.get("optimize") == "1" and sluice.config.origin("optimize") == "environment SLUICE_OPTIMIZE"
    assert sdfg.compile().source == simple and sdfg.compile(optimize=0).source == plain
    monkeypatch.setenv("SLUICE_OPTIMIZE", "2")
    assert sluice.program(smooth).compile().source == sdfg.compile(optimize=2).source


def test_optimize_is_recorded_and_replayed():
    sdfg = sluice.program(smooth).to_sdfg()
    assert sdfg.optimize(3) > 0
    assert "LoopToMap @" in sdfg.recipe
    again = sluice.program(smooth).to_sdfg(simplify=False)
    again.replay(sdfg.recipe)
    assert again == sdfg and sdfg.optimize(3) == 0


@pytest.mark.parametrize("call, code", [
    (lambda: sluice.program(smooth).to_sdfg().optimize(4), "D014"),
    (lambda: sluice.program(optimize="fast")(smooth).compile(), "D014"),
    (lambda: sluice.config.get("optimise"), "D011"),
    (lambda: sluice.config.set("optimize", 7), "D012"),
])
def test_mistakes(call, code):
    with pytest.raises(sluice.CompileError) as error:
        call()
    assert error.value.code == code


def test_two_levels_at_once_are_refused():
    with pytest.raises(ValueError, match="optimize=1"):
        sluice.program(auto_optimize=True, optimize=1)(smooth)
    assert set(sluice.config.keys()) >= {"cache", "cache_size", "cxx", "cxxflags", "optimize"}


def test_undo_takes_applications_back_one_by_one():
    sdfg = sluice.program(smooth).to_sdfg()
    sdfg.simplify()
    texts, lines = [sdfg.text()], len(sdfg.recipe.splitlines())
    for _ in range(2):
        sdfg.apply_transformations("MapTiling" if len(texts) == 1 else "LoopToMap")
        texts.append(sdfg.text())
    assert len(set(texts)) == 3 and len(sdfg.recipe.splitlines()) == lines + 2
    assert sdfg.undo() and sdfg.text() == texts[1] and sdfg.undo() and sdfg.text() == texts[0]
    assert len(sdfg.recipe.splitlines()) == lines
    for _ in range(lines):
        assert sdfg.undo()
    assert not sdfg.undo() and sdfg.recipe == ""
    sdfg.simplify()
    sdfg.add_symbol("M")
    assert not sdfg.undo(), "an edit by hand is not taken back"


def test_an_array_that_many_maps_read_is_fused_into_each():
    """Fusing it grows the graph where it grew before: the search for endless repetition took that for one (E008)."""
    @sluice.program(optimize=3)
    def readers(A, n):
        v = A / (A + 7)
        row = v[1, :] ** 2
        return v, row, 2 - v, np.logical_and(v, n), v * 3, v + row

    A = np.arange(100.0).reshape(4, 5, 5)
    for got, wanted in zip(readers(A, 3), readers.f(A, 3)):
        assert got.dtype == wanted.dtype and np.allclose(got, wanted)


def test_a_drain_waits_for_pushes_that_data_decide():
    """At the same time as the map that pushes, it would end at what had come."""
    import filter as example

    ours, theirs = example.inputs("large"), example.inputs("large")
    example.filter(**ours)
    example.reference(**theirs)
    assert np.array_equal(np.sort(ours["B"]), np.sort(theirs["B"]))


def squared_distance(x, m):
    return np.sum((x - m) ** 2, axis=1)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_squares_of_differences_are_products(kind):
    x, m = np.random.default_rng(2).random((2, 5, 8)).astype(kind)
    program = sluice.program(squared_distance)
    assert "power(" not in program.compile(x, m).source
    np.testing.assert_allclose(program(x, m), squared_distance(x, m), rtol=1e-5)


def normalised(x):
    return (x - x.mean(axis=0)) / x.std(axis=0)


def test_columns_are_read_along_rows():
    """Whatever is fused, the innermost loop runs along memory."""
    x = np.random.default_rng(3).random((40, 30))
    program = sluice.program(normalised)
    inner = re.findall(r"x\[([^]]*)\]", program.compile(x).source)
    assert all(re.search(r"(^|\+ )i1\b", index) or "i0" not in index for index in inner), inner
    np.testing.assert_allclose(program(x), normalised(x))


def test_tiles_are_written_where_they_are_returned():
    program = sluice.program(lambda x: np.tile(x, (2, 3)))
    x = np.arange(12.0).reshape(3, 4)
    assert "Buffer<" not in program.compile(x).source
    assert np.array_equal(program(x), np.tile(x, (2, 3)))
