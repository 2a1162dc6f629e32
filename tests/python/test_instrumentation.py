"""Instrumented programs: how often parts ran and what the graph predicts is known; times are only looked at for being there."""
import json

import numpy as np
import pytest

import sluice

N = sluice.symbol("N")


@sluice.program
def stepped(x: sluice.float64[N], y: sluice.float64[N]):
    for t in range(3):
        y += 2.0 * x


@sluice.program
def plain(x):
    return 2 * x + 1


def test_a_program_reports_after_instrument():
    x, y = np.arange(50.0), np.ones(50)
    with pytest.raises(sluice.CompileError, match="D040"):
        stepped.report()
    assert stepped.instrument() is stepped
    with pytest.raises(sluice.CompileError, match="D040"):
        stepped.report()
    stepped(x, y)
    stepped(x, y)
    np.testing.assert_array_equal(y, 1 + 12 * x)
    report = stepped.report()
    assert report.program == "stepped" and report.runs == 2 and report.counters == []
    program = next(part for part in report.parts if part["label"].startswith("program"))
    assert program["executions"] == 2 and program["seconds"] > 0
    assert program["operations"] == 2 * 3 * 2 * 50
    assert sum(part["executions"] for part in report.parts if part["label"].startswith("map")) == 6
    assert str(report) == report.table() and "op/byte" in report.table()
    assert json.loads(report.json())["runs"] == 2
    stepped.instrument(None)
    stepped(x, y)
    with pytest.raises(sluice.CompileError, match="D040"):
        stepped.report()


def test_sizes_of_each_run_are_predicted():
    plain.instrument(parts="map")
    for n in (10, 20, 30):
        np.testing.assert_array_equal(plain(np.arange(float(n))), 2 * np.arange(float(n)) + 1)
    report = plain.report()  # of the version for any size
    assert [part["operations"] for part in report.parts] == [2 * (20 + 30)]
    assert [part["bytes"] for part in report.parts] == [2 * 8 * (20 + 30)]
    plain.instrument(None)


def test_a_graph_keeps_what_it_says():
    graph = stepped.to_sdfg()
    assert graph.instrument_parts("Timer", parts=("map",)) == 1
    copy = sluice.SDFG.from_json(graph.to_json())
    compiled = copy.compile()
    compiled(np.ones(4), np.ones(4))
    assert [part["executions"] for part in compiled.report().parts] == [3]
    assert graph.instrument_parts(sluice.InstrumentationType.No_Instrumentation, parts=("map",)) == 1
    with pytest.raises(sluice.CompileError, match="D040"):
        graph.compile().report()


def test_reports_are_files(tmp_path):
    graph = stepped.to_sdfg()
    graph.instrument_parts()
    compiled = graph.compile()
    compiled(np.ones(100), np.ones(100))
    report = compiled.report()
    for end, begin in (("txt", "stepped, 1 run\n"), ("json", '{"program": "stepped"'), ("svg", "<svg"), ("html", "<!DOCTYPE html>")):
        report.save(str(tmp_path / f"report.{end}"))
        assert (tmp_path / f"report.{end}").read_text().startswith(begin)
    with pytest.raises(sluice.CompileError, match="C025"):
        report.save(str(tmp_path / "report.pdf"))


def test_what_cannot_be_measured_is_refused():
    graph = stepped.to_sdfg()
    graph.instrument_parts("GPU_Events", parts=("map",))
    with pytest.raises(sluice.CompileError, match="L024.*GPU_Events"):
        graph.compile()
    graph = stepped.to_sdfg()
    access = next(node for state in graph.states() for node in state.nodes() if type(node).__name__ == "AccessNode")
    access.instrument = "Save"
    with pytest.raises(sluice.CompileError, match="L024.*kept or restored"):
        graph.compile()
    for how, parts in (("Stopwatch", "map"), ("Timer", "loop")):
        with pytest.raises(ValueError, match="Stopwatch|loop"):
            graph.instrument_parts(how, parts)


def test_counters_are_refused_or_counted():
    before = sluice.config.get("counters")
    try:
        sluice.config.set("counters", "task-clock, page-faults")
        graph = stepped.to_sdfg()
        graph.instrument_parts("PAPI_Counters", parts=("program",))
        try:
            compiled = graph.compile()
        except sluice.CompileError as error:
            assert error.code == "D039"
            return
        compiled(np.ones(100_000), np.ones(100_000))
        report = compiled.report()
        assert report.counters == ["task-clock", "page-faults"]
        assert report.parts[0]["counts"]["task-clock"] > 0
        sluice.config.set("counters", "cycels")
        with pytest.raises(sluice.CompileError, match="D039.*cycels"):
            graph.compile()
    finally:
        sluice.config.set("counters", before)


DIRECT = """sdfg direct(x, y) {
  array x: float64[1]
  array y: float64[1]
  state main {
    n0 = access x
    n1 = tasklet first (a) -> (b) { b = a + 1 }
    n2 = tasklet second (c) -> (d) { d = 2 * c }
    n3 = access y
    n0 -> n1.a : x[0]
    n1.b -> n2.c
    n2.d -> n3 : y[0]
  }
}
"""


def test_a_result_that_lies_nowhere_hides_its_tasklet():
    graph = sluice.SDFG.from_text(DIRECT)
    assert graph.instrument_parts(parts="tasklet", filter="first") == 1
    with pytest.raises(sluice.CompileError, match="L038.*`first`"):
        graph.compile()
    graph.instrument_parts("No_Instrumentation", parts="tasklet", filter="first")
    assert graph.instrument_parts(parts="tasklet", filter="sec*") == 1
    compiled, y = graph.compile(), np.zeros(1)
    compiled(np.ones(1), y)
    assert y[0] == 4 and [part["label"] for part in compiled.report().parts] == ["tasklet second"]
