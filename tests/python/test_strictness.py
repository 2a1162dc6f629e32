"""What nobody would read is refused: misspelt properties of graphs, options that would change nothing."""
import pytest

import sluice

N = sluice.symbol("N")


def graph():
    sdfg = sluice.SDFG("strict")
    sdfg.add_array("A", [N], sluice.float64)
    state = sdfg.add_state("main")
    tasklet, entry, exit_ = state.add_mapped_tasklet("t", {"i": "0:N"}, {}, "o = 1.0", {"o": sluice.Memlet("A[i]")}, external_edges=True)
    return sdfg, state, tasklet, entry, exit_


@pytest.mark.parametrize("what, name, meant", [
    ("sdfg", "instrumnt", None), ("sdfg", "nmae", "name"), ("state", "instrumnt", None), ("state", "lable", "label"), ("entry", "schedul", "schedule"),
    ("entry", "omp_num_thread", "omp_num_threads"), ("exit", "parms", "params"), ("tasklet", "cod", "code"), ("memlet", "vollume", "volume"),
    ("memlet", "wcr_nonatomc", "wcr_nonatomic"), ("array", "transiant", "transient"), ("access", "set_zero", "setzero"), ("edge", "dat", "data"),
    ("map", "colapse", "collapse"), ("transition", "conditon", None),
])
def test_misspelt_properties_are_refused(what, name, meant):
    sdfg, state, tasklet, entry, exit_ = graph()
    objects = {"sdfg": sdfg, "state": state, "tasklet": tasklet, "entry": entry, "exit": exit_, "map": entry.map, "memlet": sluice.Memlet("A[0]"),
               "array": sdfg.arrays["A"], "access": state.data_nodes()[0], "edge": state.edges()[0], "transition": sluice.InterstateEdge()}
    with pytest.raises(AttributeError) as error:
        setattr(objects[what], name, 1)
    assert f"no property `{name}`" in str(error.value)
    if meant:
        assert f"did you mean `{meant}`" in str(error.value)


def test_properties_are_assigned_as_before():
    sdfg, state, tasklet, entry, _ = graph()
    sdfg.name, state.label, tasklet.code, entry.schedule = "other", "first", "o = 2.0", sluice.ScheduleType.Sequential
    sdfg.arrays["A"].may_alias = True
    edge = state.edges()[0]
    memlet = edge.data
    memlet.dynamic = True
    edge.data = memlet
    assert (sdfg.name, state.label, tasklet.code, state.edges()[0].data.dynamic) == ("other", "first", "o = 2.0", True)


def test_what_daces_options_ask_for_happens_or_is_refused():
    @sluice.program(recreate_sdfg=True, regenerate_code=True, recompile=True, use_explicit_cf=True)
    def fine(A: sluice.float64[N]):
        A[0] = 1.0
    for option, value in [("recreate_sdfg", False), ("regenerate_code", False), ("recompile", False), ("use_explicit_cf", False)]:
        with pytest.raises(ValueError, match=option):
            sluice.program(**{option: value})(fine.f)
    with pytest.raises(TypeError, match="no option optimise: did you mean optimize"):
        sluice.program(optimise=2)(fine.f)
    sdfg = graph()[0]
    assert sdfg.apply_transformations("MapTiling", states=[]) == 0
    with pytest.raises(TypeError):
        sluice.SDFG("x").add_reference("r", [N], sluice.float64, bogus=1)
