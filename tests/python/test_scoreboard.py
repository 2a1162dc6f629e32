"""The scoreboard: two kernels at a tiny size, then its table and its picture from given cells."""
import ast
import json
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

import numpy as np
import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "bench" / "scoreboard"
sys.path += [str(FOLDER), str(FOLDER.parent)]  # behind: bench/ has an against_numpy.py of its own
import heatmap  # noqa: E402
import measuring  # noqa: E402
import report  # noqa: E402


def cell(*times, reference=(0.004,), **more):
    return {"state": "right", "mode": "compiled", "version": "one 1.0", "first": 0.5, "peak": 50.0, "times": list(times), "reference": list(reference), **more}


BOARD = {"date": "2026-11-23", "processor": "A <CPU>", "threads": 2, "preset": "S", "load": False, "kernels": {
    "gemm": {"numpy": cell(0.004), "sluice": cell(0.002, 0.001, 0.003), "numba": cell(0.001, state="amplified"), "jax": {"state": "refused", "message": "no & never"}},
    "lu": {"numpy": cell(0.004), "sluice": cell(0.001), "numba": cell(0.008), "jax": {"state": "late", "message": "not done after 20 s"}}}}


def test_two_kernels(tmp_path):
    command = [sys.executable, FOLDER / "run.py", "jacobi_1d", "nbody", "--preset", "tiny", "--peers", "numpy", "sluice", "--seconds", "0", "--results", tmp_path]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    board = json.loads((tmp_path / "scoreboard.json").read_text())
    assert list(board["kernels"]) == ["jacobi_1d", "nbody"]
    for cells in board["kernels"].values():
        assert [one["state"] for one in cells.values()] in (["right", "right"], ["right", "amplified"])
        assert all(len(one["times"]) >= 3 and one["reference"] and one["peak"] > 1 for one in cells.values())
    assert "| jacobi_1d |" in printed and (tmp_path / "scoreboard.svg").exists()
    before = (tmp_path / "nbody.sluice.json").read_text()  # what is measured is kept
    subprocess.run(command, check=True, capture_output=True)
    assert (tmp_path / "nbody.sluice.json").read_text() == before


def test_table():
    lines = report.table(BOARD).splitlines()
    assert "| gemm | 4 (4 to 4) | 2 (1 to 3) | 2.00 | 4.00~ | - | 0.50 (Numba) | 0.50 | 50 / 50 |" in lines
    assert "| lu | 4 (4 to 4) | 1 (1 to 1) | 4.00 | 0.50 | late | 4.00 (NumPy) | 0.50 | 50 / 50 |" in lines
    assert "- against Numba: 2.00 times as fast (geometric mean of 2 kernels), slower than it on 1" in lines
    assert "- against the best of them on each kernel: 1.41 (of 2 kernels), slower on 1, below 0.8 on 1" in lines


def test_refusals_of_ours_are_named():
    board = {**BOARD, "kernels": {"lu": {"numpy": cell(0.004), "sluice": {"state": "refused", "message": "F006: no"}}}}
    assert "- lu: refused, F006: no" in report.table(board)


def test_picture():
    root = xml.etree.ElementTree.fromstring(heatmap.svg(BOARD))
    texts = ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"gemm", "lu", "4 ms", "2", "1/2", "late", "geometric mean"} <= set(texts)
    assert any("A <CPU>" in text for text in texts)


@pytest.mark.parametrize("value, shade", [(1.0, "#ffffff"), (10.0, "#1a9850"), (0.1, "#d73027"), (1000.0, "#1a9850")])
def test_colours(value, shade):
    assert heatmap.colour(value) == shade


def test_intervals():
    assert measuring.interval([3.0, 1.0, 2.0]) == (1.0, 3.0)
    low, high = measuring.interval(range(1000))
    assert 465 < low < 475 and 525 < high < 535


def test_amplified_roundings():
    expected = [np.array([1.0, 2.0])]
    assert measuring.differs([np.array([1.0, 2.0 + 1e-6])], expected)
    assert not measuring.differs([np.array([1.0, 2.0 + 1e-6])], expected, [np.array([1.0, 2.0 + 1e-7])])


@pytest.mark.parametrize("path", sorted((FOLDER / "kernels").glob("*.py")), ids=lambda path: path.stem)
def test_kernel_files(path):
    kernel = measuring.load(path, path.stem)
    assert {"tiny", "S"} < set(kernel.SIZES) and {"paper", "L"} & set(kernel.SIZES)
    inputs = kernel.inputs(np.random.default_rng(0), *kernel.SIZES["tiny"])
    function = next(node for node in ast.parse(path.read_text()).body if getattr(node, "name", "") == path.stem)
    assert list(inputs) == [argument.arg for argument in function.args.args]
    assert ("LARGE" in kernel.SIZES) == (FOLDER / "c" / f"{path.stem}.c").exists()
