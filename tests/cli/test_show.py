"""`sluice show` as text and as pictures."""
import base64
import pathlib
import re
import shutil
import subprocess
import xml.etree.ElementTree as tree
import zlib

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
    graph = run("show", ROOT / "examples/gemm.py").stdout
    nodes = re.findall(r'from "gemm/(\w+)/(n\d+)"', result.stdout)
    assert nodes and all(f" {node} = " in graph and f"state {state} " in graph for state, node in nodes)


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
    packed = re.search('<script id="library" type="text/plain">(.*?)</script>', page)[1]
    assert zlib.decompress(base64.b64decode(packed, validate=True)).decode() == LAYOUT_LIBRARY.read_text() and len(page) < 800_000


@pytest.mark.skipif(not LAYOUT_LIBRARY.exists(), reason="no layout library")
def test_pages_in_a_folder_share_the_library(run, tmp_path):
    (tmp_path / "two.py").write_text("".join(f"import sluice\n\n@sluice.program\ndef {name}(x: sluice.float64[9]):\n    x[:] = 1\n\n"
                                             for name in ("one", "other")))
    assert run("show", "two.py", "--html", "-o", "made/pages/").returncode == 0
    folder = tmp_path / "made" / "pages"
    assert sorted(path.name for path in folder.iterdir()) == ["layout.js", "one.html", "other.html"]
    page = (folder / "one.html").read_text()
    assert '<script src="layout.js"></script>' in page and len(page) < 50_000 and "Viz" in (folder / "layout.js").read_text()
    assert run("show", ROOT / "examples/cg.py", "--html", "-o", folder).returncode == 0  # a folder that is there
    assert (folder / "cg.html").stat().st_size < 400_000
    failed = run("show", "two.py", "--html", "-o", "/proc/pages/")
    assert failed.returncode == 1 and "error C002" in failed.stderr


def test_without_graphviz(run, tmp_path):
    result = run("show", EXAMPLES[0], "--svg", "-o", "picture.svg", PATH="/nonexistent")
    assert result.returncode == 1 and "error C007" in result.stderr and "help: install the package graphviz" in result.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("forms", [["--svg", "--png"], ["--html", "--dot"]])
def test_one_form_at_a_time(run, forms):
    assert run("show", EXAMPLES[0], *forms).returncode == 1


# ---- what is legible ----
def dot(run, source, *options):
    made = run("show", source, "--dot", *options)
    assert made.returncode == 0, made.stderr
    return made.stdout


def test_stencils_show_their_formula(run, examples):
    text = dot(run, examples / "jacobi_2d.py")
    assert text.count(r'label="out = 0.2 * (in_A + in_A_1 +') == 1 and text.count('label="out = 0.2 * (in_B') == 1


def test_tiles_read_as_tiles(run, examples, tmp_path):
    line = "MapTiling @ for_t/assign_0(map=assign) tile_sizes=[64, 32]"
    assert run("opt", examples / "jacobi_2d.py", "--apply", line, "-o", "tiled.sdfg").returncode == 0
    text = dot(run, "tiled.sdfg")
    labels = [" ".join(label.replace(r"\n", " ").split()) for label in re.findall(r'[^l]label="([^"]*)"', text)]
    assert "[i0 in tile_i0 (64), i1 in tile_i1 (32)]" in labels
    assert any("A[tile_i0 - 1 (66), tile_i1 - 1 (34)]" in label for label in labels)  # what five neighbours need of a tile
    assert not any("min(" in label for label in labels)
    assert "min(" in text  # the details keep the graph's own text


def test_the_schedule_of_a_map_is_drawn(run, examples):
    entries = [line for line in dot(run, examples / "jacobi_2d.py", "-O3").splitlines() if 'distortion="-0.2"' in line]
    assert entries and all(re.search(r"\\n(CPU_Multicore|Sequential|CPU_Persistent)\"", line) for line in entries)
    assert "CPU_Multicore" not in " ".join(re.findall(r'label="([^"]*)"', dot(run, examples / "jacobi_2d.py", "-O0")))


def size(run, *arguments, tmp_path):
    assert run("show", *arguments, "--svg", "-o", "picture.svg").returncode == 0
    width, height = re.search(r'width="(\d+)pt" height="(\d+)pt"', (tmp_path / "picture.svg").read_text()).groups()
    return int(width), int(height)


@pytest.mark.skipif(not shutil.which("dot"), reason="no Graphviz")
def test_long_programs_go_on_in_columns(run, examples, tmp_path):
    statements = "\n".join(f"    x[{k}] = x[{k + 1}] * {k}.0" for k in range(20))
    (tmp_path / "long.py").write_text(f"import sluice\n\n@sluice.program\ndef long(x: sluice.float64[30]):\n{statements}\n")
    for source in ("long.py", examples / "cg.py"):
        width, height = size(run, source, "-O0", tmp_path=tmp_path)
        assert 0.5 * width < height < width, (width, height)
    text = dot(run, "long.py", "-O0")
    assert 4 <= text.count('constraint="false"') <= 12


@pytest.mark.skipif(not shutil.which("dot"), reason="no Graphviz")
def test_columns_go_on_from_left_to_right(run, examples, tmp_path):
    for source, fewest in ((examples / "softmax.py", 2), (examples / "jacobi_2d.py", 1), (examples / "cg.py", 6)):  # the last two in a loop's box
        arrows = re.findall(r'(\w+) -> (\w+) \[[^]]*constraint="false"', dot(run, source, "-O0"))
        assert run("show", source, "-O0", "--svg", "-o", "picture.svg").returncode == 0
        picture = tree.parse(tmp_path / "picture.svg").getroot()
        left = {}
        for node in picture.iter("{http://www.w3.org/2000/svg}g"):
            text = node.find(".//{http://www.w3.org/2000/svg}text")
            if node.get("class") == "node" and text is not None:
                left[node.find("{http://www.w3.org/2000/svg}title").text] = float(text.get("x"))
        seen = [left[source] < left[target] for source, target in arrows if source in left and target in left]
        assert len(seen) >= fewest - 1 and all(seen), (source, arrows)


def test_simplify_is_a_level(run, examples):
    assert dot(run, examples / "cg.py", "--simplify") == dot(run, examples / "cg.py", "-O1")
