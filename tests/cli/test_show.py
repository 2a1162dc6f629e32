"""`sluice show` as text and as pictures."""
import pathlib
import re
import xml.etree.ElementTree as tree

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = sorted(path for path in (ROOT / "examples").glob("*.py") if path.name != "demo.py")
LAYOUT_LIBRARY = ROOT / "build/web/node_modules/@viz-js/viz/dist/viz-global.js"


@pytest.mark.parametrize("source", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_every_example_can_be_drawn(run, tmp_path, source):
    result = run("show", source, "--svg", "-o", "picture.svg")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    picture = tree.parse(tmp_path / "picture.svg").getroot()
    kinds = [group.get("class") for group in picture.iter("{http://www.w3.org/2000/svg}g")]
    text = run("show", source).stdout
    # A cluster for each state, for each scope and for each other block; invisible shapes leave no group.
    assert kinds.count("cluster") >= len(re.findall(r"^ *state ", text, re.MULTILINE)) + len(re.findall(r" = map_entry ", text))
    assert kinds.count("node") >= len(re.findall(r"^ *n\d+ = (?!nested)", text, re.MULTILINE))
    assert [path.name for path in tmp_path.iterdir()] == ["picture.svg"]


def test_loops(run):
    result = run("show", ROOT / "examples/gemm.py", "--loops")
    assert result.returncode == 0 and result.stdout.startswith("module gemm\n") and "store C[" in result.stdout, result.stderr


def test_of_several_programs_one_or_all(run, tmp_path):
    (tmp_path / "two.py").write_text("import sluice\nN = sluice.symbol('N')\n" + "".join(
        f"@sluice.program\ndef {name}(x: sluice.float64[N]):\n    x += 1\n" for name in ("first", "second")))
    heads = lambda *options: re.findall(r"^sdfg (\w+)", run("show", "two.py", *options).stdout, re.MULTILINE)
    assert heads() == ["first", "second"] and heads("--program", "second") == ["second"]
    refused = run("show", "two.py", "--svg")
    assert refused.returncode == 1 and "C001" in refused.stderr


def test_png(run, tmp_path):
    assert run("show", EXAMPLES[0], "--png", "-o", "picture.png").returncode == 0
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG\r\n")


def test_page(run, tmp_path):
    result = run("show", ROOT / "examples/spmv.py", "--html", "-o", "page.html")
    if "U001" in result.stderr:
        assert not LAYOUT_LIBRARY.exists() and result.returncode == 1 and not list(tmp_path.iterdir())
        return
    assert result.returncode == 0, result.stderr
    page = (tmp_path / "page.html").read_text()
    assert page.startswith("<!DOCTYPE html>") and "map_entry" in page
    assert not re.search(r"""<script[^>]+src=|<link|<img""", page)


def test_without_graphviz(run, tmp_path):
    result = run("show", EXAMPLES[0], "--svg", "-o", "picture.svg", PATH="/nonexistent")
    assert result.returncode == 1 and "error C007" in result.stderr and "help: install the package graphviz" in result.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("forms", [["--svg", "--png"], ["--html", "--dot"]])
def test_one_form_at_a_time(run, forms):
    assert run("show", EXAMPLES[0], *forms).returncode == 1
