"""Branches of a program side by side: `sluice opt --branch`."""
import re

import pytest

TILING = "MapTiling @ for_t/assign_0(map=assign) tile_sizes=[8]"


@pytest.fixture
def jacobi(examples):
    return examples / "jacobi_2d.py"


def table(text):
    """name -> (applied, results) of the lines with times."""
    return {name: (int(applied), results)
            for name, applied, results in re.findall(r"^(.+?) +(\d+) +[\d.]+ ms *(.*)$", text, re.MULTILINE)}


def test_branches_are_run_on_the_same_arguments(run, jacobi, tmp_path):
    (tmp_path / "both.recipe").write_text(TILING + "\nMapTiling @ for_t/assign_1(map=assign) tile_sizes=[8]\n")
    done = run("opt", jacobi, "--branch", TILING, "--branch", "both.recipe", "TSTEPS=3", "N=20", "--runs", "2", "--save-recipe", "best.recipe")
    assert done.returncode == 0, done.stderr
    rows = table(done.stdout)
    assert rows == {"(no branch)": (0, ""), TILING: (1, "the same"), "both.recipe": (2, "the same")}
    fastest = re.search(r"^fastest: (.*)$", done.stdout, re.MULTILINE).group(1)
    saved = (tmp_path / "best.recipe").read_text()
    assert len([line for line in saved.splitlines() if line.startswith("MapTiling")]) == rows[fastest][0]


def test_each_begins_where_the_other_options_end(run, jacobi):
    done = run("opt", jacobi, "--apply", TILING, "--branch", "MapTiling @ for_t/assign_1(map=assign)", "TSTEPS=2", "N=10")
    assert table(done.stdout)["MapTiling @ for_t/assign_1(map=assign)"] == (1, "the same")


def test_without_arguments_sizes_are_compared(run, jacobi):
    done = run("opt", jacobi, "--branch", TILING)
    assert done.returncode == 0 and "N=1000" in done.stdout
    assert re.search(r"^\(no branch\) +0 +\d+ +2 +2 +0$", done.stdout, re.MULTILINE), done.stdout
    assert re.search(r"^MapTiling .* 1 +\d+ +3 +2 +0$", done.stdout, re.MULTILINE), done.stdout


@pytest.mark.parametrize(("words", "code"), [(["--branch", "none.recipe"], "C001"), (["--branch", "MapTilng"], "E001"), (["N=5"], "C016"),
                                             (["--branch", "MapTiling"], "E006"), (["--branch", TILING, "-o", "a.sdfg"], "C016"),
                                             (["--branch", TILING, "M=5"], "C005")])
def test_what_cannot_be_compared_is_refused(run, jacobi, tmp_path, words, code):
    done = run("opt", jacobi, *words)
    assert done.returncode == 1 and f"error {code}" in done.stderr or f": error {code}" in done.stderr, done.stderr
    assert not (tmp_path / "a.sdfg").exists()
