"""`sluice certify` and `sluice opt --certify`."""
import re

import pytest

PROGRAM = """
import sluice
N = sluice.symbol('N')

@sluice.program
def scaled(A: sluice.float64[N, N], B: sluice.float64[N, N]):
    for i in range(N):
        for j in range(N):
            B[i, j] = 2.0 * A[i, j] + B[i, j]
"""


@pytest.fixture
def graphs(run, tmp_path):
    """The program as a file of Python, and tiled."""
    source = tmp_path / "scaled.py"
    source.write_text(PROGRAM)
    tiled = tmp_path / "tiled.txt"
    lines = ["LoopToMap @ for_i(loop=for_j)", "LoopToMap @ (loop=for_i)", "MapTiling @ for_i(map=for_i)"]
    result = run("opt", source, "--simplify", *(word for line in lines for word in ("--apply", line)), "-o", tiled)
    assert result.returncode == 0, result.stderr
    assert ":64" in tiled.read_text()
    return source, tiled


def test_a_tiled_program_is_equal(run, graphs):
    result = run("certify", *graphs)
    assert (result.returncode, result.stdout.splitlines()[0].split(",")[0]) == (0, "equal"), result.stdout + result.stderr


def test_another_program_is_shown_to_differ(run, graphs, tmp_path):
    source, tiled = graphs
    wrong = tmp_path / "wrong.txt"
    wrong.write_text(tiled.read_text().replace("2.0 *", "3.0 *"))
    result = run("certify", source, wrong)
    assert result.returncode == 1, result.stdout + result.stderr
    first, before, after = result.stdout.splitlines()
    assert re.fullmatch(r"different: B\[\d+, \d+\] for N=\d+", first)
    values = [float(line.rsplit("=", 1)[1]) for line in (before, after)]
    assert "multiply(2" in before and "multiply(3" in after and values[0] != values[1]


def test_what_stands_in_the_way_is_named(run, tmp_path):
    source = tmp_path / "steps.py"
    source.write_text("import sluice\n\n@sluice.program\ndef steps(A: sluice.float64[4]):\n"
                      "    while A[0] > 1.0:\n        A[0] = A[0] / 2.0\n")
    result = run("certify", source, source)
    assert result.returncode == 2 and result.stdout.startswith("unknown: the loop "), result.stdout


def test_each_application_is_certified(run, graphs):
    source, _ = graphs
    result = run("opt", source, "--simplify", "--certify", "--repeat", "LoopToMap")
    assert result.returncode == 0, result.stderr
    lines = [line for line in result.stderr.splitlines() if line.startswith("LoopToMap @")]
    assert len(lines) == 2 and all(": equal" in line for line in lines), result.stderr


def test_a_wrong_application_ends_the_command(run, graphs, tmp_path):
    """One that trusts the user, who is wrong: each iteration reads what the one before it stored."""
    source = tmp_path / "running.py"
    source.write_text(PROGRAM.replace("2.0 * A[i, j] + B[i, j]", "B[i, j] + B[i, j - 1]").replace("range(N):\n            B", "range(1, N):\n            B"))
    target = tmp_path / "wrong.txt"
    line = "LoopToMap @ for_i(loop=for_j) unsafe_assume=[\"M2\"]"
    result = run("opt", source, "--simplify", "--certify", "--apply", line, "-o", target)
    assert result.returncode == 1 and "C015" in result.stderr and "different: B[" in result.stderr, result.stderr
    assert not target.exists()
