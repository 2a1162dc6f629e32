"""A real Jupyter kernel: the gallery's notebooks, pictures, explanations and progress in cells."""
import pathlib
import sys

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def execute(tmp_path, monkeypatch):
    """Runs a notebook by the interpreter of the tests, from an empty cache; the outputs of its cells of code."""
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SLUICE_STRICT", "0")
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "python"))
    monkeypatch.setenv("PATH", f"{pathlib.Path(sys.executable).parent}:/usr/bin:/bin")

    def run(notebook):
        nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
        return [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    return run


def texts(outputs):
    return [str(one.get("data", {}).get("text/plain", one.get("text", ""))) for one in outputs]


def test_the_notebooks_of_the_gallery(execute, tmp_path):
    sys.path.insert(0, str(ROOT / "gallery"))
    from runner import notebooks, programs
    notebooks.write(tmp_path / "notebooks", [programs.Run(name, *programs.check(name, "small"), 2.0, 1.0) for name in ("sobel", "lu")], "small")
    for name in ("sobel", "lu"):
        cells = execute(nbformat.read(tmp_path / "notebooks" / f"{name}.ipynb", 4))
        assert any(cells) and not any(one.output_type == "error" for outputs in cells for one in outputs)


def test_the_desk_in_cells(execute):
    cells = ["import numpy as np, sluice\nN = sluice.symbol('N')\n\n@sluice.program\ndef twice(x: sluice.float64[N]):\n    return np.exp(x) * 2\n\n"
             "twice(np.zeros(3))",
             "twice.to_sdfg()",
             "@sluice.program\ndef told(x):\n    y = x * 2\n    print(y.sum())\n    return y + 1\n\ntold(np.ones(2))",
             "told.explain()"]
    called, picture, fallen, explained = execute(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(one) for one in cells]))
    assert texts(called)[-1] == "array([2., 2., 2.])"
    assert "<svg" in picture[0].data["text/html"]
    assert any("FallbackWarning" in text for text in texts(fallen)) and texts(fallen)[-1] == "array([3., 3.])"
    lines = texts(explained)[0].splitlines()
    assert len(lines) >= 3 and "F006" in lines[0] and lines[1].startswith("line")  # a text, not one quoted line
    # Compiling took more than half a second, and what told of it is gone.
    shown = [one for one in called + fallen if one.output_type == "display_data"]
    assert all(one.data["text/plain"] == "" for one in shown)
