"""-O0 to -O3: what they print, and that results stay."""
import pathlib

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOFTMAX = ROOT / "examples" / "softmax.py"


def test_the_steps_are_printed_with_their_times(run):
    result = run("opt", SOFTMAX, "-O3", "--time", "-o", "softmax.txt")
    assert result.returncode == 0, result.stderr
    lines = result.stderr.splitlines()
    assert [line.split(" ms  ")[1].split(":")[0] for line in lines] == [
        "-O3 simplify", "-O3 parallelise", "-O3 simplify", "-O3 fuse", "-O3 simplify", "-O3 in place", "-O3 order", "-O3 decide"]
    assert "0 applied" not in lines[0]


def test_the_graph_is_printed_where_it_changed(run, tmp_path):
    changed = run("opt", SOFTMAX, "-O1", "--print-changed", "--save-recipe", "s.recipe").stderr
    applied = (tmp_path / "s.recipe").read_text().splitlines()
    assert 0 < changed.count("sdfg softmax(") <= len(applied)
    assert run("opt", SOFTMAX, "-O0", "--print-changed").stderr == ""


def test_compile_and_run_print_the_same(run):
    for words in (["compile", SOFTMAX, "-o", "out"], ["run", SOFTMAX, "B=2", "H=2", "S=8"]):
        result = run(*words, "-O1", "--time", "--print-changed", "--trace")
        assert result.returncode == 0, result.stderr
        assert "ms  -O1 simplify: " in result.stderr and "sdfg softmax(" in result.stderr and "ms  StateFusion @ " in result.stderr
        assert ("ms  compiler" in result.stderr) == (words[0] == "run")


def test_the_list_shows_decisions_and_a_recipe_takes_each(run, tmp_path):
    gemm = ROOT / "examples" / "gemm.py"
    listed = [line.split("  # ") for line in run("opt", gemm, "--list").stdout.splitlines() if line.startswith("Choose")]
    assert {line.split()[0] for line, _ in listed} >= {"ChooseAllocation", "ChooseImplementation", "ChooseSchedule", "ChooseVectorization"}
    assert all(reason for _, reason in listed)
    decided = {"ChooseAllocation": "storage=CPU_Heap", "ChooseImplementation": "implementation=specialize",
               "ChooseSchedule": "schedule=CPU_Multicore", "ChooseVectorization": " simd"}
    for line in [*(line for line, _ in listed), 'SetSchedule @ assign(map=assign) schedule="Sequential"']:
        done = run("opt", gemm, "--apply", line, "-o", "decided.txt")
        assert done.returncode == 0, done.stderr
        assert decided.get(line.split()[0], "schedule=Sequential") in (tmp_path / "decided.txt").read_text()


def test_a_level_is_its_recipe(run, tmp_path):
    for level in ("1", "2", "3"):
        run("opt", SOFTMAX, f"-O{level}", "-o", "level.txt", "--save-recipe", "level.recipe")
        run("opt", SOFTMAX, "--recipe", "level.recipe", "-o", "replayed.txt")
        assert (tmp_path / "level.txt").read_text() == (tmp_path / "replayed.txt").read_text()
    assert run("opt", SOFTMAX, "-O1").stdout == run("opt", SOFTMAX, "--simplify").stdout


def test_an_index_in_code_that_never_runs_is_in_no_way(run, tmp_path):
    (tmp_path / "dead.txt").write_text("""sdfg dead(x) {
  array x: int64[1]
  loop for_i [i: `i = 0`; `i < 1`; `i = i + 1`] {
    conditional guard {
      when `i + 1 < 1` {
        state never {
          n0 = tasklet read (a)
          n1 = access x
          n1 -> n0.a : x[i + 1]
        }
      }
    }
  }
}
""")
    result = run("opt", "dead.txt", "-O3")
    assert result.returncode == 0, result.stderr
    assert "sdfg dead(x)" in result.stdout
    steps = ["LoopToMap @", "TrivialMapElimination @ for_i", "InlineMultistateSDFG @ for_i"]
    result = run("opt", "dead.txt", *(word for step in steps for word in ("--apply", step)))
    assert result.returncode != 0 and "error E012" in result.stderr


@pytest.mark.parametrize("level", ["0", "1", "2", "3"])
def test_every_level_computes_the_same(run, tmp_path, level):
    source = tmp_path / "smooth.py"
    source.write_text("import sluice\n\nN = sluice.symbol('N')\n\n\n@sluice.program\n"
                      "def smooth(x: sluice.float64[N], y: sluice.float64[N]):\n"
                      "    t = x * 2.0\n    for i in range(1, N - 1):\n        y[i] = t[i - 1] + t[i + 1]\n")
    x = np.random.default_rng(1).random(50)
    np.save(tmp_path / "x.npy", x)
    result = run("run", source, "x=x.npy", "y=zeros", f"-O{level}", "-o", "y=y.npy")
    assert result.returncode == 0, result.stderr
    expected = np.zeros(50)
    expected[1:-1] = 2.0 * x[:-2] + 2.0 * x[2:]
    np.testing.assert_allclose(np.load(tmp_path / "y.npy"), expected, rtol=1e-15)


def test_another_level_is_refused(run):
    result = run("compile", SOFTMAX, "-O4")
    assert result.returncode == 1 and "D014" in result.stderr and "0 (what the graph says)" in result.stderr


def test_a_name_of_the_papers_is_described_by_all_that_it_stands_for(run):
    lines = run("opt", "--describe", "LocalStorage").stdout.splitlines()
    assert [line.split()[0] for line in lines if line[0] != " "] == ["InLocalStorage", "OutLocalStorage", "AccumulateTransient"]
    assert "LocalStream              StreamTransient" in run("opt", "--describe", "names").stdout
