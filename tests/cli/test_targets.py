"""--target: what runs where, and what is said about targets that are not there."""
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
AXPY = ROOT / "examples" / "axpy.py"


@pytest.mark.parametrize("words", [["run", AXPY, "N=8", "a=2"], ["compile", AXPY, "-o", "out"], ["show", AXPY, "--cpp"]])
def test_a_target_that_nobody_knows_is_named(run, words):
    result = run(*words, "--target", "abacus")
    assert result.returncode != 0
    assert "error D023: there is no target `abacus`" in result.stderr, result.stderr
    assert "choose among cpu" in result.stderr


def test_the_default_is_the_cpu(run):
    assert run("show", AXPY, "--cpp", "--target", "cpu").stdout == run("show", AXPY, "--cpp").stdout


def test_help_lists_the_targets(run):
    assert "cpu (a CPU)" in " ".join(run("run", "--help").stdout.split())
