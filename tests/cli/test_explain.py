"""`sluice explain` and `sluice diff`."""
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CODES = re.compile(r"^(?:\| |- \*\*)([A-Z][0-9]{3})(?: \||\*\*)", re.MULTILINE)


def test_the_list_holds_every_code_of_the_pages(run):
    pages = "".join((ROOT / "docs" / name).read_text() for name in ("diagnostics.md", "spec.md"))
    listed = [line[:4] for line in run("explain", "--list").stdout.splitlines()]
    assert listed == sorted(set(CODES.findall(pages)))


def explained(run, code):
    """The long form of a code, whole: a sentence, an occasion and a remedy."""
    result = run("explain", code)
    assert result.returncode == 0, result.stderr
    assert re.fullmatch(rf"{code.upper()}: .+\.\n\nRaised while .+\.\n\n(.+\n\n)*?What to do: .+\.\n", result.stdout, re.DOTALL), code
    assert "](" not in result.stdout, code
    return result.stdout


def test_every_code_can_be_explained(run):
    for line in run("explain", "--list").stdout.splitlines():
        code, sentence = line.split("  ", 1)
        assert sentence in " ".join(explained(run, code).split())


def test_small_letters_do(run):
    assert explained(run, "v405") == explained(run, "V405")


@pytest.mark.parametrize("arguments", [["Q999"], [], ["F07"]])
def test_what_is_no_code(run, arguments):
    result = run("explain", *arguments)
    assert result.returncode == 1 and "C009" in result.stderr and "--list" in result.stderr


def test_diff(run, tmp_path):
    axpy = ROOT / "examples/axpy.py"
    for name in ("axpy.sdfg", "axpy.sdfgz", "axpy.txt"):
        assert run("convert", axpy, "-o", name).returncode == 0
        same = run("diff", axpy, name)
        assert (same.returncode, same.stdout, same.stderr) == (0, "", "")
    text = (tmp_path / "axpy.txt").read_text()
    (tmp_path / "other.txt").write_text(text.replace("array x: float64[N]", "array x: float32[N]"))
    differs = run("diff", "axpy.sdfg", "other.txt")
    assert differs.returncode == 1 and differs.stderr == ""
    assert differs.stdout == "axpy/container x: the property dtype is float32 instead of float64\n"
    assert run("diff", "-q", axpy, "other.txt").returncode == 1
    assert run("diff", "-q", axpy, "other.txt").stdout == ""
    assert "D003" in run("diff", axpy, "nowhere.txt").stderr
