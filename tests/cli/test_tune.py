"""sluice tune: what is found is kept for -O3, and said. Which candidate is fastest is a matter of the machine; the search has tests of its own."""
import re

SOURCE = """import sluice
N = sluice.symbol("N")


@sluice.program
def twice(a: sluice.float64[N, N], b: sluice.float64[N, N]):
    b[:] = 2 * a
"""


def kept(tmp_path):
    return list((tmp_path / "tuned").glob("twice-*.recipe"))


def test_a_search_ends_with_a_line(run, tmp_path):
    (tmp_path / "twice.py").write_text(SOURCE)
    result = run("--config", f"tuned={tmp_path / 'tuned'}", "tune", "twice.py", "N=40", "--budget", "1s", "--save-recipe", "best.recipe")
    assert result.returncode == 0, result.stderr
    faster = re.match(r"twice: [\d.]+ ms, [\d.]+ ms by -O3: [\d.]+ times as fast, \d+ candidates", result.stdout)
    assert faster or re.match(r"twice: of \d+ candidates none is faster than -O3", result.stdout), result.stdout
    assert len(kept(tmp_path)) == (1 if faster else 0)
    assert re.search(r"^ +[\d.]+ s +1 +[\d.]+ ms  \w+ @ ", result.stderr, re.M), result.stderr
    assert run("opt", "twice.py", "--recipe", "best.recipe").returncode == 0


def test_bad_input(run, tmp_path):
    (tmp_path / "twice.py").write_text(SOURCE)
    for budget in ("0s", "soon", "5h", "-1"):
        result = run("tune", "twice.py", "N=40", f"--budget={budget}")
        assert result.returncode == 1 and "error C018" in result.stderr, result.stderr
    assert "error A0" in run("tune", "twice.py", "--budget", "1s").stderr
