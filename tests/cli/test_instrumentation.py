"""sluice run --instrument and sluice opt --time: what is printed and written."""
import json
import re

SOURCE = """import sluice
N = sluice.symbol("N")


@sluice.program
def twice(a: sluice.float64[N, N], b: sluice.float64[N, N]):
    b[:] = 2 * a
"""


def test_a_table_of_parts(run, tmp_path):
    (tmp_path / "twice.py").write_text(SOURCE)
    result = run("run", "twice.py", "N=20", "--repeat", "3", "--instrument", "program,map")
    assert result.returncode == 0, result.stderr
    assert re.search(r"^twice, \d+ runs$", result.stdout, re.M), result.stdout
    assert re.search(r"^program twice +\d+ ", result.stdout, re.M) and re.search(r"^map \w+ +\d+ ", result.stdout, re.M), result.stdout


def test_reports_in_files(run, tmp_path):
    (tmp_path / "twice.py").write_text(SOURCE)
    result = run("run", "twice.py", "N=20", "--instrument", "map", "--report", "twice.json", "--report", "twice.svg")
    assert result.returncode == 0, result.stderr
    report = json.loads((tmp_path / "twice.json").read_text())
    assert [part["operations"] / part["executions"] for part in report["parts"]] == [400]
    assert (tmp_path / "twice.svg").read_text().startswith("<svg")


def test_bad_input(run, tmp_path):
    (tmp_path / "twice.py").write_text(SOURCE)
    assert "error C026" in run("run", "twice.py", "N=20", "--instrument", "loops").stderr
    assert "error C026" in run("run", "twice.py", "N=20", "--report", "twice.json").stderr
    assert "error C025" in run("run", "twice.py", "N=20", "--instrument", "map", "--report", "twice.pdf").stderr
    assert "error D039" in run("run", "twice.py", "N=20", "--instrument", "map", "--counters", "cycels").stderr


def test_each_step_of_a_recipe_is_timed(run, tmp_path):
    (tmp_path / "twice.py").write_text(SOURCE)
    tiled = run("opt", "twice.py", "-O1", "--repeat", "MapTiling", "--limit", "1", "--save-recipe", "tiled.recipe")
    assert tiled.returncode == 0, tiled.stderr
    line = (tmp_path / "tiled.recipe").read_text().splitlines()[-1]
    result = run("opt", "twice.py", "-O1", "--apply", line, "--time", "N=40", "--runs", "2")
    assert result.returncode == 0, result.stderr
    rows = result.stdout.splitlines()
    assert rows[0].split() == ["median", "of", "2", "times", "results", "step"]
    assert rows[1].endswith("(before)") and rows[2].endswith(line) and " the same " in rows[2], result.stdout
    assert "error C016" in run("opt", "twice.py", "N=40").stderr
