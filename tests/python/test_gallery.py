"""Every program of the gallery on its small size against NumPy, its pages and its notebooks."""
import json
import linecache
import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "gallery"))
from runner import notebooks, pages, pictures, programs  # noqa: E402


@pytest.mark.parametrize("name", programs.names())
def test_program(name):
    _, _, error, is_right = programs.check(name, "small")
    assert is_right, f"largest relative difference {error}"


def test_all_programs_are_strict():
    assert len(programs.names()) >= 40
    assert all(program.strict for _, program in map(programs.load, programs.names()))


def test_every_program_is_in_the_table():
    table = (programs.FOLDER / "README.md").read_text()
    assert f"{len(programs.names())} programs" in table
    for name in programs.names():
        module, _ = programs.load(name)
        assert f"| [{name}]({name}.py) | {programs.field(module)} | {programs.title(module)} |" in table


def test_a_program_is_the_gallery_s_own(monkeypatch):
    """The scoreboard has a kernel `lu` as well, which may have been imported before."""
    monkeypatch.setitem(sys.modules, "lu", json)
    assert pathlib.Path(programs.load("lu")[0].__file__).parent == programs.FOLDER


def some_runs():
    """One with an image, one with curves, one without a picture."""
    found = []
    for name in ("sobel", "runge_kutta", "lu"):
        inputs, result, error, is_right = programs.check(name, "small")
        found.append(programs.Run(name, inputs, result, error, is_right, 2.0, 1.0))
    return found


def test_pages(tmp_path):
    pages.write(tmp_path, some_runs(), "three programs")
    assert "data:image/png;base64" in (tmp_path / "sobel.html").read_text()
    assert "<polyline" in (tmp_path / "runge_kutta.html").read_text()
    assert all(f"@media {words}" in (tmp_path / "lu.html").read_text() for words in ("(prefers-color-scheme: dark)", "print"))
    index = (tmp_path / "index.html").read_text()
    assert "three programs" in index and all(f'href="{name}.html"' in index for name in ("sobel", "runge_kutta", "lu"))


def test_the_cells_of_notebooks_run_in_order(tmp_path):
    notebooks.write(tmp_path, some_runs(), "small")
    for name in ("sobel", "runge_kutta", "lu"):
        namespace = {"__name__": "__main__"}
        for cell in json.loads((tmp_path / f"{name}.ipynb").read_text())["cells"]:
            if cell["cell_type"] == "code":
                text, file = "".join(cell["source"]), f"<{name}, {cell['id']}>"
                linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
                exec(compile(text, file, "exec"), namespace)
        assert programs.compare(namespace["result"], namespace["expected"])[1]


def test_wrong_results_are_seen():
    right = (np.array([1.0, 2.0]), 3)
    assert programs.compare(right, right) == (0.0, True)
    for wrong in ((np.array([1.0, 2.1]), 3), (np.array([1.0, 2.0]), 4), (np.array([1.0, np.nan]), 3), (np.float32([1, 2]), 3)):
        assert not programs.compare(wrong, right)[1]


def test_png_has_the_size_of_the_image():
    file = pictures.png(np.zeros((3, 5)))
    assert file[:8] == b"\x89PNG\r\n\x1a\n" and file[16:24] == bytes([0, 0, 0, 5, 0, 0, 0, 3])
