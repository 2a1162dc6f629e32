"""`sluice interpret`, `sluice fuzz` and `sluice reduce`."""
import numpy as np
import pytest

SUM = """\
sdfg total(x, s) {
  symbol N: int64
  array x: float64[N]
  array s: float64[1]
  state first {
    n0 = access x
    n1 = tasklet pick (a) -> (o) { o = a + 3 }
    n2 = access s
    n0 -> n1.a : x[N - 1]
    n1.o -> n2 : s[0]
  }
}
"""
RACE = """\
sdfg race(x) {
  array x: float64[1]
  state s {
    n0 = tasklet one () -> (o) { o = 1 }
    n1 = tasklet two () -> (o) { o = 2 }
    n2 = access x
    n3 = access x
    n0.o -> n2 : x[0]
    n1.o -> n3 : x[0]
  }
}
"""
# The points of a map write one element, each in another iteration of a parallel loop.
RACING_LOOP = """\
sdfg racing(x) {
  array x: float64[1]
  state s {
    n0 = map_entry m [i=0:4] schedule=CPU_Multicore
    n1 = tasklet one () -> (o) { o = i }
    n2 = map_exit n0 passing (x)
    n3 = access x
    n0 -> n1
    n1.o -> n2.IN_x : x[0]
    n2.OUT_x -> n3 : x[0]
  }
}
"""
# A compiler with a fault: the first sum of each line of generated code becomes a difference.
FAULTY = """\
#!/bin/sh
for word; do case "$word" in *unit.cpp) sed -i '/^static const Program programs/,$!s/ + / - /' "$word";; esac; done
exec c++ "$@"
"""


@pytest.fixture
def graph(tmp_path):
    def write(text, name="graph.txt"):
        (tmp_path / name).write_text(text)
        return name

    return write


@pytest.fixture
def faulty(tmp_path):
    path = tmp_path / "faulty-compiler"
    path.write_text(FAULTY)
    path.chmod(0o755)
    return str(path)


def test_interpret_says_what_the_arguments_became(run, graph):
    result = run("interpret", graph(SUM), "N=4", "x=2")
    assert (result.returncode, result.stderr) == (0, "")
    assert "s float64[1]: 5" in result.stdout and "rules fired" in result.stdout
    assert "total/first/n1" in run("interpret", "graph.txt", "N=4", "x=2", "--trace").stdout


def test_interpret_finds_that_orders_differ(run, graph):
    result = run("interpret", graph(RACE), "--orders", "8")
    assert result.returncode == 1 and "error Z005" in result.stderr and "help: order the accesses" in result.stderr
    assert "error I004" in result.stdout
    agreeing = run("interpret", graph(SUM, "other.txt"), "N=4", "--orders", "3")
    assert agreeing.returncode == 0 and "3 further orders agree" in agreeing.stdout


def test_interpret_runs_the_loops_of_a_graph(run, graph):
    result = run("interpret", graph(SUM), "N=4", "x=2", "--loop", "--orders", "3")
    assert (result.returncode, result.stderr) == (0, "")
    assert "s float64[1]: 5" in result.stdout and "statements of its loops ran" in result.stdout and "3 further orders agree" in result.stdout
    racing = run("interpret", graph(RACING_LOOP, "race.txt"), "--loop")
    assert "error I004" in racing.stdout and "written by two threads" in racing.stdout and "note: the other access, in" in racing.stdout
    assert "excludes" in run("interpret", "graph.txt", "--loop", "--trace").stderr


def test_fuzz_compares_loops_without_a_compiler(run):
    result = run("fuzz", "--seed", "1", "--graphs", "24", "--batch", "12", "--reduce", "0", "--passes", "none", "--loop", "--no-compile", "-o", "found")
    assert result.returncode == 0 and "24 graphs, 0 findings, 24 at two orders of loops" in result.stdout, result.stdout + result.stderr


def test_fuzz_finds_nothing_with_a_sound_compiler_and_a_planted_fault(run, tmp_path, faulty):
    # Of this seed the fault makes no loop that never ends.
    options = ["fuzz", "--seed", "2", "--graphs", "6", "--batch", "6", "--jobs", "1", "--reduce", "0", "--passes", "none", "-o", "found"]
    sound = run(*options)
    assert sound.returncode == 0 and "6 graphs, 0 findings" in sound.stdout, sound.stdout + sound.stderr
    assert list((tmp_path / "found").iterdir()) == []
    result = run(*options, CXX=faulty)
    assert result.returncode == 1 and "error Z004" in result.stderr, result.stdout + result.stderr
    assert list((tmp_path / "found").glob("graph-*.txt"))
    unwritable = run(*options[:-1], "/etc/hostname/found", CXX=faulty)
    assert unwritable.returncode == 1 and "error Z003" in unwritable.stderr


def test_fuzz_prints_graphs_that_load(run, graph):
    printed = run("fuzz", "--seed", "3", "--print", "1")
    assert printed.returncode == 0
    assert run("check", graph(printed.stdout)).returncode == 0


@pytest.mark.parametrize("option", ["--features", "--without", "--passes"])
def test_fuzz_refuses_unknown_names(run, option):
    result = run("fuzz", option, "nonsense")
    assert result.returncode == 1 and "error C010: `nonsense`" in result.stderr and "choose" in result.stderr


def test_reduce_by_a_command(run, graph, tmp_path):
    result = run("reduce", graph(SUM), "--while", "grep -q pick", "-o", "small.txt")
    assert result.returncode == 0, result.stderr
    small = (tmp_path / "small.txt").read_text()
    assert "pick" in small and "a + 3" not in small
    assert run("check", "small.txt").returncode == 0


@pytest.mark.parametrize("options, code", [([], "C011"), (["--while", "true", "--differs"], "C011"), (["--while", "false"], "C012"),
                                           (["--differs", "--set", "N=4"], "C012")])
def test_reduce_mistakes(run, graph, tmp_path, options, code):
    result = run("reduce", graph(SUM), *options)
    assert result.returncode == 1 and f"error {code}" in result.stderr and "help: " in result.stderr
    assert not (tmp_path / "reduced.txt").exists()


def test_arguments_that_cannot_be_made_up(run, graph):
    assert "Z002" in run("reduce", graph(SUM), "--differs", "--set", "N=-1").stdout


def test_a_value_for_several_elements_goes_to_the_first(run, graph, tmp_path):
    graph(SUM.replace("array s: float64[1]", "array s: float64[4]").replace("n2 : s[0]", "n2 : s[1:4]"))
    assert "s float64[4]: sum 5, min 0, max 5" in run("interpret", "graph.txt", "N=3", "x=2", "s=0").stdout
    assert "s float64[4]: sum 5, min 0, max 5" in run("run", "graph.txt", "N=3", "x=2", "s=0", "-o", "s=s.npy").stdout
    assert list(np.load(tmp_path / "s.npy")) == [0, 5, 0, 0]
