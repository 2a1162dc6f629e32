"""What serves a purpose, and what brings a transformation about."""
import re

import pytest


@pytest.mark.parametrize(("words", "first"), [("tile", "MapTiling"), ("fuse", "MapFusion"), ("less memory", "MapFusion"), ("Unrolling", "LoopUnroll"),
                                              ("run it in parallel", "LoopToMap"), ("SIMD lanes", "Vectorization"), ("fewer copies", "RedundantArray"),
                                              ("simplify", "InlineSDFG"), ("make it faster", "LoopToMap")])
def test_a_purpose_has_transformations(run, words, first):
    found = run("opt", "--describe", words)
    assert found.returncode == 0 and found.stdout.split()[0] == first
    assert "    applies" not in found.stdout  # there is no program


def test_every_transformation_serves_something(run):
    names = {line.split()[0] for line in run("opt", "--describe", "all").stdout.splitlines()}
    served = set()
    for word in ("tile", "fuse", "split", "memory", "copy", "parallel", "sequential", "vector", "order", "unroll", "conflict", "prefetch",
                 "barrier", "library", "simplify", "gpu", "fpga", "ranks"):
        served |= {line.split()[0] for line in run("opt", "--describe", word).stdout.splitlines()}
    assert served == names


def test_a_program_says_which_of_them_apply(run, examples):
    text = run("opt", examples / "jacobi_2d.py", "--describe", "tile").stdout
    line = re.search(r"MapTiling .*\n    applies in 2 places, such as  (.*)", text).group(1)
    assert run("opt", examples / "jacobi_2d.py", "--apply", line).returncode == 0
    order = [text.find(word) for word in ("applies in", "is refused in", "has no place")]
    assert [at for at in order if at >= 0] == sorted(at for at in order if at >= 0)
    assert "FPGATransformSDFG" not in run("opt", examples / "jacobi_2d.py", "--describe", "less memory").stdout
    refused = re.findall(r"is refused in \d+ places?: --why-not (\w+)", run("opt", examples / "jacobi_2d.py", "--describe", "memory").stdout)
    assert refused and all("refused in" in run("opt", examples / "jacobi_2d.py", "--why-not", name).stdout for name in refused[:2])


def test_a_misspelt_name_is_no_purpose(run):
    failed = run("opt", "--describe", "MapTilng")
    assert failed.returncode == 1 and "E001" in failed.stderr and "MapTiling" in failed.stderr
    assert run("opt", "--describe", "frobnicate").returncode == 1


def test_why_not_names_what_would_bring_it_about(run, examples):
    text = run("opt", examples / "jacobi_2d.py", "--why-not", "MapFusion").stdout
    ways = [line for line in text.partition("after any of these it has a place:\n")[2].splitlines() if not line.startswith("#")]
    assert "MapFusion: no place fits its pattern" in text and ways
    for way in ways:
        assert "no place" not in run("opt", examples / "jacobi_2d.py", "--apply", way, "--why-not", "MapFusion").stdout


def test_advice_has_a_budget(run, examples):
    """Counted in operations, so that it does not depend on the machine; what was left out is said, and only then."""
    text = run("opt", examples / "jacobi_2d.py", "--why-not", "LoopFusion").stdout
    assert text.startswith("LoopFusion: refused in ")
    assert text.endswith("# the budget ended before everything was tried that might bring LoopFusion about\n")
    assert "budget" not in run("opt", examples / "axpy.py", "--why-not", "MapFusion").stdout


def test_a_refusal_names_what_serves_instead(run, tmp_path):
    (tmp_path / "stencil.py").write_text("""
import sluice
N = sluice.symbol("N")

@sluice.program
def twice(x: sluice.float64[N], y: sluice.float64[N]):
    t = sluice.define_local([N], sluice.float64)
    for i in sluice.map[1:N-1]:
        t[i] = x[i - 1] + x[i + 1]
    for i in sluice.map[2:N-2]:
        y[i] = t[i - 1] + t[i + 1]
""")
    text = run("opt", "stencil.py", "--simplify", "--why-not", "MapFusion").stdout
    line = re.search(r"^instead: (MapTilingWithOverlap .*)$", text, re.MULTILINE)
    assert line, text
    assert run("opt", "stencil.py", "--simplify", "--apply", line.group(1)).returncode == 0


def test_a_refusal_names_what_serves_the_purpose_around_it(run, examples, tmp_path):
    """Of a chain of stencils over a transient that is cleared first, and of the steps of a stencil."""
    (tmp_path / "chain.py").write_text("""
import numpy as np
import sluice
N = sluice.symbol("N")

@sluice.program
def chain(x: sluice.float64[N, N], y: sluice.float64[N, N]):
    t = np.zeros_like(x)
    t[1:-1, 1:-1] = x[:-2, 1:-1] + x[2:, 1:-1]
    y[2:-2, 2:-2] = t[2:-2, 1:-3] + t[2:-2, 3:-1]
""")
    for source, options, way in (("chain.py", ["--simplify"], "LoopFusion"),
                                 (examples / "jacobi_2d.py", ["--apply", "StateFusion @ for_t(first=assign_0, second=assign_1)"], "DiamondTiling")):
        text = run("opt", source, *options, "--why-not", "MapFusion").stdout
        lines = re.findall(r"^instead: (.*)$", text, re.MULTILINE)
        assert any(line.startswith(way) for line in lines), text
        assert not any(line.startswith("Map") for line in lines)  # nothing that is another purpose's
        for line in lines:
            assert run("opt", source, *options, "--apply", line).returncode == 0


def test_words_that_mean_nothing_are_told_what_there_is(run):
    failed = run("opt", "--describe", "paint it green")
    assert failed.returncode == 1 and "E001" in failed.stderr and "less memory" in failed.stderr


def test_a_misspelt_command_is_told_the_nearest(run):
    failed = run("otp", "x.py")
    assert failed.returncode == 1 and "C017" in failed.stderr and "perhaps you mean opt" in failed.stderr


@pytest.mark.parametrize("words, code, texts", [
    (["opt", "x.py", "--lits"], "C027", ["sluice opt has no option --lits", "perhaps you mean --list;", "`sluice opt --help`"]),
    (["opt", "x.py", "--recpie=a.recipe"], "C027", ["has no option --recpie\n", "perhaps you mean --recipe;"]),
    (["--verison"], "C027", ["sluice has no option --verison", "perhaps you mean --version;"]),
    (["show", "x.py", "y.py"], "C027", ["sluice show takes no further word, and `y.py` is one"]),
    (["run", "x.py", "--repeat", "0"], "C028", ["--repeat: `0` is no integer above 0", "`sluice run --help`"]),
    (["run", "x.py", "--repeat", "two"], "C028", ["`two` is no integer above 0"]),
    (["run"], "C028", ["SRC is required"]),
    ([], "C028", ["`sluice --help`"]),
])
def test_a_command_line_that_does_not_read_is_a_diagnostic(run, words, code, texts):
    failed = run(*words)
    assert failed.returncode == 1 and failed.stderr.startswith(f"error {code}: ") and "\nhelp: " in failed.stderr
    assert all(text in failed.stderr for text in texts), failed.stderr
    assert failed.stdout == ""
